import { signal, type ReadonlySignal } from '@preact/signals';
import { toSentence, type Api } from '../api.ts';
import { oncePerFrame } from '../frames.ts';
import type { ReportView, ResultView, VerificationRequest } from '../wire.ts';

export type RunState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly target: string; readonly subjects: number }
  | { readonly kind: 'ended'; readonly target: string; readonly report: ReportView }
  | { readonly kind: 'stopped'; readonly target: string }
  | { readonly kind: 'failed'; readonly target: string; readonly reason: string };

/** The run of the case table that the page shows; it goes on while another view is open. */
export interface VerificationRun {
  readonly state: ReadonlySignal<RunState>;
  /** Rises when there are new results. */
  readonly version: ReadonlySignal<number>;
  results(): readonly ResultView[];
  /** @param target what is verified, for a person */
  start(request: VerificationRequest, target: string): Promise<void>;
  stop(): void;
}

export function createVerificationRun(api: Api): VerificationRun {
  const state = signal<RunState>({ kind: 'idle' });
  const version = signal(0);
  let results: ResultView[] = [];
  let current: AbortController | undefined;
  const publish = oncePerFrame(() => {
    version.value += 1;
  });

  return {
    state,
    version,
    results: () => results,
    async start(request, target) {
      current?.abort();
      const mine = new AbortController();
      current = mine;
      results = [];
      publish();
      state.value = { kind: 'running', target, subjects: 0 };
      try {
        await api.verify(
          request,
          (line) => {
            switch (line.type) {
              case 'start':
                state.value = { kind: 'running', target, subjects: line.subjects };
                break;
              case 'result':
                results.push(line.result);
                publish();
                break;
              case 'end':
                results = [...line.report.results];
                state.value = { kind: 'ended', target, report: line.report };
                publish();
                break;
              case 'error':
                state.value = { kind: 'failed', target, reason: line.error.message };
                break;
            }
          },
          mine.signal,
        );
        if (state.value.kind === 'running' && current === mine) {
          state.value = { kind: 'failed', target, reason: 'the run broke off before its end' };
        }
      } catch (error) {
        if (current !== mine) return;
        state.value = mine.signal.aborted
          ? { kind: 'stopped', target }
          : { kind: 'failed', target, reason: toSentence(error) };
      }
    },
    stop: () => current?.abort(),
  };
}
