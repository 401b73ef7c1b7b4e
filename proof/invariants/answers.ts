/** Checks what shoppers were answered and shown: each reservation is an order (I2), each number is right (G4). */
import { ownValue } from '../../core/lib/own-value.ts'
import { counted } from '../../core/lib/text.ts'
import { holdsUnits } from '../../core/orders/order.ts'
import { sumByVariant, unitsOfVariant } from '../../core/sale/variants.ts'
import { firstFew, type InvariantFinding, openFindings, sumQuantity } from './findings.ts'
import type { AnsweredOrder, ObservedSale, SnapshotOrder } from './snapshot.ts'
import { ordersWithUnits, variantOrEmpty } from './units.ts'

/** Returns the answered reservations without an order of that shopper and quantity. */
export function lostReservations(
  orders: readonly SnapshotOrder[],
  answered: readonly AnsweredOrder[],
): AnsweredOrder[] {
  const byId = Map.groupBy(orders, ({ orderId }) => orderId)
  return answered.filter((one) => {
    const [order, another] = byId.get(one.orderId) ?? []
    if (order === undefined) return one.mayBeMissing !== true
    const isKept = holdsUnits(order.status) || isAllowedEnd(one, order)
    const isSame = one.units.some(({ quantity }) => quantity === order.quantity)
    return another !== undefined || order.shopperId !== one.shopperId || !isKept || !isSame
  })
}

function isAllowedEnd({ mayEnd = false, mayBeRejected }: AnsweredOrder, order: SnapshotOrder): boolean {
  return order.status === 'rejected' ? mayBeRejected?.(order) === true : mayEnd
}

export function answerFindings(snapshot: ObservedSale): InvariantFinding[] {
  const { orders, answered = [], arrivals } = snapshot
  const { findings, must, none } = openFindings()
  const lost = lostReservations(orders, answered).map(({ orderId }) => orderId)
  none('I2', lost, 'reservation', 'without an order')
  const byId = new Map(orders.map((order) => [order.orderId, order]))
  const other = answered
    .filter(({ orderId, units }) => hasOtherVariant(byId.get(orderId), units))
    .map(({ orderId }) => orderId)
  none(['I2', 'N1'], other, 'reservation', 'with another variant')
  if (arrivals !== undefined) {
    const { unseen, queued, deadLetters } = arrivals
    must('I2', unseen.length === 0, `orders or packets that their shopper cannot see: ${firstFew(unseen)}`)
    must('I2', queued === 0, `${counted(queued, 'message')} still in the queue`)
    must('I2', deadLetters === 0, counted(deadLetters, 'dead letter'))
  }
  return [...findings, ...shownFindings(snapshot)]
}

/** True when no answer with that quantity named the variant of the order. */
function hasOtherVariant(order: SnapshotOrder | undefined, units: AnsweredOrder['units']): boolean {
  if (order === undefined) return false
  const asMany = units.filter(({ quantity }) => quantity === order.quantity)
  const should = variantOrEmpty(order.variant)
  return asMany.length > 0 && !asMany.some(({ variant }) => variant === undefined || variant === should)
}

function shownFindings({ sale, orders, shown, packets }: ObservedSale): InvariantFinding[] {
  if (shown === undefined) return []
  const { findings, must } = openFindings()
  const { stock, variants = [] } = sale
  const active = ordersWithUnits(orders)
  const taken = packets === undefined ? sumQuantity(active) : (packets.redis?.claims ?? packets.table.credits).length
  const left = stock === -1 ? -1 : stock - taken
  must('G4', shown.left === left, `the public pointer shows ${shown.left} left, ${left} are`)
  const sold = sumByVariant(active)
  for (const { id, stock } of variants) {
    const [is, should] = [ownValue(shown.variants, id), stock - unitsOfVariant(sold, id)]
    must(['G4', 'N1'], is === should, `the public pointer shows ${is} of ${id} left, ${should} are`)
  }
  if (shown.refused !== undefined)
    must('G4', shown.refused === left, `a refused shopper was answered that ${shown.refused} are left, ${left} are`)
  return findings
}
