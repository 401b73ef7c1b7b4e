/** Which settings the form of a sale shows first, and whether the others are worth a look. */
import { isOfKind, type SettingName, settingNames, settingValue } from '../../../../core/sale/settings.ts'
import { isSame } from '../lib/text-parts.ts'
import { fairnessSettings } from './fairness.tsx'
import { type FormText, freshText } from './form-text.ts'

/** What a new sale shows first, for goods at most ten fields with the variants; all else is under "Advanced". */
export const shownFirst: readonly SettingName[] = [
  ...(['title', 'description', 'pictures', 'price', 'stock', 'packets.count', 'packets.totalAmount'] as const),
  ...(['startsAt', 'endsAt', 'coupons.validFrom', 'coupons.validUntil', 'limitPerShopper'] as const),
  ...(['delivery.countries', 'delivery.costs'] as const),
]

/** Whether a setting under "Advanced" differs from what a new sale has there. The id and the limit of an order follow others. */
export function isAdvanced(text: FormText, locale: string): boolean {
  const usual = { ...freshText(locale, 0), saleId: text.saleId, maxPerOrder: text.limitPerShopper }
  const elsewhere = [...shownFirst, ...fairnessSettings, 'challenge']
  const differs = settingNames
    .filter((name) => !elsewhere.includes(name) && isOfKind(name, text.kind))
    .some((name) => !isSame(settingValue(text, name), settingValue(usual, name)))
  const names = [...text.variants, ...text.pictures].map(({ names, alts }) => names ?? alts)
  return differs || text.windows.length > 0 || ![text.translations, ...names].every((one) => isSame(one, {}))
}
