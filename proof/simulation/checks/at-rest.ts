/** Checks all invariants of a sale at rest. */
import type { OrderId } from '../../../core/ids.ts'
import { formatCoupon } from '../../../core/orders/coupon.ts'
import { holdsUnits, isPaidInShop, type Order } from '../../../core/orders/order.ts'
import { allPackets } from '../../../core/packets/packets.ts'
import { hasEnded } from '../../../core/sale/sale.ts'
import { csvPart } from '../../../functions/control/csv.ts'
import { couponsTable } from '../../../functions/control/tables.ts'
import { couponsView } from '../../../functions/orders/own-order.ts'
import { findOrderView } from '../../../functions/orders/read-orders.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { orderRows } from '../../../functions/table/sale/sale-rows.ts'
import { findingsAtRest } from '../../invariants/invariants.ts'
import { checkCustomers } from '../actors/customers.ts'
import { redemptionName } from '../records.ts'
import type { World } from '../world.ts'
import { violationIn } from './credits.ts'
import { checkShown } from './shown.ts'
import { takeSnapshot } from './snapshot.ts'

/** Reports every violation; with `isOver`, also units that could be bought but are not sold. */
export async function checkAtRest(world: World, { isOver }: { isOver: boolean }): Promise<void> {
  for (const finding of findingsAtRest(await takeSnapshot(world))) world.violated(violationIn(finding))
  if (world.kind !== 'red-packet') await checkOrders(world, isOver)
  else if (isOver) await checkBudgetSpent(world)
  await world.option?.checkAtRest(world)
  await checkShown(world)
  await checkCustomers(world)
}

async function checkOrders(world: World, isOver: boolean): Promise<void> {
  const { truth, saleId } = world
  const orders = truth.orders(saleId)
  await checkVisible(world, orders)
  await checkCoupons(world, orders)
  checkRedemptions(world, orders)
  checkCarts(world, orders)
  if (isOver) await checkAllSold(world, orders)
}

/** Checks that every cart has its order or was released, and that no order has two carts (I2, I5). */
function checkCarts({ carts, violated }: World, orders: readonly Order[]): void {
  const known = new Map(orders.map((order) => [order.orderId, order]))
  const owners = new Map<OrderId, string>()
  for (const { reference, orderId, isReleased = false } of carts.carts.values()) {
    if (orderId === undefined) continue
    const order = known.get(orderId)
    const has = order?.payment?.reference === reference
    if (!isReleased && (order === undefined || !holdsUnits(order.status) || !has))
      violated(`${reference} was paid in the shop, and ${orderId} is ${order?.status ?? 'missing'} (I2)`)
    if (isReleased && order !== undefined && holdsUnits(order.status))
      violated(`${reference} was released by the shop, and ${orderId} is ${order.status} (I4)`)
    owners.set(orderId, reference)
  }
  for (const { orderId, status, payment } of orders.filter(isPaidInShop)) {
    if (payment?.reference === undefined || !holdsUnits(status)) continue
    if (owners.get(orderId) !== payment.reference)
      violated(`${orderId} is paid for ${payment.reference}, which no answer has confirmed (I5)`)
  }
}

/** Checks that every shopper sees their coupons: as many as ordered, and the same codes each time. */
async function checkCoupons(world: World, orders: readonly Order[]): Promise<void> {
  const { violated, truth, coupons } = world
  const sale = await world.sale()
  for (const order of orders) {
    const { orderId, status, quantity } = order
    const shown = couponsView(order, sale).coupons ?? []
    const should = sale.kind === 'coupon' && holdsUnits(status) ? quantity : 0
    if (shown.length !== should) violated(`${orderId} shows ${shown.length} codes, and ${should} are its (coupons)`)
    const seen = coupons.seen.get(orderId)
    if (seen !== undefined && seen.join() !== order.coupons?.join()) {
      violated(`${orderId} showed other codes than it has (coupons)`)
    }
  }
  if (sale.kind !== 'coupon') return
  const active = orders.filter(({ status }) => holdsUnits(status)).flatMap((order) => order.coupons ?? [])
  const valid = active.map(formatCoupon).sort()
  const { text: csv } = await csvPart(couponsTable(sale), orderRows(truth.table, sale.saleId), true)
  const listed = csv.split('\r\n').filter((line) => ['valid', 'redeemed'].includes(line.split(',')[3] ?? ''))
  const codes = listed.map((line) => line.split(',')[0]).sort()
  if (codes.join() !== valid.join()) violated(`${codes} are listed as valid, and ${valid} are (coupons)`)
}

