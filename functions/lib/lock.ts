/**
 * One worker at a time for long jobs of a sale: warming and recovering it. Never on the path of a
 * buy request (K7). Scripts and conditions keep the data exact; the lock only avoids double work.
 * It lives in the gate store, so waiting for it never touches the stock (K2).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SaleId } from '../../core/ids.ts'
import type { Commander } from '../../redis/command.ts'
import { acquireLock, releaseLock, renewLock } from '../../redis/lock.ts'

/** `newId` names one attempt, never a user, who may come twice (K4). */
export type LockPorts = {
  gate: Commander
  newId: () => string
  sleep: (milliseconds: number) => Promise<void>
  /** Runs `task` again and again until the returned function is called. */
  every: (milliseconds: number, task: () => void) => () => void
}

/** K5: tried for half a second, every 50 ms. */
const spinMs = 500
const spinEveryMs = 50

/** Longer than a pause of the process, and short enough to be free soon after a crash. */
const ttlMs = 9000

/** Renewals in that time. The last one comes as the lock expires, so two others in a row may fail (K6). */
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
 * Runs `work` while this call alone holds the sale's lock, or answers `busy` when it was not free
 * in time. `signal` is aborted when the lock is lost, or may be because the store did not answer
 * for its whole lifetime: another worker may run, and this one should stop.
 * @throws what `work` throws, and when the store cannot be asked
 */
export async function withLock<T>(
  ports: LockPorts,
  saleId: SaleId,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ kind: 'done'; value: T } | { kind: 'busy' }> {
  const requestId = ports.newId()
  if (!(await spin(ports, saleId, requestId))) return { kind: 'busy' }
  const lost = new AbortController()
  const stopRenewing = renewPeriodically(ports, saleId, requestId, () =>
    lost.abort(new Error(`the lock of ${saleId} was lost`)),
  )
  try {
    return { kind: 'done', value: await work(lost.signal) }
  } finally {
    stopRenewing()
    // Only the holder gets here, and the store releases only its own lock; on failure it expires.
    await releaseLock(ports.gate, saleId, requestId).catch(() => false)
  }
}

function renewPeriodically(
  { gate, every }: LockPorts,
  saleId: SaleId,
  requestId: string,
  onLost: () => void,
): () => void {
  let unanswered = 0
  return every(ttlMs / renewalsPerTtl, () => {
    // The lock was last known to be ours that many turns ago, so it has expired by now.
    if (unanswered === renewalsPerTtl - 1) onLost()
    unanswered += 1
    renewLock(gate, saleId, requestId, ttlMs).then(
      (isOurs) => {
        unanswered = 0
        if (!isOurs) onLost()
      },
      // A store that does not answer is asked again at the next turn.
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
