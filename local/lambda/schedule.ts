/**
 * An EventBridge schedule with a rate: invokes a function at once, then at the rate, and on demand.
 */
import { invoke, type LoadedFunction } from './invoke.ts'

/** `input` is the event of every scheduled invocation. */
export type Rate = { everyMs: number; input: unknown }

export type LocalSchedule = {
  /** Invokes the function now with the event `payload`, by default an empty object. Resolves with its result. */
  run(payload?: unknown): Promise<unknown>
  /** Waits for runs on demand. Scheduled runs may last until the next one, so they are abandoned. */
  stop(): Promise<void>
}

/** Invokes `fn` at the rate until it is stopped. Failures go to `report`. */
export function startSchedule(
  fn: LoadedFunction,
  { everyMs, input }: Rate,
  report: (failure: unknown) => void,
): LocalSchedule {
  const onDemand = new Set<Promise<unknown>>()
  let isStopped = false

  function runAtRate(): void {
    invoke(fn, input).catch((failure) => {
      // An abandoned run loses its connections, so its failure is ignored.
      if (!isStopped) report(failure)
    })
  }

  runAtRate()
  const timer = setInterval(runAtRate, everyMs)
  return {
    run(payload = {}) {
      const invocation = invoke(fn, payload)
      onDemand.add(invocation)
      return invocation.finally(() => onDemand.delete(invocation))
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await Promise.allSettled(onDemand)
    },
  }
}
