/** The mailbox of this machine: every e-mail that was sent, the newest first, as text and as HTML. */
import { type Html, html } from '../../static/pages/html.ts'
import type { SentEmail } from './ses-api.ts'

export const mailboxPath = '/local/mailbox'

/** `to` limits it to one recipient; empty for all. */
export function renderMailbox(mails: readonly SentEmail[], to: string): string {
  const shown = mails.filter((mail) => to === '' || mail.to.includes(to))
  const recipients = [...new Set(mails.flatMap((mail) => mail.to))].sort()
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mailbox · 本机邮箱</title>
<link rel="icon" href="data:,">
<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:760px;margin:0 auto;padding:24px 16px}
nav a{margin-right:12px}
article{border-top:1px solid;padding:16px 0}
h2{font-size:18px;margin:0}
.about{opacity:.75;margin:0 0 12px;overflow-wrap:anywhere}
iframe{width:100%;height:480px;border:1px solid;border-radius:8px}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
</style>
</head>
<body>
<h1>Mailbox <span lang="zh-CN">· 本机邮箱</span></h1>
<p>E-mails of this machine; none of them leaves it. <span lang="zh-CN">本机发出的邮件，不会真正寄出。</span></p>
<nav>${link('', 'All · 全部', to)}${recipients.map((recipient) => link(recipient, recipient, to))}</nav>
${shown.length === 0 ? html`<p>No e-mails yet. <span lang="zh-CN">暂无邮件。</span></p>` : html``}
${shown.map(article)}</body>
</html>
`.html
}

function link(to: string, text: string, chosen: string): Html {
  const href = to === '' ? mailboxPath : `${mailboxPath}?to=${encodeURIComponent(to)}`
  const current = to === chosen ? html` aria-current="page"` : html``
  return html`<a href="${href}"${current}>${text}</a>\n`
}

function article({ id, at, from, to, subject, text, html: document, headers }: SentEmail): Html {
  const more = headers.map(({ name, value }) => html`<p class="about">${name}: ${value}</p>\n`)
  return html`<article id="${id}">
<h2>${subject}</h2>
<p class="about">${to.join(', ')} · ${from} · ${new Date(at).toISOString()}</p>
${more}<iframe sandbox="${framed}" title="${subject}" srcdoc="${withNewTabs(document)}"></iframe>
<details><summary>Text · 纯文本</summary><pre>${text}</pre></details>
</article>
`
}

/** No script runs and no form is sent; a link opens a tab of its own. */
const framed = 'allow-popups allow-popups-to-escape-sandbox'

const withNewTabs = (document: string) => document.replace('<head>', '<head><base target="_blank">')
