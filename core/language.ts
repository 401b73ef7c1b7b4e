/** The languages of pages and e-mails. Each is a file of `languages/`, whose name is its tag. */

/** A language tag (BCP 47), such as `en` or `zh-CN`. */
export type Language = string

/** Those that a shop offers whose brand does not say, its own first. */
export const defaultLanguages: readonly Language[] = ['en', 'zh-CN']

/** The most languages that a shop offers, and that a text is written in. */
export const maxLanguages = 12

/**
 * `stored` is an earlier choice; `preferred` are the tags that a reader prefers, most wanted first; `offered` are the
 * languages of the shop, its own first, which is that of a reader who prefers none of them.
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
