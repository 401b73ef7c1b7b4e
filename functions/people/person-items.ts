/**
 * What the table holds of one shopper, and what an erasure does with it: one row for each kind of key. The compiler
 * refuses a kind of `keys.ts` that has no row.
 *
 * The law of what stays, as it was read in November 2026; this is no legal advice:
 *   booking  GDPR Art. 17(3)(b); § 147(1) no. 4, (3), (4) AO, § 257 HGB, § 14b(1) UStG: records of payments are kept until the end
 *            of the eighth calendar year after the one they are of. PIPL Art. 47: a period that a law sets comes first, and the data
 *            is only stored until then; E-Commerce Law of the PRC Art. 31: at least three years.
 *   claims   GDPR Art. 17(3)(e); §§ 195, 199(1) BGB: three years from the end of the calendar year
 */
import type { KeptReason, PersonalPart } from '../../core/api/own-data.ts'
import type { SaleId, ShopperId } from '../../core/ids.ts'
import { holdsUnits, type Order } from '../../core/orders/order.ts'
import type { Table } from '../lib/shop/shop.ts'
import type * as keys from '../table/keys.ts'
import type { ItemKey } from '../table/keys.ts'
import type { MailOption } from '../table/people/mail-option.ts'
import type { Item } from '../table/query.ts'

type Keys = typeof keys
type KeyName = {
  [Name in keyof Keys]: Keys[Name] extends ItemKey | ((...args: never[]) => ItemKey) ? Name : never
}[keyof Keys]

/** `rename`: the item stays, with a random name instead of the shopper's id. `open`: nothing is erased before its order ended. */
export type Fate = 'erase' | 'rename' | 'open' | { reason: KeptReason; until: number | null }

/** An item of the shopper; `order` for those that belong to an order. `facts` are what its key says. */
export type PersonItem = {
  kind: PersonalKind | PersonOption
  key: ItemKey
  item: Item
  saleId?: SaleId | undefined
  order?: Order | undefined
  facts?: Readonly<Record<string, unknown>> | undefined
}

/** Items of one kind that an option keeps of a shopper, who has sales `saleIds`. */
export type PersonOption = Row & {
  kind: string
  /** @throws when the table is unavailable */
  find(
    table: Table,
    shopperId: ShopperId,
    saleIds: readonly SaleId[],
  ): Promise<readonly Pick<PersonItem, 'item' | 'saleId' | 'facts'>[]>
}

/** The seam of what an option keeps of a person, `people.ts`. */
export type PeopleSeam = {
  /** Kinds of items in an export and an erasure. Where reading one fails, the export or erasure fails, and is asked for again. */
  items?: readonly PersonOption[]
  /** E-mails that follow a change of an item. One that fails is tried again, as the e-mails of orders are. */
  mails?: readonly MailOption[]
}

/** `isArchived`: the sale ended a week ago, and Redis has nothing of it. */
export type PersonFacts = { now: number; isArchived: (saleId: SaleId) => boolean; items: readonly PersonItem[] }

type Row = { part: PersonalPart; fate: (found: PersonItem, facts: PersonFacts) => Fate }

/** No id, address or text of a shopper is in such an item: it has numbers, settings, or ids of orders and payments. */
const noPerson = 'no person'
/** Who of the staff changed what, and whom they blocked: the proof of what the shop did (GDPR Art. 5(2), 17(3)(e)). */
const proof = 'as long as the shop keeps its audit'
/** The option that puts shoppers on the list of a sale has these items among its own, or `options/retired.json` has. */
const ofOption = 'with the items of an option'

const erase = () => 'erase' as const
const runningSale = { reason: 'running-sale', until: null } as const
/** Redis, the gate or an option still works with it. */
export const afterSale = ({ saleId }: PersonItem, { isArchived }: PersonFacts): Fate =>
  saleId !== undefined && isArchived(saleId) ? 'erase' : runningSale

export const storedKinds = {
  contactKey: { part: 'contact', fate: erase },
  orderKey: { part: 'orders', fate: fateOfOrder },
  buyerKey: { part: 'orders', fate: fateOfTotal },
  releaseKey: { part: 'orders', fate: () => runningSale },
  deliveryKey: { part: 'addresses', fate: erase },
  saleMailKey: { part: 'mails', fate: erase },
  blockKey: { part: 'blocks', fate: ({ item }) => ({ reason: 'protection', until: untilOf(item) }) },

  auditKey: proof,
  invitedShopperKey: ofOption,

  ...{
    saleKey: noPerson,
    capKey: noPerson,
    capPartKey: noPerson,
    escrowKey: noPerson,
    seedKey: noPerson,
    packetKey: noPerson,
  },
  ...{ paidKey: noPerson, couponKey: noPerson, refundKey: noPerson, authorisationKey: noPerson, eventKey: noPerson },
  ...{
    simulatedPaymentsKey: noPerson,
    orderMailKey: noPerson,
    creditMailKey: noPerson,
  },
  ...{ pageKey: noPerson, brandKey: noPerson, customersKeyOf: noPerson },
  ...{ numbersKey: noPerson, heartbeatKey: noPerson, progressKey: noPerson, seriesKey: noPerson },
  ...{ blockCountKey: noPerson, listKeyKey: noPerson },
} as const satisfies Record<KeyName, Row | typeof noPerson | typeof proof | typeof ofOption>

