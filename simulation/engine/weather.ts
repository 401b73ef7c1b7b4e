/** What can go wrong at one step, and how often it does. */
import type { Dice } from './dice.ts'

/** What an operation goes to. Each can be unavailable as a whole; `wire` is the way of an HTTP answer to its caller. */
export type Part = 'stock' | 'gate' | 'sqs' | 'table' | 'site' | 'provider' | 'wire'

/**
 * Drawn for a single step. `killed`: the invocation ends, and nothing after the step is ever done. `refused`: not
 * done, and its caller is told so. `reply lost`: done, but its caller is told it failed. `late`: its caller is told
 * it failed, and it is done after all, later. `delayed`: done later. `frozen`: done, and the whole invocation stands
 * still before it hears of it. `twice`: done twice. `busy`: DynamoDB cancels it, because it met another.
 */
export const stepFaults = [
  'killed before',
  'killed after',
  'refused',
  'reply lost',
  'late',
  'delayed',
  'frozen',
  'twice',
  'busy',
] as const

export type StepFault = (typeof stepFaults)[number]

/**
 * What a step can meet beside those: its part is `unavailable`, another that was ready later goes first (`overtaken`), a
 * message comes to two receivers, one that comes is `poison`, a list is `stale`, or all of Redis is `lost` or `older`.
 */
export type Fault =
  | StepFault
  | 'unavailable'
  | 'overtaken'
  | 'delivered twice'
  | 'partly refused'
  | 'poison'
  | 'stale list'
  | 'lost'
  | 'older'

/** `rate` is the share of steps that go wrong, `overtaking` that of steps which are not taken in their order. */
export type Weather = {
  rate: number
  overtaking: number
  weights: ReadonlyMap<StepFault, number>
  unavailable: Set<Part>
  /** What every transaction of the table meets: another one, or nobody who answers. */
  transactions: 'busy' | 'refused' | undefined
}

/** Most sales see a bit of everything; some one kind above all, and some next to nothing. */
export function drawWeather(dice: Dice): Weather {
  const rate = dice.chance(0.1) ? 0.005 : dice.spread(40, 300) / 1000
  const favourite = dice.chance(0.3) ? dice.pick(stepFaults) : undefined
  const weights = new Map(stepFaults.map((kind) => [kind, kind === favourite ? 20 : dice.whole(1, 4)]))
  return {
    rate,
    overtaking: dice.pick([0.2, 0.5, 0.9]),
    weights,
    unavailable: new Set(),
    transactions: undefined,
  }
}

/** Nothing goes wrong, though steps may still overtake each other. */
export function calm(): Weather {
  return { rate: 0, overtaking: 0.5, weights: new Map(), unavailable: new Set(), transactions: undefined }
}

/** Nothing goes wrong any more, from now on. */
export function clearUp(weather: Weather): void {
  weather.rate = 0
  weather.transactions = undefined
  weather.unavailable.clear()
}

/** The fault a step meets, or undefined; `possible` says which it can meet. */
export function drawFault(
  { rate, weights }: Weather,
  dice: Dice,
  possible: (kind: StepFault) => boolean,
): StepFault | undefined {
  if (!dice.chance(rate)) return undefined
  const kinds = new Map([...weights].filter(([kind]) => possible(kind)))
  return kinds.size === 0 ? undefined : dice.weighted(kinds)
}
