/**
 * A rush for goods or coupons, up to the verdict. What happened is read from the two databases directly, so that no tier
 * vouches for itself.
 */
import { spreadOfAny } from '../statistics.ts'
import type { System } from '../system.ts'
import { costOf } from './cost.ts'
import { judgeCoupons } from './coupon-verdict.ts'
import type { RushOptions } from './options.ts'
import { type PromisedOrder, purchase } from './purchase.ts'
import type { Result } from './report.ts'
import { crowdFacts, playRound, type Round, shownAfter, trafficOf } from './round.ts'
import { settle } from './settle.ts'
import { judge } from './verdict.ts'
import { couponsOf, goodsOf } from './wares.ts'
import { couponSight, orderSight } from './watch-orders.ts'

export async function playRush(system: System, options: RushOptions): Promise<Result> {
  const { seed, shoppers, stock, quantity } = options
  const { saleId, crowd, seen, load, after } = await playRound(system, options, roundOf(options))
  const orders = await system.orders(saleId)
  const facts = { ...options, ...after, books: await system.books(saleId), orders, promises: crowd.winners }
  return {
    saleId,
    seed,
    shoppers,
    stock,
    quantity,
    verdict: options.kind === 'coupon' ? judgeCoupons(facts) : judge(facts),
    ...crowdFacts(crowd),
    written: spreadOfAny(orders.map((o) => o.writtenAt - o.reservedAt)),
    readable: shownAfter(seen),
    load,
    cost: costOf({ ...trafficOf(crowd, load), ordersWritten: orders.length }),
  }
}

function roundOf(options: RushOptions): Round<PromisedOrder> {
  const { kind, shoppers, stock, quantity } = options
  const orders = stock === -1 ? shoppers : Math.floor(stock / quantity)
  return {
    wares: kind === 'coupon' ? couponsOf(options) : goodsOf(options),
    doorOf: (line, sale) => purchase(line, sale, quantity),
    behind: 'reserve',
    sight: kind === 'coupon' ? couponSight : orderSight,
    expectedWinners: Math.min(shoppers, orders),
    sellsOut: stock !== -1 && shoppers * quantity >= orders * quantity,
    settle,
  }
}
