/** The random numbers of a simulated sale, all from one seed, so that the same seed repeats the sale exactly. */
import { seededRandom } from '../../bench/statistics.ts'

export type Random = ReturnType<typeof openRandom>

export function openRandom(seed: number) {
  const random = seededRandom(seed)
  /** Returns an integer from `min` to `max`, inclusive. */
  const whole = (min: number, max: number) => min + Math.floor(random() * (max - min + 1))
  return {
    /** Returns a number in [0, 1). */
    fraction: random,
    chance: (probability: number) => random() < probability,
    whole,
    /** Returns an integer with a logarithmic distribution: 1…10 is as likely as 10…100. */
    spread: (min: number, max: number) => Math.round(min * (max / min) ** random()),
    pick<T>(items: readonly T[]): T {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    /** Returns one of the names in `weights`, with the probability of its weight. */
    weighted<Name extends string>(weights: ReadonlyMap<Name, number>): Name {
      let left = random() * [...weights.values()].reduce((sum, weight) => sum + weight, 0)
      for (const [name, weight] of weights) {
        left -= weight
        if (left < 0) return name
      }
      throw new RangeError('no name has any weight')
    },
  }
}

/** Derives the seed of part `index` of a run. */
export function seedOf(seed: number, index: number): number {
  return (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
}
