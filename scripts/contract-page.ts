import { cases } from '../contracts/cases.ts';
import { clauses } from '../contracts/clauses.ts';
import { decisions } from '../contracts/decisions.ts';

/** The contract as a Markdown page: coverage, clauses, decisions and cases. */
export function toContractPage(): string {
  return [
    '# The contract',
    'This page is written from `contracts/` by `npm run contract-page`. The same data drives the mock, the pacts and the verifier.',
    '## Coverage',
    `${cases.length} cases; the number is how many expect that status first.`,
    toTable(['operation', ...statuses.map(String)], operations.map(toCoverage)),
    '## Clauses',
    'What the specification says, by the section that says it.',
    toTable(
      ['clause', 'sentence', 'cases'],
      clauses.map(({ id, sentence }) => [`\`${id}\``, sentence, String(countOf(id))]),
    ),
    '## Decisions',
    'What the specification leaves open. The first answer is the mock’s default; `--policy` chooses another.',
    toTable(
      ['decision', 'question', 'answers', 'accepted by the verifier'],
      decisions.map(({ id, question, choices, accepted }) => [
        `\`${id}\``,
        question,
        choices.map(({ name, meaning }) => `\`${name}\`: ${meaning}`).join('<br>'),
        accepted,
      ]),
    ),
    '## Cases',
    toTable(
      ['case', 'what it says', 'also legal'],
      cases.map(({ id, title, answers }) => [
        `\`${id}\``,
        title,
        answers
          .slice(1)
          .map(({ status, choice }) =>
            choice === undefined ? String(status) : `${status} (\`${choice.decision}\`)`,
          )
          .join(', '),
      ]),
    ),
  ].join('\n\n');
}

const operations = ['listInventory', 'updateInventory'] as const;

const statuses = [...new Set(cases.map(({ answers }) => answers[0].status))].toSorted(
  (one, other) => one - other,
);

function toCoverage(operation: string): readonly string[] {
  const counts = statuses.map(
    (status) =>
      cases.filter((it) => it.operation === operation && it.answers[0].status === status).length,
  );
  return [`\`${operation}\``, ...counts.map((count) => (count === 0 ? '' : String(count)))];
}

function countOf(clause: string): number {
  return cases.filter((subject) => subject.clauses.some((id) => id === clause)).length;
}

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [toRow(head), toRow(head.map(() => '---')), ...rows.map(toRow)].join('\n');
}

function toRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
