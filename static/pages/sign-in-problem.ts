/**
 * The page for a sign-in that did not work. It has no script, so it has both languages, and links the
 * style that has no hash in its name.
 */
import { signInProblemMessages } from '../messages/sign-in-problem.ts'
import { type Language, languages, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { openHead, wordmark } from './layout.ts'

/** The issuer does not answer, or the sign-in cannot be finished and must begin again. */
export type SignInProblem = 'unavailable' | 'refused'

type Part = 'title' | 'lead' | 'again' | 'toShop'

/** The whole document; `again` is the address that begins a new sign-in. */
export function renderSignInProblem(kind: SignInProblem, again: string): string {
  const said = (part: Part, language: Language) => words(signInProblemMessages[`${kind}.${part}`], language)
  const title = languages.map((language) => said('title', language)).join(' · ')
  const inLanguage = (language: Language): Html => html`<section lang="${language}">
<h1>${said('title', language)}</h1>
<p class="lead">${said('lead', language)}</p>
<p class="actions"><a class="button" href="${again}">${said('again', language)}</a>
<a class="button button--plain" href="/">${said('toShop', language)}</a></p>
</section>
`
  return html`<!doctype html>
<html lang="en">
<head>
${openHead}
<title>${title} · Sluice</title>
<link rel="icon" type="image/svg+xml" href="/assets/pictures/icon.svg">
<link rel="stylesheet" href="/assets/plain.css">
</head>
<body>
<header class="top">
${wordmark}
</header>
<main class="narrow">
${languages.map(inLanguage)}</main>
</body>
</html>
`.html
}
