/** Stands for an EventBridge schedule with a rate: invokes a function every so often, and now when asked. */
import { invoke, type LoadedFunction } from './invoke.ts'

export type Schedule = {
  /** Invokes the function at once; `payload`, when given, is its whole event. Resolves with its result. */
  run(payload?: unknown): Promise<unknown>
  stop(): Promise<void>
}

/** Invokes `fn` every `everyMs`, the first time after one interval. Failures go to `report`. */
export function startSchedule(
  fn: LoadedFunction,
  everyMs: number,
  report: (failure: unknown) => void,
): Schedule {
  const running = new Set<Promise<unknown>>()

  function run(payload?: unknown): Promise<unknown> {
    const invocation = invoke(fn, payload ?? scheduledEvent(fn.name))
    running.add(invocation)
    return invocation.finally(() => running.delete(invocation))
  }

  const timer = setInterval(() => {
    run().catch(report)
  }, everyMs)
  return {
    run,
    async stop() {
      clearInterval(timer)
      await Promise.allSettled(running)
    },
  }
}

function scheduledEvent(name: string) {
  const time = new Date().toISOString()
  return {
    version: '0',
    id: `${name}-${time}`,
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: '000000000000',
    time,
    region: 'us-east-1',
    resources: [`arn:aws:events:us-east-1:000000000000:rule/${name}`],
    detail: {},
  }
}
