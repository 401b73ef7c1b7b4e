/**
 * Reads and checks the language files: `languages/<tag>.json`, with `options/<name>/words/<tag>.json` added. Runs in Node
 * and in the build, which puts the texts into scripts and functions.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from '@messageformat/parser'
import type { Language } from '../../core/language.ts'
import type english from '../../languages/en.json'
import type { OptionWords } from '../../options/registry/names.ts'
import type { Messages, Text } from './text.ts'

/** `page-parts` has the texts of options on a sale page. */
type English = typeof english.messages & OptionWords & { 'page-parts': unknown }

/** The name of a catalogue: a group of texts in each language file. */
export type CatalogueName = keyof English

type LanguageFile = { name: string; messages: Readonly<Record<string, Readonly<Record<string, string>>>> }

const root = path.join(import.meta.dirname, '../..')
const folder = path.join(root, 'languages')

const readFile = (file: string): LanguageFile => JSON.parse(readFileSync(file, 'utf8'))

/** Returns the files with the texts of options in that language. */
const optionFiles = (language: Language): string[] => globSync(`options/*/words/${language}.json`, { cwd: root }).sort()

/** Adds the texts of options. Joins catalogues of the same name. */
function withOptions(language: Language, file: LanguageFile): LanguageFile {
  const messages = { ...file.messages }
  for (const option of optionFiles(language).map((one) => readFile(path.join(root, one)).messages))
    for (const [name, texts] of Object.entries(option)) messages[name] = { ...messages[name], ...texts }
  return { ...file, messages }
}

const files: Readonly<Record<Language, LanguageFile>> = Object.fromEntries(
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => [path.parse(file).name, readFile(path.join(folder, file))] as const)
    .map(([language, file]) => [language, withOptions(language, file)]),
)

const source = files.en
if (source === undefined) throw new Error(`${folder} lacks en.json`)
/** The English texts of the engine and its options, by catalogue. */
export const { messages: englishTexts } = source

export const catalogueNames = Object.keys(englishTexts) as readonly CatalogueName[]

/** The language's own name, such as `Deutsch`, and its direction. */
export type LanguageFacts = { name: string; dir: 'ltr' | 'rtl' }

/** All languages, English first. */
export const languageTags: readonly Language[] = Object.keys(files).sort(
  (a, b) => Number(b === 'en') - Number(a === 'en') || (a < b ? -1 : 1),
)

export const factsByLanguage: Readonly<Record<Language, LanguageFacts>> = Object.fromEntries(
  languageTags.map((language) => [language, { name: files[language]?.name ?? language, dir: directionOf(language) }]),
)

/** Returns the direction of a language from its script. The list is the right-to-left scripts of CLDR. */
function directionOf(language: Language): 'ltr' | 'rtl' {
  const rtlScripts = ['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']
  return rtlScripts.includes(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
}

type Key<N extends CatalogueName> = { [C in N]: keyof English[C] }[N] & string

/** Returns the texts of these catalogues. A later catalogue overrides an earlier one. */
export function catalogue<N extends CatalogueName>(...names: N[]): Readonly<Record<Key<N>, Text>> {
  return Object.assign({}, ...names.map((name) => (compiled[name] ??= compileCatalogue(name))))
}

const compiled: Record<string, Messages> = {}

function compileCatalogue(name: string): Messages {
  return Object.fromEntries(
    Object.keys(englishTexts[name] ?? {}).map((key) => [
      key,
      Object.fromEntries(
        languageTags.flatMap((language) => {
          const text = files[language]?.messages[name]?.[key]
          return text === undefined ? [] : [[language, patternIn(language, text, `${name}:${key}`)]]
        }),
      ),
    ]),
  )
}

function patternIn(language: Language, text: string, id: string): string {
  try {
    return compileText(text, language)
  } catch (failure) {
    throw new Error(`languages/${language}.json: ${id}: ${failure instanceof Error ? failure.message : failure}`)
  }
}

/** The languages in which no text may be missing. Other languages fall back to English. */
const completeLanguages: readonly Language[] = ['en', 'zh-CN']

type TextId = { group: string; key: string }

const idsOf = (texts: LanguageFile['messages']): TextId[] =>
  Object.entries(texts).flatMap(([group, own]) => Object.keys(own).map((key) => ({ group, key })))

/** Returns the English texts that the file lacks, as `catalogue:key`. */
export function missingTexts(language: Language, file: LanguageFile | undefined = files[language]): string[] {
  return idsOf(englishTexts)
    .filter(({ group, key }) => (file?.messages[group]?.[key] ?? '').trim() === '')
    .map(({ group, key }) => `${group}:${key}`)
}

/** Returns the faults of a language file, one line each. */
export function faultsOf(language: Language, file: LanguageFile | undefined = files[language]): string[] {
  const { name = '', messages = {} } = file ?? {}
  const faults = [
    ...(isTag(language) ? [] : ['its name is not a language tag, such as de or pt-BR']),
    ...(name.trim() === '' ? ['lacks “name”, the name of the language in itself'] : []),
  ]
  const unknown = idsOf(messages).filter(({ group, key }) => englishTexts[group]?.[key] === undefined)
  faults.push(...unknown.map(({ group, key }) => `${group}:${key} is not in en.json; remove it`))
  if (completeLanguages.includes(language))
    faults.push(...missingTexts(language, file).map((id) => `lacks ${id}; add it`))
  for (const { group, key } of idsOf(englishTexts)) {
    const text = messages[group]?.[key]
    if (text === undefined || text.trim() === '') continue
    try {
      const expected = namesIn(compileText(englishTexts[group]?.[key] ?? '', 'en'))
      const names = namesIn(compileText(text, language))
      const extra = [...names.used].filter((one) => !expected.used.has(one))
      const lacking = [...expected.shown].filter((one) => !names.used.has(one))
      if (extra.length > 0) faults.push(`${group}:${key} has {${extra.join('}, {')}}, which en.json lacks`)
      if (lacking.length > 0) faults.push(`${group}:${key} lacks {${lacking.join('}, {')}}`)
    } catch (failure) {
      faults.push(`${group}:${key} ${failure instanceof Error ? failure.message : failure}`)
    }
  }
  return faults
}

function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text)[0] === text
  } catch {
    return false
  }
}

type Choice = Extract<ReturnType<typeof parse>[number], { cases: unknown }>
type Token = Choice['cases'][number]['tokens'][number]

/** A fault in a text of a language file. */
export class TextFault extends Error {}

/**
 * Compiles a text in ICU MessageFormat into the pattern that `text.ts` fills in.
 * @throws {TextFault} for a text that is not ICU MessageFormat, and for syntax that patterns do not support
 */
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

/** Returns the names of the values that a pattern shows, and of all that it uses. */
function namesIn(pattern: string): { shown: Set<string>; used: Set<string> } {
  const names = (what: RegExp) => new Set([...pattern.matchAll(what)].map(([, name = '']) => name))
  return { shown: names(/\{(\w+)\}/g), used: names(/\{(\w+)/g) }
}

function pluralCategories(language: Language): Intl.LDMLPluralRule[] {
  return new Intl.PluralRules(language).resolvedOptions().pluralCategories
}

/** Returns the plural categories of 0 to 200. `zero` is optional, and the French category for millions is not needed. */
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

/** Compiles a choice. A choice with one branch, such as a plural in Chinese, becomes its text. */
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
