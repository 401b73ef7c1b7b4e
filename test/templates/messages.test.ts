import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { fieldKey } from '../../console/parts/kind-words.ts'
import { chooseLanguage, defaultLanguages } from '../../core/language.ts'
import { optionFields } from '../../core/options.ts'
import { refusalReasons, refusalText } from '../../core/refusals.ts'
import { editableOnceStarted, settingNames } from '../../core/sale/settings.ts'
import { clickProblems, problemMessages, refusalMessages } from '../../templates/messages/catalogues.ts'
import { knownProblemKey, refusalKey } from '../../templates/messages/codes.ts'
import { countryNames, localeFor } from '../../templates/messages/language.ts'
import {
  compileText,
  faultsOf,
  languageTags,
  missingTexts,
  TextFault,
} from '../../templates/messages/language-files.ts'
import { salePatterns } from '../../templates/messages/page-patterns.ts'
import { words } from '../../templates/messages/text.ts'
import { consoleTexts, voice } from '../console/voices.ts'
import { problemCodes } from '../problem-codes.ts'

describe('the words of the pages', () => {
  let clickProblemKey: typeof import('../../static/sale/news.ts')['clickProblemKey']

  beforeAll(async () => {
    // A page has its own words alone; another test of this process may have added those of another page.
    vi.resetModules()
    const { addWords } = await import('../../templates/messages/text.ts')
    addWords({ en: salePatterns.en ?? {} })
    ;({ clickProblemKey } = await import('../../static/sale/news.ts'))
  })

  it('cover every problem code in both languages (L5)', () => {
    expect(Object.keys(problemMessages).sort()).toEqual(problemCodes.map((code) => `problem.${code}`).sort())
  })

  it('are known to a page for every problem code; one that no click meets has the general message', () => {
    for (const code of problemCodes) {
      expect(knownProblemKey(code), code).toBe(`problem.${code}`)
      expect(Object.hasOwn(clickProblems, clickProblemKey(code)), code).toBe(true)
    }
    expect(clickProblemKey('too-many-requests')).toBe('problem.too-many-requests')
    expect(clickProblemKey('unsupported-media-type')).toBe('problem.invalid-request')
    for (const newer of ['reserved', 'toString']) {
      expect(clickProblemKey(newer)).toBe('problem.invalid-request')
      expect(knownProblemKey(newer)).toBe('problem.invalid-request')
    }
  })

  it('put values where the pattern names them, and show a missing one', () => {
    expect(words({ en: '{n} left', 'zh-CN': '剩 {n}' }, 'zh-CN', { n: 0 })).toBe('剩 0')
    expect(words({ en: '{n} left' }, 'en')).toBe('{n} left')
    // In English where the language has none, and numbers as the locale writes them.
    expect(words({ en: '{n} left' }, 'de', { n: 1234 })).toBe('1.234 left')
    expect(words({ en: '{n} left' }, 'en', { n: 1234 }, 'de')).toBe('1.234 left')
  })

  it.each([
    ['en', '{n, plural, one {# unit} other {# units}}', ['0 units', '1 unit', '2 units']],
    ['zh-CN', '{n, plural, other {# 件}}', ['0 件', '1 件', '2 件']],
    ['ja', '{n}{n, plural, other {個}}', ['0個', '1個', '2個']],
    ['fr', '{n, plural, one {{n} unité} other {{n} unités}}', ['0 unité', '1 unité', '2 unités']],
    [
      'ar',
      '{n, plural, zero {لا قطع} one {قطعة} two {قطعتان} few {{n} قطع} many {{n} قطعة} other {{n} قطعة}}',
      ['لا قطع', 'قطعة', 'قطعتان'],
    ],
    ['en', '{n, plural, =0 {none} one {one} other {many}}', ['none', 'one', 'many']],
  ])('count as %s does: %s', (language, icu, expected) => {
    const text = { [language]: compileText(icu, language) }
    expect([0, 1, 2].map((n) => words(text, language, { n }))).toEqual(expected)
  })

  it('choose by a value that is no number', () => {
    const text = compileText('{who, select, her {she} him {he} other {they}} won', 'en')
    expect(['her', 'him', 'it'].map((who) => words({ en: text }, 'en', { who }))).toEqual([
      ...['she won', 'he won', 'they won'],
    ])
  })

  it.each([
    ['an open brace', '{n', 'en'],
    ['a case that the language lacks', '{n, plural, one {x} few {y} other {z}}', 'en'],
    ['no case for a number of the language', '{n, plural, one {x} other {z}}', 'ar'],
    ['no other case', '{n, plural, one {x}}', 'en'],
    ['a date', '{at, date, short}', 'en'],
    ['a choice in a choice', '{n, plural, one {x} other {{m, plural, one {y} other {z}}}}', 'en'],
  ])('are refused with %s', (_, icu, language) => {
    expect(() => compileText(icu, language)).toThrow(TextFault)
  })
})

