/** Turns calls of a port into steps of the simulation. */
import type { StepTarget } from './faults.ts'
import type { Simulation } from './simulation.ts'
import type { StepOperation } from './take-step.ts'

type Options<Args, T> = Partial<Pick<StepOperation<T>, 'onConflict' | 'atMostOnce' | 'rare'>> & {
  onNoAnswer?: (why: string, args: Args) => T
}

export type Stepper = ReturnType<typeof stepper>

/** Turns calls to `part` into steps. A call without an answer throws, unless `onNoAnswer` returns a value. */
export function stepper(simulation: Simulation, part: StepTarget) {
  const call = <Args extends unknown[], T>(
    name: string,
    port: (...args: Args) => Promise<T>,
    { onNoAnswer = throwUnanswered, ...options }: Options<Args, T> = {},
  ) => {
    return (...args: Args): Promise<T> =>
      simulation.perform<T>({
        part,
        name,
        about: aboutOf(args),
        run: () => port(...args),
        onNoAnswer: (why) => onNoAnswer(why, args),
        ...options,
      })
  }

  return { call }
}

/** Throws the error of a client whose request got no answer. */
export function throwUnanswered(why: string): never {
  throw Object.assign(new Error(why), { name: 'TimeoutError' })
}

/** Returns the orders in the arguments, by the last characters of their ids. */
export function aboutOf(args: unknown): string {
  const ids = (JSON.stringify(args) ?? '').matchAll(/-[a-z2-7]{22}([a-z2-7]{4})(?![a-z2-7])/g)
  return [...new Set([...ids].map(([, end]) => end))].slice(0, 4).join(',')
}
