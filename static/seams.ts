/** The seam of the site that the build makes. */

import type { PagePatterns } from '../templates/messages/patterns.ts'
import type { Assets } from '../templates/pages/layout.ts'
import type { OptionText } from './api/operation-text.ts'

/** `site.ts`: files of the option on the site, and its part of the description of the API. A throw fails the build. */
export type SiteSeam = {
  /** Scripts of its folder `static/`, and `localized` ones with the words of one language in each. */
  scripts?: readonly string[]
  localized?: readonly string[]
  /** Styles of its folder `static/styles/`. */
  styles?: readonly string[]
  /** Files of words, by the names that scripts load them by. */
  words?: Readonly<Record<string, PagePatterns>>
  /** Pages by their paths. */
  pages?: Readonly<Record<string, (assets: Assets) => string>>
  /** The texts of each operation in the description of the API; `tsc` refuses an operation without. */
  texts: Readonly<Record<string, OptionText>>
  /** The webhooks of OpenAPI that the shop posts to others, and their tags. */
  webhooks?: Readonly<Record<string, { post: object }>>
  tags?: Readonly<Record<string, string>>
}
