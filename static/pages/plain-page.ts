/**
 * A page that a function answers without the site's files. It has no script, so it has both languages, and it
 * links the style whose name has no hash.
 */
import { type Language, usualLanguages } from '../../core/language.ts'
import { wordmark } from './brand.ts'
import { type Html, html } from './html.ts'
import { openHead } from './layout.ts'

/**
 * `href` is the address of each button; the first one is the way on. `submit` is a button in front of them,
 * which posts to the address of the page itself.
 */
export type PlainPart = {
  title: string
  lead: string
  submit?: string
  buttons: readonly { text: string; href: string }[]
}

/** The whole document. */
export function renderPlainPage(partIn: (language: Language) => PlainPart): string {
  const title = usualLanguages.map((language) => partIn(language).title).join(' · ')
  return html`<!doctype html>
<html lang="en">
<head>
${openHead}
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/assets/pictures/icon.svg">
<link rel="stylesheet" href="/assets/plain.css">
</head>
<body>
<header class="top">
${wordmark({})}
</header>
<main class="narrow">
${usualLanguages.map((language) => section(language, partIn(language)))}</main>
</body>
</html>
`.html
}

function section(language: Language, { title, lead, submit, buttons }: PlainPart): Html {
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
  return html`<section lang="${language}">
<h1>${title}</h1>
<p class="lead">${lead}</p>
${form}<p class="actions">${links}</p>
</section>
`
}
