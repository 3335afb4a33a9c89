import type { Report, Result } from './report.ts';

/** What is known of a run before anything was sent. */
export interface RunStart {
  readonly baseUrl: string;
  /** How many cases and checks will be looked at. */
  readonly subjects: number;
}

/** Where a reporter writes. */
export interface ReporterOutput {
  write(text: string): void;
  /** Whether a person watches, so that a line may be written over. */
  readonly isTerminal: boolean;
  readonly hasColours: boolean;
  /** Adds Markdown to the summary page of a CI job; left out: there is none. */
  readonly addSummary?: (markdown: string) => void;
}

/** Tells of a run. Every text of the provider's in results and report is without the API key. */
export interface Reporter {
  onStart?(start: RunStart): void;
  onResult?(result: Result): void;
  onEnd?(report: Report): void;
}

export interface ReporterKind {
  readonly name: string;
  readonly description: string;
  create(output: ReporterOutput): Reporter;
}
