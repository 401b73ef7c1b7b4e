/** The locks of sales, in the gate store (K2). */
import type { Commander } from '../../redis/command.ts'
import { acquireLock, releaseLock, renewLock } from '../../redis/lock.ts'
import type { Locks } from '../lib/lock.ts'

export function redisLocks(gate: Commander): Locks {
  return {
    acquire: (saleId, requestId, ttlMs) => acquireLock(gate, saleId, requestId, ttlMs),
    renew: (saleId, requestId, ttlMs) => renewLock(gate, saleId, requestId, ttlMs),
    release: (saleId, requestId) => releaseLock(gate, saleId, requestId),
  }
}
