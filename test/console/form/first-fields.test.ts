/** The first fields of a new sale, those behind "Advanced", and the choice of fairness. */
import { describe, expect, it } from 'vitest'
import { fairness, fairnessOf, fairnessSettings } from '../../../console/form/fairness.tsx'
import { askedLanguages, isAdvanced, shownFirst } from '../../../console/form/form-groups.tsx'
import { freshText } from '../../../console/form/form-text.ts'
import type { TextPart } from '../../../console/parts/text-parts.ts'
import { isOfKind, settingValue } from '../../../core/sale/settings.ts'
import { choosing, definitionOf, entering, errorsIn, blueBowl as typed } from '../blue-bowl.ts'

describe('the form of a sale', () => {
  it('shows at most ten fields of goods first: the variants, and settings of which delivery is one', () => {
    const fields = shownFirst.filter((name) => isOfKind(name, 'goods')).map((name) => name.split('.')[0])
    expect(['variants', ...new Set(fields)].length).toBeLessThanOrEqual(10)
  })

  it.each<[string, Record<string, TextPart>, boolean]>([
    ['a new sale', {}, false],
    ['what is shown first', { title: 'Bowl', stock: '-1', 'delivery.countries': 'DE', challenge: 'pow' }, false],
    ['what follows from it', { saleId: 'bowl', limitPerShopper: '3', maxPerOrder: '3' }, false],
    ['turns of another length', { spreadSeconds: '60' }, false],
    ['a time to pay', { paymentWindowSeconds: '20' }, true],
    ['another currency', { currency: 'USD' }, true],
    ['another limit for an order', { limitPerShopper: '3' }, true],
    ['a text in another language', { 'translations.de.title': 'Schale' }, true],
    ['a name in another language', { variants: [{ name: 'S', names: { de: 'K' } }] }, true],
    ['rounds', { windows: [{ stock: '1' }] }, true],
  ])('opens what is advanced where something in it differs from its default: %s', (_, parts, expected) => {
    const fresh = freshText('en', 0)
    expect(isAdvanced(entering(fresh, parts), 'en')).toBe(expected)
  })
})

it.each<[string, Record<string, TextPart>, string[]]>([
  ['the shop offers', {}, ['de', 'fr']],
  ['the sale has texts in', { 'translations.ja.title': '鉢' }, ['de', 'fr', 'ja']],
  ['a variant has a name in', { variants: [{ name: 'S', names: { ar: 'ص', en: '' } }] }, ['ar', 'de', 'fr']],
])('asks for texts in the languages that %s', (_, parts, expected) => {
  const text = entering(freshText('en', 0), parts)
  expect(askedLanguages(text, ['fr', 'de']).toSorted()).toEqual(expected)
})

describe('what is fair', () => {
  it('begins with random turns in the form, and is what the settings of a sale say', () => {
    const fresh = freshText('en', 0)
    expect(fairnessOf(fresh)?.name).toBe('turns')
    expect(fairnessOf(typed)?.name).toBe('first-come')
  })

  it.each(fairness.map(({ name }) => name))('is a valid sale once %s is chosen, and leaves nothing behind', (name) => {
    const chosen = choosing(typed, name)
    expect(errorsIn(chosen)).toEqual({})
    expect(fairnessOf(chosen)?.name).toBe(name)
    const [before, after] = [typed, choosing(chosen, 'first-come')].map(definitionOf)
    for (const setting of fairnessSettings)
      expect(settingValue(after ?? {}, setting), setting).toBe(settingValue(before ?? {}, setting))
  })
})
