/** One call of a port, and its outcome. */
import type { SimulatedActor } from './actor.ts'
import type { ShardTarget, StepFault, StepTarget } from './faults.ts'

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
export function canHave(kind: StepFault, actor: SimulatedActor, operation: PlayedOperation<unknown>): boolean {
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
