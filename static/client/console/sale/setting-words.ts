/**
 * What the console calls each setting of a sale, in the form, in the list of settings and in the
 * audit.
 */
import type { SettingName } from '../../../../core/sale/settings.ts'
import type { Key } from '../lib/kind-words.ts'

/**
 * `label` is its name, `hint` the text below its input, `options` the words for the values of a
 * choice.
 */
type SettingWords = { label: Key; hint?: Key; options?: Readonly<Record<string, Key>> }

export const settingWords: Readonly<Record<SettingName, SettingWords>> = {
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
  price: { label: 'form.price' },
  listPrice: { label: 'form.listPrice', hint: 'form.listPriceHint' },
  stock: { label: 'form.stock', hint: 'form.stockHint' },
  shards: { label: 'form.shards', hint: 'form.shardsHint' },
  currency: { label: 'form.currency', hint: 'form.currencyHint' },
  startsAt: { label: 'form.startsAt' },
  endsAt: { label: 'form.endsAt' },
  timeZone: { label: 'form.timeZone', hint: 'form.timeZoneHint' },
  'draw.opensAt': { label: 'draw.opensAt' },
  'draw.closesAt': { label: 'draw.closesAt' },
  'draw.commitSeconds': { label: 'draw.commitSeconds' },
  'draw.claimSeconds': { label: 'draw.claimSeconds' },
  'coupons.validFrom': { label: 'form.validFrom' },
  'coupons.validUntil': { label: 'form.validUntil' },
  limitPerShopper: { label: 'form.limitPerShopper' },
  maxPerOrder: { label: 'form.maxPerOrder' },
  paymentWindowSeconds: { label: 'form.paymentWindow' },
  paymentGraceSeconds: { label: 'form.paymentGrace' },
  'delivery.countries': { label: 'form.countries', hint: 'form.countriesHint' },
  'delivery.costs': { label: 'form.deliveryCosts', hint: 'form.deliveryCostsHint' },
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
  requirePass: {
    label: 'gate.pass',
    hint: 'gate.passHint',
    options: { on: 'gate.passOn', off: 'gate.passOff' },
  },
  allowedOrigins: { label: 'gate.origins', hint: 'gate.originsHint' },
  spreadSeconds: { label: 'gate.spread', hint: 'gate.spreadHint' },
  'throttle.perShopper': { label: 'gate.scope.perShopper', hint: 'gate.scope.perShopperHint' },
  'throttle.perIp': { label: 'gate.scope.perIp', hint: 'gate.scope.perIpHint' },
}
