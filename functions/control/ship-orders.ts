/** Marks orders as shipped or delivered. Their units never go on sale again: a refund returns the money alone. */
import { isChangedLine, type ShipmentCode, type ShipmentLine, type ShippedLine } from '../../core/api/shipment-lines.ts'
import { type OrderId, type SaleId, saleOfOrder } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { isContested, isShipped, type Order } from '../../core/orders/order.ts'
import { advance, type LifeEvent } from '../../core/orders/order-life.ts'
import type { Refusal } from '../../core/refusals.ts'
import type { Table } from '../lib/shop/shop.ts'
import { type ChangeOrderPorts, changeOrder } from '../orders/change-orders.ts'
import type { Actor } from '../sales/audit.ts'
import { addAuditEntry } from '../table/audit.ts'
import { orderIdOfNumber } from '../table/orders/order-numbers.ts'
import { findWrittenOrders } from '../table/orders/orders.ts'
import { findSale } from '../table/sale/sales.ts'

export type OrdersShipped =
  | { kind: 'done'; lines: readonly ShippedLine[] }
  | { kind: 'no-sale' }
  | ({ kind: 'refused' } & Refusal)

/** A line, its order, and the result it would have for the order as it was read. */
type Planned = { line: ShipmentLine; orderId: OrderId | undefined; code: ShipmentCode }

/** Orders changed concurrently, each by one or two writes. */
const concurrency = 10

/**
 * Marks the orders of `lines` and answers each line in order; a dry run gives the same answers and writes nothing. Safe to
 * repeat: a line whose order is already so marked is a no-op. The audit entry is written first: after a crash in between the
 * log names a change that was not made, never the reverse.
 * @throws when the table is unavailable; earlier lines may have had their effect
 */
export async function shipOrders(
  ports: ChangeOrderPorts,
  actor: Actor,
  saleId: SaleId,
  { lines, dryRun = false }: { lines: readonly ShipmentLine[]; dryRun?: boolean | undefined },
): Promise<OrdersShipped> {
  const sale = (await findSale(ports.table, saleId))?.sale
  if (sale === undefined) return { kind: 'no-sale' }
  if (sale.kind !== 'goods') return { kind: 'refused', reason: 'only-goods-shipped' }
  const planned = await plan(ports, saleId, lines)
  const changing = planned.filter(isChangedLine)
  if (dryRun || changing.length === 0) return { kind: 'done', lines: planned.map(answerOf) }
  const count = (status: ShipmentLine['status']) => changing.filter(({ line }) => line.status === status).length
  const after = { shipped: count('shipped'), delivered: count('delivered') }
  await addAuditEntry(ports.table, { ...actor, what: 'ship', saleId, when: ports.clock(), before: null, after })
  const answered: ShippedLine[] = []
  for (const some of slicesOf(planned, concurrency)) {
    answered.push(...(await Promise.all(some.map((one) => shipLine(ports, one)))))
  }
  return { kind: 'done', lines: answered }
}

const answerOf = ({ line: { orderId, orderNumber }, code }: Planned): ShippedLine => ({ orderId, orderNumber, code })

async function plan(
  { table, clock }: ChangeOrderPorts,
  saleId: SaleId,
  lines: readonly ShipmentLine[],
): Promise<Planned[]> {
  const orderIds: (OrderId | undefined)[] = []
  for (const some of slicesOf(lines, concurrency))
    orderIds.push(...(await Promise.all(some.map((one) => idOf(table, one)))))
  const own = orderIds.filter((orderId) => orderId !== undefined && saleOfOrder(orderId) === saleId)
  const orders = await findWrittenOrders(
    table,
    own.flatMap((orderId) => orderId ?? []),
  )
  return lines.map((line, at) => {
    const orderId = orderIds[at]
    const codeHere = () => {
      if (orderId === undefined) return 'not-found'
      const order = orders.get(orderId)
      if (saleOfOrder(orderId) !== saleId) return 'other-sale'
      if (orderIds.indexOf(orderId) !== at) return 'duplicate'
      return order === undefined ? 'not-found' : codeFor(order, line, clock())
    }
    return { orderId, line, code: codeHere() }
  })
}

async function idOf(table: Table, { orderId, orderNumber }: ShipmentLine): Promise<OrderId | undefined> {
  return orderNumber === undefined ? orderId : orderIdOfNumber(table, orderNumber)
}

/** Returns the events of a line. A delivered order was shipped before, whether or not the shop reported it. */
function eventsOf({ carrier, tracking, link, status }: ShipmentLine): LifeEvent[] {
  const shipment = { carrier, ...(tracking !== undefined && { tracking }), ...(link !== undefined && { link }) }
  const shipped: LifeEvent = { kind: 'shipped', ...shipment }
  return status === 'delivered' ? [shipped, { kind: 'delivered' }] : [shipped]
}

function codeFor(order: Order, line: ShipmentLine, now: number): ShipmentCode {
  let current = order
  for (const event of eventsOf(line)) {
    const step = advance(current, event, now)
    if (step.kind === 'moved') current = step.order
    else if (step.kind !== 'same') return refusalCodeOf(current)
  }
  if (current === order) return 'repeat'
  return line.status === 'shipped' && isShipped(order) ? 'corrected' : line.status
}

function refusalCodeOf(order: Order): ShipmentCode {
  const { status } = order
  if (status === 'paid' && isContested(order)) return 'disputed'
  if (status === 'delivered') return 'already-delivered'
  return status === 'awaiting-payment' || status === 'reserved' ? 'not-paid' : 'ended'
}

/** Applies a line. The order decides again, because another change may have come first; a line without effect succeeds. */
async function shipLine(ports: ChangeOrderPorts, planned: Planned): Promise<ShippedLine> {
  const { orderId, line } = planned
  if (orderId === undefined || !isChangedLine(planned)) return answerOf(planned)
  let hasMoved = false
  for (const event of eventsOf(line)) {
    const changed = await changeOrder(ports, orderId, event)
    if (changed.kind === 'moved') hasMoved = true
    else if (changed.kind === 'refused') return answerOf({ ...planned, code: refusalCodeOf(changed.order) })
    else if (changed.kind !== 'same') throw new Error(`an order that is shipped cannot be ${changed.kind}`)
  }
  return hasMoved ? answerOf(planned) : answerOf({ ...planned, code: 'repeat' })
}
