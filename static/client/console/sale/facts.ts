/** What a sale offers, in words: how much of what for how much, and the rows of its settings. */
import { admitPerSecondOf } from '../../../../core/gate/admission-rate.ts'
import { wholeOf } from '../../../../core/packets/packets.ts'
import { countriesOf, type Sale } from '../../../../core/sale/sale.ts'
import { isOfKind, settingNames, settingOf, settingValue } from '../../../../core/sale/settings.ts'
import { type Speaker, sayFor } from '../lib/kind-words.ts'
import { settingText } from './setting-text.ts'
import { settingWords } from './setting-words.ts'

/** Groups of settings that are what the sale is. */
const shownAbove: ReadonlySet<string> = new Set(['what', 'languages'])

type Offer = Pick<Sale, 'kind' | 'stock' | 'currency' | 'price' | 'packets' | 'windows'>

/** So many units, packets or coupons: of packets, those of all waves. */
export function stockText(voice: Speaker, sale: Offer): string {
  if (sale.stock === -1) return voice.t('live.unlimited')
  const n = sale.kind === 'red-packet' ? wholeOf(sale).count : sale.stock
  return sayFor(voice, sale.kind)('console.stockOf', { n })
}

/** The price of goods; what all packets hold together; else that nothing is to be paid. */
export function moneyText(voice: Speaker, sale: Offer): string {
  if (sale.kind === 'coupon') return voice.t('kind.free')
  const amount = sale.kind === 'red-packet' ? wholeOf(sale).totalAmount : sale.price
  return voice.money(amount, sale.currency)
}

/**
 * Names and values of all settings of the sale, but for those that its page shows; of packets,
 * those of all waves.
 */
export function settingsOf(voice: Speaker, sale: Sale): [string, string][] {
  const say = sayFor(voice, sale.kind)
  const packets = sale.packets === undefined ? {} : { packets: wholeOf(sale) }
  const delivery = { countries: countriesOf(sale) }
  const whole = { ...sale, admitPerSecond: admitPerSecondOf(sale), delivery, ...packets }
  const shown = settingNames
    .filter((name) => !shownAbove.has(settingOf(name).group) && isOfKind(name, sale.kind))
    .flatMap((name): [string, string][] => {
      const value = settingValue(whole, name)
      if (value === undefined) return []
      return [[say(settingWords[name].label), settingText(voice, name, value, sale.currency)]]
    })
  return [
    [voice.t('console.kind'), voice.t(`kind.${sale.kind}`)],
    ...shown,
    [voice.t('console.epoch'), String(sale.epoch)],
    [voice.t('console.version'), String(sale.version)],
  ]
}
