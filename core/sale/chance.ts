/**
 * Which share of the shoppers who wait for a free place get one, as a range: from counts that a running sale has anyway.
 * It is a public object of the sale, which the page reads after a click that found no place free.
 */
import { restMs } from '../buy/buy-request.ts'
import type { SaleId } from '../ids.ts'

/** At `at` (epoch ms), of ten shoppers who wait `low` to `high` get one; absent where that is not known. */
export type Chance = { at: number; tenths?: readonly [low: number, high: number] }

/** An older one says nothing of now. */
export const chanceLifeMs = 15_000

/** The counts of a sample (series.ts) that a chance follows from. */
export type CrowdSeen = { at: number } & Record<'taken' | 'left' | 'won' | 'admitted' | 'full', number>

export function chancePath(saleId: SaleId): string {
  return `sales/${saleId}/chance.json`
}

/** Fewer orders, and fewer who wait, say too little of a share. */
const fewestOrders = 5
const fewestWaiting = 5

/** One-sided, of a normal distribution: 90 % each way, so that 80 % are to be right. */
const margin = 1.28

/** A page sends the next click after `restMs` at the earliest, and its shopper needs a moment. */
const slowestClickMs = 1.3 * restMs

/** A range that is wider says nothing. */
const widest = 6

/**
 * The range at `now`, in tenths; `earlier` is a sample about `restMs` before, in the same window. The lower end assumes that as
 * many others come as before, and each click has the same chance; the upper end that no others come, and all who
 * wait go on. Undefined where too little is known, or the range would be too wide.
 */
export function chanceTenths(earlier: CrowdSeen, now: CrowdSeen): Chance['tenths'] {
  const spanMs = (now.at - earlier.at) * 1000
  const taken = now.taken - earlier.taken
  // An answer that is sent again counts as won, and takes no unit.
  const won = Math.min(taken, now.won - earlier.won)
  const [full, admitted] = [now.full - earlier.full, now.admitted - earlier.admitted]
  if (spanMs <= 0 || won < fewestOrders || now.left <= 0 || admitted < 0) return undefined
  const waiting = (full * restMs) / spanMs
  if (waiting < fewestWaiting) return undefined
  const orders = now.left / (taken / won)
  const usualMs = (orders / won) * spanMs
  const spread = margin * Math.sqrt(1 / orders + 1 / won)
  const ofClick = Math.min(1, won / (full + admitted))
  const shareIn = (clicks: number) => 1 - (1 - ofClick) ** clicks
  const low = shareIn(Math.floor((usualMs * (1 - spread)) / slowestClickMs))
  const high = Math.max(shareIn(Math.ceil((usualMs * (1 + spread)) / restMs)), (orders * (1 + spread)) / waiting)
  return inTenths(low, high)
}

function inTenths(low: number, high: number): Chance['tenths'] {
  // A sum of fractions may be a little less than the tenth that it is.
  const from = Math.max(0, Math.floor(low * 10 + 1e-9))
  const to = Math.min(10, Math.max(from + 1, Math.ceil(high * 10)))
  return to - from > widest ? undefined : [Math.min(from, 9), to]
}
