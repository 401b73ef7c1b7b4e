/** The dialect of a reader. */
import type { Language } from '../../core/language.ts'

/** The locale for dates and money: the reader's own dialect of the page's language when they have one. */
export function localeFor(language: Language, preferred: readonly string[]): string {
  const own = preferred.filter((tag) => tag.split('-')[0] === language.split('-')[0])
  return [...own, language].find(isLocale) ?? 'en'
}

/** The name of a country by its code, and what is no code as it is. */
export function countryNames(locale: string): (code: string) => string {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)
}

/**
 * Chromium hands on what its machine is set to, such as `en-US@posix`, and a page has the language that an extension
 * writes into it. Everything that formats throws at a malformed one.
 */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
