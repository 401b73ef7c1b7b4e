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
  /** Executes work after a delay, for no caller. */
  doLater: (work: Work, afterMs: number) => void
  kill: (actor: SimulatedActor) => void
}

/** The longest delay of work whose caller was answered with a timeout, ms. */
const latestMs = 20_000

/** The probability that an invocation freezes after a delicate operation. */
const delicateRate = 0.25

/** The probability of a fault in a rare operation. */
const rareRate = 0.35

/** `settle` delivers the outcome to the caller; a killed caller never receives it. */
export async function takeStep<T>(
  ports: StepContext,
  actor: SimulatedActor,
  operation: PlayedOperation<T>,
  settle: (outcome: StepOutcome<T>) => void,
): Promise<void> {
  const { scheduler, clock, trace, random, doLater } = ports
  const { part, about, run, busy } = operation
  const name = `${part} ${operation.name}`
  const label = about === undefined || about === '' ? name : `${name} ${about}`
  const write = (outcome: StepOutcome<unknown>, fault?: string) =>
    trace.write(actor.name, `${label} → ${summaryOf(outcome)}${fault === undefined ? '' : `  [${fault}]`}`)
  const answer = (outcome: StepOutcome<T>, fault?: string) => {
    write(outcome, fault)
    settle(outcome)
  }
  const refuse = (why: string) => outcomeOf(() => operation.unanswered(why))

  trace.countOperation(name)
  const fault = faultOf(ports, actor, operation)
  if (fault !== undefined) trace.countFault(name, fault)
  switch (fault) {
    case 'unavailable':
      return answer(await refuse(`${part} is unavailable`), fault)
    case 'busy':
      return answer(await outcomeOf(busy ?? run), fault)
    case 'refused':
      return answer(await refuse('the connection was refused'), fault)
    case 'reply lost':
      write(await outcomeOf(run), fault)
      return settle(await refuse('the reply was lost'))
    case 'twice': {
      const replies = [await outcomeOf(run), await outcomeOf(run)]
      return answer(random.pick(replies), fault)
    }
    case 'late':
      answer(await refuse('no answer in time'), fault)
      return doLater({ name: label, run }, random.spread(50, latestMs))
    case 'delayed': {
      const readyAt = clock.now() + random.spread(10, 3000)
      trace.write(actor.name, `${label}  [${fault}]`)
      return scheduler.add({ actor, readyAt, work: { name, run }, go: async () => answer(await outcomeOf(run)) })
    }
    case 'frozen': {
      const outcome = await outcomeOf(run)
      const forMs = drawFreezeMs(random, operation.delicate ?? false)
      actor.frozenUntil = clock.now() + forMs
      write(outcome, `${fault} ${forMs} ms`)
      return scheduler.add({ actor, readyAt: actor.frozenUntil, go: async () => settle(outcome) })
    }
    case 'killed before':
      trace.write(actor.name, `${label}  [${fault}]`)
      return killCaller(ports, actor)
    case 'killed after':
      write(await outcomeOf(run), fault)
      return killCaller(ports, actor)
    default:
      return answer(await outcomeOf(run))
  }
}

/** A fault of the whole part comes before one drawn for the step. */
function faultOf(
  { profile, random }: StepContext,
  actor: SimulatedActor,
  operation: PlayedOperation<unknown>,
): FaultKind | undefined {
  const { part, shard } = operation
  const isAway = profile.unavailable.has(part) || (shard !== undefined && profile.unavailable.has(shard))
  if (isAway) return 'unavailable'
  if (profile.transactions !== undefined && operation.busy !== undefined) return profile.transactions
  const isDelicate = operation.delicate === true && actor.mortal && profile.rate > 0
  if (isDelicate && random.chance(delicateRate)) return 'frozen'
  const isRare = operation.rare === true && profile.rate > 0
  const rate = isRare ? Math.max(rareRate, profile.rate) : profile.rate
  return drawFault({ ...profile, rate }, random, (kind) => canHave(kind, actor, operation))
}

/** How long an invocation stays frozen: often long enough for a lock to expire. */
function drawFreezeMs(random: Random, isDelicate: boolean): number {
  return isDelicate || random.chance(0.3) ? random.whole(9000, 25_000) : random.spread(100, 9000)
}

/** Some of the calls that an invocation makes in parallel are already sent when it is killed. */
function killCaller({ scheduler, random, doLater, kill }: StepContext, actor: SimulatedActor): void {
  for (const { work } of scheduler.waitingFor(actor)) {
    if (work !== undefined && random.chance(0.5)) doLater(work, random.spread(1, 2000))
  }
  kill(actor)
}

/**
 * - `shard`: the shard of the stock that it goes to.
 * - `unanswered`: what the real adapter returns or throws when no usable answer arrives.
 * - `busy`: the same for a transaction that conflicts with another.
 * - `alone`: the call is never executed twice.
 * - `delicate`: freezing is more likely after it, because a frozen invocation does most harm there.
 * - `rare`: faults are more likely, because the call is seldom made.
 */
export type PlayedOperation<T> = {
  part: StepTarget
  shard?: ShardTarget | undefined
  name: string
  about?: string
  run: () => Promise<T>
  unanswered: (why: string) => T
  busy?: () => T
  alone?: true
  delicate?: boolean
  rare?: boolean
}

export type StepOutcome<T> = { value: T } | { error: unknown }

export async function outcomeOf<T>(run: () => Promise<T> | T): Promise<StepOutcome<T>> {
  try {
    return { value: await run() }
  } catch (error) {
    return { error }
  }
}

/** Only an invocation can be killed or frozen; other faults depend on the operation. */
function canHave(kind: StepFault, actor: SimulatedActor, operation: PlayedOperation<unknown>): boolean {
  switch (kind) {
    case 'killed before':
    case 'killed after':
    case 'frozen':
      return actor.mortal
    case 'twice':
    case 'late':
      return operation.alone === undefined
    case 'busy':
      return operation.busy !== undefined
    default:
      return true
  }
}

const maxWords = 60

/** An outcome in a few words, for the trace. */
export function summaryOf(outcome: StepOutcome<unknown>): string {
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
