/** Parses answers of the shop from `unknown`. Each parser returns undefined for a value that does not fit. */
import type { ClaimedPacket } from '../core/api/purchase.ts'
import type { OrderListPage, OrderView } from '../core/api/shop.ts'
import type { Wallet, WalletCredit } from '../core/api/wallet.ts'
import { parseOrderId, parseSaleId } from '../core/ids.ts'
import { urlIn } from '../core/lib/url-in.ts'
import { isCurrencyCode, type Money } from '../core/money.ts'
import { type CouponCode, parseCoupon } from '../core/orders/coupon.ts'
import { type HistoryEntry, orderReasons, orderStatuses, shownPaymentStates } from '../core/orders/order.ts'
import { parseOrderNumber } from '../core/orders/order-number.ts'
import { parseCarrier, parseLink, parseTracking } from '../core/orders/shipment.ts'
import { phases } from '../core/sale/phase.ts'
import { type Countdown, countdownPath, type Pointer } from '../core/sale/pointer.ts'
import { isVariantId } from '../core/sale/variants.ts'

export type JsonMembers = Readonly<Record<string, unknown>>

/** Returns the members of a JSON object; undefined for any other value. */
export function fieldsOf(value: unknown): JsonMembers | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMembers) : undefined
}

/** Returns the members of the JSON object in `text`; undefined for any other text. */
export function fieldsInText(text: string | null): JsonMembers | undefined {
  try {
    return fieldsOf(JSON.parse(text ?? ''))
  } catch {
    return undefined
  }
}

