/**
 * Lists the kinds of items that the table stores of a shopper, and what an erasure does with each. The compiler rejects a
 * kind of `keys.ts` without a row here.
 *
 * The legal basis for kept items, as of November 2026; this is no legal advice:
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

/** `rename`: the item stays, with a random name instead of the shopper's id. `open`: its order has not ended, so nothing is erased. */
export type ErasureOutcome = 'erase' | 'rename' | 'open' | { reason: KeptReason; until: number | null }

/** An item of the shopper. `order` is set for items of an order. `facts` are the values in its key. */
export type PersonItem = {
  kind: PersonalKind | PersonOption
  key: ItemKey
  item: Item
  saleId?: SaleId | undefined
  order?: Order | undefined
  facts?: Readonly<Record<string, unknown>> | undefined
}

/** A kind of items that an option stores of a shopper. `saleIds` are the sales to search. */
export type PersonOption = Row & {
  kind: string
  /** @throws when the table is unavailable */
  find(
    table: Table,
    shopperId: ShopperId,
    saleIds: readonly SaleId[],
  ): Promise<readonly Pick<PersonItem, 'item' | 'saleId' | 'facts'>[]>
}

/** The seam `people.ts`: the items that an option stores of a person, and its emails. */
export type PeopleSeam = {
  /** Kinds of items in an export and an erasure. If reading one fails, the export or erasure fails and can be repeated. */
  items?: readonly PersonOption[]
  /** Emails that a change of an item causes. A failed one is retried, like the emails of orders. */
  mails?: readonly MailOption[]
}

/** `isArchived`: the sale ended a week ago and was removed from Redis. */
export type PersonFacts = { now: number; isArchived: (saleId: SaleId) => boolean; items: readonly PersonItem[] }

type Row = { part: PersonalPart; outcome: (found: PersonItem, facts: PersonFacts) => ErasureOutcome }

/** These items contain no id, address or text of a shopper, only numbers, settings, or ids of orders and payments. */
const noPerson = 'no person'
/** The audit of staff's changes and blocks proves what the shop did (GDPR Art. 5(2), 17(3)(e)). */
const proof = 'as long as the shop keeps its audit'
/** The option that invites shoppers to a sale lists these items, or `options/retired.json` does. */
const ofOption = 'with the items of an option'

const erase = () => 'erase' as const
const runningSale = { reason: 'running-sale', until: null } as const
/** Erases the item once its sale is archived; until then Redis, the gate or an option uses it. */
export const eraseAfterSale = ({ saleId }: PersonItem, { isArchived }: PersonFacts): ErasureOutcome =>
  saleId !== undefined && isArchived(saleId) ? 'erase' : runningSale

export const storedKinds = {
  contactKey: { part: 'contact', outcome: erase },
  orderKey: { part: 'orders', outcome: orderOutcome },
  buyerKey: { part: 'orders', outcome: totalOutcome },
  releaseKey: { part: 'orders', outcome: () => runningSale },
  deliveryKey: { part: 'addresses', outcome: erase },
  saleMailKey: { part: 'mails', outcome: erase },
  blockKey: { part: 'blocks', outcome: ({ item }) => ({ reason: 'protection', until: untilOf(item) }) },

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
  ...{ simulatedPaymentsKey: noPerson, orderMailKey: noPerson, creditMailKey: noPerson },
  ...{ pageKey: noPerson, brandKey: noPerson, customersKeyOf: noPerson },
  ...{
    numbersKey: noPerson,
    heartbeatKey: noPerson,
    progressKey: noPerson,
    seriesKey: noPerson,
  },
  ...{ blockCountKey: noPerson, listKeyKey: noPerson },
} as const satisfies Record<KeyName, Row | typeof noPerson | typeof proof | typeof ofOption>

type Kinds = typeof storedKinds
type PersonalKind = {
  [Kind in keyof Kinds]: Kinds[Kind] extends Row ? Kind : never
}[keyof Kinds]

