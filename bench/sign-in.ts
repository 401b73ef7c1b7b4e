/** Signs a crowd in before the doors open, so that nobody's sign-in is part of what is measured. */
import type { StartStep } from '../cli/progress.ts'
import type { System } from './system.ts'

/** So many at a time: enough to keep the system busy, few enough to leave its sockets alone. */
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
