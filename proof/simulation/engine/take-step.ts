/** Executes one step, with the fault drawn for it. */

import {
  drawFault,
  type FaultKind,
  type FaultProfile,
  type ShardTarget,
  type StepFault,
  type StepTarget,
} from './faults.ts'
import type { Random } from './random.ts'
import type { Scheduler, SimulatedActor, VirtualClock, Work } from './scheduler.ts'
import type { Trace } from './trace.ts'

export type StepContext = {
  scheduler: Scheduler
  clock: VirtualClock<SimulatedActor>
  trace: Trace
  random: Random
  profile: FaultProfile
  /** Runs work after a delay, without a caller. */
  doLater: (work: Work, afterMs: number) => void
  kill: (actor: SimulatedActor) => void
}

/** Maximum delay of work whose caller got a timeout, ms. */
const maxDelayMs = 20_000

/** The probability that an invocation freezes after a delicate operation. */
const delicateRate = 0.25

/** The probability of a fault in a rare operation. */
const rareRate = 0.35

/** Runs a step. `settle` delivers the outcome to the caller; a killed caller never receives it. */
export async function takeStep<T>(
  ports: StepContext,
  actor: SimulatedActor,
  operation: StepOperation<T>,
  settle: (outcome: StepOutcome<T>) => void,
): Promise<void> {
  const { scheduler, clock, trace, random, doLater } = ports
  const { part, about, run, onConflict } = operation
  const name = `${part} ${operation.name}`
  const label = about === undefined || about === '' ? name : `${name} ${about}`
  const write = (outcome: StepOutcome<unknown>, fault?: string) =>
    trace.write(actor.name, `${label} → ${outcomeSummary(outcome)}${fault === undefined ? '' : `  [${fault}]`}`)
  const answer = (outcome: StepOutcome<T>, fault?: string) => {
    write(outcome, fault)
    settle(outcome)
  }
  const refuse = (why: string) => tryStep(() => operation.onNoAnswer(why))

  trace.countOperation(name)
  const fault = faultOf(ports, actor, operation)
  if (fault !== undefined) trace.countFault(name, fault)
  switch (fault) {
    case 'unavailable':
      return answer(await refuse(`${part} is unavailable`), fault)
    case 'busy':
      return answer(await tryStep(onConflict ?? run), fault)
    case 'refused':
      return answer(await refuse('the connection was refused'), fault)
    case 'reply lost':
      write(await tryStep(run), fault)
      return settle(await refuse('the reply was lost'))
    case 'twice': {
      const replies = [await tryStep(run), await tryStep(run)]
      return answer(random.pick(replies), fault)
    }
    case 'late':
      answer(await refuse('no answer in time'), fault)
      return doLater({ name: label, run }, random.spread(50, maxDelayMs))
    case 'delayed': {
      const readyAt = clock.now() + random.spread(10, 3000)
      trace.write(actor.name, `${label}  [${fault}]`)
      return scheduler.add({ actor, readyAt, work: { name, run }, go: async () => answer(await tryStep(run)) })
    }
    case 'frozen': {
      const outcome = await tryStep(run)
      const forMs = drawFreezeMs(random, operation.delicate ?? false)
      actor.frozenUntil = clock.now() + forMs
      write(outcome, `${fault} ${forMs} ms`)
      return scheduler.add({ actor, readyAt: actor.frozenUntil, go: async () => settle(outcome) })
    }
    case 'killed before':
      trace.write(actor.name, `${label}  [${fault}]`)
      return killCaller(ports, actor)
    case 'killed after':
      write(await tryStep(run), fault)
      return killCaller(ports, actor)
    default:
      return answer(await tryStep(run))
  }
}

/** Returns the fault of the step. A fault of the whole part has precedence. */
function faultOf(
  { profile, random }: StepContext,
  actor: SimulatedActor,
  operation: StepOperation<unknown>,
): FaultKind | undefined {
  const { part, shard } = operation
  const isAway = profile.unavailable.has(part) || (shard !== undefined && profile.unavailable.has(shard))
  if (isAway) return 'unavailable'
  if (profile.transactions !== undefined && operation.onConflict !== undefined) return profile.transactions
  const isDelicate = operation.delicate === true && actor.canBeKilled && profile.rate > 0
  if (isDelicate && random.chance(delicateRate)) return 'frozen'
  const isRare = operation.rare === true && profile.rate > 0
  const rate = isRare ? Math.max(rareRate, profile.rate) : profile.rate
  return drawFault({ ...profile, rate }, random, (kind) => canHave(kind, actor, operation))
}

/** Draws how long an invocation stays frozen, ms: often long enough for a lock to expire. */
function drawFreezeMs(random: Random, isDelicate: boolean): number {
  return isDelicate || random.chance(0.3) ? random.whole(9000, 25_000) : random.spread(100, 9000)
}

/** Kills an invocation. Some of its parallel calls are already sent, so they still run. */
function killCaller({ scheduler, random, doLater, kill }: StepContext, actor: SimulatedActor): void {
  for (const { work } of scheduler.waitingFor(actor)) {
    if (work !== undefined && random.chance(0.5)) doLater(work, random.spread(1, 2000))
  }
  kill(actor)
}

/**
 * - `shard`: the target shard of the stock.
 * - `onNoAnswer`: returns or throws what the real adapter does without a usable answer.
 * - `onConflict`: returns or throws what the real adapter does when its transaction conflicts with another.
 * - `atMostOnce`: the call is never executed twice or late.
 * - `delicate`: a freeze is more likely after it, because a frozen invocation does most harm there.
 * - `rare`: faults are more likely, because the call is rare.
 */
export type StepOperation<T> = {
  part: StepTarget
  shard?: ShardTarget | undefined
  name: string
  about?: string
  run: () => Promise<T>
  onNoAnswer: (why: string) => T
  onConflict?: () => T
  atMostOnce?: true
  delicate?: boolean
  rare?: boolean
}

export type StepOutcome<T> = { value: T } | { error: unknown }

export async function tryStep<T>(run: () => Promise<T> | T): Promise<StepOutcome<T>> {
  try {
    return { value: await run() }
  } catch (error) {
    return { error }
  }
}

/** True when the fault is possible: only an invocation can be killed or frozen; other faults depend on the operation. */
function canHave(kind: StepFault, actor: SimulatedActor, operation: StepOperation<unknown>): boolean {
  switch (kind) {
    case 'killed before':
    case 'killed after':
    case 'frozen':
      return actor.canBeKilled
    case 'twice':
    case 'late':
      return operation.atMostOnce === undefined
    case 'busy':
      return operation.onConflict !== undefined
    default:
      return true
  }
}

const maxWords = 60

/** Returns a short text of an outcome, for the trace. */
export function outcomeSummary(outcome: StepOutcome<unknown>): string {
  if ('error' in outcome) {
    const { error } = outcome
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
  const { value } = outcome
  if (value === undefined || value === null || typeof value === 'boolean') return String(value)
  if (value instanceof Uint8Array) return `${value.length} bytes`
  for (const name of ['kind', 'status', 'statusCode']) {
    if (typeof value === 'object' && name in value) return String(Reflect.get(value, name))
  }
  const text = JSON.stringify(value) ?? ''
  return text.length > maxWords ? `${text.slice(0, maxWords)}…` : text
}
