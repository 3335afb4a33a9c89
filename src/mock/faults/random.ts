import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/**
 * Creates a generator of numbers from 0 up to, but not including, 1.
 *
 * @param seed an int32
 * @param place another one: the same seed at another place gives other numbers
 */
export function createRandom(seed: number, place: number): () => number {
  // The generator begins alike for seeds that are alike, so they are mixed first.
  const random = xoroshiro128plus(mix(mix(seed) + place));
  return () => uniformFloat64(random);
}

/** The finalizer of MurmurHash3: every bit of the input changes half of the bits of the output. */
function mix(value: number): number {
  let hash = (value + 0x9e37_79b9) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}
