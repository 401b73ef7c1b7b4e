/**
 * Renders pages without a script: a missing address, a failed sign-in, a link to unsubscribe. They link the style sheet
 * without a hash, because they do not know the build of the site.
 */
import type { Language } from '../../core/language.ts'
import { missingMessages, signInProblemMessages, unsubscribeMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { wordmark } from './brand.ts'
import { html } from './html.ts'
import { openHead } from './layout.ts'
import { directionOf, writtenIn } from './say.ts'

/** The first of `buttons` is the main one. `submit` is a button before them, which posts to the page's own address. */
type PlainPart = { title: string; lead: string; submit?: string; buttons: readonly { text: string; href: string }[] }

function renderPlainPage(language: Language, { title, lead, submit, buttons }: PlainPart): string {
  const form =
    submit === undefined
      ? html``
      : html`<form method="post">
<p class="actions"><button type="submit" class="button">${submit}</button></p>
</form>
`
  const links = buttons.map(({ text, href }, at) =>
    at === 0 && submit === undefined
      ? html`<a class="button" href="${href}">${text}</a>`
      : html`
<a class="button button--plain" href="${href}">${text}</a>`,
  )
  return html`<!doctype html>
<html lang="${language}"${directionOf(language)}>
<head>
${openHead}
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/assets/pictures/icon.svg">
<link rel="stylesheet" href="/assets/plain.css">
</head>
<body>
<header class="top">
${writtenIn([language], () => wordmark({}))}
</header>
<main class="narrow">
<section>
<h1>${title}</h1>
<p class="lead">${lead}</p>
${form}<p class="actions">${links}</p>
</section>
</main>
</body>
</html>
`.html
}

/**
 * Renders the page for missing addresses. It is part of an edge function of at most 10 kB, which must not change with each
 * build of the site.
 */
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

/** Why a sign-in failed. `unavailable`: the issuer does not answer. `refused`: the shopper must start again. */
export type SignInProblem = 'unavailable' | 'refused'

/** Renders the page for a failed sign-in. `again` is the address that starts a new one. */
export function renderSignInProblem(kind: SignInProblem, again: string, language: Language): string {
  return renderPlainPage(language, {
    title: words(signInProblemMessages[`${kind}.title`], language),
    lead: words(signInProblemMessages[`${kind}.lead`], language),
    buttons: [
      { text: words(signInProblemMessages[`${kind}.again`], language), href: again },
      { text: words(signInProblemMessages[`${kind}.toShop`], language), href: '/' },
    ],
  })
}

/** Renders the page behind the link "Unsubscribe" of an email. Its form posts to its own address, which has the token. */
export const renderUnsubscribe = (language: Language): string =>
  renderPlainPage(language, { ...partOf('ask', language), submit: say('ask.submit', language) })

export const renderUnsubscribed = (language: Language): string => renderPlainPage(language, partOf('done', language))

export const renderUnsubscribeInvalid = (language: Language): string =>
  renderPlainPage(language, partOf('invalid', language))

function partOf(kind: 'ask' | 'done' | 'invalid', language: Language): PlainPart {
  return {
    title: say(`${kind}.title`, language),
    lead: say(`${kind}.lead`, language),
    buttons: [{ text: say('toShop', language), href: '/' }],
  }
}

const say = (key: keyof typeof unsubscribeMessages, language: Language) => words(unsubscribeMessages[key], language)
