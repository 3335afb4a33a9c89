/** The way from the root of a JSON value to a part of it: names and indexes. */
export type JsonPath = readonly (string | number)[];

/** Something wrong with a JSON value: where, and what was expected there. */
export interface JsonProblem {
  readonly path: JsonPath;
  readonly message: string;
}

const simpleName = /^[A-Za-z_$][\w$]*$/;

/** Writes a path as people know it: `$.inventory[3].petId`, `$.policy["content-type"]`. */
export function formatJsonPath(path: JsonPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return simpleName.test(part) ? `${text}.${part}` : `${text}[${JSON.stringify(part)}]`;
  }, '$');
}
