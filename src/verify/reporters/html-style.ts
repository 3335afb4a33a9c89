/** The style of the HTML report, for light and dark. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #14171c);
  --card: light-dark(#ffffff, #1c2128);
  --line: light-dark(#e1e5ea, #313843);
  --text: light-dark(#1b2430, #e4e8ee);
  --soft: light-dark(#5c6877, #97a3b3);
  --pass: light-dark(#18794e, #4cc38a);
  --pass-ground: light-dark(#e6f5ec, #13301f);
  --fail: light-dark(#c62a2f, #ff8b84);
  --fail-ground: light-dark(#fdecec, #3a1618);
  --inconclusive: light-dark(#8f6400, #f1c94d);
  --inconclusive-ground: light-dark(#fdf4dc, #332708);
  --advice: light-dark(#0b68cb, #70b8ff);
  --advice-ground: light-dark(#e8f2fd, #10263d);
  --none: light-dark(#8994a2, #667080);
  --code: light-dark(#f2f4f7, #12151a);
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 15px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
}
main { max-width: 1040px; margin: 0 auto; padding: 40px 24px 80px; }
header { margin-bottom: 28px; }
.product { color: var(--soft); font-size: 13px; letter-spacing: .02em; margin: 0 0 6px; }
h1 { font-size: 27px; line-height: 1.25; margin: 0 0 10px; letter-spacing: -.01em; text-wrap: balance; }
h1::before { content: ''; display: inline-block; width: 13px; height: 13px; border-radius: 50%; background: var(--mark); margin-right: 12px; vertical-align: 2px; }
h2 { font-size: 18px; margin: 44px 0 14px; letter-spacing: -.005em; }
h2 small { color: var(--soft); font-weight: 400; font-size: 14px; margin-left: 8px; }
.facts { color: var(--soft); margin: 0; }
.facts code { color: var(--text); font-size: 14px; }
code, pre { font-family: var(--mono); }
code { font-size: 13px; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 14px 18px; }
.tile dt { color: var(--soft); font-size: 13px; }
.tile dd { margin: 2px 0 0; font-size: 27px; font-weight: 600; font-variant-numeric: tabular-nums; }
.tile.some dd { color: var(--mark); }
.tile:not(.some) dd { color: var(--none); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 9px 16px; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 500; font-size: 13px; white-space: nowrap; }
.matrix td { width: 19%; font-variant-numeric: tabular-nums; }
.matrix th, .matrix td { vertical-align: middle; }
.matrix th[scope=row] { font: 500 14px var(--mono); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.pill { display: inline-block; border-radius: 999px; padding: 1px 10px; font-size: 13px; font-weight: 500; color: var(--mark); background: var(--mark-ground); white-space: nowrap; }
.pass { --mark: var(--pass); --mark-ground: var(--pass-ground); }
.fail { --mark: var(--fail); --mark-ground: var(--fail-ground); }
.inconclusive { --mark: var(--inconclusive); --mark-ground: var(--inconclusive-ground); }
.advice { --mark: var(--advice); --mark-ground: var(--advice-ground); }
.none { --mark: var(--none); --mark-ground: transparent; }
details { border-top: 1px solid var(--line); }
details:first-child { border-top: 0; }
summary { padding: 12px 18px; cursor: pointer; display: grid; grid-template-columns: auto 1fr; gap: 2px 12px; list-style: none; align-items: baseline; }
summary::-webkit-details-marker { display: none; }
summary::before { content: '▸'; color: var(--mark); grid-row: 1; }
details[open] > summary::before { content: '▾'; }
summary:hover { background: color-mix(in srgb, var(--mark-ground) 45%, transparent); }
summary:focus-visible { outline: 2px solid var(--advice); outline-offset: -2px; }
summary code { font-weight: 600; margin-right: 6px; }
summary strong { font-weight: 600; }
summary > span { color: var(--soft); grid-column: 2; }
.finding { padding: 4px 18px 18px 42px; }
.finding + .finding { border-top: 1px dashed var(--line); padding-top: 14px; }
.finding p { margin: 0 0 10px; }
.finding .message { font-weight: 600; overflow-wrap: anywhere; }
.finding h3 { font-size: 13px; font-weight: 500; color: var(--soft); margin: 14px 0 5px; }
pre { background: var(--code); border: 1px solid var(--line); border-radius: 7px; padding: 10px 13px; margin: 0; font-size: 12.5px; line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
pre b { color: var(--mark); font-weight: 600; }
ul { margin: 0; padding: 12px 20px 12px 36px; }
li { margin: 4px 0; }
li small, td small { color: var(--soft); font-size: 13px; }
.plain { padding: 14px 18px; color: var(--soft); }
footer { margin-top: 44px; color: var(--soft); font-size: 13px; }
@media print { body { background: none; } details { break-inside: avoid; } }
`;
