/** The place of a page's one dialog, empty until client/confirm.ts asks something. */
import { type Html, html } from './html.ts'

export const confirmPlace: Html = html`<dialog id="confirm" class="dialog" aria-labelledby="confirm-title" aria-describedby="confirm-text">
<h2 id="confirm-title"></h2>
<div id="confirm-text"></div>
<div class="dialog__actions" id="confirm-actions"></div>
</dialog>`
