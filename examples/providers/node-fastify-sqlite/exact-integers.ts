// JavaScript's numbers are doubles: they cannot hold every integer. JSON.parse hands the digits
// over as they stood in the text, and JSON.rawJSON writes them again.

const { parse, rawJSON } = JSON as unknown as {
  parse: (
    text: string,
    reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
  ) => unknown;
  rawJSON: (text: string) => unknown;
};

/** Parses JSON with every integer as a `bigint`. Other numbers, which nothing here takes, are left out. */
export function parseJson(text: string): unknown {
  return parse(text, (_name, value, { source = '' }) => {
    if (typeof value !== 'number') return value;
    return /^-?\d+$/.test(source) && source.length <= 1000 ? BigInt(source) : undefined;
  });
}

/** Writes JSON with every `bigint` as an integer. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'bigint' ? rawJSON(part.toString()) : part,
  );
}
