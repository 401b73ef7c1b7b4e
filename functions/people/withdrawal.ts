/**
 * A shopper withdraws from the contract of an order: with a session, or as a guest with a link that is sent to the address on
 * file. Directive 2011/83/EU, Art. 11a: the statement, its confirmation, and the receipt, which `send-mails.ts` sends for the
 * step that is written here.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { type WithdrawableOrder, type WithdrawalStatement, withdrawalStatement } from '../../core/api/withdrawal.ts'
import { type OrderId, parseOrderId } from '../../core/ids.ts'
import { parse } from '../../core/lib/parse.ts'
import type { Order } from '../../core/orders/order.ts'
import type { OrderNumber } from '../../core/orders/order-number.ts'
import { withdrawalDaysOf } from '../../core/sale/market.ts'
import { basketUnits } from '../../core/sale/variants.ts'
import type { Offers } from '../lib/offer.ts'
import { type Sealer, withdrawSeal } from '../lib/sealer.ts'
import { withdrawalSeen } from '../orders/own-order.ts'
import { type StepPorts, stepOrder } from '../orders/step.ts'
import { hasHeld, UnexpectedItem } from '../table/dynamodb.ts'
import { withdrawLinkKey } from '../table/keys.ts'
import { findOrderOfNumber } from '../table/orders/order-numbers.ts'
import { findWrittenOrder } from '../table/orders/orders.ts'
import type { PersonalTable } from '../table/people/contact-item.ts'
import { shoppersWithEmail } from '../table/people/contacts.ts'

export type WithdrawalPorts = StepPorts & PersonalTable & { offers: Offers }

/** How long to retry a busy table or order; the function has 30 seconds. */
const patienceMs = 5000

/** A link is sent once in this time for an order, however often it is asked for. */
const linkEveryMs = 10 * 60_000

/** How long the request for a link is kept, after its e-mail can be sent no more. */
const linkKeptSeconds = 86_400

const sealOf = (orderId: OrderId) => ({ purpose: 'withdrawal', owner: orderId }) as const

/** `no-right`: nothing can be withdrawn from, or not these units. `too-late`: the period is over. */
export type OrderWithdrawal = { kind: 'withdrawn'; order: WithdrawableOrder } | { kind: 'no-right' | 'too-late' }

/**
 * Takes the statement. A repeat answers with the time of the first one, also when two arrive at once.
 * @throws OrderBusy when the order was not changed in time, or what an unavailable table throws; nothing is lost by retrying
 */
export async function withdrawFrom(
  ports: WithdrawalPorts,
  order: Order,
  statement: WithdrawalStatement,
): Promise<OrderWithdrawal> {
  const { orderId } = order
  const offer = await ports.offers.of(order.saleId)
  const days = offer && withdrawalDaysOf(offer)
  if (days === undefined) return { kind: 'no-right' }
  const { quantity: given, basket: chosen, ...who } = statement
  const basket = chosen ?? (given === undefined ? order.basket : undefined)
  const quantity = basket === undefined ? (given ?? order.quantity) : basketUnits(basket)
  const event = {
    ...({ kind: 'withdrawn', days, quantity, ...(basket && { basket }) } as const),
    statement: await ports.sealer.seal(sealOf(orderId), who),
  }
  const step = await stepOrder(ports, orderId, event, { deadline: ports.clock() + patienceMs })
  if (step.kind === 'too-late') return { kind: 'too-late' }
  if (step.kind === 'refused') return { kind: 'no-right' }
  if (step.kind !== 'moved' && step.kind !== 'same')
    throw new Error(`${orderId} answered its withdrawal with ${step.kind}`)
  return { kind: 'withdrawn', order: { ...factsOf(step.order), ...withdrawalSeen(step.order, offer) } }
}

/** The order of a link; undefined when the link is expired or not ours, or the order is gone. */
export async function orderOfLink(ports: WithdrawalPorts, token: string): Promise<Order | undefined> {
  const orderId = parseOrderId((await ports.sealer.open(withdrawSeal, token))?.orderId)
  return orderId === undefined ? undefined : findWrittenOrder(ports.table, orderId)
}

/** The facts of `order` that the link of an e-mail shows. */
export async function viewForLink({ offers }: WithdrawalPorts, order: Order): Promise<WithdrawableOrder> {
  return { ...factsOf(order), ...withdrawalSeen(order, await offers.of(order.saleId)) }
}

/**
 * Asks for a link by e-mail, where an order of that number has that address on file and can be withdrawn from. Its effects are
 * not visible to the caller, and both reads are made in each case.
 */
export async function askForLink(ports: WithdrawalPorts, orderNumber: OrderNumber, email: string): Promise<void> {
  const [order, shoppers] = await Promise.all([
    findOrderOfNumber(ports.table, orderNumber),
    shoppersWithEmail(ports, email),
  ])
  if (order === undefined || !shoppers.includes(order.shopperId)) return
  const { withdrawableUntil, withdrawal } = await viewForLink(ports, order)
  if (withdrawableUntil === undefined && withdrawal === undefined) return
  const { client, name } = ports.table
  const askedAt = ports.clock()
  const put = new PutCommand({
    TableName: name,
    Item: {
      ...withdrawLinkKey(order.orderId),
      ...{ shopperId: order.shopperId, orderNumber, askedAt },
      expiresAt: Math.ceil(askedAt / 1000) + linkKeptSeconds,
    },
    // The change brings the e-mail; without it the one before is still on its way.
    ConditionExpression: 'attribute_not_exists(pk) OR askedAt < :before',
    ExpressionAttributeValues: { ':before': askedAt - linkEveryMs },
  })
  await hasHeld(client.send(put))
}

/**
 * The statement of an order, as its shopper sent it.
 * @throws UnexpectedItem when no key opens it
 */
export async function openStatement(
  sealer: Sealer,
  { orderId, statement }: { orderId: OrderId; statement: string },
): Promise<WithdrawalStatement> {
  // The audience is the sealer's own mark of the order.
  const { aud, ...content } = (await sealer.open(sealOf(orderId), statement)) ?? {}
  const read = parse(withdrawalStatement, content)
  if (read.ok) return read.value
  throw new UnexpectedItem('a withdrawal', 'no key opens it, or its content is not one')
}

function factsOf({ orderId, orderNumber, saleId, quantity, basket }: Order) {
  return { orderId, ...(orderNumber && { orderNumber }), saleId, quantity, ...(basket && { basket }) }
}
