/** Applies a marketer's changes in Redis: to the warmed stock, and to the gate's facts. */

import type { SaleId } from '../../core/ids.ts'
import { addStock } from '../../redis/add-stock.ts'
import type { RedisClient } from '../../redis/client.ts'
import type { Commander } from '../../redis/command.ts'
import {
  gateFactsOf,
  publishRestocked,
  publishSoldOut,
  readGate,
  removeGate,
  setGate,
} from '../../redis/gate.ts'
import { readGates } from '../../redis/gates.ts'
import { readAdmissions, replenish } from '../../redis/replenish.ts'
import { removeStock } from '../../redis/stock.ts'
import { flip, warm } from '../../redis/warm.ts'
import { slicesOf } from '../lib/slices.ts'
import type { Gate, Stock } from '../sales/ports.ts'
import type { AdmissionsReader, GateBatchReader, GateReader, GateSnapshot } from '../sales/snapshots.ts'

export function redisStock(redis: Commander): Stock {
  return {
    warm: (sale) => warm(redis, sale),
    flip: (sale) => flip(redis, sale),
    add: (saleId, change) => addStock(redis, saleId, change),
    remove: (saleId) => removeStock(redis, saleId),
  }
}

export function redisGate(gate: Commander): Gate {
  return {
    set: (sale, { frozen }) => setGate(gate, gateFactsOf(sale, { frozen })),
    publishSoldOut: (saleId, stockRevision) => publishSoldOut(gate, saleId, stockRevision),
    publishRestocked: (saleId, stockRevision) => publishRestocked(gate, saleId, stockRevision),
    replenish: (saleId, truth) => replenish(gate, saleId, truth),
    remove: (saleId) => removeGate(gate, saleId),
  }
}

/**
 * The gate's facts of a sale: reconcile compares them, and recover must exceed their revisions.
 */
export function redisGateReader(gate: Commander): GateReader {
  return { read: (saleId) => readGate(gate, saleId) }
}

/** How many sales are read in one request. */
const salesPerRead = 200

export function redisGateBatchReader(gate: RedisClient): GateBatchReader {
  return {
    async read(saleIds) {
      const found = new Map<SaleId, GateSnapshot>()
      for (const some of slicesOf(saleIds, salesPerRead)) {
        const facts = await readGates(gate, some)
        for (const [i, saleId] of some.entries()) {
          const snapshot = facts[i]
          if (snapshot !== undefined) found.set(saleId, snapshot)
        }
      }
      return found
    },
  }
}

/** How many requests the gate may still admit. */
export function redisAdmissionsReader(gate: Commander): AdmissionsReader {
  return { read: (saleId) => readAdmissions(gate, saleId) }
}
