/** What an option adds to the site that the build makes. */
import type { PagePatterns } from '../templates/messages/patterns.ts'
import type { Assets } from '../templates/pages/layout.ts'

/**
 * `scripts`, and `spoken` ones with the words of one language in each, are files of its folder `static/client/`,
 * `styles` of `static/styles/`; `words` are files of words, by the names that scripts load them by; `pages` are by their
 * paths.
 */
export type SitePart = {
  scripts: readonly string[]
  spoken?: readonly string[]
  styles?: readonly string[]
  words: Readonly<Record<string, PagePatterns>>
  pages?: Readonly<Record<string, (assets: Assets) => string>>
}
