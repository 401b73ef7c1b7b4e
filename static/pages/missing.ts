/**
 * The page for missing addresses. It is built into a function at the edge, of at most 10 kB, which
 * must not change with every build of the site.
 */
import type { Language } from '../../core/language.ts'
import { missingMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { renderPlainPage } from './plain-page.ts'

/** The whole document. */
export function renderMissingPage(language: Language): string {
  return renderPlainPage(language, {
    title: words(missingMessages['missing.title'], language),
    lead: words(missingMessages['missing.lead'], language),
    buttons: [
      { text: words(missingMessages['missing.toShop'], language), href: '/' },
      { text: words(missingMessages['missing.toOrders'], language), href: '/orders/' },
    ],
  })
}