describe('a language file', () => {
  it('has no fault in any language, and lacks nothing in English and Chinese', () => {
    expect(languageTags.slice(0, 1)).toEqual(['en'])
    for (const language of languageTags) expect(faultsOf(language), language).toEqual([])
  })

  it.each([
    ['fr', / [;:!?»](?=[\s"]|$)|« /u],
    ['zh-CN', /\p{Script=Han}[,.:;!?()]/u],
    ['ja', /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}][,.:;!?()]/u],
    ['ar', /\p{Script=Arabic}[,;?]/u],
    ['de', /["”]/u],
  ])('of %s has the punctuation of its language', (language, wrong) => {
    const { messages } = JSON.parse(readFileSync(`languages/${language}.json`, 'utf8'))
    const texts = Object.values<Record<string, string>>(messages).flatMap((some) => Object.entries(some))
    // Values of JSON and lists of characters are code.
    const shown = texts.filter(([, text]) => !/'\{'|@ \| :/.test(text))
    expect(shown.filter(([, text]) => wrong.test(text))).toEqual([])
  })

  it('of English chooses between one and several behind each number that can be one', () => {
    const { messages } = JSON.parse(readFileSync('languages/en.json', 'utf8'))
    const texts = Object.values<Record<string, string>>(messages).flatMap((some) => Object.entries(some))
    const choice = /\{\w+, plural,(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g
    const fixed = texts.flatMap(([key, text]) => {
      const found =
        text.replace(choice, '#').match(/\{\w+\} (?:(?:of|red|other|more) )*(?:\{\w+\} )?\w+s\b(?! \{)/g) ?? []
      return found.map((some) => `${key}: ${some}`)
    })
    // Limits that are never one, numbers of at least two, and values that are no numbers.
    const isNeverOne = /\{(?:max|limit|pixels|side|parts|states|rounds)\}| (?:is|was|has|as)$/
    expect(fixed.filter((one) => !isNeverOne.test(one))).toEqual([
      'block.wideText: {value} covers',
      'report.lead.allOut: {n} rounds',
      'report.ordersEach: {n} orders',
      'report.moreRounds: {n} rounds',
      'summary.variants: {n} variants',
      'summary.windows: {n} rounds',
      'variants.again: {n} units',
    ])
  })

  it('is refused for a text that it has too much or with other values, and in English and Chinese for one that it lacks', () => {
    const messages = { shared: { 'phase.open': 'Offen {n}', 'phase.shut': 'Zu' } }
    const faults = faultsOf('de', { name: 'Deutsch', messages })
    expect(faults).toContain('shared:phase.shut is not in en.json; remove it')
    expect(faults).toContain('shared:phase.open has {n}, which en.json lacks')
    expect(faults).toHaveLength(2)
    expect(faultsOf('zh-CN', { name: '简体中文', messages })).toContain('lacks shared:phase.ended; add it')
    expect(faultsOf('de', { name: 'Deutsch', messages: {} })).toEqual([])
    expect(faultsOf('DE', { name: '', messages: {} })).toHaveLength(2)
  })

  it('lists the texts that it lacks', () => {
    const messages = { shared: { 'phase.open': 'Offen', 'phase.ended': ' ' } }
    const missing = missingTexts('de', { name: 'Deutsch', messages })
    expect(missing).toContain('shared:phase.ended')
    expect(missing).not.toContain('shared:phase.open')
    expect(missingTexts('zh-CN')).toEqual([])
  })
})

describe('the language of a page', () => {
  it('is the chosen one, else the first of the browser that we speak, else English', () => {
    expect(chooseLanguage('zh-CN', ['en-US'], defaultLanguages)).toBe('zh-CN')
    expect(chooseLanguage(null, ['fr-FR', 'zh-TW', 'en'], defaultLanguages)).toBe('zh-CN')
    expect(chooseLanguage(null, ['en-GB', 'zh'], defaultLanguages)).toBe('en')
    expect(chooseLanguage('klingon', ['de'], defaultLanguages)).toBe('en')
  })

  it('keeps the dialect of the reader for dates and money', () => {
    expect(localeFor('en', ['de-DE', 'en-GB'])).toBe('en-GB')
    expect(localeFor('zh-CN', ['en-US'])).toBe('zh-CN')
    expect(localeFor('en', ['en-US@posix', 'en'])).toBe('en')
    expect(localeFor('en', ['en-US@posix'])).toBe('en')
  })

  it('never format in an unknown language, which an extension may write into the page', () => {
    expect(localeFor('x_y', [])).toBe('en')
    expect(localeFor('x_y', ['x_y'])).toBe('en')
  })

  it('name a country by its code where that is no code', () => {
    const name = countryNames('en')
    expect(['DE', 'ZZZZ', 'GERMANY', ''].map(name)).toEqual(['Germany', 'ZZZZ', 'GERMANY', ''])
  })
})

it('an amount that cannot be read is asked for without decimal places where the currency has none', () => {
  const asked = (digits: number) => voice.t('error.price', { digits })
  expect([0, 1, 3].map(asked).map((text) => text.split(', ')[1])).toEqual([
    'without decimal places.',
    'with up to one decimal place.',
    'with up to 3 decimal places.',
  ])
})

describe('the reasons of refusals', () => {
  it('have the English words of the API, and are unknown where the shop gives another one', () => {
    for (const [reason, english] of Object.entries(refusalReasons)) {
      const key = refusalKey(reason)
      expect(key && words(refusalMessages[key], 'en'), reason).toBe(english)
    }
    expect([refusalKey('toString'), refusalKey('tomorrow')]).toEqual([undefined, undefined])
  })

  it('call a field of a sale what the form calls it', () => {
    const fields = new Set([...settingNames.map((name) => name.split('.')[0] ?? ''), 'windows'])
    for (const { name } of optionFields) fields.delete(name)
    for (const field of fields) {
      if (editableOnceStarted.has(field) || field === 'saleId') continue
      const key = fieldKey(field)
      expect(key && words(consoleTexts[key], 'de'), field).toMatch(/^[A-Z]/)
    }
  })

  it('become a sentence with their values', () => {
    expect(refusalText({ reason: 'stock-range', values: { limit: 9 } })).toBe('The stock must stay between 0 and 9.')
  })
})
