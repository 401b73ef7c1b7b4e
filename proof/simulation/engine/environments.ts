/**
 * The execution environments of one function: an invocation gets an idle one or a new one. Its
 * memory lasts until an invocation is killed in it.
 */
import type { Invoked, Simulation } from './simulation.ts'

export type Environments<Ports> = { run: <T>(work: (ports: Ports) => Promise<T>) => Promise<Invoked<T>> }

/** `build` makes a new environment; `limitMs` is the function's timeout. */
export function openEnvironments<Ports>(
  { invoke, trace }: Simulation,
  name: string,
  limitMs: number,
  build: () => Ports,
): Environments<Ports> {
  const idle: Ports[] = []
  let invocations = 0
  return {
    async run(work) {
      invocations += 1
      const id = `${name}-${invocations}`
      const environment = idle.pop() ?? build()
      const outcome = await invoke(id, limitMs, () => work(environment))
      if (outcome.kind !== 'died') idle.push(environment)
      if (outcome.kind === 'failed') trace.write(id, `threw ${String(outcome.error)}`)
      return outcome
    },
  }
}
