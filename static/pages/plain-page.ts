/** A page that a function answers without the site's files. It has no script, and links the style whose name has no hash. */
import type { Language } from '../../core/language.ts'
import { wordmark } from './brand.ts'
import { html } from './html.ts'
import { openHead } from './layout.ts'
import { directionOf, writtenIn } from './say.ts'

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

/** The whole document, with words in `language`. */
export function renderPlainPage(language: Language, { title, lead, submit, buttons }: PlainPart): string {
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
