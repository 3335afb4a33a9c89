import { isReached, type Figure } from './figure.ts';

const columns = ['case', 'measure', 'stockcheck', 'bare', 'ratio', 'target', ''] as const;

/** Writes the figures as a table in Markdown. */
export function toTable(figures: readonly Figure[]): string {
  const rows = [columns, columns.map(() => '---'), ...figures.map(toRow)];
  const widths = columns.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => `| ${row.map((cell, column) => pad(cell, widths[column] ?? 0)).join(' | ')} |`)
    .join('\n');
}

function pad(cell: string, width: number): string {
  return cell === '---' ? '-'.repeat(Math.max(width, 3)) : cell.padEnd(width);
}

function toRow(figure: Figure): readonly string[] {
  const { stockcheck, bare, ratio, target, unit } = figure;
  const reached = isReached(figure);
  return [
    figure.case,
    figure.measure,
    `${toText(stockcheck)} ${unit}`,
    bare === undefined ? '' : `${toText(bare)} ${unit}`,
    ratio === undefined ? '' : ratio.toFixed(2),
    target === undefined ? '' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`,
    reached === undefined ? '' : reached ? 'reached' : 'MISSED',
  ];
}

function toText(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: value < 1000 ? 3 : 5 });
}
