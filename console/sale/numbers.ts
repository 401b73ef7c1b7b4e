/** The numbers of a sale: the live ones as tiles, and those of a list. Null is unknown, and never shown as 0. */
import type { Live, SaleNumbers } from '../../core/api/control-answers.ts'
import { admitPerSecondOf } from '../../core/gate/admission-rate.ts'
import { allPackets } from '../../core/packets/packets.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { sayFor, type Translator } from '../parts/kind-words.ts'

const moneyTiles: readonly string[] = ['revenue', 'claimed', 'left', 'returned']

/** A tile that counts, or one that shows an amount of money in minor units. */
export type TileName = Exclude<keyof ReturnType<typeof tilesOf>, 'total'>

export const isMoney = (name: TileName): boolean => moneyTiles.includes(name)

/** How the sale goes, besides how much is left; and the counters of the system. */
export type TileGroups = Readonly<Record<'sales' | 'health', readonly TileName[]>>

const counters = [
  ...(['processing', 'drift', 'queue', 'inFlight', 'deadLetters'] as const),
  ...(['admissions', 'out', 'rate', 'admitPerSecond'] as const),
]

const groups: Readonly<Record<SaleKind, TileGroups>> = {
  goods: { sales: ['sold', 'paidOrders', 'revenue', 'awaitingPayment'], health: ['booked', 'orders', ...counters] },
  coupon: { sales: ['sold', 'orders', 'redeemed'], health: ['booked', ...counters] },
  'red-packet': { sales: ['sold', 'claimed', 'left', 'returned'], health: ['booked', ...counters] },
}

export const tilesOfKind = (kind: SaleKind): TileGroups => groups[kind]

/** `remaining`, `total` and `admissions` are -1 for an unlimited stock. All of it remains before it is loaded. */
export function tilesOf(live: Live) {
  const { sale, admissions, queue, drift, outbox, deadLetters, money, paid, redeemed } = live
  const { sold, orders } = live.orders
  // While the stock is being rebuilt its counters say nothing yet.
  const stock = live.frozen ? null : live.stock
  const before = sale.warmed ? null : { available: sale.stock, booked: 0, total: sale.stock }
  const unknown = { available: null, booked: null, total: null }
  const { available: remaining, booked, total } = stock ?? before ?? unknown
  const unsplit = sale.warmed ? null : { claimed: 0, left: allPackets(sale).totalAmount, returned: null }
  const { claimed, left, returned } = money ?? unsplit ?? { claimed: null, left: null, returned: null }
  return {
    remaining,
    total,
    booked,
    admissions: admissions?.remaining ?? null,
    out: admissions?.out ?? null,
    rate: admissions?.rate ?? null,
    admitPerSecond: admitPerSecondOf(sale),
    sold,
    orders,
    paidOrders: paid?.orders ?? null,
    revenue: paid?.amount ?? null,
    redeemed: redeemed ?? null,
    // The two are not read at the same moment. Free orders are never paid, and disputed and returned ones were.
    awaitingPayment: paid && (sale.price === 0 ? 0 : Math.max(0, orders - paid.orders - paid.disputed - paid.returned)),
    processing: outbox,
    drift,
    queue: queue?.visible ?? null,
    inFlight: queue?.inFlight ?? null,
    deadLetters,
    ...{ claimed, left, returned },
  }
}

/** A number of units; -1 is an unlimited stock. */
export function countText(voice: Pick<Translator, 't' | 'locale'>, n: number | null | undefined): string {
  if (n === null || n === undefined) return '–'
  return n === -1 ? voice.t('live.unlimited') : n.toLocaleString(voice.locale())
}

/** Returns the sold units, the remaining units and the money with their labels. Unknown values are a dash. */
export function numbersShown(
  voice: Pick<Translator, 't' | 'locale' | 'money'>,
  { kind, currency }: Sale,
  numbers: SaleNumbers | undefined,
): (readonly [name: string, value: string])[] {
  const say = sayFor(voice, kind)
  const revenue = numbers?.revenue ?? null
  const money = kind === 'red-packet' ? say('live.claimed') : say('live.revenue')
  return [
    [say('live.sold'), countText(voice, numbers?.sold)],
    [say('live.remaining'), countText(voice, numbers?.left)],
    ...(kind === 'coupon' ? [] : [[money, revenue === null ? '–' : voice.money(revenue, currency)] as const]),
  ]
}
