/** Reads a batch of messages into entries, each by itself, so that one bad message never fails its neighbours. */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { priceOf } from '../../core/money.ts'
import type { Order } from '../../core/order.ts'
import { type OrderMessage, orderMessage } from '../../core/order-message.ts'
import { readJson } from '../../core/parse.ts'
import type { Sale } from '../../core/sale.ts'
import { errorFacts, type Telemetry } from '../telemetry.ts'
import type { Entry } from './entry.ts'
import { within } from './within.ts'

export type Mail = { messageId: string; body: string }

/** What a sale offers its shoppers; none of it can change once the sale was started. */
export type Offer = Pick<Sale, 'price' | 'currency' | 'paymentWindowSeconds' | 'limitPerShopper' | 'stock'>

/** The offer of a sale, or undefined when there is no such sale. */
export type Offers = { of: (saleId: SaleId) => Promise<Offer | undefined> }

type Ports = { offers: Offers; clock: () => number } & Telemetry

/**
 * `unreadable` are the ids of messages that nothing can be made of, or whose sale could not be looked up before
 * `deadline` (epoch ms). A sale is looked up once for all its messages, also in vain.
 */
export async function readMail(
  ports: Ports,
  mail: readonly Mail[],
  deadline: number,
): Promise<{ entries: Entry[]; unreadable: string[] }> {
  const entries = new Map<OrderId, Entry>()
  const unreadable: string[] = []
  const asked = new Map<SaleId, Promise<Offer | undefined>>()
  const offerOf = (saleId: SaleId) => {
    const offer = asked.get(saleId) ?? ports.offers.of(saleId)
    asked.set(saleId, offer)
    return within(deadline - ports.clock(), offer)
  }
  for (const { messageId, body } of mail) {
    const message = readJson(orderMessage, body)
    const order = message.ok ? await orderOf(ports, offerOf, messageId, message.value) : undefined
    if (!message.ok) ports.log.error('message is not an order', { messageId, reason: message.detail })
    if (order === undefined) {
      unreadable.push(messageId)
      continue
    }
    const messageIds = entries.get(order.order.orderId)?.messageIds ?? []
    entries.set(order.order.orderId, { ...order, messageIds: [...messageIds, messageId] })
  }
  return { entries: [...entries.values()], unreadable }
}

async function orderOf(
  { clock, log }: Ports,
  offerOf: Offers['of'],
  messageId: string,
  message: OrderMessage,
): Promise<Omit<Entry, 'messageIds'> | undefined> {
  const { orderId, saleId, shopperId, quantity, reservedAt } = message
  try {
    const sale = await offerOf(saleId)
    if (sale === undefined) throw new Error(`there is no sale ${saleId}`)
    const base: Order = {
      orderId,
      saleId,
      shopperId,
      quantity,
      amount: priceOf(quantity, sale.price),
      currency: sale.currency,
      status: 'awaiting-payment',
      reservedAt,
      writtenAt: clock(),
      payBy: reservedAt + sale.paymentWindowSeconds * 1000,
    }
    const order: Order =
      quantity > sale.limitPerShopper ? { ...base, status: 'rejected', reason: 'over-limit' } : base
    return { order, limit: sale.limitPerShopper, capped: sale.stock !== -1 }
  } catch (error) {
    log.error('message cannot become an order', { messageId, orderId, ...errorFacts(error) })
    return undefined
  }
}
