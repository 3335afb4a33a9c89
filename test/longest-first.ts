import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The file that takes longest by far, which would run alone for minutes where it came last. */
const longest = '/test/mutants/verifier.test.ts';

/** Begins with the file that takes longest, also where nothing is known of earlier runs. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- this one is no array's
    const sorted = await super.sort(files);
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))];
  }
}

function isLongest({ moduleId }: TestSpecification): boolean {
  return moduleId.endsWith(longest);
}
