/** Turns a text in ICU MessageFormat into the pattern that `text.ts` fills in. Runs at build time, and in Node. */
import { parse } from '@messageformat/parser'
import type { Language } from '../../core/language.ts'

type Choice = Extract<ReturnType<typeof parse>[number], { cases: unknown }>
type Token = Choice['cases'][number]['tokens'][number]

/** What is wrong with a text of a language file. */
export class TextFault extends Error {}

/** @throws {TextFault} for a text that is not ICU MessageFormat, and for what patterns cannot say. */
export function compileText(text: string, language: Language): string {
  if (!/[{}']/.test(text)) return text
  let tokens: readonly Token[]
  try {
    tokens = parse(text, { cardinal: pluralCategories(language), strict: false })
  } catch (failure) {
    throw new TextFault(failure instanceof Error ? failure.message.split('\n')[0] : String(failure))
  }
  return tokens.map((token) => patternOf(token, language)).join('')
}

/** The names of the values that a pattern shows, and those that it shows or chooses by. */
export function namesIn(pattern: string): { shown: Set<string>; used: Set<string> } {
  const names = (what: RegExp) => new Set([...pattern.matchAll(what)].map(([, name = '']) => name))
  return { shown: names(/\{(\w+)\}/g), used: names(/\{(\w+)/g) }
}

function pluralCategories(language: Language): Intl.LDMLPluralRule[] {
  return new Intl.PluralRules(language).resolvedOptions().pluralCategories
}

/** Those of whole numbers up to 200; zero may be like the others, and French has one for millions. */
function neededCategories(language: Language): string[] {
  const rules = new Intl.PluralRules(language)
  const found = new Set(Array.from({ length: 201 }, (_, n) => rules.select(n)))
  return [...found].filter((category) => category !== 'zero')
}

function patternOf(token: Token, language: Language): string {
  switch (token.type) {
    case 'content':
      if (/\{\w/.test(token.value)) throw new TextFault('has a quoted brace before a word')
      return token.value
    case 'argument':
      return `{${token.arg}}`
    case 'function':
      if (token.key === 'number' && token.param === undefined) return `{${token.arg}}`
      throw new TextFault(`has {${token.arg}, ${token.key}}; dates, lists and money come as text`)
    case 'plural':
    case 'select':
      return choice(token, language)
    default:
      throw new TextFault(`has ${token.type}, which is not supported`)
  }
}

/** A choice with one outcome, such as a plural in Chinese, is no choice. */
function choice({ arg, type, cases, pluralOffset }: Choice, language: Language): string {
  if (pluralOffset) throw new TextFault(`has an offset in {${arg}, plural}, which is not supported`)
  const branches = cases.map(({ key, tokens }) => ({ key, text: branchText(arg, tokens, language) }))
  const other = branches.find(({ key }) => key === 'other')
  if (other === undefined) throw new TextFault(`lacks the case other of {${arg}, ${type}}`)
  if (type === 'plural') {
    const lacking = neededCategories(language).filter((one) => !cases.some(({ key }) => key === one))
    if (lacking.length > 0) throw new TextFault(`lacks the case ${lacking.join(', ')} of {${arg}, plural}`)
  }
  const others = branches.filter(({ key, text }) => key !== 'other' && text !== other.text)
  if (others.length === 0) return other.text
  return `{${arg}${others.map(({ key, text }) => `|${key}:${text}`).join('')}|${other.text}}`
}

function branchText(arg: string, tokens: readonly Token[], language: Language): string {
  const text = tokens.map((token) => (token.type === 'octothorpe' ? `{${arg}}` : patternOf(token, language))).join('')
  if (/\||\{\w+[^\w}]/.test(text))
    throw new TextFault(`has a choice or “|” inside of a case of {${arg}}; repeat the sentence in each case`)
  return text
}
