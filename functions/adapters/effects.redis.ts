/** What a marketer's change does in Redis: to the stock on the shelf, and to what the gate may believe. */

import { addStock } from '../../redis/add-stock.ts'
import type { Redis } from '../../redis/client.ts'
import { flip } from '../../redis/flip.ts'
import { raiseRestocked, raiseSoldOut, setGate } from '../../redis/gate.ts'
import { outboxSize } from '../../redis/outbox.ts'
import { readStock, removeStock } from '../../redis/stock.ts'
import { warm } from '../../redis/warm.ts'
import type { Gate, Stock } from '../control/effects.ts'
import type { LivePorts } from '../control/live.ts'

export function redisShelf(redis: Redis): Stock {
  return {
    warm: (sale) => warm(redis, sale),
    flip: (sale) => flip(redis, sale.saleId, sale),
    add: (saleId, delta, changeId) => addStock(redis, saleId, delta, changeId),
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

export function redisStockReader(redis: Redis): LivePorts['stockReader'] {
  return {
    read: (saleId) => readStock(redis, saleId),
    outboxSize: (saleId) => outboxSize(redis, saleId),
  }
}
