/**
 * A red packet as it falls, and its two halves once it is open: drawn once in the page, and used by
 * name.
 */
import { type Html, html } from './html.ts'

/** The seal is the shop's own mark, the gate and the water under it. */
const seal = html`<circle cx="32" cy="37" r="12" fill="#f4c976"/><path d="M26 31v10M38 31v10M30 31v5M34 31v5" fill="none" stroke="#9c2a12" stroke-width="1.700" stroke-linecap="round"/><path d="M27.500 42.500c1.500-1.500 3-1.500 4.500 0s3 1.500 4.500 0" fill="none" stroke="#9c2a12" stroke-width="1.700" stroke-linecap="round"/>`

/** The definitions; nothing of them shows by itself. */
export const packetShapes: Html = html`<svg class="unseen" width="0" height="0" aria-hidden="true">
<symbol id="packet" viewBox="0 0 64 88"><rect width="64" height="88" rx="9" fill="#cf3a1c"/><path d="M0 66c8-6 15-6 21 0s14 6 21 0 14-6 22 0v13a9 9 0 0 1-9 9H9a9 9 0 0 1-9-9z" fill="#e4573a"/><path d="M0 9a9 9 0 0 1 9-9h46a9 9 0 0 1 9 9v15C46 42 18 42 0 24z" fill="#b22c11"/><path d="M0 24c18 18 46 18 64 0" fill="none" stroke="#f4c976" stroke-width="1.500"/>${seal}</symbol>
<symbol id="pocket" viewBox="0 0 320 190"><path d="M0 0c90 62 230 62 320 0v164a26 26 0 0 1-26 26H26a26 26 0 0 1-26-26z" fill="#cf3a1c"/><path d="M0 120c40-26 70-26 106 0s70 26 108 0 68-26 106 0v44a26 26 0 0 1-26 26H26a26 26 0 0 1-26-26z" fill="#e4573a"/><path d="M0 0c90 62 230 62 320 0" fill="none" stroke="#f4c976" stroke-width="4"/><g transform="translate(86 -36) scale(2.300)">${seal}</g></symbol>
</svg>`
