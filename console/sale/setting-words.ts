/** The labels of settings, in the form, in the list of settings and in the audit. */
import { admitPerSecondOf } from '../../core/gate/admission-rate.ts'
import { allPackets } from '../../core/packets/packets.ts'
import type { Picture } from '../../core/sale/pictures.ts'
import { countriesOf, type Sale, type ThrottleRule } from '../../core/sale/sale.ts'
import { isOfKind, type SettingName, settingNames, settingOf, settingValue } from '../../core/sale/settings.ts'
import { countryNames } from '../../templates/messages/language.ts'
import { isWorded } from '../../templates/messages/text.ts'
import { type Key, sayFor, type Translator } from '../parts/kind-words.ts'
import { saleMoment } from '../parts/sale-moment.ts'
import { costsText, minutesText } from '../parts/typed.ts'

/** `label` is its name, `hint` the text below its input, `options` the words for the values of a choice. */
type SettingWords = { label: Key; hint?: Key; options?: Readonly<Record<string, Key>> }

const settingWords: Readonly<Partial<Record<SettingName, SettingWords>>> = {
  title: { label: 'form.title' },
  saleId: { label: 'form.saleId', hint: 'form.saleIdHint' },
  description: { label: 'form.description' },
  pictures: { label: 'form.pictures' },
  'translations.en.title': { label: 'form.titleEnglish' },
  'translations.en.description': { label: 'form.descriptionEnglish' },
  'translations.zh-CN.title': { label: 'form.titleChinese' },
  'translations.zh-CN.description': { label: 'form.descriptionChinese' },
  'packets.count': { label: 'form.packets' },
  'packets.totalAmount': { label: 'form.total', hint: 'form.totalHint' },
  price: { label: 'form.price', hint: 'form.priceHint' },
  listPrice: { label: 'form.listPrice', hint: 'form.listPriceHint' },
  stock: { label: 'form.stock' },
  shards: { label: 'form.shards', hint: 'form.shardsHint' },
  currency: { label: 'form.currency', hint: 'form.currencyHint' },
  startsAt: { label: 'form.startsAt' },
  endsAt: { label: 'form.endsAt' },
  timeZone: { label: 'form.timeZone', hint: 'form.timeZoneHint' },
  'coupons.validFrom': { label: 'form.validFrom' },
  'coupons.validUntil': { label: 'form.validUntil' },
  limitPerShopper: { label: 'form.limitPerShopper' },
  maxPerOrder: { label: 'form.maxPerOrder' },
  paymentWindowSeconds: { label: 'form.paymentWindow' },
  paymentGraceSeconds: { label: 'form.paymentGrace' },
  'delivery.countries': { label: 'form.countries', hint: 'form.countriesHint' },
  'delivery.costs': { label: 'form.deliveryCosts' },
  'delivery.freeAbove': { label: 'form.freeAbove', hint: 'form.freeAboveHint' },
  checkoutUrl: { label: 'form.checkoutUrl', hint: 'form.checkoutUrlHint' },
  supportRefundLimit: { label: 'form.supportRefundLimit', hint: 'form.supportRefundLimitHint' },
  'earlyAccess.minutes': { label: 'early.minutes', hint: 'early.minutesHint' },
  'earlyAccess.minLevel': { label: 'early.level', hint: 'early.levelHint' },
  admissionRatio: { label: 'gate.ratio', hint: 'gate.ratioHint' },
  admitPerSecond: { label: 'gate.admitPerSecond', hint: 'gate.admitPerSecondHint' },
  minLevel: { label: 'gate.level', hint: 'gate.levelHint' },
  challenge: {
    label: 'gate.challenge',
    hint: 'gate.challengeHint',
    options: { off: 'gate.challengeOff', pow: 'gate.challengePow', turnstile: 'gate.challengeTurnstile' },
  },
  requirePass: { label: 'gate.pass', hint: 'gate.passHint', options: { on: 'gate.passOn', off: 'gate.passOff' } },
  allowedOrigins: { label: 'gate.origins', hint: 'gate.originsHint' },
  spreadSeconds: { label: 'gate.spread' },
  'throttle.perShopper': { label: 'gate.scope.perShopper', hint: 'gate.scope.perShopperHint' },
  'throttle.perIp': { label: 'gate.scope.perIp', hint: 'gate.scope.perIpHint' },
}

/** A setting of an option has a label of its own name, and a hint by its name and `Hint`. */
export function wordsOf(name: SettingName): SettingWords {
  const hint = `${name}Hint`
  return settingWords[name] ?? { label: name as Key, ...(isWorded(hint) && { hint: hint as Key }) }
}

export type SaleTerms = { currency?: string | undefined; timeZone?: string | undefined }

/** The value of a setting in words, as `name` has it; money without a known `currency` is in minor units. */
export function settingText(voice: Translator, name: SettingName, value: unknown, sale: SaleTerms): string {
  const { currency } = sale
  const { as } = settingOf(name)
  if (as === 'rule') {
    const { limit = 0, windowSeconds = 0 } = value as Partial<ThrottleRule>
    return voice.t('audit.rule', { limit, seconds: windowSeconds })
  }
  if (as === 'choice') {
    const key = wordsOf(name).options?.[String(value)]
    return key === undefined ? String(value) : voice.t(key)
  }
  if (as === 'pictures') return picturesText(value)
  if (value === null) return '–'
  if (as === 'costs') return costsText(value as Record<string, number>, currency)
  if (as === 'origins' && Array.isArray(value)) return value.length === 0 ? '–' : value.join(', ')
  if (Array.isArray(value)) return countriesText(voice, value.map(String))
  if (typeof value !== 'number') return String(value)
  if (as === 'time') return saleMoment(voice, sale, value)
  if (as === 'minutes') return minutesText(value)
  if (as === 'units' && value === -1) return voice.t('live.unlimited')
  if (as !== 'money') return value.toLocaleString(voice.locale())
  if (currency !== undefined) return voice.money(value, currency)
  return voice.t('audit.minorUnits', { amount: value.toLocaleString(voice.locale()) })
}

/** By their words; the addresses of uploaded ones say nothing. */
function picturesText(value: unknown): string {
  const pictures: readonly Partial<Picture>[] = Array.isArray(value) ? value : []
  return pictures.map(({ alt = '' }) => alt).join('; ')
}

function countriesText(voice: Translator, codes: readonly string[]): string {
  if (codes.length === 0) return voice.t('form.noCountries')
  return codes.map(countryNames(voice.locale())).join(', ')
}

/** Groups of settings that are what the sale is. */
const shownAbove: ReadonlySet<string> = new Set(['what', 'languages'])

/** Names and values of the settings that the page does not show elsewhere; a rain has the packets of all waves. */
export function settingsOf(voice: Translator, sale: Sale): [string, string][] {
  const say = sayFor(voice, sale.kind)
  const packets = sale.packets === undefined ? {} : { packets: allPackets(sale) }
  const delivery = { ...sale.delivery, countries: countriesOf(sale) }
  const whole = { ...sale, admitPerSecond: admitPerSecondOf(sale), delivery, ...packets }
  const shown = settingNames
    .filter((name) => !shownAbove.has(settingOf(name).group) && isOfKind(name, sale.kind))
    .flatMap((name): [string, string][] => {
      const value = settingValue(whole, name)
      if (value === undefined) return []
      return [[say(wordsOf(name).label), settingText(voice, name, value, sale)]]
    })
  return [
    [voice.t('console.kind'), voice.t(`kind.${sale.kind}`)],
    ...shown,
    [voice.t('console.epoch'), String(sale.epoch)],
    [voice.t('console.version'), String(sale.version)],
  ]
}
