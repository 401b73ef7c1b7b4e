/** The rows of the settings of a sale, in words. */
import { admitPerSecondOf } from '../../../../core/gate/admission-rate.ts'
import { wholeOf } from '../../../../core/packets/packets.ts'
import { countriesOf, type Sale } from '../../../../core/sale/sale.ts'
import { isOfKind, settingNames, settingOf, settingValue } from '../../../../core/sale/settings.ts'
import { type Speaker, sayFor } from '../lib/kind-words.ts'
import { saleMoment } from '../lib/sale-moment.ts'
import { settingText } from './setting-text.ts'
import { settingWords } from './setting-words.ts'

/** Groups of settings that are what the sale is. */
const shownAbove: ReadonlySet<string> = new Set(['what', 'languages'])

/**
 * Names and values of all settings of the sale, but for those that its page shows; of packets,
 * those of all waves.
 */
export function settingsOf(voice: Speaker, sale: Sale): [string, string][] {
  const say = sayFor(voice, sale.kind)
  const packets = sale.packets === undefined ? {} : { packets: wholeOf(sale) }
  const delivery = { ...sale.delivery, countries: countriesOf(sale) }
  const whole = { ...sale, admitPerSecond: admitPerSecondOf(sale), delivery, ...packets }
  const shown = settingNames
    .filter((name) => !shownAbove.has(settingOf(name).group) && isOfKind(name, sale.kind))
    .flatMap((name): [string, string][] => {
      const value = settingValue(whole, name)
      if (value === undefined) return []
      const isTime = settingOf(name).as === 'time' && typeof value === 'number'
      const text = isTime ? saleMoment(voice, sale, value) : settingText(voice, name, value, sale.currency)
      return [[say(settingWords[name].label), text]]
    })
  return [
    [voice.t('console.kind'), voice.t(`kind.${sale.kind}`)],
    ...shown,
    [voice.t('console.epoch'), String(sale.epoch)],
    [voice.t('console.version'), String(sale.version)],
  ]
}
