/**
 * One worker at a time for long work on a sale: warming and recovering it. Never in the path of a
 * purchase (K7): scripts and conditions decide there; the lock only saves duplicate work. It is in
 * the gate's store, so waiting for it never loads the stock (K2).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { SaleId } from '../../core/ids.ts'

/** The lock of a sale in its store. `requestId` names this very try, never a user: a user may come twice (K4). */
export type Locks = {
  /** True when the lock was free and is now ours for `ttlMs`; false when another has it (K3). */
  acquire: (saleId: SaleId, requestId: string, ttlMs: number) => Promise<boolean>
  /** True when it is still ours, and is so for another `ttlMs` (K6). */
  renew: (saleId: SaleId, requestId: string, ttlMs: number) => Promise<boolean>
  /** Gives it back if it is ours; false when it was not (K4). */
  release: (saleId: SaleId, requestId: string) => Promise<boolean>
}

export type LockPorts = {
  locks: Locks
  newId: () => string
  sleep: (milliseconds: number) => Promise<void>
  /** Runs `task` again and again until the returned function is called. */
  every: (milliseconds: number, task: () => void) => () => void
}

/** K5: tried for half a second, every 50 ms. */
const spinMs = 500
const spinEveryMs = 50

/** Long enough for a pause of the process, short enough to be free soon after a crash. */
const ttlMs = 9000

/** Turns of renewal in that time. The last comes as the lock runs out, so of the others two in a row may fail (K6). */
const turns = 4

export const realWaiting: Pick<LockPorts, 'sleep' | 'every'> = {
  sleep: (milliseconds) => sleep(milliseconds),
  every(milliseconds, task) {
    const timer = setInterval(task, milliseconds)
    timer.unref()
    return () => clearInterval(timer)
  },
}

/**
 * Runs `work` while this call alone holds the sale's lock, or answers `busy` when it was not free in time. `signal`
 * is aborted when the lock is lost on the way, or may be, because the store did not answer for as long as it lasts:
 * then another may be at work, and this one should stop. Throws what `work` throws, and when the store cannot be asked.
 */
export async function withLock<T>(
  ports: LockPorts,
  saleId: SaleId,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ kind: 'done'; value: T } | { kind: 'busy' }> {
  const requestId = ports.newId()
  if (!(await spin(ports, saleId, requestId))) return { kind: 'busy' }
  const lost = new AbortController()
  const stopRenewing = keepRenewing(ports, saleId, requestId, () =>
    lost.abort(new Error(`the lock of ${saleId} was lost`)),
  )
  try {
    return { kind: 'done', value: await work(lost.signal) }
  } finally {
    stopRenewing()
    // Only reached by the holder, and the store releases only its own; a failure leaves it to run out.
    await ports.locks.release(saleId, requestId).catch(() => false)
  }
}

function keepRenewing(
  { locks, every }: LockPorts,
  saleId: SaleId,
  requestId: string,
  onLost: () => void,
): () => void {
  let unanswered = 0
  return every(ttlMs / turns, () => {
    // That many turns ago the lock was last known to be ours, so it has run out by now.
    if (unanswered === turns - 1) onLost()
    unanswered += 1
    locks.renew(saleId, requestId, ttlMs).then(
      (isOurs) => {
        unanswered = 0
        if (!isOurs) onLost()
      },
      // A store that does not answer is asked again at the next turn.
      () => undefined,
    )
  })
}

async function spin({ locks, sleep }: LockPorts, saleId: SaleId, requestId: string): Promise<boolean> {
  for (let waited = 0; ; waited += spinEveryMs) {
    if (await locks.acquire(saleId, requestId, ttlMs)) return true
    if (waited >= spinMs) return false
    await sleep(spinEveryMs)
  }
}
