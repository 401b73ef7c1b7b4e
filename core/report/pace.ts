/** How fast the units of each window of a sale were reserved. */
import type { Live } from '../api/control-answers.ts'
import type { Sale } from '../sale/sale.ts'

/** Units reserved at `at`, and returned at `returnedAt` if their order ended (epoch ms). `isKept`: the shopper has them. */
export type UnitReservation = { at: number; units: number; returnedAt?: number | undefined; isKept: boolean }

/** Units reserved in each span of `widthMs` since the opening, including returned ones. `later` counts those after. */
type PaceBars = { widthMs: number; units: readonly number[]; later: number }

/**
 * A window of a sale. `available` counts its own units and those left by earlier windows; null for an unlimited stock.
 * `taken` counts every unit reserved in it, `sold` those that shoppers have now. Times are ms since it opened until the
 * first unit, half of the available units and the last unit were reserved; null if that did not happen. Returned units
 * count as left again. `plannedEnd` is set if the window ended earlier.
 */
type WindowPace = {
  opensAt: number
  endsAt: number
  plannedEnd: number | undefined
  available: number | null
  taken: number
  sold: number
  firstMs: number | null
  halfMs: number | null
  soldOutMs: number | null
  bars: PaceBars | null
}

/** `peakPerSecond` is the maximum of units reserved in one second, in seconds since the opening of a window. */
export type SalePace = { windows: readonly WindowPace[]; peakPerSecond: number }

type TimedWindow = { opensAt: number; endsAt: number; added: number }
type PacedSale = Pick<Sale, 'windows' | 'windowIndex' | 'startsAt' | 'endsAt' | 'stock' | 'endedAt'>

/** Round numbers of seconds. */
const widths = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200]
const maxWidth = 86_400
const maxBars = 30

/** The bars show at least this share of the units, because a few late ones would make the others too narrow. */
const shownShare = 0.95

/** Returns the time since the opening in ms, rounded down to tenths of a second. Used wherever a time to sold out is shown. */
export function msAfterOpening(opensAt: number, at: number): number {
  return Math.max(0, 100 * Math.floor((at - opensAt) / 100))
}

/**
 * Returns the pace of the first window and of all others that have opened by `now`. `soldOut` has the times recorded
 * while the sale ran (`Live`); without one the time is calculated from the reservations.
 */
export function paceOf(
  sale: PacedSale,
  reservations: readonly UnitReservation[],
  now: number,
  soldOut: Live['soldOut'] = [],
): SalePace {
  const { endedAt = Number.POSITIVE_INFINITY } = sale
  const windows = timedWindows(sale).filter(({ opensAt }, at) => at === 0 || opensAt <= Math.min(now, endedAt))
  const inOrder = reservations.toSorted((a, b) => a.at - b.at)
  const byWindow: UnitReservation[][] = windows.map(() => [])
  for (const take of inOrder) byWindow[windowAt(windows, take.at)]?.push(take)
  const stock = stockTimeline(reservations)
  const isLimited = sale.stock !== -1
  let [supply, peak] = [0, 0]
  const paces = windows.map((window, index): WindowPace => {
    const own = byWindow[index] ?? []
    // A marketer may have opened an earlier window before its planned time.
    const opensAt = Math.min(window.opensAt, own[0]?.at ?? window.opensAt)
    const before = stock.unitsOutAt(opensAt)
    supply += window.added
    peak = Math.max(peak, peakOf(own, opensAt))
    const available = isLimited ? Math.max(0, supply - before) : null
    const goals = available === null ? [] : [before + Math.ceil(available / 2), supply]
    const [half, all] = timesOf(own, goals, stock)
    const since = (at: number | undefined) => (at === undefined ? null : at - opensAt)
    return {
      ...{ opensAt, endsAt: Math.min(window.endsAt, endedAt), available },
      plannedEnd: endedAt < window.endsAt ? window.endsAt : undefined,
      taken: totalUnits(own),
      sold: totalUnits(own.filter(({ isKept }) => isKept)),
      ...{ firstMs: since(own[0]?.at), halfMs: since(half) },
      soldOutMs: soldOut[index] ?? (all === undefined ? null : msAfterOpening(opensAt, all)),
      bars: own.length === 0 ? null : barsOf(own, opensAt),
    }
  })
  return { windows: paces, peakPerSecond: peak }
}

