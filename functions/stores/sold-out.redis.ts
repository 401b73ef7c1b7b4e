/** Publishes `sold out` once per stock revision; from then on the edge answers. */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import type { Commander } from '../../redis/command.ts'
import { publishSoldOut } from '../../redis/gate.ts'
import type { SoldOutPublisher } from '../buy/complete-admission.ts'

const maxSales = 1000

/** A published revision is answered from memory; concurrent calls share one request. */
export function redisSoldOutPublisher(gate: Commander): SoldOutPublisher {
  const told = new QuickLRU<SaleId, { stockRevision: number; done: Promise<void> }>({ maxSize: maxSales })
  return {
    publish(saleId, stockRevision) {
      const known = told.get(saleId)
      if (known !== undefined && known.stockRevision >= stockRevision) return known.done
      const done = publishSoldOut(gate, saleId, stockRevision).then(
        () => undefined,
        (error) => {
          told.delete(saleId)
          throw error
        },
      )
      told.set(saleId, { stockRevision, done })
      return done
    },
  }
}
