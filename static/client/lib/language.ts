/**
 * The language of a reader: the one that they chose, else the first of their browser's that the pages have.
 */
import { type Language, languages } from '../../../core/language.ts'

/** `stored` is an earlier choice; `preferred` is the browser's list, most wanted first. */
export function chooseLanguage(stored: string | null, preferred: readonly string[]): Language {
  const chosen = languages.find((language) => language === stored)
  if (chosen !== undefined) return chosen
  const known = preferred.find((tag) => /^(?:zh|en)\b/i.test(tag)) ?? ''
  return /^zh/i.test(known) ? 'zh-CN' : 'en'
}

/**
 * The locale for dates and money: the reader's own dialect of the page's language when they have
 * one.
 */
export function localeFor(language: Language, preferred: readonly string[]): string {
  const own = preferred.filter((tag) => tag.toLowerCase().startsWith(language.slice(0, 2)))
  return own.find(isLocale) ?? language
}

/**
 * Chromium hands on what its machine is set to, such as `en-US@posix`, at which everything that
 * formats would throw.
 */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
