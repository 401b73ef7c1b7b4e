/** What a marketer's change does in Redis: to the stock on the shelf, and to what the gate may believe. */
import { addStock } from '../../redis/add-stock.ts'
import type { Redis } from '../../redis/client.ts'
import { flip } from '../../redis/flip.ts'
import { raiseRestocked, raiseSoldOut, readGate, setGate } from '../../redis/gate.ts'
import { removeStock } from '../../redis/stock.ts'
import { warm } from '../../redis/warm.ts'
import type { Gate, Stock } from '../sales/effects.ts'
import type { RepairPorts } from '../sales/repair.ts'

export function redisStockShelf(redis: Redis): Stock {
  return {
    warm: (sale) => warm(redis, sale),
    flip: (sale) => flip(redis, sale.saleId, sale),
    add: (saleId, change) => addStock(redis, saleId, change),
    remove: (saleId) => removeStock(redis, saleId),
  }
}

export function redisGate(gate: Redis): Gate {
  return {
    set: (sale) => {
      const { limit, windowSeconds } = sale.throttle.perShopper
      return setGate(gate, { ...sale, throttleLimit: limit, throttleWindowSeconds: windowSeconds })
    },
    raiseSoldOut: (saleId, restocks) => raiseSoldOut(gate, saleId, restocks),
    raiseRestocked: (saleId, restocks) => raiseRestocked(gate, saleId, restocks),
  }
}

export function redisGateReader(gate: Redis): RepairPorts['gateReader'] {
  return { read: (saleId) => readGate(gate, saleId) }
}
