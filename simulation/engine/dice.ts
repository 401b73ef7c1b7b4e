/** All chance of a played sale comes from one seed, so that the same seed plays the same sale again. */
import { seededRandom } from '../../bench/statistics.ts'

export type Dice = {
  /** From 0 up to, not including, 1. */
  fraction: () => number
  chance: (probability: number) => boolean
  /** A whole number from `min` to `max`, both included. */
  whole: (min: number, max: number) => number
  /** The same, small ones as likely as large ones: as many draws lie in 1…10 as in 10…100. */
  spread: (min: number, max: number) => number
  pick: <T>(items: readonly T[]) => T
  /** One of `weights`' names, each as often as its weight says. */
  weighted: <Name extends string>(weights: ReadonlyMap<Name, number>) => Name
}

export function rollDice(seed: number): Dice {
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

/** A seed of its own for part `index` of what `seed` plays. */
export function seedOf(seed: number, index: number): number {
  return (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
}