const rowOf = (kind: PersonItem['kind']): Row => (typeof kind === 'object' ? kind : storedKinds[kind])
export const personPartOf = ({ kind, order }: PersonItem): PersonalPart =>
  kind === 'orderKey' && order?.packet !== undefined ? 'wallet' : rowOf(kind).part
export const erasureOutcomeOf = (found: PersonItem, facts: PersonFacts): ErasureOutcome =>
  rowOf(found.kind).outcome(found, facts)

/** The step that an erasure adds to an order, so that its change causes no email and no event. */
export const erasedStep = 'person-erased'

const dayMs = 86_400_000
/** Directive 2011/83/EU, Art. 18(1): goods are delivered within 30 days. */
const maxDeliveryMs = 30 * dayMs

const yearsOf = { booking: 8, claims: 3 } as const

/** Returns the end of the calendar year of `at` plus the years that the law requires. */
function keptBy(reason: keyof typeof yearsOf, at: number): { reason: KeptReason; until: number } {
  return { reason, until: Date.UTC(new Date(at).getUTCFullYear() + 1 + yearsOf[reason], 0, 1) }
}

const kept = (reason: keyof typeof yearsOf, at: number, now: number, then: 'erase' | 'rename'): ErasureOutcome => {
  const by = keptBy(reason, at)
  return now < by.until ? by : then
}

const lastStepOf = ({ history, reservedAt }: Order): number =>
  history.findLast(({ what }) => what !== erasedStep)?.at ?? reservedAt

function orderOutcome({ order }: PersonItem, { now, isArchived, items }: PersonFacts): ErasureOutcome {
  if (order === undefined) return runningSale
  if (isOpen(order, { now, items })) return 'open'
  if (!isArchived(order.saleId)) return runningSale
  const lastAt = lastStepOf(order)
  // A red packet paid out money.
  if (wasPaid(order) || (order.packet && holdsUnits(order.status))) return kept('booking', lastAt, now, 'rename')
  return holdsUnits(order.status) ? kept('claims', lastAt, now, 'rename') : 'rename'
}

/** True while a payment, a parcel, a refund or the end of a dispute is pending. */
function isOpen(order: Order, { now, items }: Pick<PersonFacts, 'now' | 'items'>): boolean {
  const { status, dispute, otherDisputes = [], refunds = [], orderId } = order
  if (status === 'awaiting-payment' || status === 'reserved' || status === 'refund-due') return true
  if ([dispute, ...otherDisputes].some((one) => one?.state === 'open')) return true
  // A shipped order keeps its status during a refund, and when the bank returned the refund.
  if (refunds.some(({ amount, returned, failedAt }) => returned < amount || failedAt !== undefined)) return true
  if (status !== 'paid' && status !== 'fulfilled') return false
  const isAwaited = items.some(({ kind, order: of }) => kind === 'deliveryKey' && of?.orderId === orderId)
  return isAwaited && now < lastStepOf(order) + maxDeliveryMs
}

const moneyStatuses: ReadonlySet<string> = new Set(['paid', 'shipped', 'delivered', 'refund-due', 'refunded'])

function wasPaid({ amount, history, refunds = [] }: Order): boolean {
  return refunds.length > 0 || (amount > 0 && history.some(({ status }) => moneyStatuses.has(status)))
}

/** Keeps the total as long as the last order of the sale that names the shopper. */
function totalOutcome({ saleId }: PersonItem, facts: PersonFacts): ErasureOutcome {
  if (saleId === undefined || !facts.isArchived(saleId)) return runningSale
  const outcomes = facts.items
    .filter(({ kind, order }) => kind === 'orderKey' && order?.saleId === saleId)
    .map((found) => erasureOutcomeOf(found, facts))
  const kept = outcomes.filter((outcome) => typeof outcome === 'object')
  return kept.toSorted((a, b) => Number(b.until) - Number(a.until))[0] ?? 'erase'
}

const untilOf = ({ until }: Item): number | null => (typeof until === 'number' ? until : null)
