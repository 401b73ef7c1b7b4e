/** Describes the effects of an action before it is confirmed. */
import type { FoundOrder, Live, Refunded } from '../../core/api/control-answers.ts'
import { type Block, isWide } from '../../core/gate/block.ts'
import { parseRange } from '../../core/gate/ip-address.ts'
import { ownValue } from '../../core/lib/own-value.ts'
import { isolated } from '../../core/lib/text.ts'
import { holdsUnits, isContested, isPaid, isShipped } from '../../core/orders/order.ts'
import { orderName } from '../../core/orders/order-number.ts'
import { refundable } from '../../core/orders/order-refunds.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import { type OrderUnits, variantNameIn, variantNamesIn } from '../../core/sale/variants.ts'
import { linesText } from '../../web/variant-words.ts'
import { type Key, type Say, sayFor, type Translator } from '../parts/kind-words.ts'
import { tilesOf } from './numbers.ts'

/** `delta` units, of one variant where the sale has some. */
export type UnitsChange = { delta: number; variant?: string }

/** The effects of a pause or of the end: the units left, and the orders that are not paid yet. */
export function leftEffects(voice: Translator, live: Live): string[] {
  const say = sayFor(voice, live.sale.kind)
  const { remaining, awaitingPayment } = tilesOf(live)
  return [
    ...(remaining === null || remaining < 0 ? [] : [say('effect.left', { n: remaining })]),
    ...(awaitingPayment ? [voice.t('effect.unpaid', { n: awaitingPayment })] : []),
  ]
}

/**
 * The units before and after a change of the stock, or that more are to be removed than there are, or than
 * were left at the last look: the shop decides then, because the change may be the repeat of one that is done (I5).
 */
export function stockEffect(voice: Translator, live: Live, { delta, variant }: UnitsChange): string {
  const say = sayFor(voice, live.sale.kind)
  const chosen = live.sale.variants?.find(({ id }) => id === variant)
  const left = variant === undefined ? tilesOf(live).remaining : (ownValue(live.variants, variant)?.left ?? null)
  if (left !== null && left + delta < 0) return say('effect.tooMany', { n: left })
  const before = chosen?.stock ?? live.sale.stock
  if (before + delta < 0) return say('effect.overTotal', { n: before })
  const change = voice.t(left === null && delta < 0 ? 'effect.stockIfLeft' : 'effect.stock', {
    before: before.toLocaleString(voice.locale()),
    after: say('console.stockOf', { n: before + delta }),
  })
  return chosen === undefined
    ? change
    : voice.t('effect.of', { name: variantNameIn(chosen, voice.language()), what: change })
}

/** Why giving the order back changes nothing; undefined: it does something. */
export function nothingToRefund(voice: Pick<Translator, 't'>, order: FoundOrder): string | undefined {
  const { status } = order
  if (!holdsUnits(status) || (isShipped(order) && !isPaid(order))) {
    return voice.t('effect.nothing', { status: voice.t(`order.status.${status}`) })
  }
  if (isContested(order)) return voice.t('refund.disputed')
  return isPaid(order) && moneyBack(order) === 0 ? voice.t('refund.already') : undefined
}

function moneyBack(order: FoundOrder): number {
  const { payment } = order
  return isPaid(order) && payment !== null ? refundable(order, payment.paymentId) : 0
}

/** Returns the keys for “refund” or “cancel”: only an order with money to return is refunded. */
export function refundKeys(order: FoundOrder) {
  return moneyBack(order) > 0
    ? ({ ask: 'ask.refund', act: 'refund.do' } as const)
    : ({ ask: 'ask.cancelOrder', act: 'refund.cancel' } as const)
}

/** Describes the effects of a refund or cancellation on the money and the units. */
export function refundEffects(
  voice: Translator,
  kind: SaleKind,
  order: FoundOrder,
  { title, variants }: { title: string; variants: ReadonlyMap<string, string> },
): string[] {
  const say = sayFor(voice, kind)
  const { amount, currency, status } = order
  const units = unitsText(voice, kind, order, variants)
  const back = moneyBack(order)
  return [
    voice.t('effect.of', {
      name: isolated(title),
      what: `${units} · ${voice.money(amount, currency)} · ${voice.t(`order.status.${status}`)}`,
    }),
    voice.t('ask.refundText', { id: orderName(order) }),
    back > 0 ? voice.t('effect.refund', { money: voice.money(back, currency) }) : say('effect.cancel'),
    unitsEffect(say, order),
    voice.t('effect.final'),
  ]
}

/** The units of an order; `names` are those of the variants by id. */
const unitsText = (voice: Translator, kind: SaleKind, order: OrderUnits, names: ReadonlyMap<string, string>): string =>
  order.variant === undefined
    ? sayFor(voice, kind)('console.stockOf', { n: order.quantity })
    : linesText({ [order.variant]: order.quantity }, names, voice.locale())

function unitsEffect(say: Say, order: FoundOrder): string {
  return say(isShipped(order) ? 'effect.unitsShipped' : 'effect.unitsBack', { n: order.quantity })
}

/** Describes the effects of a manual order on the stock, and its price. */
export function orderEffects(voice: Translator, live: Live, order: { shopperId: string } & OrderUnits): string[] {
  const { price, currency, paymentWindowSeconds, variants = [] } = live.sale
  const names = new Map(variantNamesIn(variants, voice.language()).map(({ id, name }) => [id, name]))
  const { quantity: units } = order
  const what = unitsText(voice, live.sale.kind, order, names)
  const { remaining } = tilesOf(live)
  const money = voice.money(price * units, currency)
  const minutes = Math.round(paymentWindowSeconds / 60)
  return [
    voice.t('effect.of', { name: order.shopperId, what: `${what} · ${money}` }),
    ...(remaining === null || remaining < 0
      ? []
      : [voice.t('effect.taken', { before: remaining, after: Math.max(0, remaining - units) })]),
    ...(price === 0 ? [] : [voice.t('effect.payWithin', { n: minutes })]),
  ]
}

/** Who is turned away, and from when. */
export function blockEffects(voice: Translator, block: Block): string[] {
  const n = addressesIn(block)
  return [
    ...(n === undefined ? [] : [voice.t('effect.addresses', { n: n.toLocaleString(voice.locale()) })]),
    ...(isWide(block) ? [voice.t('block.wideText', { value: block.value })] : []),
    voice.t(`effect.block.${block.kind}`),
  ]
}

/** How many addresses a range of IPv4 has; undefined for a single one, and for IPv6. */
function addressesIn({ kind, value }: Block): number | undefined {
  const range = kind === 'ip' ? parseRange(value) : undefined
  return range?.family === 4 && range.prefix < 32 ? 2 ** (32 - range.prefix) : undefined
}

/** The key of the message, by the status of the order after the refund and the money that goes back now. */
export function refundedKey({ status, refund }: Pick<Refunded, 'status' | 'refund'>): Key {
  if (status === 'cancelled') return 'refund.cancelled'
  if (status === 'refunded') return 'refund.done'
  return status === 'refund-due' || refund !== null ? 'refund.due' : 'refund.already'
}
