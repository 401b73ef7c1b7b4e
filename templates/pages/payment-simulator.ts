/** Renders the payment page of the simulated provider: plain HTML and one form, so that it works without scripts. */
import type { OrderId } from '../../core/ids.ts'
import { chooseLanguage, type Language } from '../../core/language.ts'
import { formatMoney, type Money } from '../../core/money.ts'
import { orderPath, paidPath } from '../../core/orders/order-path.ts'
import { languages, type PaymentText, paymentTexts } from '../messages/catalogues.ts'
import { localeFor } from '../messages/language.ts'
import { type Arguments, words as speak } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { openHead } from './layout.ts'
import { directionOf } from './say.ts'

/** The shopper's choices. */
export const paymentChoices = ['pay', 'fail', 'later'] as const
export type PaymentChoice = (typeof paymentChoices)[number]

/** `late`: the payment is open, but the shop no longer waits for it. `none`: the order has no payment. */
export type PaymentStage = 'open' | 'on-its-way' | 'authorised' | 'captured' | 'released' | 'failed' | 'late' | 'none'

/** `isWaiting`: the page reloads itself until the shop knows the result. */
export type PaymentPage = {
  provider: 'simulated' | 'stripe'
  stage: PaymentStage
  orderId: OrderId
  payment: (Money & { paymentId: string; product: string; language?: Language | undefined }) | undefined
  isWaiting: boolean
}

const reloadSeconds = 3

/** Renders the document in the language of the payment, or else the first supported one of `acceptLanguage`. */
export function renderPaymentPage(page: PaymentPage, acceptLanguage: string): string {
  const { provider, stage, orderId, payment, isWaiting } = page
  const preferred = tagsOf(acceptLanguage)
  const language = chooseLanguage(payment?.language ?? null, preferred, languages)
  const amount = payment === undefined ? '' : formatMoney(payment, localeFor(language, preferred))
  const say = translator(language, { amount })
  const isDecided = !['open', 'late', 'none'].includes(stage)
  return html`<!doctype html>
<html lang="${language}"${directionOf(language)}>
<head>
${openHead}
<title>${say('title')} · ${say(stage)}</title>
${isWaiting ? html`<meta http-equiv="refresh" content="${String(reloadSeconds)}">` : html``}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/plain.css">
</head>
<body>
<main class="narrow narrow--small" data-stage="${stage}">
<section class="panel">
<p class="note">${say(provider)}</p>
<h1>${say(stage)}</h1>
<p class="lead">${say(`${stage}Lead`)}</p>
${isWaiting ? html`<p class="lead">${say('undelivered')}</p>` : html``}
<dl class="facts lead">
${payment === undefined ? html`` : fact(say('product'), payment.product)}
${payment === undefined ? html`` : fact(say('payment'), payment.paymentId)}
</dl>
${stage === 'open' ? form(say) : html``}
<p class="actions"><a class="button button--plain" href="${isDecided ? paidPath(orderId) : orderPath(orderId)}">${say('back')}</a></p>
</section>
</main>
</body>
</html>
`.html
}

type Say = (key: PaymentText) => string

function translator(language: Language, args: Arguments): Say {
  return (key) => speak(paymentTexts[key], language, args)
}

function fact(name: string, value: string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

const looks = { pay: '', fail: ' button--danger', later: ' button--plain' } as const satisfies Record<
  PaymentChoice,
  string
>

/** Renders the form, which posts to the page's own address. */
function form(say: Say): Html {
  const button = (choice: PaymentChoice) =>
    html`<button name="choice" value="${choice}" class="button${looks[choice]}">${say(choice)}</button>\n`
  return html`<form method="post">\n<p class="actions">${paymentChoices.map(button)}</p></form>`
}

/** Returns the language tags of an Accept-Language header, which lists the preferred ones first. */
function tagsOf(acceptLanguage: string): string[] {
  return acceptLanguage.split(',').map((part) => part.split(';')[0]?.trim() ?? '')
}
