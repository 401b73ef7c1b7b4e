/** Renders the page of the API. Its script shows `/openapi.json`. */
import { wordmark } from '../../templates/pages/brand.ts'
import { html } from '../../templates/pages/html.ts'
import { type Assets, asset, openHead } from '../../templates/pages/layout.ts'
import type { OpenApi } from './openapi.ts'

/** Renders the page at `/developers/`. */
export function renderApiPage(assets: Assets, { info: { title, summary } }: OpenApi): string {
  return html`<!doctype html>
<html lang="en">
<head>
${openHead}
<meta name="description" content="${String(summary)}">
<title>${String(title)}</title>
<link rel="icon" type="image/svg+xml" href="${asset(assets, 'icon.svg')}">
<link rel="stylesheet" href="${asset(assets, 'developers.css')}">
<script defer src="${asset(assets, 'swagger-ui.js')}"></script>
<script type="module" src="${asset(assets, 'developers.js')}"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
${wordmark({})}
</header>
<main id="main">
<p class="note">Programs read <a href="/openapi.json">openapi.json</a>, language models <a href="/llms.txt">llms.txt</a>.</p>
<noscript><p>This page needs a script to show the API. Both files have all of it.</p></noscript>
<div id="api"></div>
</main>
</body>
</html>
`.html
}
