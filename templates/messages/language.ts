/** Finds the locale of a reader, and the names of countries in it. */
import type { Language } from '../../core/language.ts'

/** Returns the locale for dates and money: the reader's own variant of the page's language, if the reader has one. */
export function localeFor(language: Language, preferred: readonly string[]): string {
  const own = preferred.filter((tag) => tag.split('-')[0] === language.split('-')[0])
  return [...own, language].find(isLocale) ?? 'en'
}

/** Returns a function that names a country by its code, and returns any other text as it is. */
export function countryNames(locale: string): (code: string) => string {
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)
}

/**
 * True for a well-formed tag; `Intl` throws for others. Chromium passes on settings of the machine such as `en-US@posix`,
 * and an extension may write any language into a page.
 */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0
  } catch {
    return false
  }
}