/**
 * Checks that a coupon is redeemed at most once at a time, in an active order, and that every answered redemption is
 * stored.
 */
function checkRedemptions({ visits, violated }: World, orders: readonly Order[]): void {
  const stored = new Map<string, { orderId: string; at: number; undoneAt?: number | undefined }>()
  for (const { orderId, status, coupons = [], redemptions = [] } of orders) {
    for (const [code, some] of Map.groupBy(redemptions, (redemption) => redemption.code)) {
      const active = some.filter(({ undoneAt }) => undoneAt === undefined)
      if (active.length > 1) violated(`${code} is redeemed ${active.length} times (coupons)`)
      if (!coupons.includes(code)) violated(`${code} is redeemed in ${orderId}, which has other codes (coupons)`)
      if (active.length > 0 && !holdsUnits(status)) violated(`${code} of ${orderId} is redeemed and void (coupons)`)
    }
    for (const { code, shop: till, key, at, undoneAt } of redemptions) {
      stored.set(redemptionName({ till, key, code: formatCoupon(code) }), { orderId, at, undoneAt })
    }
  }
  for (const [name, { orderId, redeemedAt, isUndone }] of visits.redemptions) {
    const found = stored.get(name)
    if (found?.orderId !== orderId || found.at !== redeemedAt) violated(`${name} was answered and is not stored (I2)`)
    else if (isUndone && found.undoneAt === undefined) violated(`${name} was undone and stands (I2)`)
  }
}

/** Checks that the budget is closed and adds up after the end of the sale, and that all packets are claimed before. */
async function checkBudgetSpent(world: World): Promise<void> {
  const { truth, saleId, simulation, violated } = world
  const sale = await world.sale()
  const money = (await saleTotals(truth.table, saleId))?.money
  if (money === undefined) return violated(`the cap of ${saleId} has no budget`)
  if (!hasEnded(sale, simulation.now())) {
    if (money.claimed !== allPackets(sale).totalAmount) {
      violated(`${money.claimed} of ${money.budget} were claimed though all could be (I1)`)
    }
    return
  }
  const returns = truth.audited().filter(({ what }) => what === 'return')
  const [entry] = returns
  if (money.closedAt === undefined || returns.length !== 1) {
    violated(`the sale is over, and its budget was closed ${returns.length} times`)
  } else if (Number(entry?.after?.returned) + money.claimed !== money.budget) {
    violated(`${money.claimed} of ${money.budget} were claimed and ${entry?.after?.returned} returned`)
  }
}

/** Checks that each shopper can read the orders from their answers (I2). */
async function checkVisible(world: World, orders: readonly Order[]): Promise<void> {
  const { reservations, simulation, violated, truth } = world
  const written = new Set(orders.map(({ orderId }) => orderId))
  const sale = await world.sale()
  const ports = {
    // Without Redis, because the order must be in the table.
    stock: { exec: async () => null },
    offers: { find: async () => sale },
    table: truth.table,
    clock: simulation.now,
  }
  for (const { orderId, shopperId } of reservations.reserved.values()) {
    if (written.has(orderId) && (await findOrderView(ports, shopperId, orderId)) === undefined)
      violated(`${shopperId} cannot read ${orderId} (I2)`)
  }
}

/** Checks that all units are sold (I1). */
async function checkAllSold(world: World, orders: readonly Order[]): Promise<void> {
  const { stock, flag } = await world.sale()
  if (stock === -1 || flag === 'closed') return
  const active = orders.filter(({ status }) => holdsUnits(status))
  const units = active.reduce((sum, { quantity }) => sum + quantity, 0)
  if (units !== stock) world.violated(`${units} of ${stock} units are sold though all could be bought (I1)`)
}
