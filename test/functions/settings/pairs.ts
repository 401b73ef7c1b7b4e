/** Sales in which every pair of settings that is allowed occurs, as few as a greedy search finds. */
import type { Random } from '../../../proof/simulation/engine/random.ts'
import { type Choice, type Conflict, choiceNames, choices, conflicts, type Settings } from './choices.ts'

type Partly = Partial<Settings>

/** `name=value, name=value`, in the order of the choices. */
export type Pair = string

const settingNamed = (name: Choice, value: string): Partly => ({ [name]: value })

export const has = (settings: Partly, of: Partly) =>
  choiceNames.every((name) => of[name] === undefined || settings[name] === of[name])

const excluded = conflicts.map(({ of }) => ({ of, names: choiceNames.filter((name) => of[name] !== undefined) }))

const isAllowed = (settings: Partly) =>
  !excluded.some(({ of, names }) => names.every((name) => settings[name] === of[name]))

/** Whether the choices that are left have values that go with `settings`. Conflicts are between two values. */
function canBeWhole(settings: Partly): boolean {
  if (!isAllowed(settings)) return false
  const name = choiceNames.find((one) => settings[one] === undefined)
  return name === undefined || choices[name].some((value) => canBeWhole({ ...settings, ...settingNamed(name, value) }))
}

function pairOf(settings: Partly, first: Choice, second: Choice): Pair {
  return `${first}=${settings[first]}, ${second}=${settings[second]}`
}

/** The pairs of `settings`, as far as they have values. */
export function pairsIn(settings: Partly): Pair[] {
  const names = choiceNames.filter((name) => settings[name] !== undefined)
  return names.flatMap((first, at) => names.slice(at + 1).map((second) => pairOf(settings, first, second)))
}

/** Every pair of values that some sale may have. */
export function allowedPairs(): Map<Pair, Partly> {
  const found = new Map<Pair, Partly>()
  for (const [at, first] of choiceNames.entries()) {
    for (const second of choiceNames.slice(at + 1)) {
      for (const one of choices[first]) {
        for (const other of choices[second]) {
          const both = { ...settingNamed(first, one), ...settingNamed(second, other) }
          if (canBeWhole(both)) found.set(pairOf(both, first, second), both)
        }
      }
    }
  }
  return found
}

/** Tries for each sale; the one with the most new pairs is taken. */
const tries = 20

/** Variants, a split stock and two windows: its orders must be paid, refunded and disputed. */
export const soldInEveryWay: Partly = {
  ...{ kind: 'goods', price: 'paid', checkout: 'here' },
  ...{ variants: 'two', shards: 'three', windows: 'two' },
}

/**
 * Settings that must meet in one sale: shoppers of a recovered sale solve a challenge and choose variants; and a sale whose
 * orders are paid, refunded and disputed has variants, several databases and two windows.
 */
export const together: readonly Partly[] = [
  { challenge: 'pow', variants: 'two', loss: 'stock' },
  { challenge: 'turnstile', variants: 'two', loss: 'stock' },
  soldInEveryWay,
]

/** Sales that have all allowed pairs and `together` among them, others for another seed. */
export const salesOfAllPairs = (random: Random): Settings[] => salesOf(allowedPairs(), together, random)

/** Sales with the settings `fixed`, and among them every other value that goes with these. */
export function salesWith(fixed: Partly, random: Random): Settings[] {
  const names = choiceNames.filter((name) => fixed[name] !== undefined)
  const wanted = [...allowedPairs()]
    .filter(([, both]) => names.some((name) => both[name] !== undefined))
    .map(([pair, both]) => [pair, { ...both, ...fixed }] as const)
    .filter(([pair, all]) => pairsIn(all).includes(pair) && canBeWhole(all))
  return salesOf(new Map(wanted), [], random)
}

function salesOf(missing: Map<Pair, Partly>, first: readonly Partly[], random: Random): Settings[] {
  const sales: Settings[] = []
  const next = () => first[sales.length] ?? missing.values().next().value
  for (let seed = next(); seed !== undefined; seed = next()) {
    const begun = seed
    const grown = Array.from({ length: tries }, () => grow(begun, missing, random))
    const best = grown.reduce((a, b) => (newIn(b, missing) > newIn(a, missing) ? b : a))
    for (const pair of pairsIn(best)) missing.delete(pair)
    sales.push(best)
  }
  return sales
}

const newIn = (settings: Partly, missing: ReadonlyMap<Pair, Partly>) =>
  pairsIn(settings).filter((pair) => missing.has(pair)).length

/** `begun` with a value for every choice, each the one that adds the most missing pairs. */
function grow(begun: Partly, missing: ReadonlyMap<Pair, Partly>, random: Random): Settings {
  let settings = begun
  for (const name of shuffled(choiceNames, random)) {
    if (settings[name] !== undefined) continue
    const options = shuffled<string>(choices[name], random)
      .map((value) => ({ ...settings, ...settingNamed(name, value) }))
      .filter(canBeWhole)
    settings = options.reduce((a, b) => (newIn(b, missing) > newIn(a, missing) ? b : a))
  }
  return whole(settings)
}

function whole(settings: Partly): Settings {
  if (!isComplete(settings)) throw new Error(`a choice is missing in ${JSON.stringify(settings)}`)
  return settings
}

const isComplete = (settings: Partly): settings is Settings => choiceNames.every((name) => settings[name] !== undefined)

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, at: random.fraction() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}

/** Returns the name of a conflict in test titles. */
export const nameOf = ({ of }: Conflict): string => pairsIn(of).join()
