/** What an option adds to the site that the build makes. */
import type { PagePatterns } from './messages/patterns.ts'

/** `scripts` are files of its folder `static/client/`; `words` are files of words, by the names that scripts load them by. */
export type SitePart = {
  scripts: readonly string[]
  words: Readonly<Record<string, PagePatterns>>
}
