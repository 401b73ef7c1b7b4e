/**
 * Cancels what was not paid in time, many orders in one transaction (O8). Each is read and decided right before it is
 * written, so a payment that comes at the same moment either wins or finds the order cancelled, never both.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import type { Order } from '../../core/order.ts'
import { advance } from '../../core/order-life.ts'
import { backOffMs } from '../back-off.ts'
import { errorFacts } from '../telemetry.ts'
import { within } from '../within.ts'
import type { Timer } from './deadlines.ts'
import { maxChanges, type OrderChange, type OrderLedger } from './order-ledger.ts'
import { type ReleasePorts, releaseOrLeaveDue } from './release.ts'

export type CancelUnpaidPorts = ReleasePorts & {
  ledger: Pick<OrderLedger, 'findMany' | 'change'>
  clock: () => number
  pause: (milliseconds: number) => Promise<void>
}

/**
 * `cancelled` counts orders. `later`: there is still time to pay, until `at`. `undecided`: the table was dark or
 * busy, or there was no time left; they stand as they stood.
 */
export type UnpaidCancelled = { cancelled: number; later: readonly Timer[]; undecided: readonly OrderId[] }

/** Orders read at once: they fill whole transactions, and when one of them cannot be read no others wait for it. */
const pageSize = 4 * maxChanges

/** What became of the orders; those of `waiting` are still to be decided. */
type Page = { cancelled: Order[]; later: Timer[]; waiting: Set<OrderId> }

/**
 * Cancels those of `orderIds` whose time to pay is over and gives their units back, one release for each sale. Begins
 * no transaction after `deadline` (epoch ms) and waits for no release beyond it: what is not released stays due.
 * Throws nothing; an order that is not written is none of `later` and `undecided`.
 */
export async function cancelUnpaid(
  ports: CancelUnpaidPorts,
  orderIds: readonly OrderId[],
  deadline: number,
): Promise<UnpaidCancelled> {
  const cancelled: Order[] = []
  const later: Timer[] = []
  const undecided: OrderId[] = []
  const all = [...new Set(orderIds)]
  for (let at = 0; at < all.length; at += pageSize) {
    const page: Page = { cancelled, later, waiting: new Set(all.slice(at, at + pageSize)) }
    await decidePage(ports, page, deadline)
    undecided.push(...page.waiting)
  }
  ports.meter.count('OrdersCancelled', cancelled.length)
  await giveBack(ports, cancelled, deadline)
  return { cancelled: cancelled.length, later, undecided }
}

async function decidePage(ports: CancelUnpaidPorts, page: Page, deadline: number): Promise<void> {
  const { ledger, clock, pause, log } = ports
  try {
    for (let tries = 0; page.waiting.size > 0 && clock() < deadline; tries += 1) {
      if (tries > 0) await pause(backOffMs(tries))
      for (const group of groupsOf(await readDue(ports, page))) {
        if (clock() >= deadline) return
        // Stale or busy: the group goes on waiting, and is read anew.
        if ((await ledger.change(group)).kind !== 'changed') continue
        for (const { to } of group) {
          page.waiting.delete(to.orderId)
          page.cancelled.push(to)
        }
      }
    }
  } catch (error) {
    log.error('unpaid orders not decided', { orderIds: [...page.waiting], ...errorFacts(error) })
  }
}

/** The cancellations that are due now. Whoever still has time, or needs none, waits no longer. */
async function readDue({ ledger, clock }: CancelUnpaidPorts, page: Page): Promise<OrderChange[]> {
  const orders = await ledger.findMany([...page.waiting])
  const now = clock()
  const due: OrderChange[] = []
  for (const from of orders.values()) {
    const step = advance(from, { kind: 'payment-window-over' }, now)
    if (step.kind === 'moved') due.push({ from, to: step.order })
    else if (step.kind === 'not-yet') page.later.push({ orderId: from.orderId, at: step.at })
  }
  page.waiting = new Set(due.map(({ from }) => from.orderId))
  return due
}

/** Groups that each fit one transaction, of one sale each, because every sale costs an item of its own. */
function groupsOf(changes: readonly OrderChange[]): OrderChange[][] {
  const bySale = Map.groupBy(changes, ({ to }) => to.saleId)
  return [...bySale.values()].flatMap((ofSale) =>
    Array.from({ length: Math.ceil(ofSale.length / maxChanges) }, (_, index) =>
      ofSale.slice(index * maxChanges, (index + 1) * maxChanges),
    ),
  )
}

async function giveBack(
  ports: CancelUnpaidPorts,
  cancelled: readonly Order[],
  deadline: number,
): Promise<void> {
  const bySale = Map.groupBy(cancelled, ({ saleId }) => saleId)
  const one = ([saleId, orders]: [SaleId, Order[]]) => {
    const orderIds = orders.map(({ orderId }) => orderId)
    return within(deadline - ports.clock(), releaseOrLeaveDue(ports, saleId, orderIds)).catch((error) => {
      ports.meter.count('ReleaseFailed')
      ports.log.warn('units not yet given back', { saleId, orderIds, ...errorFacts(error) })
    })
  }
  await Promise.all([...bySale].map(one))
}
