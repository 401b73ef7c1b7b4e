/** Each setting of a sale is in `core/settings.ts`, and everywhere that a marketer meets it. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { settingFlags } from '../../cli/sale/definition.ts'
import { languages } from '../../core/language.ts'
import { saleDefinition } from '../../core/sale.ts'
import {
  isOfKind,
  type SaleKind,
  type SettingName,
  settingNames,
  settingOf,
  settingValue,
} from '../../core/settings.ts'
import { gateFactsOf } from '../../redis/gate.ts'
import { auditFields } from '../../static/client/console/audit-text.ts'
import { settingsOf } from '../../static/client/console/facts.ts'
import { fieldNames, settingAt } from '../../static/client/console/form-text.ts'
import { settingWords } from '../../static/client/console/setting-words.ts'
import { consoleMessages } from '../../static/messages/console.ts'
import { words } from '../../static/messages/text.ts'
import { aSale } from '../redis/support.ts'

const docs = readFileSync(new URL('../../docs/http-api.md', import.meta.url), 'utf8')
const of: Record<SaleKind, string> = { goods: 'goods', coupon: 'coupons', 'red-packet': 'red packets' }

const earlyAccess = { minutes: 10, minLevel: 3, list: 'on' } as const

/** A row of the table in docs/http-api.md: its value, kinds and whether it may change while the sale runs. */
function rowOf(name: SettingName): string[] | undefined {
  const line = docs.split('\n').find((row) => row.startsWith(`| \`${name}\` |`))
  return line
    ?.split('|')
    .map((cell) => cell.trim())
    .slice(2, 5)
}

describe.each(settingNames)('the setting %s', (name) => {
  const { kinds, editable, flag, gate, range, default: usual } = settingOf(name)

  it('is a row of the API’s table, with its bounds, default, kinds and lock', () => {
    const [value = '', kindsCell, running] = rowOf(name) ?? []
    expect(kindsCell).toBe(kinds === undefined ? 'all' : kinds.map((kind) => of[kind]).join(', '))
    expect(running).toBe(editable ? 'yes' : 'no')
    if (range !== undefined) expect(value).toContain(range[1].toLocaleString('en'))
    if (typeof usual === 'number') expect(value).toContain(`(${usual})`)
  })

  it('has an input in the form, and words in every language', () => {
    // Pictures have rows of their own.
    if (name !== 'pictures') expect(fieldNames.map(settingAt)).toContain(name)
    const { label, hint, options = {} } = settingWords[name]
    for (const key of [label, ...(hint === undefined ? [] : [hint]), ...Object.values(options)]) {
      for (const language of languages)
        expect(words(consoleMessages[key], language).length).toBeGreaterThan(0)
    }
  })

  it('has an option on the command line, unless it names the sale', () => {
    const found = settingFlags.find((one) => one.name === name)
    expect(found?.option.flags).toBe(flag)
    expect(found === undefined).toBe(name === 'saleId')
  })

  it('has a label in the audit', () => {
    expect(Object.keys(auditFields)).toContain(name)
  })

  it('reaches the gate where the gate needs it', () => {
    const { rules } = gateFactsOf(aSale({ earlyAccess }), { frozen: false })
    expect(settingValue(rules, name) !== undefined).toBe(gate === true)
  })
})

describe('the settings', () => {
  it('make a definition with their defaults', () => {
    const definition = saleDefinition.parse({
      ...{
        saleId: 'mug',
        kind: 'goods',
        title: 'A mug',
        description: 'Blue.',
        pictures: [{ src: '/mug.svg', alt: 'The product' }],
        price: 10,
      },
      ...{ currency: 'EUR', stock: 1, limitPerShopper: 1, maxPerOrder: 1, startsAt: 1, endsAt: 2 },
    })
    for (const name of settingNames.filter((one) => isOfKind(one, 'goods'))) {
      const { default: usual, optional } = settingOf(name)
      const expected = usual ?? (optional ? undefined : expect.anything())
      expect(settingValue(definition, name), name).toEqual(expected)
    }
  })

  it('are listed on the page of a sale, all that it has but the description of what it sells', () => {
    const voice = {
      t: (key: keyof typeof consoleMessages) => words(consoleMessages[key], 'en'),
      money: (amount: number, currency: string) => `${amount} ${currency}`,
      moment: String,
      locale: () => 'en',
    }
    const listed = settingsOf(voice, aSale({ price: 10, listPrice: 20, earlyAccess })).map(([label]) => label)
    const expected = settingNames
      .filter((name) => isOfKind(name, 'goods') && !/^(?:what|languages)$/.test(settingOf(name).group))
      .map((name) => words(consoleMessages[settingWords[name].label], 'en'))
    expect(listed).toEqual(expect.arrayContaining(expected))
  })
})
