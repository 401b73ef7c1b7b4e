/** The consumers of the queues of a world: orders are written, claims are credited, timers run out. */
import type { ClaimMessage } from '../../core/claim.ts'
import type { SaleId } from '../../core/ids.ts'
import type { FinalOrder } from '../../core/order.ts'
import type { OrderMessage } from '../../core/order-message.ts'
import type { QueueMessage } from '../../functions/lib/queue-message.ts'
import { cancelUnpaidOrders } from '../../functions/orders/payment-timers.ts'
import { writeOrders } from '../../functions/orders/write-orders.ts'
import { creditWallets } from '../../functions/packets/credit-wallets.ts'
import { redisBatchCompleter } from '../../functions/stores/admissions.redis.ts'
import { acknowledgeClaims, type ClaimName } from '../../redis/claims.ts'
import { acknowledgeOrders } from '../../redis/outbox.ts'
import { memoryDeadLetters } from '../contract/fakes/dead-letters.ts'
import { memoryDeadlines } from '../contract/fakes/deadlines.ts'
import type { World } from './world.ts'

/** What a handler has left of a function timeout of ten seconds. */
const budgetMs = 7_000

const messagesOf = (bodies: readonly object[]): QueueMessage[] =>
  bodies.map((body, at) => ({ messageId: `m-${at}`, body: JSON.stringify(body) }))

export function consumersOf(world: World) {
  const { ports, book, offers, stocks, gate, drawCoupons, table, clock } = world
  const deadLetters = memoryDeadLetters()
  const deadlines = memoryDeadlines()
  const common = { ...ports, offers, deadLetters, admissions: redisBatchCompleter(gate, ports.clock) }
  const writer = {
    ...common,
    ...{ book, drawCoupons, deadlines },
    outbox: {
      remove: (saleId: SaleId, orders: readonly FinalOrder[]) => acknowledgeOrders(stocks, saleId, orders),
    },
  }
  const creditor = {
    ...common,
    ledger: table.claims,
    outbox: {
      remove: (saleId: SaleId, claims: readonly ClaimName[]) => acknowledgeClaims(stocks, saleId, claims),
    },
  }
  const until = () => clock.now + budgetMs
  return {
    deadLetters,
    deadlines,
    writer,
    creditor,
    write: (messages: readonly OrderMessage[]) => writeOrders(writer, messagesOf(messages), until()),
    credit: (claims: readonly ClaimMessage[]) => creditWallets(creditor, messagesOf(claims), until()),
    /** The timers that wait are delivered, early or not. */
    ring: () =>
      cancelUnpaidOrders(
        { ...ports, deadlines, deadLetters },
        messagesOf(deadlines.messages.splice(0)),
        until(),
      ),
  }
}
