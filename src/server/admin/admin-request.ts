import type { ExactJson } from '../../json/exact-json.ts';

/** A request to the admin API that was routed, let through and read. */
export interface AdminRequest {
  /** The parts of the path that the route names, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Only names that the route has, each at most once. */
  readonly query: URLSearchParams;
  /** The value of a header, its name in lower case. */
  header(name: string): string | undefined;
  /** `undefined` where the route takes no body, or takes one that was left out. */
  readonly body: ExactJson | undefined;
  /** Aborted when the client went away, or the server stops. */
  readonly signal: AbortSignal;
}

/** A part of the path that the route has by its own words. */
export function paramOf({ params }: AdminRequest, name: string): string {
  const value = params[name];
  if (value === undefined) throw new Error(`the route has no {${name}}`);
  return value;
}
