/**
 * The page on which a shopper pays: plain HTML and one form, so that it works without any script.
 */

import type { Language } from '../../core/language.ts'
import { formatMoney } from '../../core/money.ts'
import { orderPath } from '../../core/order-path.ts'
import { chooseLanguage, localeFor } from '../../static/client/language.ts'
import { type Arguments, words as speak } from '../../static/messages/text.ts'
import { type Html, html } from '../../static/pages/html.ts'
import { choices, type PaymentChoice, type ProviderPayment } from './book.ts'
import { type PaymentText, paymentTexts } from './texts.ts'

/** `late`: still open, but the shop no longer waits. `none`: the order has no payment. */
export type PaymentStage = ProviderPayment['state'] | 'late' | 'none'

export const stylesheet = '/local/pay/pay.css'

/** The document in the first supported language of `acceptLanguage`. */
export function renderPaymentPage(
  stage: PaymentStage,
  orderId: string,
  payment: ProviderPayment | undefined,
  acceptLanguage: string,
): string {
  const preferred = tagsOf(acceptLanguage)
  const language = chooseLanguage(null, preferred)
  const amount = payment === undefined ? '' : formatMoney(payment, localeFor(language, preferred))
  const say = speaker(language, { amount })
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light unavailable">
<title>${say('title')} · ${say(stage)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylesheet}">
</head>
<body>
<main data-stage="${stage}">
<p class="kicker">${say('kicker')}</p>
<h1>${say(stage)}</h1>
<p class="lead">${say(`${stage}Lead`)}</p>
<dl>
${fact(say('order'), orderId)}
${payment === undefined ? html`` : fact(say('payment'), payment.paymentId)}
</dl>
${stage === 'open' ? form(say) : html``}
<p class="back"><a href="${orderPath(orderId)}">${say('back')}</a></p>
</main>
</body>
</html>
`.html
}

type Say = (key: PaymentText) => string

function speaker(language: Language, args: Arguments): Say {
  return (key) => speak(paymentTexts[key], language, args)
}

function fact(name: string, value: string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

/** Posts back to the page's own address. */
function form(say: Say): Html {
  const button = (choice: PaymentChoice) =>
    html`<button name="choice" value="${choice}">${say(choice)}</button>\n`
  return html`<form method="post">\n${choices.map(button)}</form>`
}

/**
 * The usable language tags of an Accept-Language header; browsers send the preferred ones first.
 */
function tagsOf(acceptLanguage: string): string[] {
  return acceptLanguage
    .split(',')
    .map((part) => part.split(';')[0]?.trim() ?? '')
    .filter(isLocale)
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}
