/** Declares the parts that an option adds to the site. */
import type { PagePatterns } from '../templates/messages/patterns.ts'
import type { Assets } from '../templates/pages/layout.ts'

/**
 * `scripts` and `localized` scripts, which are built once for each language, are files of the option's `static/client/`,
 * `styles` files of its `static/styles/`. `words` are word files by the names under which scripts load them, `pages` are by
 * path.
 */
export type SitePart = {
  scripts: readonly string[]
  localized?: readonly string[]
  styles?: readonly string[]
  words: Readonly<Record<string, PagePatterns>>
  pages?: Readonly<Record<string, (assets: Assets) => string>>
}
