import { describe, expect, it } from 'vitest'
import { refusalReasons, refusalText } from '../../core/refusals.ts'
import { chooseLanguage, localeFor } from '../../static/client/lib/language.ts'
import { clickProblemKey } from '../../static/client/sale/news.ts'
import { clickProblems } from '../../static/messages/click-problems.ts'
import { keyOfProblem, problemMessages } from '../../static/messages/problems.ts'
import { refusalMessage } from '../../static/messages/refusals.ts'
import { words } from '../../static/messages/text.ts'
import { problemCodes } from '../problem-codes.ts'

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort()

describe('the words of the pages', () => {
  it('cover every problem code in both languages (L5)', () => {
    expect(Object.keys(problemMessages).sort()).toEqual(problemCodes.map((code) => `problem.${code}`).sort())
  })

  it('are known to a page for every problem code; one that no click meets is told as something wrong', () => {
    for (const code of problemCodes) {
      expect(keyOfProblem(code), code).toBe(`problem.${code}`)
      expect(Object.hasOwn(clickProblems, clickProblemKey(code)), code).toBe(true)
    }
    expect(clickProblemKey('too-many-requests')).toBe('problem.too-many-requests')
    expect(clickProblemKey('unsupported-media-type')).toBe('problem.invalid-request')
    for (const newer of ['reserved', 'toString']) {
      expect(clickProblemKey(newer)).toBe('problem.invalid-request')
      expect(keyOfProblem(newer)).toBe('problem.invalid-request')
    }
  })

  it('put values where the pattern names them, and show a missing one', () => {
    expect(words(['{n} left', '剩 {n}'], 'zh-CN', { n: 0 })).toBe('剩 0')
    expect(words(['{n} left', '剩 {n}'], 'en')).toBe('{n} left')
  })

  it('count one unit and several units in English', () => {
    const units = ['{n} {n|unit|units}', '{n} 件'] as const
    expect([1, 2].map((n) => words(units, 'en', { n }))).toEqual(['1 unit', '2 units'])
    expect(words(units, 'zh-CN', { n: 1 })).toBe('1 件')
  })
})

describe('the language of a page', () => {
  it('is the chosen one, else the first of the browser that we speak, else English', () => {
    expect(chooseLanguage('zh-CN', ['en-US'])).toBe('zh-CN')
    expect(chooseLanguage(null, ['fr-FR', 'zh-TW', 'en'])).toBe('zh-CN')
    expect(chooseLanguage(null, ['en-GB', 'zh'])).toBe('en')
    expect(chooseLanguage('klingon', ['de'])).toBe('en')
  })

  it('keeps the dialect of the reader for dates and money', () => {
    expect(localeFor('en', ['de-DE', 'en-GB'])).toBe('en-GB')
    expect(localeFor('zh-CN', ['en-US'])).toBe('zh-CN')
    expect(localeFor('en', ['en-US@posix', 'en'])).toBe('en')
    expect(localeFor('en', ['en-US@posix'])).toBe('en')
  })
})

describe('the reasons of refusals', () => {
  it('exist in both languages, with values that the answer carries', () => {
    for (const [reason, english] of Object.entries(refusalReasons)) {
      const text = refusalMessage(reason)
      expect(text?.[0]).toBe(english)
      expect(text?.[1], reason).toMatch(/\p{Script=Han}/u)
      const named = new Set(placeholders(english))
      expect(
        placeholders(text?.[1] ?? '').filter((name) => !named.has(name)),
        reason,
      ).toEqual([])
    }
  })

  it('are unknown where the shop gives another one', () => {
    expect(refusalMessage('toString')).toBeUndefined()
    expect(refusalMessage('tomorrow')).toBeUndefined()
  })

  it('become a sentence with their values', () => {
    expect(refusalText({ reason: 'stock-range', values: { limit: 9 } })).toBe(
      'The stock must stay between 0 and 9.',
    )
  })
})
