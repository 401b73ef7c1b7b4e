/** The value of a setting in words. */
import type { Picture } from '../../../../core/sale/pictures.ts'
import type { ThrottleRule } from '../../../../core/sale/sale.ts'
import { type SettingName, settingOf } from '../../../../core/sale/settings.ts'
import type { Speaker } from '../lib/kind-words.ts'
import { costsText, minutesText } from '../lib/typed.ts'
import { settingWords } from './setting-words.ts'

/**
 * `value` as `name` has it, in the reader's language; money without a known `currency` is in minor
 * units.
 */
export function settingText(voice: Speaker, name: SettingName, value: unknown, currency: string | undefined): string {
  const { as } = settingOf(name)
  if (as === 'rule') {
    const { limit = 0, windowSeconds = 0 } = value as Partial<ThrottleRule>
    return voice.t('audit.rule', { limit, seconds: windowSeconds })
  }
  if (as === 'choice') {
    const key = settingWords[name].options?.[String(value)]
    return key === undefined ? String(value) : voice.t(key)
  }
  if (as === 'pictures') return picturesText(value)
  if (value === null) return '–'
  if (as === 'costs') return costsText(value as Record<string, number>, currency)
  if (as === 'origins' && Array.isArray(value)) return value.length === 0 ? '–' : value.join(', ')
  if (Array.isArray(value)) return countriesText(voice, value.map(String))
  if (typeof value !== 'number') return String(value)
  if (as === 'time') return voice.moment(value)
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

function countriesText(voice: Speaker, codes: readonly string[]): string {
  if (codes.length === 0) return voice.t('form.noCountries')
  const names = new Intl.DisplayNames(voice.locale(), { type: 'region' })
  return codes.map((code) => names.of(code) ?? code).join(', ')
}
