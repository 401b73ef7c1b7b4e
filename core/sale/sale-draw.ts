/**
 * A sale whose units are drawn: shoppers enter between two times, a beacon decides, and the winners alone may buy. The
 * draw fills the list of a sale by invitation (early-access.ts), so the gate checks nothing more.
 *
 * A sale with a standby list sells to the first who come. Once it has sold out it draws, too: nothing but the ranks in which
 * units that come back are offered. Until the list is used up the sale is by invitation.
 */
import { maxEarlyList } from '../api/early-list.ts'
import type { EarlyAccess, OnStandby } from './early-access.ts'

/**
 * Times are epoch ms, `prizeValue` is in minor units of the sale's currency; docs/reference/draw.md says what each is in the
 * rules. `ranks` is set only by a standby list.
 */
export type SaleDraw = {
  opensAt: number
  closesAt: number
  commitSeconds: number
  claimSeconds: number
  mostInGroup: number
  series?: string | undefined
  odds?: string | undefined
  prizeValue?: number | undefined
  ranks?: 'joined' | undefined
}

/** After a sale has sold out: how long shoppers may join its standby list, how long an offer is kept, and whether who joined earlier comes first. */
export type SaleStandby = Pick<SaleDraw, 'claimSeconds'> & {
  joinSeconds: number
  rank?: 'joined' | undefined
}

/** By then every page shows the list, and its rules are published. */
const standbyOpensMs = 60_000

/** The draws of a series that give tries: each loss in them is one more. */
export const lastDraws = 5

/** What a definition may leave out. */
export const defaultDraw = { commitSeconds: 120, mostInGroup: 1 }

/**
 * The time between two heads of the list, ms: twelve of a draw, an hour apart at most. Of ranks by joining each head begins a batch, and those
 * who join in one are ranked at random, so there are up to 360.
 */
export function headsEveryMs({ opensAt, closesAt, ranks }: Pick<SaleDraw, 'opensAt' | 'closesAt' | 'ranks'>): number {
  const heads = ranks === 'joined' ? mostBatches : headsInDraw
  return Math.min(longestHeadMs, Math.max(shortestHeadMs, (closesAt - opensAt) / heads))
}

const longestHeadMs = 3_600_000
const shortestHeadMs = 10_000
const headsInDraw = 12
const mostBatches = 360

/** From the round on, so long the draw has to fill the list before the sale starts. */
const decideMs = 5000

/** A winner has so long to buy at least. */
export const leastClaimMs = 60_000

/** When the sale may start at the earliest, epoch ms: the round of the beacon has come, and the list is filled. */
export function drawnAt({ closesAt, commitSeconds }: Pick<SaleDraw, 'closesAt' | 'commitSeconds'>): number {
  return closesAt + 1000 * commitSeconds + decideMs
}

/** The draw that a sale holds now or has held: its own, or that of its standby list. */
export function drawOf({
  draw,
  standby,
  standbyFrom,
}: OnStandby & { draw?: SaleDraw | undefined; standby?: SaleStandby | undefined }): SaleDraw | undefined {
  return draw ?? (standby && standbyFrom !== undefined ? standbyDraw(standby, standbyFrom) : undefined)
}

function standbyDraw({ joinSeconds, claimSeconds, rank }: SaleStandby, from: number): SaleDraw {
  const opensAt = from + standbyOpensMs
  const closesAt = opensAt + 1000 * joinSeconds
  return { ...defaultDraw, opensAt, closesAt, claimSeconds, ...(rank && { ranks: rank }) }
}

/** Whether a standby list that begins at `now` (epoch ms) has ranks early enough before the end to offer a unit. */
export function leavesTimeToStandBy(
  { standby, standbyFrom, endsAt }: OnStandby & { standby?: SaleStandby | undefined; endsAt: number },
  now: number,
): boolean {
  return (
    standby !== undefined && standbyFrom === undefined && drawnAt(standbyDraw(standby, now)) + leastClaimMs <= endsAt
  )
}

type Drawing = {
  kind: string
  stock: number
  startsAt: number
  endsAt: number
  limitPerShopper: number
  windows: readonly unknown[]
  earlyAccess?: EarlyAccess | undefined
  draw?: SaleDraw | undefined
  standby?: SaleStandby | undefined
  shards: number
}

type Fault = { path: string[]; message: string }

const fault = (field: string, message: string): Fault => ({ path: field.split('.'), message })

/** What in a definition does not go with its draw or its standby list; the first fault. */
export function faultOfDraw(sale: Drawing): Fault | undefined {
  const { draw, standby, earlyAccess } = sale
  if (draw === undefined) return standby && (faultOfStandby(sale) ?? faultOfRanked(sale, 'standby'))
  const earliest = drawnAt(draw)
  const offersEnd = earliest + 1000 * draw.claimSeconds
  if (sale.kind === 'red-packet') return fault('draw', 'is not allowed for red packets')
  if (standby !== undefined) return fault('standby', 'must be absent in a sale that draws: its ranks stand by')
  if (draw.closesAt <= draw.opensAt) return fault('draw.closesAt', 'must be after draw.opensAt')
  const ranked = faultOfRanked(sale, 'draw')
  if (ranked !== undefined) return ranked
  if (earlyAccess?.list !== 'only' || earlyAccess.minLevel !== undefined)
    return fault('earlyAccess', 'must be absent in a sale that draws: the draw fills its list')
  if (sale.startsAt < earliest) return fault('startsAt', `must be at least ${earliest}, when the draw is decided`)
  if (offersEnd < sale.startsAt + leastClaimMs)
    return fault('draw.claimSeconds', 'must keep offers until a minute after startsAt or longer')
  return undefined
}

/** What holds for units that are offered by rank, one to a shopper. */
function faultOfRanked(sale: Drawing, setting: 'draw' | 'standby'): Fault | undefined {
  const where = setting === 'draw' ? 'in a sale that draws' : 'with a standby list'
  if (sale.windows.length > 0) return fault('windows', `must be absent ${where}`)
  if (sale.stock < 1 || sale.stock > maxEarlyList) return fault('stock', `must be 1 to ${maxEarlyList} ${where}`)
  return sale.limitPerShopper === 1 ? undefined : fault('limitPerShopper', `must be 1 ${where}`)
}

function faultOfStandby({ kind, shards, earlyAccess }: Drawing): Fault | undefined {
  if (kind !== 'goods') return fault('standby', 'is only allowed for goods')
  // What comes back to one database could not be bought by an offer whose shopper belongs to another.
  if (shards !== 1) return fault('shards', 'must be 1 with a standby list')
  return earlyAccess?.list === undefined
    ? undefined
    : fault('earlyAccess.list', 'must be absent with a standby list, whose offers fill the list of the sale')
}
