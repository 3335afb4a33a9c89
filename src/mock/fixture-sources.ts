import { quoteText } from '../json/cut-text.ts';
import { toWholeFixture } from './faults/whole-fixture.ts';
import type { LoadedFixture } from './plain-fixture.ts';
import { explainAsInvalid } from './sandbox-options.ts';
import { SandboxError, type SandboxOptions } from './sandbox.ts';

/** One fixture that sandboxes are created from. Those of one fixture share its inventory. */
export interface FixtureSource {
  readonly name: string;
  readonly fixture: LoadedFixture;
}

/** The built-in fixtures, whose names a sandbox can be created from. */
const builtinNames = ['default', 'empty', 'edge'] as const;
const names = ['server', ...builtinNames] as const;

/** What sandboxes can be created from. */
export class FixtureSources {
  /** What the mock was created from: `server`. */
  own: FixtureSource;
  readonly #mostPets: number;
  readonly #builtin = new Map<string, FixtureSource>();

  /** @param mostPets how many an inventory may have that is given in full */
  constructor(own: FixtureSource, mostPets: number) {
    this.own = own;
    this.#mostPets = mostPets;
  }

  /** All that have names, with their scenarios. */
  list(): readonly { readonly name: string; readonly scenarios: readonly string[] }[] {
    return names.map((name) => ({
      name,
      scenarios: Object.keys(this.#named(name).fixture.scenarios ?? {}),
    }));
  }

  /**
   * @param given a name, or a fixture in full. Left out: `server`
   * @throws {SandboxError} for a name that there is not, and for a wrong or too large fixture
   */
  find(given: SandboxOptions['fixture'] = 'server'): FixtureSource {
    if (typeof given === 'string') return this.#named(given);
    const fixture = explainAsInvalid(() => toWholeFixture(given));
    if (fixture.inventory.length > this.#mostPets) {
      throw new SandboxError(
        'limit',
        `a fixture may have at most ${this.#mostPets} pets; got ${fixture.inventory.length}`,
      );
    }
    return { name: 'inline', fixture };
  }

  #named(name: string): FixtureSource {
    if (name === 'server') return this.own;
    const builtin = builtinNames.find((known) => known === name);
    if (builtin === undefined) {
      throw new SandboxError(
        'invalid',
        `fixture: there is no fixture ${quoteText(name)}; there are ${names.join(', ')}, or give one in full`,
      );
    }
    const source = this.#builtin.get(builtin) ?? {
      name: builtin,
      fixture: toWholeFixture(builtin),
    };
    this.#builtin.set(builtin, source);
    return source;
  }
}
