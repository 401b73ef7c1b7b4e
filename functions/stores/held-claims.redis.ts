/** Claims in Redis, for reconcile and recover. */
import { maxOrdersPerCall } from '../../redis/batch.ts'
import { acknowledgeClaims, claimPages, pendingClaimPages, restoreClaims } from '../../redis/claims.ts'
import type { Commander } from '../../redis/command.ts'
import { clearPackets, retirePackets } from '../../redis/packets.ts'
import { slicesOf } from '../lib/slices.ts'
import type { Claims } from '../repair/claims.ts'

/** Claims per reply: some 100 kB. */
const pageSize = 1000

export function redisHeldClaims(redis: Commander): Claims {
  return {
    pages: (saleId) => claimPages(redis, saleId, pageSize),
    pending: (saleId) => pendingClaimPages(redis, saleId, pageSize),
    async acknowledge(saleId, shopperIds) {
      for (const some of slicesOf(shopperIds, maxOrdersPerCall)) await acknowledgeClaims(redis, saleId, some)
    },
    async restore(saleId, claims) {
      const sum = { restored: 0, refused: 0 }
      for (const some of slicesOf(claims, maxOrdersPerCall)) {
        const done = await restoreClaims(redis, saleId, some)
        if (done === undefined) return undefined
        sum.restored += done.restored
        sum.refused += done.refused
      }
      return sum
    },
    clear: (saleId) => clearPackets(redis, saleId),
    retire: (saleId, now) => retirePackets(redis, saleId, now),
  }
}
