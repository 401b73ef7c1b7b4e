/** The greeting below the clock of the page of a sale. */
import { html } from '../../../templates/pages/html.ts'
import type { PagePartsSeam, PublicSale } from '../../../templates/pages/seams.ts'

const note = ({ greeting }: PublicSale & { greeting?: string | undefined }) =>
  greeting === undefined ? html`` : html`<p class="clock__next">${greeting}</p>\n`

export const pageParts = { note } satisfies PagePartsSeam
