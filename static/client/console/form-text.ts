/** What stands in the sale form: its kind, its inputs and what is typed into them. */
import type { SaleKind } from '../../../core/sale.ts'
import type { WindowText } from './window-text.ts'

/** Whom a throttle counts: one shopper, one address, all of a sale. */
export const throttleScopes = ['perShopper', 'perIp', 'perSale'] as const

/** The form's inputs, named by the path of the field they fill. */
export const fieldNames = [
  'saleId',
  'title',
  'description',
  'image',
  'price',
  'currency',
  'stock',
  'packets.count',
  'packets.totalAmount',
  'limitPerShopper',
  'maxPerOrder',
  'startsAt',
  'endsAt',
  'coupons.validFrom',
  'coupons.validUntil',
  'paymentWindowSeconds',
  'paymentGraceSeconds',
  'admissionRatio',
  'minLevel',
  'challenge',
  'throttle.perShopper.limit',
  'throttle.perShopper.windowSeconds',
  'throttle.perIp.limit',
  'throttle.perIp.windowSeconds',
  'throttle.perSale.limit',
  'throttle.perSale.windowSeconds',
] as const

export type FieldName = (typeof fieldNames)[number]

/** With windows in `windows`, start, end and stock of the sale (or its packets) are those of the first (R7). */
export type FormText = Record<FieldName, string> & { kind: SaleKind; windows: readonly WindowText[] }

/** The fields that only some kinds of sale have; every other field belongs to all. */
const onlyOf: Partial<Record<FieldName, readonly SaleKind[]>> = {
  price: ['goods'],
  stock: ['goods', 'coupon'],
  'packets.count': ['red-packet'],
  'packets.totalAmount': ['red-packet'],
  limitPerShopper: ['goods', 'coupon'],
  maxPerOrder: ['goods', 'coupon'],
  'coupons.validFrom': ['coupon'],
  'coupons.validUntil': ['coupon'],
  paymentWindowSeconds: ['goods'],
  paymentGraceSeconds: ['goods'],
}

function isOfKind(name: FieldName, kind: SaleKind): boolean {
  return onlyOf[name]?.includes(kind) ?? true
}

/** The fields that each window has itself, so that a sale with windows has none of its own. */
const saidByWindows: readonly FieldName[] = [
  'startsAt',
  'endsAt',
  'stock',
  'packets.count',
  'packets.totalAmount',
]

/** Whether the form shows the field. */
export function isAskedFor(name: FieldName, kind: SaleKind, hasWindows: boolean): boolean {
  return isOfKind(name, kind) && !(hasWindows && saidByWindows.includes(name))
}

/** The one window of a sale that has no list of windows. */
export function ownWindowText(text: FormText): WindowText {
  const { startsAt, endsAt } = text
  return text.kind === 'red-packet'
    ? { startsAt, endsAt, stock: text['packets.count'], totalAmount: text['packets.totalAmount'] }
    : { startsAt, endsAt, stock: text.stock, totalAmount: '' }
}
