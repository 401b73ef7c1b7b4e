import type { FormText } from '../../../static/client/console/form/form-text.ts'
import { defaultText, readForm } from '../../../static/client/console/form/values.ts'

/** The text of a form for goods, with every field that is asked for filled in. */
export const blueBowl: FormText = {
  ...defaultText('CNY'),
  kind: 'goods',
  saleId: 'blue-bowl',
  title: 'Blue bowl',
  description: 'Large.',
  pictures: [{ src: '/assets/pictures/mug.svg', alt: 'The product' }],
  price: '0.10',
  currency: 'cny',
  stock: '100',
  'packets.count': '',
  'packets.totalAmount': '',
  limitPerShopper: '2',
  maxPerOrder: '1',
  startsAt: '2026-11-20T12:00',
  endsAt: '2026-11-20T13:00:00',
  'coupons.validFrom': '',
  'coupons.validUntil': '',
  windows: [],
  variants: [],
  texts: {},
}

/** @throws with the errors when the form is invalid */
export function definitionOf(text: FormText) {
  const read = readForm(text)
  if (!read.ok) throw new Error(`the typed form is valid: ${JSON.stringify(read.errors)}`)
  return read.definition
}

/** The keys of the errors, by their places. */
export function errorsIn(text: FormText) {
  const read = readForm(text)
  if (read.ok) return {}
  return Object.fromEntries(Object.entries(read.errors).map(([place, error]) => [place, error?.key]))
}
