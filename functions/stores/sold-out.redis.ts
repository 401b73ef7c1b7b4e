/** Tells the gate once per stock revision that a sale is sold out; after that, every loser is answered at the edge. */
import QuickLRU from 'quick-lru'
import type { SaleId } from '../../core/ids.ts'
import type { Commander } from '../../redis/command.ts'
import { raiseSoldOut } from '../../redis/gate.ts'
import type { SoldOutSign } from '../buy/complete-admission.ts'

const maxSales = 1000

/** Calls for a revision already told are answered from memory; calls during the telling share its outcome. */
export function redisSoldOutSign(gate: Commander): SoldOutSign {
  const told = new QuickLRU<SaleId, { restocks: number; done: Promise<void> }>({ maxSize: maxSales })
  return {
    raise(saleId, restocks) {
      const known = told.get(saleId)
      if (known !== undefined && known.restocks >= restocks) return known.done
      const done = raiseSoldOut(gate, saleId, restocks).then(
        () => undefined,
        (error) => {
          told.delete(saleId)
          throw error
        },
      )
      told.set(saleId, { restocks, done })
      return done
    },
  }
}
