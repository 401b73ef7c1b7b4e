/**
 * Changes written orders. Every step of an order after its first write uses this module: payments, cancellations,
 * refunds, shipments, redemptions and the timer.
 *
 * `changePage` reads the pending orders, `advance` decides the step of each, and groups of one sale are committed in one
 * transaction each. An order that changed meanwhile, or that a busy table refused, stays pending and is read again. A
 * failed group is halved until the order at fault fails alone (O7). The transaction of a step records its effects as due,
 * so `reconcile` finishes them after a crash.
 */
import type { OrderId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import type { Order } from '../../core/orders/order.ts'
import { advance, type LifeEvent, type LifeStep } from '../../core/orders/order-life.ts'
import { commitEach, TableUnavailable } from '../lib/group-commit.ts'
import { retry } from '../lib/retry.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import { changeWrittenOrders, maxChanges, type OrderChange, type ProviderEvent } from '../table/orders/change-orders.ts'
import { findWrittenOrders } from '../table/orders/orders.ts'
import { type EffectPorts, runEffects, type TakenStep } from './order-effects.ts'
import { type ChangeTerms, changeUnknownOrder } from './unknown-order.ts'

export type ChangeOrderPorts = EffectPorts & Pick<ShopContext, 'sleep'>

/**
 * The step that was taken, with the current order. `repeat`: the provider's event was counted before. `reused`: its id
 * belongs to another event. `no-delivery`: the order lacks the address that the step needs. `no-order`: the order does not
 * exist, and money received for it is refunded.
 */
export type OrderChanged = TakenStep | { kind: 'repeat' | 'reused' | 'no-delivery' | 'no-order' }

/** `failed`: nothing was written. The table is unavailable or busy, time ran out, or the order cannot be written. */
export type ChangeResult = OrderChanged | { kind: 'failed'; error: unknown }

/** Orders read in one call. They fill whole transactions, and a failed read delays only these orders. */
const pageSize = 4 * maxChanges

/** How long to retry a busy table or order, ms; the function has ten seconds. */
const timeoutMs = 5000

/**
 * Applies `event` to one order. Idempotent: a repeat of the event, or of its delivery `providerEvent`, has no second
 * effect. A failed effect stays due and does not throw.
 * @throws TableUnavailable when time ran out, or what the table throws; the call can be retried
 */
export async function changeOrder(
  ports: ChangeOrderPorts,
  orderId: OrderId,
  event: LifeEvent,
  providerEvent?: ProviderEvent,
): Promise<OrderChanged> {
  const terms = { providerEvent, deadline: ports.clock() + timeoutMs }
  const changed = (await changeOrders(ports, [orderId], event, terms)).get(orderId)
  if (changed === undefined) throw new Error(`${orderId} has no result`)
  if (changed.kind === 'failed') throw changed.error
  return changed.kind === 'no-order' ? changeUnknownOrder(ports, orderId, event, terms) : changed
}

/** Applies `event` to each order and runs the effects. Resolves with one result per order. Never throws. */
export async function changeOrders(
  ports: ChangeOrderPorts,
  orderIds: readonly OrderId[],
  event: LifeEvent,
  terms: ChangeTerms,
): Promise<ReadonlyMap<OrderId, ChangeResult>> {
  const results = new Map<OrderId, ChangeResult>()
  for (const page of slicesOf([...new Set(orderIds)], pageSize)) {
    for (const [orderId, result] of await changePage(ports, page, event, terms)) results.set(orderId, result)
  }
  const taken = [...results.values()].filter((result) => 'order' in result)
  await runEffects(ports, event, taken, terms.deadline)
  return results
}

/** An order as it was read, and the step that the event causes. */
type Decided = { order: Order; step: LifeStep }

async function changePage(
  { table, clock, sleep }: ChangeOrderPorts,
  orderIds: readonly OrderId[],
  event: LifeEvent,
  { providerEvent, deadline }: ChangeTerms,
): Promise<ReadonlyMap<OrderId, ChangeResult>> {
  const results = new Map<OrderId, ChangeResult>()
  const pending = new Set(orderIds)
  const finish = (orderId: OrderId, result: ChangeResult) => {
    pending.delete(orderId)
    results.set(orderId, result)
  }

  async function decide(): Promise<Decided[]> {
    const orders = await findWrittenOrders(table, [...pending])
    const now = clock()
    const decided: Decided[] = []
    for (const orderId of pending) {
      const order = orders.get(orderId)
      if (order === undefined) {
        finish(orderId, { kind: 'no-order' })
        continue
      }
      const step = advance(order, event, now)
      if (step.kind === 'moved' || providerEvent !== undefined) decided.push({ order, step })
      else finish(orderId, toTakenStep({ order, step }))
    }
    return decided
  }

  async function commit(group: readonly Decided[]): Promise<void> {
    if (clock() >= deadline) return
    const { kind } = await changeWrittenOrders(table, group.flatMap(toOrderChange), providerEvent)
    // Stale or busy: the orders stay pending and are read again.
    if (kind === 'stale' || kind === 'busy') return
    for (const decided of group) finish(decided.order.orderId, kind === 'changed' ? toTakenStep(decided) : { kind })
  }

  try {
    await retry(async (tries) => {
      if (clock() >= deadline) throw new TableUnavailable(`not changed in ${tries - 1} tries`)
      await commitEach(groupsBySale(await decide()), commit, (failed, error) => {
        for (const { order } of failed) finish(order.orderId, { kind: 'failed', error })
      })
      return pending.size === 0 || undefined
    }, sleep)
  } catch (error) {
    for (const orderId of pending) finish(orderId, { kind: 'failed', error })
  }
  return results
}

/** Returns groups that each fit one transaction. One sale per group, because each sale needs one more item. */
function groupsBySale(decided: readonly Decided[]): Decided[][] {
  const bySale = Map.groupBy(decided, ({ order }) => order.saleId)
  return [...bySale.values()].flatMap((ofSale) => slicesOf(ofSale, maxChanges))
}

function toOrderChange({ order: from, step }: Decided): OrderChange[] {
  if (step.kind !== 'moved') return []
  const { order: to, refund, needsDelivery } = step
  return [{ from, to, ...(refund && { refund }), ...(needsDelivery && { needsDelivery }) }]
}

const toTakenStep = ({ order, step }: Decided): TakenStep =>
  step.kind === 'moved' ? { ...step, from: order } : { ...step, order }