type Kinds = typeof storedKinds
type PersonalKind = {
  [Kind in keyof Kinds]: Kinds[Kind] extends Row ? Kind : never
}[keyof Kinds]

const rowOf = (kind: PersonItem['kind']): Row => (typeof kind === 'object' ? kind : storedKinds[kind])
export const personPartOf = ({ kind, order }: PersonItem): PersonalPart =>
  kind === 'orderKey' && order?.packet !== undefined ? 'wallet' : rowOf(kind).part
export const fateOf = (found: PersonItem, facts: PersonFacts): Fate => rowOf(found.kind).fate(found, facts)

/** The step that an erasure adds to an order, so that no e-mail and no event takes its change for one of the order. */
export const erasedStep = 'person-erased'

const dayMs = 86_400_000
/** Directive 2011/83/EU, Art. 18(1): goods are on their way within 30 days. */
const busyMs = 30 * dayMs

const yearsOf = { booking: 8, claims: 3 } as const

/** The end of the calendar year of `at` and as many more as the law says. */
function keptBy(reason: keyof typeof yearsOf, at: number): { reason: KeptReason; until: number } {
  return { reason, until: Date.UTC(new Date(at).getUTCFullYear() + 1 + yearsOf[reason], 0, 1) }
}

const kept = (reason: keyof typeof yearsOf, at: number, now: number, afterwards: 'erase' | 'rename'): Fate => {
  const by = keptBy(reason, at)
  return now < by.until ? by : afterwards
}

const lastStepOf = ({ history, reservedAt }: Order): number =>
  history.findLast(({ what }) => what !== erasedStep)?.at ?? reservedAt

function fateOfOrder({ order }: PersonItem, { now, isArchived, items }: PersonFacts): Fate {
  if (order === undefined) return runningSale
  if (isOpen(order, { now, items })) return 'open'
  if (!isArchived(order.saleId)) return runningSale
  const lastAt = lastStepOf(order)
  // Money was paid out with a red packet.
  if (wasPaid(order) || (order.packet && holdsUnits(order.status))) return kept('booking', lastAt, now, 'rename')
  return holdsUnits(order.status) ? kept('claims', lastAt, now, 'rename') : 'rename'
}

/** Something is still to happen with it: a payment, a parcel, a refund, or the end of a dispute. */
function isOpen(order: Order, { now, items }: Pick<PersonFacts, 'now' | 'items'>): boolean {
  const { status, dispute, otherDisputes = [], refunds = [], orderId } = order
  if (status === 'awaiting-payment' || status === 'reserved' || status === 'refund-due') return true
  if ([dispute, ...otherDisputes].some((one) => one?.state === 'open')) return true
  // An order that was sent keeps its status while money of it goes back, and when the bank returned that money.
  if (refunds.some(({ amount, returned, failedAt }) => returned < amount || failedAt !== undefined)) return true
  if (status !== 'paid' && status !== 'fulfilled') return false
  const isAwaited = items.some(({ kind, order: of }) => kind === 'deliveryKey' && of?.orderId === orderId)
  return isAwaited && now < lastStepOf(order) + busyMs
}

const moneyStatuses: ReadonlySet<string> = new Set(['paid', 'shipped', 'delivered', 'refund-due', 'refunded'])

function wasPaid({ amount, history, refunds = [] }: Order): boolean {
  return refunds.length > 0 || (amount > 0 && history.some(({ status }) => moneyStatuses.has(status)))
}

/** As long as the last order of the sale that names the shopper. */
function fateOfTotal({ saleId }: PersonItem, facts: PersonFacts): Fate {
  if (saleId === undefined || !facts.isArchived(saleId)) return runningSale
  const fates = facts.items
    .filter(({ kind, order }) => kind === 'orderKey' && order?.saleId === saleId)
    .map((found) => fateOf(found, facts))
  const kept = fates.filter((fate) => typeof fate === 'object')
  return kept.toSorted((a, b) => Number(b.until) - Number(a.until))[0] ?? 'erase'
}

const untilOf = ({ until }: Item): number | null => (typeof until === 'number' ? until : null)
