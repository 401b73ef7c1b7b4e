/** Two buttons on the page of a sale: for a reminder of its start, and of units that come back. */
import type { Language } from '../../../core/language.ts'
import { isInvitedOnly } from '../../../core/sale/sale.ts'
import { pagePartMessages } from '../../../templates/messages/catalogues.ts'
import { words } from '../../../templates/messages/text.ts'
import { type Html, html } from '../../../templates/pages/html.ts'
import { type Assets, asset } from '../../../templates/pages/layout.ts'
import { ownLanguage, textsAttribute } from '../../../templates/pages/say.ts'
import type { PagePartsSeam } from '../../../templates/pages/seams.ts'

/** No second button for red packets, which do not come back, nor for a sale by invitation, whose returned units go to the next shopper. */
const line: NonNullable<PagePartsSeam['line']> = (sale, assets) => {
  const isFinal = sale.kind === 'red-packet' || isInvitedOnly(sale)
  const back = isFinal ? html`` : html`<p class="back">${button(assets, 'back')}</p>\n`
  return html`<p class="clock__at">${button(assets, 'remind')}</p>
${back}`
}

/**
 * Renders a button that opens the dialog. The styles hide the line of the first button with that of the start once the sale is
 * open, without moving content above it. They show the second while the sale is sold out.
 */
function button(assets: Assets, id: 'remind' | 'back'): Html {
  const title = (language: Language) => words(pagePartMessages[`${id}.title`], language)
  return html`<button type="button" id="${id}" class="quiet" data-opens value="${asset(assets, 'remind-dialog.js')}"><svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d="M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21.500h4"/></svg><b${textsAttribute(title)}>${title(ownLanguage())}</b></button>`
}

export const pageParts = { line } satisfies PagePartsSeam
