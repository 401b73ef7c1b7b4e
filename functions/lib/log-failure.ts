/** Failures of the scheduled work: each is logged and counted, and stops nothing else. */
import { errorFacts, type LogFacts, type Telemetry } from './telemetry.ts'

/** Resolves with the result of `work`, or with undefined after a failure, which is logged. */
export async function unlessItFails<T>(
  telemetry: Telemetry,
  about: LogFacts,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    logFailure(telemetry, about, error)
    return undefined
  }
}

/** Logs and counts that the work which `about` names has failed. */
export function logFailure({ meter, log }: Telemetry, about: LogFacts, error: unknown): void {
  meter.count('ReconcileFailed')
  log.warn('not reconciled', { ...about, ...errorFacts(error) })
}
