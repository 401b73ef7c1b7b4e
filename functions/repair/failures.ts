/** Logs the failure of one part of a run and lets the other parts go on. */
import { errorFacts, type LogFacts, type Telemetry } from '../lib/telemetry.ts'

/** What `work` resolves with, undefined when it failed. */
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

export function logFailure({ meter, log }: Telemetry, about: LogFacts, error: unknown): void {
  meter.count('ReconcileFailed')
  log.warn('not reconciled', { ...about, ...errorFacts(error) })
}
