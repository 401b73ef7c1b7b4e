/** One call of a port, and what became of it. */
import type { Actor } from './actor.ts'
import type { Part, StepFault } from './weather.ts'

/**
 * `unanswered` is what the real adapter gives its caller when no usable answer comes: it returns that or throws it.
 * `busy` likewise, for a transaction that met another. What is `alone` is never done twice. After what is `delicate`
 * an invocation had better not stand still, so it does more often. What is `rare` goes wrong more often, or it hardly ever would.
 */
export type Operation<T> = {
  part: Part
  name: string
  about?: string
  run: () => Promise<T>
  unanswered: (why: string) => T
  busy?: () => T
  alone?: true
  delicate?: boolean
  rare?: boolean
}

export type Outcome<T> = { value: T } | { error: unknown }

export async function attempt<T>(run: () => Promise<T> | T): Promise<Outcome<T>> {
  try {
    return { value: await run() }
  } catch (error) {
    return { error }
  }
}

/** Only an invocation can be killed; what changes nothing for its caller need not be tried. */
export function canMeet(kind: StepFault, actor: Actor, operation: Operation<unknown>): boolean {
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

/** An outcome in a word or two, for the diary. */
export function briefly(outcome: Outcome<unknown>): string {
  if ('error' in outcome) {
    const { error } = outcome
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  }
  const { value } = outcome
  if (value === undefined || value === null || typeof value === 'boolean') return String(value)
  for (const name of ['kind', 'status', 'statusCode']) {
    if (typeof value === 'object' && name in value) return String(Reflect.get(value, name))
  }
  const text = JSON.stringify(value) ?? ''
  return text.length > maxWords ? `${text.slice(0, maxWords)}…` : text
}
