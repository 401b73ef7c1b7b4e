/** Emails on this machine: an emulation of the Amazon SES API, and a page that shows the received emails. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { type Html, html } from '../../templates/pages/html.ts'
import { readBody } from '../cdn/body.ts'

/** The path of the SES endpoint below the origin of the shop. */
export const sesPrefix = '/local/ses'

export type LocalMailbox = {
  /** Answers requests of the API and the page; false for others, which it does not touch. */
  routes(request: IncomingMessage, response: ServerResponse): Promise<boolean>
  /** Returns the emails, the newest first. */
  mails(): readonly SentEmail[]
}

/** More would only slow down the page. */
const maxMails = 200

const bodyLimitBytes = 1024 * 1024

/** Frames with emails inherit this policy: they have inline styles and load nothing. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** `clock` returns epoch ms. */
export function createMailbox(clock: () => number): LocalMailbox {
  const mails: SentEmail[] = []
  const keep = (mail: SentEmail) => {
    mails.unshift(mail)
    mails.length = Math.min(mails.length, maxMails)
  }
  return {
    mails: () => mails,
    async routes(request, response) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      if (request.method === 'POST' && pathname === sesPrefix + sendEmailPath) {
        const answer = answerSendEmail(await readBody(request, bodyLimitBytes), clock(), keep)
        const body = JSON.stringify(answer.body)
        write(response, answer.status, { 'content-type': 'application/json', ...answer.headers }, body)
        return true
      }
      if (request.method !== 'GET' || pathname !== mailboxPath) return false
      write(response, 200, headers, renderMailbox(mails, searchParams.get('to') ?? ''))
      return true
    },
  }
}

function write(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}

/** The page of the mailbox: all sent emails, the newest first, as text and HTML. */
export const mailboxPath = '/local/mailbox'

/** Renders the mailbox; `to` limits it to one recipient, empty for all. */
function renderMailbox(mails: readonly SentEmail[], to: string): string {
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
nav a{margin-right:12px;color:inherit}
article{border-top:1px solid;padding:16px 0}
h2{font-size:18px;margin:0}
.about{opacity:.75;margin:0 0 12px;overflow-wrap:anywhere}
iframe{width:100%;height:480px;border:1px solid;border-radius:8px}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
</style>
</head>
<body><main>
<h1>Mailbox <span lang="zh-CN">· 本机邮箱</span></h1>
<p>Emails of this machine; none of them leaves it. <span lang="zh-CN">本机发出的邮件，不会真正寄出。</span></p>
<nav>${link('', 'All · 全部', to)}${recipients.map((recipient) => link(recipient, recipient, to))}</nav>
${shown.length === 0 ? html`<p>No emails yet. <span lang="zh-CN">暂无邮件。</span></p>` : html``}
${shown.map(article)}</main></body>
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

/** Blocks scripts and forms; links open in a new tab. */
const framed = 'allow-popups allow-popups-to-escape-sandbox'

const withNewTabs = (document: string) => document.replace('<head>', '<head><base target="_blank">')

/**
 * SendEmail of the Amazon SES API v2, the one call that the shop makes, with its limits. Fields that the SDK does not
 * send are rejected.
 */
export const sendEmailPath = '/v2/email/outbound-emails'

const text = z.strictObject({ Data: z.string().check(z.minLength(1)), Charset: z.literal('UTF-8') })
/** ASCII, with a display name of atoms, quoted or encoded (RFC 5322, 3.4). SES rejects others, or shows another name. */
const address = z
  .string()
  .check(z.regex(/^(?:(?:[\w!#$%&'*+/=?^`{|}~ -]*|"(?:[^"\\]|\\.)*" ?)<)?[!-~]+@[!-~]+>?$/), z.regex(/^[ -~]+$/))

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_MessageHeader.html */
const header = z.strictObject({
  Name: z.string().check(z.regex(/^[!-9;-~]{1,126}$/)),
  Value: z.string().check(z.regex(/^[ -~]{1,870}$/)),
})

const sendEmail = z.strictObject({
  FromEmailAddress: address,
  ReplyToAddresses: z.optional(z.array(address)),
  Destination: z.strictObject({ ToAddresses: z.array(address).check(z.minLength(1), z.maxLength(50)) }),
  ConfigurationSetName: z.optional(z.string()),
  Content: z.strictObject({
    Simple: z.strictObject({
      // SES refuses a subject with a line break.
      Subject: z.strictObject({ Data: z.string().check(z.regex(/^[^\r\n]+$/)), Charset: z.literal('UTF-8') }),
      Body: z.strictObject({ Text: text, Html: text }),
      Headers: z.optional(z.array(header).check(z.maxLength(15))),
    }),
  }),
})

/** `at` is epoch ms. */
export type SentEmail = {
  id: string
  at: number
  from: string
  to: readonly string[]
  subject: string
  text: string
  html: string
  headers: readonly { name: string; value: string }[]
}

type SesAnswer = { status: number; headers: Record<string, string>; body: object }

/** Answers a request; `keep` receives the email. */
function answerSendEmail(body: Uint8Array, now: number, keep: (mail: SentEmail) => void): SesAnswer {
  const read = readJson(sendEmail, body)
  if (!read.ok) {
    return { status: 400, headers: { 'x-amzn-errortype': 'BadRequestException' }, body: { message: read.detail } }
  }
  const { FromEmailAddress, Destination, Content } = read.value
  const { Subject, Body, Headers = [] } = Content.Simple
  const id = randomUUID()
  keep({
    id,
    at: now,
    from: FromEmailAddress,
    to: Destination.ToAddresses,
    subject: Subject.Data,
    text: Body.Text.Data,
    html: Body.Html.Data,
    headers: Headers.map(({ Name: name, Value: value }) => ({ name, value })),
  })
  return { status: 200, headers: {}, body: { MessageId: id } }
}
