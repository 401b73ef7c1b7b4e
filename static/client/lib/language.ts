/** The dialect of a reader. */
import type { Language } from '../../../core/language.ts'

/**
 * The locale for dates and money: the reader's own dialect of the page's language when they have
 * one.
 */
export function localeFor(language: Language, preferred: readonly string[]): string {
  const own = preferred.filter((tag) => tag.split('-')[0] === language.split('-')[0])
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
