/** The languages of pages and emails. Each is a file of `languages/`, whose name is its tag. */

/** A language tag (BCP 47), such as `en` or `zh-CN`. */
export type Language = string

/** The languages of a shop whose brand names none, the main one first. */
export const defaultLanguages: readonly Language[] = ['en', 'zh-CN']

/** Maximum number of languages of a shop, and of translations of a text. */
export const maxLanguages = 12

/**
 * Returns the language of a page: the earlier choice `stored`, else the first match of `preferred` (tags in order of
 * preference), else the first of `offered`, the languages of the shop.
 */
export function chooseLanguage(
  stored: string | null,
  preferred: readonly string[],
  offered: readonly Language[],
): Language {
  const base = (tag: string) => tag.split('-')[0]
  const matchOf = (tag: string | null) =>
    tag && (offered.find((one) => one === tag) ?? offered.find((one) => base(one) === base(tag)))
  return [stored, ...preferred].map(matchOf).find((one) => one) ?? offered[0] ?? 'en'
}
