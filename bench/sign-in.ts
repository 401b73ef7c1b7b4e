/** Signs all shoppers in before the sale starts, so that sign-ins are not measured. */
import type { StartStep } from '../cli/progress.ts'
import type { System } from './system.ts'

/** Concurrent sign-ins: enough to keep the system busy without exhausting its sockets. */
const atATime = 32

/** A token for each of `names`, in their order. */
export async function signInAll(
  system: System,
  names: readonly string[],
  startStep: StartStep,
): Promise<string[]> {
  const step = startStep('signing in', names.length)
  const tokens: string[] = []
  while (tokens.length < names.length) {
    const next = names.slice(tokens.length, tokens.length + atATime)
    tokens.push(...(await Promise.all(next.map((name) => system.token(name)))))
    step.to(tokens.length)
  }
  step.end()
  return tokens
}