/** Returns the payload of a JWS. Does not verify its signature. */
export function payloadIn(signed: string): JsonMembers | undefined {
  const part = signed.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''
  try {
    const bytes = Uint8Array.from(atob(part), (letter) => letter.charCodeAt(0))
    return fieldsInText(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

const orZero = (value: unknown): number => (isNumber(value) ? value : 0)

/** Parses `current.json`. Its `src` must be in the sale's own folder, because the page imports it. */
export function readPointer(value: unknown): Pointer | undefined {
  const fields = fieldsOf(value) ?? {}
  const { saleId: id, version, at, phase: phaseText, startsAt, endsAt, nextStartsAt, src, remaining } = fields
  const saleId = parseSaleId(id)
  const phase = oneOf(phases, phaseText)
  if (saleId === undefined || phase === undefined) return undefined
  if (!isNumber(version) || !isNumber(at) || !isNumber(startsAt) || !isNumber(endsAt)) return undefined
  if (!isNumber(remaining) || !(nextStartsAt === null || isNumber(nextStartsAt))) return undefined
  if (src !== `/${countdownPath(saleId, version)}`) return undefined
  const variants = readUnits(fields.variants)
  return {
    ...{ saleId, version, at, phase, startsAt, endsAt, nextStartsAt, src, remaining },
    ...(variants === undefined ? {} : { variants }),
  }
}

/** Parses numbers by name, such as the units of each variant. */
function readUnits(value: unknown): Record<string, number> | undefined {
  const fields = fieldsOf(value)
  return (
    fields && Object.fromEntries(Object.entries(fields).flatMap(([id, n]) => (isNumber(n) ? [[id, n] as const] : [])))
  )
}

/** Parses the export `countdown` of `countdown.<version>.js`. */
export function readCountdown(value: unknown): Countdown | undefined {
  const fields = fieldsOf(value) ?? {}
  const { saleId: id, version, started, startsAt, endsAt, startToken, turnKey } = fields
  const saleId = parseSaleId(id)
  if (saleId === undefined || typeof started !== 'boolean') return undefined
  if (!isNumber(version) || !isNumber(startsAt) || !isNumber(endsAt)) return undefined
  const tokens = {
    ...(typeof startToken === 'string' && { startToken }),
    ...(typeof turnKey === 'string' && { turnKey }),
  }
  const requirePass = fields.requirePass === 'off' ? 'off' : 'on'
  const needs = { requirePass, spreadSeconds: orZero(fields.spreadSeconds) } as const
  const earlyMinutes = orZero(fields.earlyMinutes)
  return { saleId, version, started, startsAt, endsAt, ...needs, earlyMinutes, ...tokens }
}

/** Returns the item of `known` that equals `value`. */
export function oneOf<T>(known: readonly T[], value: unknown): T | undefined {
  return known.find((item) => item === value)
}

/** Parses an order of `GET /api/orders`. Leaves out a reason or a payment state that this page does not know. */
export function readOrder(value: unknown): OrderView | undefined {
  const fields = fieldsOf(value) ?? {}
  const { quantity, amount, currency, reservedAt, payBy, refundedAmount } = fields
  const orderId = parseOrderId(fields.orderId)
  const saleId = parseSaleId(fields.saleId)
  const status = oneOf(orderStatuses, fields.status)
  if (orderId === undefined || saleId === undefined || status === undefined) return undefined
  if (!isNumber(quantity) || !isNumber(amount) || !isNumber(reservedAt)) return undefined
  if (typeof currency !== 'string' || !(payBy === null || isNumber(payBy))) return undefined
  return {
    ...{ orderId, saleId, quantity, amount, currency, status, reservedAt, payBy },
    history: readHistory(fields.history),
    orderNumber: parseOrderNumber(fields.orderNumber),
    variant: isVariantId(fields.variant) ? fields.variant : undefined,
    payment: oneOf(shownPaymentStates, fields.payment),
    refundedAmount: isNumber(refundedAmount) ? refundedAmount : undefined,
    refund: oneOf(['refund-due', 'refunded'] as const, fields.refund),
    reason: oneOf(orderReasons, fields.reason),
    delivery: oneOf(['missing', 'stored'] as const, fields.delivery),
    ...readCoupons(fields),
    ...readShipment(fields.shipment),
  }
}

/** Parses a shipment; an invalid one does not hide the order. */
function readShipment(value: unknown): Pick<OrderView, 'shipment'> {
  const fields = fieldsOf(value) ?? {}
  const carrier = parseCarrier(fields.carrier)
  const tracking = parseTracking(fields.tracking)
  const link = parseLink(fields.link)
  if (carrier === undefined) return {}
  return { shipment: { carrier, ...(tracking !== undefined && { tracking }), ...(link !== undefined && { link }) } }
}

/** Parses the codes; an invalid one does not hide the others. */
function readCoupons({ coupons, redeemed, validFrom, validUntil }: JsonMembers): Partial<OrderView> {
  if (!Array.isArray(coupons)) return {}
  return {
    coupons: readCodes(coupons),
    ...(Array.isArray(redeemed) ? { redeemed: readCodes(redeemed) } : {}),
    ...(isNumber(validFrom) ? { validFrom } : {}),
    ...(isNumber(validUntil) ? { validUntil } : {}),
  }
}

function readCodes(values: readonly unknown[]): CouponCode[] {
  const codes = values.map((value) => (typeof value === 'string' ? parseCoupon(value) : undefined))
  return codes.filter((code) => code !== undefined)
}

/** Parses the history; an invalid step does not hide the order. */
function readHistory(value: unknown): HistoryEntry[] {
  return Array.isArray(value) ? value.map(readHistoryEntry).filter((entry) => entry !== undefined) : []
}

function readHistoryEntry(value: unknown): HistoryEntry | undefined {
  const { at, what, status: statusText } = fieldsOf(value) ?? {}
  const status = oneOf(orderStatuses, statusText)
  return isNumber(at) && typeof what === 'string' && status !== undefined ? { at, what, status } : undefined
}

/** Parses the list in `{orders: […]}`. */
export function readOrders(value: unknown): OrderView[] | undefined {
  const list = fieldsOf(value)?.orders
  if (!Array.isArray(list)) return undefined
  return list.map(readOrder).filter((order) => order !== undefined)
}

/** Parses a page of `GET /api/orders`. */
export function readOrderPage(value: unknown): OrderListPage | undefined {
  const orders = readOrders(value)
  const next = fieldsOf(value)?.next
  return orders && { orders, next: typeof next === 'string' ? next : null }
}

/** Parses the answer to a claim. */
export function readTap(value: unknown): ClaimedPacket | undefined {
  const { packetId, amount, currency, repeat, remaining } = fieldsOf(value) ?? {}
  if (typeof packetId !== 'string' || !isNumber(amount) || !isCurrencyCode(currency)) return undefined
  const left = isNumber(remaining) ? { remaining } : {}
  return { packetId, amount, currency, ...(repeat === true && { repeat }), ...left }
}

/** Parses `GET /api/wallet`; an invalid entry does not hide the others. */
export function parseWallet(value: unknown): Wallet | undefined {
  const { balances, credits, balanceUrl } = fieldsOf(value) ?? {}
  if (!Array.isArray(balances) || !Array.isArray(credits)) return undefined
  return {
    balances: balances.map(readBalance).filter((balance) => balance !== undefined),
    credits: credits.map(readCredit).filter((credit) => credit !== undefined),
    ...(typeof balanceUrl === 'string' && { balanceUrl }),
  }
}

function readBalance(value: unknown): Money | undefined {
  const { amount, currency } = fieldsOf(value) ?? {}
  return isNumber(amount) && isCurrencyCode(currency) ? { amount, currency } : undefined
}

function readCredit(value: unknown): WalletCredit | undefined {
  const { saleId: id, packetId, amount, currency, claimedAt, creditedAt, balance } = fieldsOf(value) ?? {}
  const saleId = parseSaleId(id)
  if (saleId === undefined || typeof packetId !== 'string' || !isNumber(amount)) return undefined
  if (!isCurrencyCode(currency) || !isNumber(claimedAt) || !isNumber(creditedAt)) return undefined
  if (!isNumber(balance)) return undefined
  return { saleId, packetId, amount, currency, claimedAt, creditedAt, balance }
}

/**
 * Returns the address if the page may open it: of this site, with https, or on `localhost` for a page of `localhost`, where
 * a shop tries its own checkout. `origin` is the origin of the page.
 */
export function safeAddress(address: unknown, origin: string): string | undefined {
  const url = typeof address === 'string' ? urlIn(address, origin) : undefined
  if (url === undefined) return undefined
  const isOfMachine = [url, new URL(origin)].every((one) => /^http:\/\/localhost[:/]/.test(one.href))
  return url.protocol === 'https:' || url.origin === origin || isOfMachine ? url.href : undefined
}
