/**
 * A rush for goods or coupons, up to the verdict. The result is read from both databases directly,
 * so that no component is its own witness.
 */
import { counted } from '../../core/lib/text.ts'
import { marketerOf } from '../bench/own-system.ts'
import { percentilesOfAny, seededRandom } from '../bench/statistics.ts'
import type { System } from '../bench/system.ts'
import { sumOf } from '../invariants/findings.ts'
import { standingOrders } from '../invariants/units.ts'
import { openHttpClient } from './http.ts'
import { type Peak, playPeak } from './load.ts'
import { modeFacts } from './mode-facts.ts'
import { modeOfOption } from './modes-of-options.ts'
import { couponsOf, goodsOf, readPublicPointer } from './open-sale.ts'
import type { RushOptions } from './options.ts'
import type { Result } from './report.ts'
import { purchasesOf, type WonOrder } from './requests.ts'
import { crowdFacts, type Round, runRound, type Sessions, shownAfter } from './run-round.ts'
import { type Choices, openChoices, variantsOf } from './variants.ts'
import { type AnsweredReservation, judge, judgeCoupons, judgeVariants, type RushFacts } from './verdict.ts'
import { waitForOrders } from './wait-for-rest.ts'
import { couponView, orderView } from './watch.ts'

export async function runRush(system: System, options: RushOptions): Promise<Result> {
  const { seed, shoppers, stock, quantity } = options
  const choices = choicesOf(options)
  const round = await runRound(system, options, roundOf(options, choices))
  const { saleId, crowd, sessions, seen, peaks, load, after, lostDatabase } = round
  const orders = await system.orders(saleId)
  const facts: RushFacts = {
    ...options,
    ...after,
    snapshot: await system.stockSnapshot(saleId),
    orders,
    answered: crowd.winners,
  }
  const verdict = await verdictOf({ url: system.url, saleId }, options, facts, choices)
  const returned = options.cancels && (await playReturns(system, { saleId, winners: crowd.winners, sessions }, options))
  verdict.violations.push(...(returned ? returned.violations : []))
  return {
    saleId,
    seed,
    shoppers,
    stock,
    quantity,
    verdict,
    ...crowdFacts(crowd, returned ? [...peaks, returned.peak] : peaks),
    written: percentilesOfAny(orders.map((o) => o.writtenAt - o.reservedAt)),
    readable: shownAfter(seen),
    load,
    lostDatabase,
    ...(options.mode && { mode: modeFacts(options.mode, round) }),
  }
}

/** What the shoppers choose in a sale with variants; undefined for any other. */
function choicesOf({ variants, stock, quantity, seed }: RushOptions): Choices | undefined {
  if (variants === undefined) return undefined
  return openChoices(
    variantsOf(variants, stock).map(({ id }) => id),
    quantity,
    seededRandom(seed),
  )
}

async function verdictOf(
  { url, saleId }: { url: string; saleId: string },
  { kind, variants: count = 0, stock, quantity }: RushOptions,
  facts: RushFacts,
  choices: Choices | undefined,
) {
  if (choices === undefined) return kind === 'coupon' ? judgeCoupons(facts) : judge(facts)
  const { variants: shown = {} } = await readPublicPointer(url, saleId)
  // Each variant may have fewer units left than an order asks for.
  const spare = count * (quantity - 1)
  return judgeVariants({ ...facts, spare, variants: variantsOf(count, stock), wanted: choices.wanted, shown })
}

function roundOf(options: RushOptions, choices: Choices | undefined): Round<WonOrder> {
  const { kind, shoppers, stock, quantity } = options
  const ofOption = modeOfOption(options.mode)
  const isWhole = choices === undefined || quantity === 1
  const orders = stock === -1 ? shoppers : Math.floor(stock / quantity)
  return {
    product:
      kind === 'coupon'
        ? couponsOf(options)
        : goodsOf({ ...options, ...(ofOption && { timesAt: ofOption.timesFor(shoppers) }) }),
    requestOf: (line, sale) => purchasesOf(line, sale, quantity, choices),
    behind: 'reserve',
    view: kind === 'coupon' ? couponView : orderView,
    homeOf: options.oneShard ? options.shards : 1,
    expectedWinners: Math.min(shoppers, orders),
    // A shopper whom a mode has not chosen is refused before the stock counts.
    sellsOut: ofOption === undefined && isWhole && stock !== -1 && shoppers * quantity >= orders * quantity,
    waitForRest: waitForOrders,
  }
}

/**
 * The last peak of a sale's traffic (L4): once the sale is judged, its winners cancel their orders at once, and each
 * unit must be for sale again. The peak, and what is wrong once all is at rest again.
 */
async function playReturns(
  system: System,
  { saleId, winners, sessions }: { saleId: string; winners: readonly AnsweredReservation[]; sessions: Sessions },
  options: RushOptions,
): Promise<{ peak: Peak; violations: string[] }> {
  const control = await marketerOf(system)
  const client = openHttpClient(system.url, options.concurrency)
  try {
    const cancels = winners.flatMap(({ orderId, shopperId }) => {
      const session = sessions.get(shopperId)
      return session === undefined ? [] : [client.post(`/api/orders/${orderId}/cancel`, session, {})]
    })
    const peak = await playPeak('cancelled orders', cancels)
    const cancelled = (await Promise.all(cancels)).filter(({ reply }) => reply?.status === 200).length
    await waitForOrders(system, control, saleId, options)
    const standing = standingOrders(await system.orders(saleId))
    const { booked } = await system.stockSnapshot(saleId)
    const units = sumOf(standing)
    const ended = winners.length - standing.length
    return {
      peak,
      violations: [
        ...(ended < cancelled ? [`I2: ${counted(cancelled, 'order')} cancelled, and ${ended} ended`] : []),
        ...(options.stock !== -1 && booked !== units
          ? [`I4: ${counted(booked, 'unit')} booked after the cancellations, and orders hold ${units}`]
          : []),
      ],
    }
  } finally {
    await client.close()
  }
}
