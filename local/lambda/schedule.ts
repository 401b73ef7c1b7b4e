/** Stands for an EventBridge schedule with a rate: invokes a function at once, then every so often, and when asked. */
import { invoke, type LoadedFunction } from './invoke.ts'

/** `input` is the event of every invocation that nobody asked for. */
export type Rate = { everyMs: number; input: unknown }

export type Schedule = {
  /** Invokes the function now with `payload` as its whole event, an empty one by default. Resolves with its result. */
  run(payload?: unknown): Promise<unknown>
  /** Waits for the runs that were asked for. Those at the rate may last until the next one: they are left behind. */
  stop(): Promise<void>
}

/** Invokes `fn` at the rate until it is stopped. What fails goes to `report`. */
export function startSchedule(
  fn: LoadedFunction,
  { everyMs, input }: Rate,
  report: (failure: unknown) => void,
): Schedule {
  const asked = new Set<Promise<unknown>>()
  let isStopped = false

  function runAtRate(): void {
    invoke(fn, input).catch((failure) => {
      // Left behind, a run loses what it works with. That says nothing about it.
      if (!isStopped) report(failure)
    })
  }

  runAtRate()
  const timer = setInterval(runAtRate, everyMs)
  return {
    run(payload = {}) {
      const invocation = invoke(fn, payload)
      asked.add(invocation)
      return invocation.finally(() => asked.delete(invocation))
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await Promise.allSettled(asked)
    },
  }
}
