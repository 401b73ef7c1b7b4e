/**
 * The page around Turnstile's widget (N4), which stands in a frame of a sale page. It has response
 * headers of its own: the only ones that allow scripts of another site.
 */
import { checkMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { html } from './html.ts'
import { type Assets, asset, openHead } from './layout.ts'

/** Cloudflare wants its script loaded from exactly this address, and never from a copy. */
const script = 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit'

export function renderTurnstilePage(assets: Assets): string {
  const title = words(checkMessages['check.title'], 'en')
  return html`<!doctype html>
<html lang="en">
<head>
${openHead}
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${asset(assets, 'turnstile.css')}">
<script type="module" src="${asset(assets, 'turnstile.js')}"></script>
</head>
<body>
<div id="widget" data-script="${script}"></div>
</body>
</html>
`.html
}
