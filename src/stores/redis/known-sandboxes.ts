import type { Description, SandboxState } from './sandbox-state.ts';
import { RedisSandbox } from './redis-sandbox.ts';
import type { RedisContext } from './redis-store.ts';

/** How many sandboxes a process remembers, and how many pets their copies may have altogether. */
const mostSandboxes = 20_000;
const mostPets = 4_000_000;

interface Known {
  readonly state: SandboxState;
  /** Made anew when the settings have changed. */
  sandbox: RedisSandbox;
  description: Description;
  /** How many pets its copy has. */
  pets: number;
}

/** The sandboxes that this process knows. Those used last stay. */
export class KnownSandboxes {
  readonly #known = new Map<string, Known>();
  #pets = 0;

  get(id: string): Known | undefined {
    const known = this.#known.get(id);
    if (known !== undefined) {
      this.#known.delete(id);
      this.#known.set(id, known);
    }
    return known;
  }

  add(state: SandboxState, context: RedisContext): RedisSandbox {
    this.delete(state.id);
    const sandbox = new RedisSandbox(state, context);
    this.#known.set(state.id, { state, sandbox, description: state.description, pets: 0 });
    for (const id of this.#known.keys()) {
      if (this.#known.size <= mostSandboxes) break;
      this.delete(id);
    }
    return sandbox;
  }

  /** The sandbox with the settings that this process learnt last. */
  sandboxOf(known: Known, context: RedisContext): RedisSandbox {
    const { description } = known.state;
    if (description.version !== known.description.version) {
      known.sandbox = new RedisSandbox(known.state, context);
    }
    known.description = description;
    return known.sandbox;
  }

  /** Notes how large the copy of a sandbox is; copies not used for long are given up for it. */
  notePets(state: SandboxState): void {
    const known = this.get(state.id);
    if (known?.state !== state) return;
    this.#setPets(known, state.replica?.base.table.length ?? 0);
    for (const other of this.#known.values()) {
      if (this.#pets <= mostPets) break;
      if (other !== known && other.pets > 0) {
        other.state.replica = undefined;
        this.#setPets(other, 0);
      }
    }
  }

  delete(id: string): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#setPets(known, 0);
    this.#known.delete(id);
  }

  #setPets(known: Known, pets: number): void {
    this.#pets += pets - known.pets;
    known.pets = pets;
  }
}
