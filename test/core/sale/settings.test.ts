/**
 * Each setting of a sale is in `core/sale/settings.ts`, and everywhere that a marketer meets it. `npm run
 * check` compares it with docs/reference/http-api.md.
 */
import { describe, expect, it } from 'vitest'
import { fieldRowAt, inputsOf } from '../../../console/form/fields.ts'
import { settingsOf, wordsOf } from '../../../console/sale/setting-words.ts'
import { defaultLanguages as languages } from '../../../core/language.ts'
import { optionFields } from '../../../core/options.ts'
import { saleDefinition } from '../../../core/sale/sale.ts'
import { isOfKind, settingNames, settingOf, settingValue } from '../../../core/sale/settings.ts'
import { gateFactsOf } from '../../../redis/gate/gate.ts'
import { words } from '../../../templates/messages/text.ts'
import { consoleTexts, voice } from '../../console/voices.ts'
import { aSale } from '../../redis/support.ts'

const ofOptions = new Set(optionFields.flatMap(({ settings }) => Object.keys(settings)))
const earlyAccess = { minutes: 10, minLevel: 3 }
const allowedOrigins = ['https://host.example']

describe('every setting', () => {
  it('has an input in the form, and words in every language', () => {
    for (const name of settingNames) {
      const ofRows = { pictures: ['pictures.0.src', 'pictures.0.alt'], 'delivery.costs': ['delivery.costs.DE'] }
      const paths = Object.entries(ofRows).find(([list]) => list === name)?.[1] ?? inputsOf(name)
      expect(paths.map(fieldRowAt), name).not.toContain(undefined)
      expect(paths.length).toBeGreaterThan(0)
      const { label, hint, options = {} } = wordsOf(name)
      const keys = [label, ...(hint === undefined ? [] : [hint]), ...Object.values(options)]
      const said = keys.flatMap((key) => languages.map((language) => words(consoleTexts[key], language)))
      expect(said, name).not.toContain('')
    }
  })

  it('reaches the gate where the gate needs it, and only there', () => {
    const { rules } = gateFactsOf(aSale({ earlyAccess, allowedOrigins }), { frozen: false })
    const known = settingNames.filter((name) => settingValue(rules, name) !== undefined)
    expect(known).toEqual(settingNames.filter((name) => settingOf(name).gate === true))
  })
})

describe('the settings', () => {
  it('make a definition with their defaults', () => {
    const definition = saleDefinition.parse({
      ...{ saleId: 'mug', kind: 'goods', title: 'A mug', description: 'Blue.', price: 10 },
      pictures: [{ src: '/mug.svg', alt: 'The product' }],
      ...{ currency: 'EUR', stock: 1, limitPerShopper: 1, maxPerOrder: 1, startsAt: 1, endsAt: 2 },
    })
    for (const name of settingNames.filter((one) => isOfKind(one, 'goods'))) {
      const { default: usual, optional } = settingOf(name)
      const expected = usual ?? (optional ? undefined : expect.anything())
      expect(settingValue(definition, name), name).toEqual(expected)
    }
  })

  it('are listed on the page of a sale, all that it has but the description of what it sells', () => {
    const listed = settingsOf(
      voice,
      aSale({
        price: 10,
        ...{ listPrice: 20, timeZone: 'Asia/Tokyo' },
        delivery: { countries: ['DE'], costs: { DE: 490 }, freeAbove: 5000 },
        checkoutUrl: 'https://shop.example/cart',
        earlyAccess,
        allowedOrigins,
      }),
    ).map(([label]) => label)
    const expected = settingNames
      .filter((name) => isOfKind(name, 'goods') && !/^(?:what|languages)$/.test(settingOf(name).group))
      .filter((name) => !ofOptions.has(name))
      .map((name) => words(consoleTexts[wordsOf(name).label], 'en'))
    expect(listed).toEqual(expect.arrayContaining(expected))
  })
})
