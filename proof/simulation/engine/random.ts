/**
 * The random numbers of a simulated sale. All come from one seed, so the same seed repeats the sale
 * exactly.
 */
import { seededRandom } from '../../bench/statistics.ts'

export type Random = {
  /** At least 0 and less than 1. */
  fraction: () => number
  chance: (probability: number) => boolean
  /** A whole number from `min` to `max`, both included. */
  whole: (min: number, max: number) => number
  /** A whole number, small ones as likely as large ones: 1…10 comes as often as 10…100. */
  spread: (min: number, max: number) => number
  pick: <T>(items: readonly T[]) => T
  /** One of the names in `weights`, each as often as its weight says. */
  weighted: <Name extends string>(weights: ReadonlyMap<Name, number>) => Name
}

export function openRandom(seed: number): Random {
  const random = seededRandom(seed)
  const whole = (min: number, max: number) => min + Math.floor(random() * (max - min + 1))
  return {
    fraction: random,
    chance: (probability) => random() < probability,
    whole,
    spread: (min, max) => Math.round(min * (max / min) ** random()),
    pick(items) {
      const item = items[whole(0, items.length - 1)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    weighted(weights) {
      let left = random() * [...weights.values()].reduce((sum, weight) => sum + weight, 0)
      for (const [name, weight] of weights) {
        left -= weight
        if (left < 0) return name
      }
      throw new RangeError('no name has any weight')
    },
  }
}

/** The seed of part `index` of the run with `seed`. */
export function seedOf(seed: number, index: number): number {
  return (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
}
