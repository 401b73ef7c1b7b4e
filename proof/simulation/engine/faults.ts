/** The faults of a step, and their probabilities. */
import type { Random } from './random.ts'

/**
 * The target of an operation; each can be unavailable as a whole. `wire` is the path of an HTTP answer to its caller;
 * an option has its own targets.
 */
export type StepTarget = 'stock' | 'gate' | 'sqs' | 'table' | 'site' | 'edge' | 'provider' | 'wire' | `option ${string}`

/** A shard of a split stock, which can be unavailable while the others answer. */
export type ShardTarget = `shard ${number}`

/**
 * Faults drawn for a single step:
 * - `killed`: the invocation ends, and nothing after the step is done.
 * - `refused`: not done, and the caller gets an error.
 * - `reply lost`: done, but the caller gets an error.
 * - `late`: the caller gets an error, and it is done later.
 * - `delayed`: done later.
 * - `frozen`: done, and the whole invocation pauses before it receives the answer.
 * - `twice`: done twice.
 * - `busy`: DynamoDB cancels it because of a conflict with another transaction.
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
 * All faults: those of a step; its part is `unavailable`; a later step runs first (`overtaken`); a message goes to two
 * receivers; a message is invalid (`poison`); a list is stale; Redis data is `lost` or `older`.
 */
export type FaultKind =
  | StepFault
  | 'unavailable'
  | 'overtaken'
  | 'delivered twice'
  | 'partly refused'
  | 'poison'
  | 'stale list'
  | 'lost'
  | 'older'

/** `rate` is the share of steps with a fault, `overtaking` that of steps out of order. */
export type FaultProfile = {
  rate: number
  overtaking: number
  weights: ReadonlyMap<StepFault, number>
  unavailable: Set<StepTarget | ShardTarget>
  /** The fault of every transaction of the table, if any: a conflict, or no answer. */
  transactions: 'busy' | 'refused' | undefined
}

/** Draws a profile: most sales have every fault, some mainly one kind, and some almost none. */
export function drawFaultProfile(random: Random): FaultProfile {
  const rate = random.chance(0.1) ? 0.005 : random.spread(40, 300) / 1000
  const favourite = random.chance(0.3) ? random.pick(stepFaults) : undefined
  const weights = new Map(stepFaults.map((kind) => [kind, kind === favourite ? 20 : random.whole(1, 4)]))
  return { rate, overtaking: random.pick([0.2, 0.5, 0.9]), weights, unavailable: new Set(), transactions: undefined }
}

/** Returns a profile without faults; steps may still overtake each other. */
export function noFaults(): FaultProfile {
  return { rate: 0, overtaking: 0.5, weights: new Map(), unavailable: new Set(), transactions: undefined }
}

/** Ends all faults from now on. */
export function endFaults(profile: FaultProfile): void {
  profile.rate = 0
  profile.transactions = undefined
  profile.unavailable.clear()
}

/** Draws the fault of a step, or undefined; `possible` filters the faults. */
export function drawFault(
  { rate, weights }: FaultProfile,
  random: Random,
  possible: (kind: StepFault) => boolean,
): StepFault | undefined {
  if (!random.chance(rate)) return undefined
  const kinds = new Map([...weights].filter(([kind]) => possible(kind)))
  return kinds.size === 0 ? undefined : random.weighted(kinds)
}
