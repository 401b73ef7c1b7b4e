/**
 * Heartbeats: an item for each part that works in the background. Each of its processes writes it at most once a minute, and at
 * once when a run fails after a good one, or the reverse.
 */
import type { HealthPartName, workerParts } from '../../core/api/health.ts'
import { errorFacts, type Log } from '../lib/telemetry.ts'
import { heartbeatKey } from './keys.ts'

/** The parts with a heartbeat, and two whose names are the troubles of sales (`troubleName`). */
export type HeartbeatPart =
  | Extract<
      HealthPartName,
      'writer' | 'reconcile' | 'tick' | 'canary' | 'payments' | 'mail' | (typeof workerParts)[number]
    >
  | (typeof saleHeartbeats)[number]

export const saleHeartbeats = ['reconciled-sales', 'paid-sales'] as const

const everyMs = 60_000

/** The failures of a run: a number of messages, or names. */
type Failed = number | readonly string[]

export type HeartbeatPorts = {
  clock: () => number
  log: Log
  /** @throws when the table is unavailable */
  put: (item: Record<string, string | number | readonly string[]>) => Promise<unknown>
}

/** Returns a function that reports the end of a run. A failed write is logged, and delays or fails nothing. */
export function createHeartbeat(
  { put, clock, log }: HeartbeatPorts,
  part: HeartbeatPart,
): (failed?: Failed) => Promise<void> {
  let last: { at: number; isGood: boolean } | undefined
  return async (failed = 0) => {
    const at = clock()
    const names = typeof failed === 'number' ? [] : failed
    const count = typeof failed === 'number' ? failed : failed.length
    const isGood = count === 0
    if (last !== undefined && last.isGood === isGood && at - last.at < everyMs) return
    last = { at, isGood }
    try {
      await put({ ...heartbeatKey(part), at, failed: count, names })
    } catch (error) {
      log.warn('heartbeat not written', { part, ...errorFacts(error) })
    }
  }
}
