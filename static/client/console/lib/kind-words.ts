/** Words that differ by kind of sale: units of goods, coupons, or red packets. */
import type { SaleKind } from '../../../../core/sale/settings.ts'
import type { consoleMessages } from '../../../messages/catalogues.ts'
import { kindKeys } from '../../../messages/message-keys.ts'
import type { Arguments } from '../../../messages/text.ts'

export type Key = keyof typeof consoleMessages

/** The part of the page's voice that words are made with. */
export type Speaker = {
  t(key: Key, args?: Arguments): string
  money(amount: number, currency: string): string
  moment(ms: number): string
  locale(): string
}

/** The key of the words that a sale of this kind has for `key`: its own where there are some. */
export function keyFor(kind: SaleKind, key: Key): Key {
  if (kind === 'goods') return key
  const own = kind === 'coupon' ? `coupon.${key}` : `red-packet.${key}`
  return isKey(own) ? own : key
}

export type Say = (key: Key, args?: Arguments) => string

/** The voice for a sale of this kind. */
export function sayFor(voice: Pick<Speaker, 't'>, kind: SaleKind): Say {
  return (key, args) => voice.t(keyFor(kind, key), args)
}

function isKey(text: string): text is Key {
  return Object.hasOwn(kindKeys, text)
}

/** Several sentences in a row. Chinese and Japanese write no space between them. */
export function joinSentences(voice: Pick<Speaker, 'locale'>, sentences: readonly string[]): string {
  return sentences.join(/^(?:zh|ja)/.test(voice.locale()) ? '' : ' ')
}
