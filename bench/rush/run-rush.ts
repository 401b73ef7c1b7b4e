/**
 * A rush for goods or coupons, up to the verdict. The result is read from both databases directly,
 * so that no component is its own witness.
 */
import { percentilesOfAny } from '../statistics.ts'
import type { System } from '../system.ts'
import { buyRequest, type WonOrder } from './buy.ts'
import { costOf } from './cost.ts'
import { judgeCoupons } from './coupon-verdict.ts'
import type { RushOptions } from './options.ts'
import { couponsOf, goodsOf } from './products.ts'
import type { Result } from './report.ts'
import { crowdFacts, type Round, runRound, shownAfter, trafficOf } from './run-round.ts'
import { judge } from './verdict.ts'
import { waitForOrders } from './wait-for-rest.ts'
import { couponView, orderView } from './watch-orders.ts'

export async function runRush(system: System, options: RushOptions): Promise<Result> {
  const { seed, shoppers, stock, quantity } = options
  const { saleId, crowd, seen, load, time, after, lostDatabase, rate } = await runRound(
    system,
    options,
    roundOf(options),
  )
  const orders = await system.orders(saleId)
  const facts = {
    ...options,
    ...after,
    snapshot: await system.stockSnapshot(saleId),
    orders,
    answered: crowd.winners,
  }
  return {
    saleId,
    seed,
    shoppers,
    stock,
    quantity,
    verdict: options.kind === 'coupon' ? judgeCoupons(facts) : judge(facts),
    ...crowdFacts(crowd),
    written: percentilesOfAny(orders.map((o) => o.writtenAt - o.reservedAt)),
    readable: shownAfter(seen),
    load,
    time,
    lostDatabase,
    rate,
    cost: costOf({ ...trafficOf(crowd, load), ordersWritten: orders.length }),
  }
}

function roundOf(options: RushOptions): Round<WonOrder> {
  const { kind, shoppers, stock, quantity } = options
  const orders = stock === -1 ? shoppers : Math.floor(stock / quantity)
  return {
    product: kind === 'coupon' ? couponsOf(options) : goodsOf(options),
    requestOf: (line, sale) => buyRequest(line, sale, quantity),
    behind: 'reserve',
    view: kind === 'coupon' ? couponView : orderView,
    homeOf: options.oneShard ? options.shards : 1,
    expectedWinners: Math.min(shoppers, orders),
    sellsOut: stock !== -1 && shoppers * quantity >= orders * quantity,
    waitForRest: waitForOrders,
  }
}
