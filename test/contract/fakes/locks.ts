/** Locks in memory, by the rules of redis/lock.ts, on a manual clock. */
import type { SaleId } from '../../../core/ids.ts'
import type { Locks } from '../../../functions/lib/lock.ts'
import { outage, type Switchable } from '../../../simulation/memory/outage.ts'

/** `holder` is the request that has the lock now. `clock` gives ms. */
export type MemoryLocks = Locks & Switchable & { holder: (saleId: SaleId) => string | undefined }

export function memoryLocks(clock: () => number): MemoryLocks {
  const held = new Map<SaleId, { requestId: string; until: number }>()
  const light = outage('the lock store')
  const holder = (saleId: SaleId) => {
    const lock = held.get(saleId)
    return lock !== undefined && clock() < lock.until ? lock.requestId : undefined
  }
  return {
    ...light,
    holder,
    async acquire(saleId, requestId, ttlMs) {
      light.pass()
      if (holder(saleId) !== undefined) return false
      held.set(saleId, { requestId, until: clock() + ttlMs })
      return true
    },
    async renew(saleId, requestId, ttlMs) {
      light.pass()
      if (holder(saleId) !== requestId) return false
      held.set(saleId, { requestId, until: clock() + ttlMs })
      return true
    },
    async release(saleId, requestId) {
      light.pass()
      if (holder(saleId) !== requestId) return false
      held.delete(saleId)
      return true
    },
  }
}
