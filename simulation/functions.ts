/**
 * The functions of the system wired as their handlers wire them, with every port that leaves the process a step of
 * the simulation. What a handler keeps in memory is kept here in its environments.
 */
import { rememberOfferList, rememberOffers } from '../functions/orders/offers.memory.ts'
import { functionTimeoutSeconds } from '../system/functions.ts'
import { openFleet } from './engine/fleet.ts'
import type { Simulation } from './engine/simulation.ts'
import { type Outside, sharedPorts } from './shared-ports.ts'

const limitMs = 1000 * functionTimeoutSeconds('reserve')
const longLimitMs = 1000 * functionTimeoutSeconds('control')

export type Functions = ReturnType<typeof wireFunctions>

export function wireFunctions(simulation: Simulation, outside: Outside) {
  const { stock, table, queues, drawCoupons } = outside
  const { common, shopfront, desk, life, upkeep } = sharedPorts(simulation, outside)
  return {
    control: openFleet(simulation, 'control', longLimitMs, upkeep),
    reconcile: openFleet(simulation, 'reconcile', longLimitMs, upkeep),
    reserve: openFleet(simulation, 'reserve', limitMs, () => ({
      stock,
      queue: { send: queues.send },
      ...desk(),
      ...common(),
    })),
    claim: openFleet(simulation, 'claim', limitMs, () => ({
      stock,
      queue: { send: queues.sendClaim },
      ...desk(),
      ...common(),
    })),
    writeOrders: openFleet(simulation, 'writer', limitMs, () => ({
      book: table.book,
      offers: rememberOffers(table.sales),
      drawCoupons,
      deadLetters: queues.asideOrders,
      deadlines: queues.deadlines,
      shopfront: shopfront(),
      ...common(),
    })),
    creditWallets: openFleet(simulation, 'creditor', limitMs, () => ({
      ledger: table.claimLedger,
      offers: rememberOffers(table.sales),
      deadLetters: queues.asideClaims,
      shopfront: shopfront(),
      ...common(),
    })),
    cancelUnpaid: openFleet(simulation, 'timer', limitMs, () => ({
      ...life(),
      deadlines: queues.deadlines,
      deadLetters: queues.asideTimers,
    })),
    orders: openFleet(simulation, 'orders', limitMs, () => ({
      // Here shoppers look at single orders only, and no list is kept.
      orders: {
        find: table.ledger.find,
        findMany: table.ledger.findMany,
        page: async () => ({ orderIds: [] }),
      },
      stock,
      offers: rememberOfferList({ find: table.sales.find, findMany: async () => [] }),
      ...common(),
    })),
    orderChanges: openFleet(simulation, 'order changes', limitMs, () => ({
      orders: { find: table.ledger.find },
      offers: rememberOffers(table.sales),
      ...life(),
    })),
    payments: openFleet(simulation, 'webhook', limitMs, () => ({
      // Whose message it is, is checked elsewhere; here all are genuine.
      signatures: { faultOf: () => undefined },
      ...life(),
    })),
  }
}
