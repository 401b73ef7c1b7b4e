/**
 * The environments of one function: an invocation gets one that is idle or a new one, and what that remembers in
 * memory lives until an invocation dies in it.
 */
import type { Invoked, Simulation } from './simulation.ts'

export type Fleet<Ports> = {
  run: <T>(work: (ports: Ports) => Promise<T>) => Promise<Invoked<T>>
}

/** `build` makes a new environment; `limitMs` is the function's timeout. */
export function openFleet<Ports>(
  { invoke, diary }: Simulation,
  name: string,
  limitMs: number,
  build: () => Ports,
): Fleet<Ports> {
  const idle: Ports[] = []
  let invocations = 0
  return {
    async run(work) {
      invocations += 1
      const id = `${name}-${invocations}`
      const environment = idle.pop() ?? build()
      const outcome = await invoke(id, limitMs, () => work(environment))
      if (outcome.kind !== 'died') idle.push(environment)
      if (outcome.kind === 'failed') diary.write(id, `threw ${String(outcome.error)}`)
      return outcome
    },
  }
}
