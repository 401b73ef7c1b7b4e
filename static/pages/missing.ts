/**
 * The page for missing addresses. It is built into a function at the edge, of at most 10 kB, which
 * must not change with every build of the site, so it links its style and uses no file whose name holds a hash. Without a script it
 * cannot choose a language, so it has both.
 */
import { missingMessages } from '../messages/missing.ts'
import { type Language, languages, words } from '../messages/text.ts'
import { type Html, html } from './html.ts'
import { openHead, wordmark } from './layout.ts'

type Key = keyof typeof missingMessages

const said = (key: Key, language: Language): string => words(missingMessages[key], language)

/** The whole document. */
export function renderMissingPage(): string {
  const title = languages.map((language) => said('missing.title', language)).join(' · ')
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

function inLanguage(language: Language): Html {
  return html`<section lang="${language}">
<h1>${said('missing.title', language)}</h1>
<p class="lead">${said('missing.lead', language)}</p>
<p class="actions"><a class="button" href="/">${said('missing.toShop', language)}</a>
<a class="button button--plain" href="/orders/">${said('missing.toOrders', language)}</a></p>
</section>
`
}
