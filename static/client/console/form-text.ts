/** What stands in the sale form: its inputs and what is typed into them. */
import type { SlotText } from './slot-text.ts'

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
  'limitPerShopper',
  'maxPerOrder',
  'startsAt',
  'endsAt',
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

/** With windows in `slots`, start, end and stock of the sale are those of the first (R7). */
export type FormText = Record<FieldName, string> & { slots: readonly SlotText[] }
