/**
 * The sale as it is being typed, for the preview of its page: what cannot be read yet has a stand-in, so
 * that the page can be drawn at any time.
 */

import { challengeKinds } from '../../../../core/gate/challenge.ts'
import { parseSaleId, type SaleId } from '../../../../core/ids.ts'
import { type Language, usualLanguages } from '../../../../core/language.ts'
import { isCurrency } from '../../../../core/money.ts'
import type { Phase } from '../../../../core/sale/phase.ts'
import { isPictureAddress } from '../../../../core/sale/pictures.ts'
import type { SaleWindow } from '../../../../core/sale/sale.ts'
import { maxEarlyMinutes } from '../../../../core/sale/settings.ts'
import type { PublicSale } from '../../../pages/opening.ts'
import { type FormText, ownWindowText, variantsIn } from '../form/form-text.ts'
import { pictureIn } from '../form/picture-text.ts'
import { readWindow } from '../form/window-text.ts'
import {
  countryCodes,
  currencyCode,
  fromLocalInput,
  secondsOfMinutes,
  typedAmount,
  typedCosts,
  typedZone,
  wholeNumber,
} from '../lib/typed.ts'

/** The moments of a sale that the preview can show. */
export const previewStates = ['before', 'open', 'sold-out'] as const
export type PreviewState = (typeof previewStates)[number]

/** What stands for a text that is still empty. */
export type StandIns = { title: string; description: string }

/** Until the start of a sale whose start cannot be read, or has passed. */
const usualWaitMs = 10 * 60_000
const usualLengthMs = 60 * 60_000

/** What the notes at the price are made of. */
function termsIn({ kind, ...text }: FormText, currency: string) {
  if (kind !== 'goods') return {}
  const costs = typedCosts(text['delivery.costs'], currency)
  const isKnown = Object.values(costs).length > 0 && !Object.values(costs).some(Number.isNaN)
  const freeAbove = known(typedAmount(text['delivery.freeAbove'], currency))
  const delivery = { countries: countryCodes(text['delivery.countries']), costs, freeAbove }
  return isKnown ? { delivery } : {}
}

/** The sale that the page is drawn of; `now` is epoch ms. */
export function previewSale(text: FormText, standIns: StandIns, now: number): PublicSale {
  const { kind } = text
  const zone = typedZone(text.timeZone)
  const currency = isCurrency(currencyCode(text.currency)) ? currencyCode(text.currency) : 'EUR'
  const windows = text.windows.map((one) => completeWindow(readWindow(one, text), now))
  const [first = completeWindow(readWindow(ownWindowText(text), text), now)] = windows
  const variants = variantsIn(text).filter(({ id, name }) => id !== '' && name !== '')
  const listPrice = typedAmount(text.listPrice, currency)
  const price = kind === 'goods' ? (known(typedAmount(text.price, currency)) ?? 0) : 0
  return {
    saleId: anyId(),
    kind,
    title: text.title.trim() === '' ? standIns.title : text.title.trim(),
    description: text.description.trim() === '' ? standIns.description : text.description.trim(),
    translations: translationsIn(text),
    pictures: text.pictures.map(pictureIn).filter(({ src }) => isPictureAddress(src)),
    price,
    ...(kind === 'goods' && listPrice > price && { listPrice }),
    ...termsIn(text, currency),
    currency,
    stock: first.stock,
    limitPerShopper: countIn(text.limitPerShopper),
    maxPerOrder: countIn(text.maxPerOrder),
    startsAt: first.startsAt,
    endsAt: first.endsAt,
    paymentWindowSeconds: known(secondsOfMinutes(text.paymentWindowSeconds)) ?? 900,
    minLevel: known(wholeNumber(text.minLevel)) ?? 0,
    challenge: challengeKinds.find((one) => one === text.challenge) ?? 'off',
    windows,
    windowIndex: 0,
    warmed: true,
    flag: 'on',
    ...(kind === 'red-packet' && { packets: { count: first.stock, totalAmount: first.totalAmount ?? 0 } }),
    ...(kind === 'coupon' && {
      coupons: {
        validFrom: known(fromLocalInput(text['coupons.validFrom'], zone)),
        validUntil: known(fromLocalInput(text['coupons.validUntil'], zone)),
      },
    }),
    ...(variants.length > 0 && { variants }),
    ...(kind !== 'red-packet' && earlyAccessIn(text)),
    version: 1,
  }
}

/** What a page that waits for its sale knows at that moment; `now` is what its clock says, epoch ms. */
export type Moment = { phase: Phase; now: number; remaining: number }

/** That moment of the sale; before the start, the clock counts from the real time where that is earlier. */
export function momentOf(sale: PublicSale, state: PreviewState, now: number): Moment {
  const { startsAt, stock } = sale
  if (state === 'open') return { phase: 'open', now: startsAt, remaining: stock }
  if (state === 'sold-out') return { phase: 'sold-out', now: startsAt, remaining: 0 }
  return { phase: 'scheduled', now: now < startsAt ? now : startsAt - usualWaitMs, remaining: stock }
}

/** A window with times in their order, and with units. */
function completeWindow(read: SaleWindow, now: number): SaleWindow {
  const startsAt = known(read.startsAt) ?? now + usualWaitMs
  const endsAt = read.endsAt > startsAt ? read.endsAt : startsAt + usualLengthMs
  const stock = known(read.stock) ?? 0
  if (read.totalAmount === undefined) return { ...read, startsAt, endsAt, stock }
  return { ...read, startsAt, endsAt, stock, totalAmount: known(read.totalAmount) ?? 0 }
}

/** Shown once its minutes and its level can be read. */
function earlyAccessIn(text: FormText): Pick<PublicSale, 'earlyAccess'> {
  const minutes = wholeNumber(text['earlyAccess.minutes'])
  const minLevel = wholeNumber(text['earlyAccess.minLevel'])
  return minutes >= 1 && minutes <= maxEarlyMinutes && minLevel >= 1 ? { earlyAccess: { minutes, minLevel } } : {}
}

/** A language has its own texts where they are typed. */
function translationsIn(text: FormText): PublicSale['translations'] {
  const typed = (path: string) =>
    (text[`translations.${path}` as 'translations.en.title'] ?? text.texts[path] ?? '').trim()
  const textsIn = (language: Language) => {
    const [title, description] = [typed(`${language}.title`), typed(`${language}.description`)]
    return { ...(title !== '' && { title }), ...(description !== '' && { description }) }
  }
  const others = Object.keys(text.texts).map((path) => path.split('.')[0] ?? '')
  return Object.fromEntries([...usualLanguages, ...others].map((language) => [language, textsIn(language)]))
}

/** The page draws nothing of it, and it stays the same while the real one follows the title. */
function anyId(): SaleId {
  const id = parseSaleId('preview')
  if (id === undefined) throw new Error('“preview” is no sale id')
  return id
}

const countIn = (typed: string): number => Math.max(1, known(wholeNumber(typed)) ?? 1)

/** Undefined for what cannot be read. */
const known = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value)
