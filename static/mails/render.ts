/**
 * An e-mail as plain text and as HTML: no pictures, no scripts, no address but the shop's own, and styles
 * in the elements, because mail programs drop others. Colours are left to the program, which may be dark.
 */
import type { MailFacts } from '../../core/mail.ts'
import { mailMessages } from '../messages/mails.ts'
import { words } from '../messages/text.ts'
import { type Html, html } from '../pages/html.ts'
import { type MailContent, type MailReader, mailContent } from './content.ts'

export type RenderedMail = { subject: string; text: string; html: string }

export function renderMail(mail: MailFacts, reader: MailReader): RenderedMail {
  const content = mailContent(mail, reader)
  return {
    subject: content.subject,
    text: textOf(content, reader),
    html: htmlOf(content, reader).html,
  }
}

function textOf({ heading, leads, facts, button, why }: MailContent, reader: MailReader): string {
  const { language, unsubscribeUrl } = reader
  const line = (name: string, value: string) => words(mailMessages['mail.colon'], language, { name, value })
  const blocks = [
    heading,
    leads.join('\n'),
    facts.map(({ name, value }) => line(name, value)).join('\n'),
    line(button.text, button.url),
    `-- \n${why}`,
    unsubscribeUrl === undefined
      ? ''
      : line(words(mailMessages['mail.unsubscribe'], language), unsubscribeUrl),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

const buttonStyle =
  'display:inline-block;padding:12px 24px;border-radius:8px;background:#0b6e5f;color:#ffffff;font-weight:600;text-decoration:none'

function htmlOf({ subject, heading, leads, facts, button, why }: MailContent, reader: MailReader): Html {
  const { language, unsubscribeUrl } = reader
  const unsubscribe =
    unsubscribeUrl === undefined
      ? html``
      : html` <a href="${unsubscribeUrl}" style="color:inherit">${words(mailMessages['mail.unsubscribe'], language)}</a>`
  const rows = facts.map(
    ({ name, value }) => html`<dt style="font-size:14px;opacity:.75">${name}</dt>
<dd style="margin:0 0 12px;overflow-wrap:anywhere">${value}</dd>
`,
  )
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px 16px">
<div style="max-width:540px;margin:0 auto;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',sans-serif">
<p style="margin:0 0 24px;font-weight:600">Sluice</p>
<h1 style="margin:0 0 12px;font-size:24px;line-height:1.25">${heading}</h1>
${leads.map((lead) => html`<p style="margin:0 0 12px">${lead}</p>\n`)}${
  rows.length === 0 ? html`` : html`<dl style="margin:24px 0 12px">\n${rows}</dl>\n`
}<p style="margin:24px 0"><a href="${button.url}" style="${buttonStyle}">${button.text}</a></p>
<p style="margin:32px 0 0;font-size:13px;opacity:.75">${why}${unsubscribe}</p>
</div>
</body>
</html>
`
}
