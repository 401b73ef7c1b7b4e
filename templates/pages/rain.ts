/**
 * Renders the page of a red-packet sale: complete HTML, the same for every shopper, with a long cache time (C1, C2). Packets
 * fall on its stage; the button below it has the same effect.
 */
import { allPackets, type PacketBatch } from '../../core/packets/packets.ts'
import { rainMessages } from '../messages/catalogues.ts'
import { type Html, html } from './html.ts'
import { type Assets, renderPage } from './layout.ts'
import {
  checkStyles,
  membersLevel,
  saleButton,
  saleClock,
  saleData,
  saleHead,
  salePreloads,
  saleRounds,
  startAndEnd,
  zoneScript,
} from './opening.ts'
import { furtherPictures, galleryStyles, picture } from './pictures.ts'
import { type Publication, previewOf } from './preview.ts'
import { sum } from './price.ts'
import { pageTitle, saleProse, summaryOf } from './sale-texts.ts'
import { translator } from './say.ts'
import type { PublicSale } from './seams.ts'

const { say } = translator(rainMessages)

/** The seal shows the default mark of a shop, a sluice gate. */
const seal = html`<circle cx="32" cy="37" r="12" fill="#f4c976"/><path d="M26 31v10M38 31v10M30 31v5M34 31v5" fill="none" stroke="#9c2a12" stroke-width="1.700" stroke-linecap="round"/><path d="M27.500 42.500c1.500-1.500 3-1.500 4.500 0s3 1.500 4.500 0" fill="none" stroke="#9c2a12" stroke-width="1.700" stroke-linecap="round"/>`

/** The symbols of a falling packet and of an open one, which the page uses by name. */
const packetShapes: Html = html`<svg class="unseen" width="0" height="0" aria-hidden="true">
<symbol id="packet" viewBox="0 0 64 88"><rect width="64" height="88" rx="9" fill="#cf3a1c"/><path d="M0 66c8-6 15-6 21 0s14 6 21 0 14-6 22 0v13a9 9 0 0 1-9 9H9a9 9 0 0 1-9-9z" fill="#e4573a"/><path d="M0 9a9 9 0 0 1 9-9h46a9 9 0 0 1 9 9v15C46 42 18 42 0 24z" fill="#b22c11"/><path d="M0 24c18 18 46 18 64 0" fill="none" stroke="#f4c976" stroke-width="1.500"/>${seal}</symbol>
<symbol id="pocket" viewBox="0 0 320 190"><path d="M0 0c90 62 230 62 320 0v164a26 26 0 0 1-26 26H26a26 26 0 0 1-26-26z" fill="#cf3a1c"/><path d="M0 120c40-26 70-26 106 0s70 26 108 0 68-26 106 0v44a26 26 0 0 1-26 26H26a26 26 0 0 1-26-26z" fill="#e4573a"/><path d="M0 0c90 62 230 62 320 0" fill="none" stroke="#f4c976" stroke-width="4"/><g transform="translate(86 -36) scale(2.300)">${seal}</g></symbol>
</svg>`

/** Renders the page at `/sales/{saleId}/`. */
export function renderRainPage(sale: PublicSale, assets: Assets, publication: Publication): string {
  return renderPage(publication.brand, () => ({
    name: 'rain',
    title: pageTitle(sale, publication.brand),
    description: summaryOf(sale),
    preview: previewOf(sale, publication),
    assets,
    styles: ['sluice.css', 'rain.css', ...galleryStyles(sale), ...checkStyles(sale)],
    script: 'rain',
    preloads: [...salePreloads(sale), ...zoneScript(sale, assets)],
    main: main(sale, assets),
  }))
}

function main(sale: PublicSale, assets: Assets): Html {
  const whole = allPackets(sale)
  return html`<main id="main" class="sale rain" ${saleData(sale, assets)}>
${stage(sale)}
<div class="sale__body">
${saleHead(sale, sums(sale, whole))}
${saleClock(sale)}
${saleButton(sale, { beside: html``, left: say('stock.ready', { remaining: sale.stock }), assets })}
${purse}
${saleRounds(sale, say('round.title'), (saleWindow) => wave(sale, saleWindow))}${saleProse(sale)}${furtherPictures(sale.pictures)}
<h2>${say('facts.title')}</h2>
${facts(sale, whole)}
</div>
</main>`
}

/** Renders the sky in front of the sale's picture. Screen readers skip the falling packets. */
function stage({ pictures }: PublicSale): Html {
  return html`<div class="sale__picture stage" id="stage" data-sky="clear">${pictures.slice(0, 1).map((first) => picture(first, 1, true))}
<div class="stage__air" aria-hidden="true"></div>
<div class="sky" id="sky" aria-hidden="true"></div>
<svg class="stage__water" viewBox="0 0 1200 120" preserveAspectRatio="none" aria-hidden="true"><path d="M0 40c100-40 200-40 300 0s200 40 300 0 200-40 300 0 200 40 300 0v80H0z"/><path d="M0 74c100-34 200-34 300 0s200 34 300 0 200-34 300 0 200 34 300 0v46H0z"/></svg>
<div class="caught" id="caught" hidden><div class="caught__card"><p>${say('rain.caught')}</p><p class="caught__amount"><data id="caught-amount" value="0"></data></p></div><svg class="caught__pocket" viewBox="0 0 320 190" aria-hidden="true"><use href="#pocket"/></svg></div>
<template id="drop"><span class="drop"><svg viewBox="0 0 64 88"><use href="#packet"/></svg></span></template>
${packetShapes}</div>`
}

/** Renders the total amount and the number of packets. */
function sums({ currency }: PublicSale, { totalAmount: amount, count }: PacketBatch): Html {
  return html`${sum({ amount, currency })} <span class="price__rest">${say('rain.packets', { n: count })}</span>`
}

function wave({ currency }: PublicSale, { stock, totalAmount }: PublicSale['windows'][number]): Html {
  return html`${say('round.units', { n: stock })} · ${sum({ amount: totalAmount ?? 0, currency })}`
}

const purse = html`<a class="purse" id="purse" href="/wallet/"><svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path d="M4 7.500h14.500a1.500 1.500 0 0 1 1.500 1.500v9a1.500 1.500 0 0 1-1.500 1.500h-13A1.500 1.500 0 0 1 4 18V6.500A1.500 1.500 0 0 1 5.500 5H17M16 13.500h.010"/></svg><span id="purse-words">${say('purse.link')}</span><strong id="purse-amount"></strong></a>`

function facts(sale: PublicSale, { totalAmount: amount, count }: PacketBatch): Html {
  return html`<dl class="facts">
${startAndEnd(sale)}<div><dt>${say('facts.total')}</dt><dd>${sum({ amount, currency: sale.currency })} ${say('rain.packets', { n: count })}</dd></div>
<div><dt>${say('facts.amounts')}</dt><dd>${say('facts.luck')}</dd></div>
<div><dt>${say('facts.limit')}</dt><dd>${say('facts.onePacket')}</dd></div>
<div><dt>${say('facts.goes')}</dt><dd>${say('facts.toWallet')}</dd></div>
${membersLevel(sale)}</dl>`
}
