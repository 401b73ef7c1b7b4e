/**
 * Locks a sale for long jobs, so that one worker at a time warms or recovers it. Never on the path of a buy request (K7).
 * Scripts and conditions keep the data exact; the lock only avoids double work. It lives in the gate store, so waiting
 * for it never touches the stock (K2).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SaleId } from '../../core/ids.ts'
import type { Commander } from '../../redis/command.ts'
import { acquireLock, releaseLock, renewLock } from '../../redis/lock.ts'

/** `newId` identifies one attempt, never a user, who may try twice (K4). */
export type LockPorts = {
  gate: Commander
  newId: () => string
  sleep: (milliseconds: number) => Promise<void>
  /** Runs `task` periodically until the returned function is called. */
  every: (milliseconds: number, task: () => void) => () => void
}

/** K5: tries for half a second, every 50 ms. */
const spinMs = 500
const spinEveryMs = 50

/** Longer than a pause of the process, and short enough that the lock is free soon after a crash. */
const ttlMs = 9000

/** The last renewal of the time coincides with the expiry, so two renewals in a row may fail (K6). */
const renewalsPerTtl = 4

export const systemTimers: Pick<LockPorts, 'sleep' | 'every'> = {
  sleep: (milliseconds) => sleep(milliseconds),
  every(milliseconds, task) {
    const timer = setInterval(task, milliseconds)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/**
 * Runs `work` while this call holds the sale's lock, or resolves with `busy` when it was not free in time. Aborts `signal`
 * when the lock is lost, or may be lost because the store did not answer for a whole lifetime: another worker may run, and
 * this one should stop.
 * @throws what `work` throws, and when the store is unavailable
 */
export async function withLock<T>(
  ports: LockPorts,
  saleId: SaleId,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ kind: 'done'; value: T } | { kind: 'busy' }> {
  const requestId = ports.newId()
  if (!(await spin(ports, saleId, requestId))) return { kind: 'busy' }
  const lost = new AbortController()
  const stopRenewing = startRenewing(ports, saleId, requestId, () =>
    lost.abort(new Error(`the lock of ${saleId} was lost`)),
  )
  try {
    return { kind: 'done', value: await work(lost.signal) }
  } finally {
    stopRenewing()
    // The store releases only this holder's lock. If the release fails, the lock expires.
    await releaseLock(ports.gate, saleId, requestId).catch(() => false)
  }
}

function startRenewing({ gate, every }: LockPorts, saleId: SaleId, requestId: string, onLost: () => void): () => void {
  let unanswered = 0
  return every(ttlMs / renewalsPerTtl, () => {
    // The last confirmation is that many renewals old, so the lock has expired.
    if (unanswered === renewalsPerTtl - 1) onLost()
    unanswered += 1
    renewLock(gate, saleId, requestId, ttlMs).then(
      (isOurs) => {
        unanswered = 0
        if (!isOurs) onLost()
      },
      // The next renewal asks a silent store again.
      () => undefined,
    )
  })
}

async function spin({ gate, sleep }: LockPorts, saleId: SaleId, requestId: string): Promise<boolean> {
  for (let waited = 0; ; waited += spinEveryMs) {
    if (await acquireLock(gate, saleId, requestId, ttlMs)) return true
    if (waited >= spinMs) return false
    await sleep(spinEveryMs)
  }
}
