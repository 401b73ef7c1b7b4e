/**
 * Renders an email as plain text and as HTML. It has no pictures and no scripts, and links only to the shop and a carrier.
 * Styles are inline, because mail programs drop others. The program chooses the colours, which may be dark.
 */
import { type Brand, supportHref } from '../../core/brand.ts'
import { textColourOn } from '../../core/contrast.ts'
import type { MailFacts, OptionMail } from '../../core/people/mail.ts'
import { mailMessages } from '../messages/catalogues.ts'
import { shopName } from '../messages/shop-name.ts'
import { words } from '../messages/text.ts'
import { type Html, html } from '../pages/html.ts'
import { directionOf } from '../pages/say.ts'
import { type MailContent, type MailReader, mailContent, type WritePart } from './content.ts'

export type RenderedMail = { subject: string; text: string; html: string }

export function renderMail(mail: MailFacts | OptionMail, reader: MailReader, write?: WritePart): RenderedMail {
  const content = mailContent(mail, reader, write)
  return { subject: content.subject, text: textOf(content, reader), html: htmlOf(content, reader).html }
}

function textOf({ heading, leads, facts, button, why }: MailContent, reader: MailReader): string {
  const { language, unsubscribeUrl, brand } = reader
  const line = (name: string, value: string) => words(mailMessages['mail.colon'], language, { name, value })
  const blocks = [
    shopName(brand, language),
    heading,
    leads.join('\n'),
    facts.flatMap(({ name, value, url = [] }) => [line(name, value), url].flat()).join('\n'),
    line(button.text, button.url),
    `-- \n${why}`,
    unsubscribeUrl === undefined ? '' : line(words(mailMessages['mail.unsubscribe'], language), unsubscribeUrl),
    brand.support === undefined ? '' : line(words(mailMessages['mail.support'], language), brand.support),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** The button of a shop without colours of its own. */
const plainButton = '#0b6e5f'

function buttonStyle({ colours }: Brand): string {
  const background = colours?.light ?? plainButton
  return `display:inline-block;padding:12px 24px;border-radius:8px;background:${background};color:${textColourOn(background)};font-weight:600;text-decoration:none`
}

function htmlOf({ subject, heading, leads, facts, button, why }: MailContent, reader: MailReader): Html {
  const { language, unsubscribeUrl, brand } = reader
  const unsubscribe =
    unsubscribeUrl === undefined
      ? html``
      : html` <a href="${unsubscribeUrl}" style="color:inherit">${words(mailMessages['mail.unsubscribe'], language)}</a>`
  const rows = facts.map(
    ({ name, value, url }) => html`<dt style="font-size:14px;opacity:.75">${name}</dt>
<dd style="margin:0 0 12px;overflow-wrap:anywhere">${url === undefined ? html`<bdi>${value}</bdi>` : html`<a href="${url}" style="color:inherit"><bdi>${value}</bdi></a>`}</dd>
`,
  )
  return html`<!doctype html>
<html lang="${language}"${directionOf(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${subject}</title>
</head>
<body style="margin:0;padding:24px 16px">
<div style="max-width:540px;margin:0 auto;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'PingFang SC','Microsoft YaHei',sans-serif">
<p style="margin:0 0 24px;font-weight:600">${shopName(brand, language)}</p>
<h1 style="margin:0 0 12px;font-size:24px;line-height:1.25">${heading}</h1>
${leads.map((lead) => html`<p style="margin:0 0 12px">${lead}</p>\n`)}${
  rows.length === 0 ? html`` : html`<dl style="margin:24px 0 12px">\n${rows}</dl>\n`
}<p style="margin:24px 0"><a href="${button.url}" style="${buttonStyle(brand)}">${button.text}</a></p>
<p style="margin:32px 0 0;font-size:13px;opacity:.75">${why}${unsubscribe}</p>
${supportHtml(reader)}</div>
</body>
</html>
`
}

/** Renders the link to the shop's support, if it has one. */
function supportHtml({ brand: { support }, language }: MailReader): Html {
  if (support === undefined) return html``
  return html`<p style="margin:12px 0 0;font-size:13px"><a href="${supportHref(support)}" style="color:inherit">${words(mailMessages['mail.support'], language)}</a></p>
`
}