/** Returns the windows with the units that each adds. Stock changes by the marketer count for the current one. */
function timedWindows({ windows, windowIndex, startsAt, endsAt, stock }: PacedSale): TimedWindow[] {
  if (windows.length === 0) return [{ opensAt: startsAt, endsAt, added: stock }]
  const planned = windows.slice(0, windowIndex + 1).reduce((sum, one) => sum + one.stock, 0)
  return windows.map((one, index) =>
    index === windowIndex
      ? { opensAt: startsAt, endsAt, added: one.stock + (stock === -1 ? 0 : stock - planned) }
      : { opensAt: one.startsAt, endsAt: one.endsAt, added: one.stock },
  )
}

/** Returns the first window that ends after `at`, or the last one for a request that was under way at its end. */
function windowAt(windows: readonly TimedWindow[], at: number): number {
  const found = windows.findIndex(({ endsAt }) => endsAt > at)
  return found === -1 ? windows.length - 1 : found
}

type StockTimeline = { unitsOutAt(at: number): number; take(take: UnitReservation): number }

/** Counts the units that shoppers have over time. Calls must be in chronological order. */
function stockTimeline(reservations: readonly UnitReservation[]): StockTimeline {
  const returns = reservations
    .flatMap(({ returnedAt, units }) => (returnedAt === undefined ? [] : [{ at: returnedAt, units }]))
    .sort((a, b) => a.at - b.at)
  let [next, out] = [0, 0]
  const unitsOutAt = (at: number) => {
    for (let one = returns[next]; one !== undefined && one.at <= at; one = returns[next]) {
      out -= one.units
      next += 1
    }
    return out
  }
  return {
    unitsOutAt,
    take({ at, units }) {
      out = unitsOutAt(at) + units
      return out
    },
  }
}

/** Returns when shoppers first had as many units as each goal. */
function timesOf(
  own: readonly UnitReservation[],
  goals: readonly number[],
  stock: StockTimeline,
): (number | undefined)[] {
  const times: (number | undefined)[] = goals.map(() => undefined)
  for (const take of own) {
    const out = stock.take(take)
    for (const [i, goal] of goals.entries()) if (out >= goal) times[i] ??= take.at
  }
  return times
}

function peakOf(own: readonly UnitReservation[], opensAt: number): number {
  const bySecond = new Map<number, number>()
  for (const { at, units } of own) {
    const second = Math.floor((at - opensAt) / 1000)
    bySecond.set(second, (bySecond.get(second) ?? 0) + units)
  }
  return [...bySecond.values()].reduce((max, units) => Math.max(max, units), 0)
}

/** Returns the narrowest bars that show `shownShare` of the units. */
function barsOf(own: readonly UnitReservation[], opensAt: number): PaceBars {
  const offsets = own.map(({ at }) => at - opensAt)
  const shownMs = quantileOf(offsets, shownShare) ?? 0
  const widthMs = 1000 * (widths.find((width) => shownMs < 1000 * width * maxBars) ?? maxWidth)
  const bars = Math.min(maxBars, Math.floor((offsets.at(-1) ?? 0) / widthMs) + 1)
  const units = Array.from({ length: bars }, () => 0)
  let later = 0
  for (const take of own) {
    const bar = Math.floor((take.at - opensAt) / widthMs)
    const sum = units[bar]
    if (sum === undefined) later += take.units
    else units[bar] = sum + take.units
  }
  return { widthMs, units, later }
}

/** Returns the sum of all units. */
export function totalUnits(reservations: readonly UnitReservation[]): number {
  return reservations.reduce((sum, { units }) => sum + units, 0)
}

/** Returns the quantile `share` of `sorted` by nearest rank; null without values. */
export function quantileOf(sorted: readonly number[] | Float64Array, share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null
}
