/** Chooses texts by kind of sale: goods, coupons or red packets. */
import type { Language } from '../../core/language.ts'
import type { SaleKind } from '../../core/sale/kinds.ts'
import type {
  consoleMessages,
  consoleViewMessages,
  ownDataMessages,
  refusalMessages,
} from '../../templates/messages/catalogues.ts'
import { kindKeys } from '../../templates/messages/message-keys.ts'
import { type Arguments, isWorded } from '../../templates/messages/text.ts'

/** The keys of the first screen and of the later views. */
export type Key =
  | keyof typeof consoleMessages
  | keyof typeof consoleViewMessages
  | keyof typeof ownDataMessages
  | keyof typeof refusalMessages

/** The part of the page's voice that composes texts. */
export type Translator = {
  t(key: Key, args?: Arguments): string
  money(amount: number, currency: string): string
  moment(ms: number): string
  locale(): string
  language(): Language
}

/** Returns the key for this kind of sale; `key` itself if the kind has none. */
export function keyFor(kind: SaleKind, key: Key): Key {
  if (kind === 'goods') return key
  const own = kind === 'coupon' ? `coupon.${key}` : `red-packet.${key}`
  return Object.hasOwn(kindKeys, own) ? (own as Key) : key
}

export type Say = (key: Key, args?: Arguments) => string

export function sayFor(voice: Pick<Translator, 't'>, kind: SaleKind): Say {
  return (key, args) => voice.t(keyFor(kind, key), args)
}

/** Joins sentences. Chinese and Japanese have no space between them. */
export function joinSentences(voice: Pick<Translator, 'locale'>, sentences: readonly string[]): string {
  return sentences.join(/^(?:zh|ja)/.test(voice.locale()) ? '' : ' ')
}

/** Labels of the fields that refusals name. The table of all settings is part of later views. */
const fieldKeys: Readonly<Record<string, Key>> = {
  price: 'form.price',
  stock: 'form.stock',
  currency: 'form.currency',
  shards: 'form.shards',
  startsAt: 'form.startsAt',
  windows: 'window.title',
  packets: 'form.packets',
  coupons: 'summary.validity',
  limitPerShopper: 'form.limitPerShopper',
  maxPerOrder: 'form.maxPerOrder',
  paymentWindowSeconds: 'form.paymentWindow',
  paymentGraceSeconds: 'form.paymentGrace',
  delivery: 'form.countries',
  checkoutUrl: 'form.checkoutUrl',
}

/** Returns the label key of a field; undefined for a field that no refusal names. */
export function fieldKey(field: string): Key | undefined {
  const own = `form.${field}`
  return fieldKeys[field] ?? (isWorded(own) ? (own as Key) : undefined)
}
