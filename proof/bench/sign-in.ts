/** Signs all shoppers in before the sale starts, so that sign-ins are not measured. */
import type { ShopperSession } from '../../cli/pass.ts'
import type { StartStep } from '../../cli/progress.ts'
import type { System } from './system.ts'

/** Concurrent sign-ins: enough to keep the system busy without exhausting its sockets. */
const atATime = 32

/** A session for each of `names`, in their order: a token, and the pass that the sign-in gets with it. */
export async function signInAll(
  system: System,
  names: readonly string[],
  startStep: StartStep,
): Promise<ShopperSession[]> {
  const step = startStep('signing in', names.length)
  const sessions: ShopperSession[] = []
  while (sessions.length < names.length) {
    const next = names.slice(sessions.length, sessions.length + atATime)
    sessions.push(...(await Promise.all(next.map((name) => system.signIn(name)))))
    step.to(sessions.length)
  }
  step.end()
  return sessions
}
