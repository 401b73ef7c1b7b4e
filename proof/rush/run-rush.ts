/**
 * Runs a rush for goods or coupons, up to the verdict. The verdict reads both databases directly, so that no component
 * confirms its own result.
 */
import { counted } from '../../core/lib/text.ts'
import { marketerOf } from '../bench/own-system.ts'
import { seededRandom } from '../bench/statistics.ts'
import type { System } from '../bench/system.ts'
import { sumQuantity } from '../invariants/findings.ts'
import { ordersWithUnits } from '../invariants/units.ts'
import { openHttpClient } from './http.ts'
import { type Peak, playPeak } from './load.ts'
import { modeFacts } from './mode-facts.ts'
import { readPublicPointer } from './open-sale.ts'
import { findOptionMode } from './option-modes.ts'
import type { RushOptions } from './options.ts'
import type { RushResult } from './report.ts'
import { purchasesOf, type WonOrder } from './requests.ts'
import { type RushRound, roundFacts, runRound, type Sessions } from './run-round.ts'
import { openVariantChoices, type VariantChoices, variantsOf } from './variants.ts'
import { type AnsweredReservation, judge } from './verdict.ts'
import { waitForRest } from './wait-for-rest.ts'
import { couponView, orderView } from './watch.ts'

export async function runRush(system: System, options: RushOptions): Promise<RushResult> {
  const { seed, shoppers, stock, quantity } = options
  const choices = choicesOf(options)
  const round = await runRound(system, options, roundOf(options, choices))
  const { saleId, crowd, sessions, after } = round
  const orders = await system.orders(saleId)
  const verdict = judge({
    ...{ kind: options.kind, shoppers, stock, quantity, ...after },
    snapshot: await system.stockSnapshot(saleId),
    orders,
    answered: crowd.winners,
    ...(choices && (await variantFacts({ url: system.url, saleId }, options, choices))),
  })
  const returned =
    options.cancels && (await playCancellations(system, { saleId, winners: crowd.winners, sessions }, options))
  verdict.violations.push(...(returned ? returned.violations : []))
  const facts = roundFacts(round, orders)
  return {
    ...facts,
    peaks: returned ? [...facts.peaks, returned.peak] : facts.peaks,
    ...{ seed, stock, verdict },
    ...(options.mode && { mode: modeFacts(options.mode, round) }),
  }
}

/** Returns the choices of shoppers in a sale with variants; undefined for other sales. */
function choicesOf({ variants, stock, quantity, seed }: RushOptions): VariantChoices | undefined {
  if (variants === undefined) return undefined
  return openVariantChoices(
    variantsOf(variants, stock).map(({ id }) => id),
    quantity,
    seededRandom(seed),
  )
}

async function variantFacts(
  { url, saleId }: { url: string; saleId: string },
  { variants: count = 0, stock, quantity }: RushOptions,
  { wanted }: VariantChoices,
) {
  const { variants: shown = {} } = await readPublicPointer(url, saleId)
  // Each variant may keep fewer units than one order takes.
  return { wanted, shown, spare: count * (quantity - 1), variants: variantsOf(count, stock) }
}

function roundOf(options: RushOptions, choices: VariantChoices | undefined): RushRound<WonOrder> {
  const { kind, shoppers, stock, quantity } = options
  const sellsEveryUnit = choices === undefined || quantity === 1
  const orders = stock === -1 ? shoppers : Math.floor(stock / quantity)
  return {
    requestOf: (line, sale) => purchasesOf(line, sale, quantity, choices),
    view: kind === 'coupon' ? couponView : orderView,
    expectedWinners: Math.min(shoppers, orders),
    // A shopper who was not chosen by the mode is refused before the stock is checked.
    sellsOut:
      findOptionMode(options.mode) === undefined &&
      sellsEveryUnit &&
      stock !== -1 &&
      shoppers * quantity >= orders * quantity,
  }
}

/**
 * Runs the last peak of a sale's traffic (L4): after the verdict, all winners cancel their orders at once, and each
 * unit must be for sale again. Returns the peak, and the violations once the sale is at rest again.
 */
async function playCancellations(
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
    await waitForRest(system, control, saleId, options)
    const active = ordersWithUnits(await system.orders(saleId))
    const { booked } = await system.stockSnapshot(saleId)
    const units = sumQuantity(active)
    const ended = winners.length - active.length
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
