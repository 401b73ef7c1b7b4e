/**
 * Pages that are answered without the site's files: an address that is missing, a sign-in that did not work, a link to
 * unsubscribe. They have no script, and link the style whose name has no hash.
 */
import type { Language } from '../../core/language.ts'
import { missingMessages, signInProblemMessages, unsubscribeMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { wordmark } from './brand.ts'
import { html } from './html.ts'
import { openHead } from './layout.ts'
import { directionOf, writtenIn } from './say.ts'

/**
 * `href` is the address of each button; the first one is the way on. `submit` is a button in front of them,
 * which posts to the address of the page itself.
 */
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
 * The page for missing addresses. It is built into a function at the edge, of at most 10 kB, which must not change
 * with every build of the site. The whole document.
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

/**
 * The page for a sign-in that did not work. The issuer does not answer, or the sign-in cannot be finished and must
 * begin again.
 */
export type SignInProblem = 'unavailable' | 'refused'

/** The whole document; `again` is the address that begins a new sign-in. */
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

/**
 * The pages behind the link "Unsubscribe" of an e-mail. Asks, with a form that posts to the page's own address, which
 * has the token.
 */
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
