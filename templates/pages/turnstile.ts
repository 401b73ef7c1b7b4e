/**
 * Renders the page around Turnstile's widget (N4), which a sale page shows in a frame. Only its response headers allow
 * scripts of another site.
 */
import { checkMessages } from '../messages/catalogues.ts'
import { words } from '../messages/text.ts'
import { html } from './html.ts'
import { type Assets, asset, openHead } from './layout.ts'

/** Cloudflare requires that its script is loaded from exactly this address. */
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
