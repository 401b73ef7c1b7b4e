/** The local service of emails, used through the adapter and the SDK that a deployment has. */
import { createServer } from 'node:http'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectSes, sesMailer } from '../../../functions/entries/adapters/mailer.ses.ts'
import { mailboxHeader } from '../../../functions/people/mailbox.ts'
import { MailerBusy, MailerFault, type OutgoingMail } from '../../../functions/people/mailer.ts'
import { type Listening, listen } from '../../../local/listen.ts'
import { createMailbox, mailboxPath, sendEmailPath, sesPrefix } from '../../../local/mail/mailbox.ts'

const settings = { from: 'Shop <orders@shop.example>', replyTo: 'help@shop.example', configurationSet: 'shop' }
const mail: OutgoingMail = {
  to: 'ann@example.com',
  subject: '订单已确认: Mug',
  text: 'Your order\n',
  html: '<p style="color:red">Your "order" & more</p>',
  unsubscribeUrl: undefined,
}

let server: Listening
let mailbox: ReturnType<typeof createMailbox>
/** The answer of the server instead of the mailbox. */
let failure: { status: number; type: string; message: string } | undefined
/** Whether it takes the request and ends the connection. */
let isCutOff = false

beforeEach(async () => {
  failure = undefined
  isCutOff = false
  mailbox = createMailbox(() => Date.UTC(2026, 10, 22))
  server = await listen(
    createServer(async (request, response) => {
      if (isCutOff) {
        request.resume().on('end', () => request.socket.destroy())
      } else if (failure !== undefined) {
        const { status, type, message } = failure
        response.writeHead(status, { 'x-amzn-errortype': type, 'content-type': 'application/json' })
        response.end(JSON.stringify({ message }))
      } else if (!(await mailbox.routes(request, response))) response.writeHead(404).end()
    }),
    0,
  )
  Object.assign(process.env, {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_SESV2: server.url + sesPrefix,
  })
})
afterEach(() => server.stop())

const send = (change: Partial<OutgoingMail> = {}, sender: Partial<typeof settings> = {}) =>
  sesMailer(connectSes(), { ...settings, ...sender }).send({ ...mail, ...change })

const page = async (query = '') => (await fetch(server.url + mailboxPath + query)).text()

describe('an email to SES', () => {
  it.each([
    '秒杀商城',
    'Müller, Söhne & Co.',
    'Shop, Inc.',
    'Shop (DE)',
    'A. Shop',
    'Ann "the shop" Lee \\ Co',
    'Größe 👨‍👩‍👧',
    '秒杀'.repeat(50),
    'Ä'.repeat(100),
    'Shop',
  ])('has the name of its sender as a person wrote it: %s', async (name) => {
    const written = [`${name} <orders@shop.example>`, `"${name.replace(/["\\]/g, '\\$&')}" <orders@shop.example>`]
    for (const from of written) {
      const sender = { from, replyTo: from.replace('orders@', 'help@') }
      expect(await send({}, sender)).toEqual({ kind: 'sent' })
      const header = mailbox.mails()[0]?.from ?? ''
      const words = header.split(' ').filter((word) => word.startsWith('=?'))
      expect(words.filter((word) => word.length > 75)).toEqual([])
      const parsed = await PostalMime.parse(`From: ${header}\r\nReply-To: ${mailboxHeader(sender.replyTo)}\r\n\r\n`)
      expect(parsed.from).toEqual({ name, address: 'orders@shop.example' })
      expect(parsed.replyTo).toEqual([{ name, address: 'help@shop.example' }])
    }
  })

  it('arrives with its sender, its recipient, and both forms of its text', async () => {
    expect(await send()).toEqual({ kind: 'sent' })
    expect(mailbox.mails()).toMatchObject([
      { from: settings.from, to: [mail.to], subject: mail.subject, text: mail.text, html: mail.html, headers: [] },
    ])
  })

  it('has the two headers of one-click unsubscription where it is offered (RFC 8058)', async () => {
    // The length of a sealed token.
    const unsubscribeUrl = `https://shop.example/api/unsubscribe?token=${'x'.repeat(400)}`
    await send({ unsubscribeUrl })
    expect(mailbox.mails()[0]?.headers).toEqual([
      { name: 'List-Unsubscribe', value: `<${unsubscribeUrl}>` },
      { name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' },
    ])
  })

  it('is refused with a line break in its subject (header injection)', async () => {
    expect(await send({ subject: 'Mug\r\nBcc: all@example.com' })).toEqual({
      kind: 'rejected',
      reason: 'BadRequestException',
    })
    expect(mailbox.mails()).toEqual([])
  })

  it('is rejected for good when SES does not want it, without a word of the address', async () => {
    failure = { status: 400, type: 'MessageRejected', message: 'Email address is not verified: ann@example.com' }
    expect(await send()).toEqual({ kind: 'rejected', reason: 'MessageRejected' })
  })

  it.each([
    [429, 'TooManyRequestsException'],
    [400, 'LimitExceededException'],
    [400, 'SendingPausedException'],
    [400, 'AccountSuspendedException'],
    [400, 'MailFromDomainNotVerifiedException'],
    [403, 'AccessDeniedException'],
  ])('was not sent, and may be later, after %i %s', async (status, type) => {
    failure = { status, type, message: 'for ann@example.com' }
    const error = await send().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(MailerBusy)
    expect(String(error)).toBe(`MailerBusy: ${type}`)
  })

  it('was probably not sent when SES says that it failed', async () => {
    failure = { status: 500, type: 'InternalFailure', message: 'for ann@example.com' }
    const failed = await send().catch((thrown: unknown) => thrown)
    expect(failed).toBeInstanceOf(MailerFault)
    expect(String(failed)).toBe('MailerFault: InternalFailure')
  })

  it('was certainly not sent without a connection', async () => {
    await server.stop()
    const unreached = await send().catch((thrown: unknown) => thrown)
    expect(unreached).toBeInstanceOf(MailerBusy)
    expect(String(unreached)).toBe('MailerBusy: ECONNREFUSED')
  })

  it('may have been sent when the connection ends without an answer', async () => {
    isCutOff = true
    const silent = await send().catch((thrown: unknown) => thrown)
    expect(silent).not.toBeInstanceOf(MailerBusy)
    expect(String(silent)).toMatch(/^MailerSilent: /)
    expect(String(silent)).not.toContain('ann')
  })
})

describe('the mailbox', () => {
  it('shows the newest email first, as text and in a frame that can run nothing', async () => {
    expect(await page()).toContain('No emails yet')
    await send()
    await send({ subject: '<b>second</b>', to: 'ben@example.com' })
    const html = await page()
    expect(html.indexOf('&lt;b&gt;second')).toBeLessThan(html.indexOf(mail.subject))
    expect(html).toMatch(/<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" /)
    expect(html).toContain('srcdoc="&lt;p style=&quot;color:red&quot;&gt;Your &quot;order&quot; &amp; more&lt;/p&gt;"')
    expect(html).not.toContain('<b>')
    const response = await fetch(server.url + mailboxPath)
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
  })

  it('opens links of an email in a tab of their own', async () => {
    await send({ html: '<html><head><title>Mug</title></head><body><a href="/orders/">Order</a></body></html>' })
    expect(await page()).toContain('&lt;head&gt;&lt;base target=&quot;_blank&quot;&gt;&lt;title&gt;Mug')
  })

  it('shows those of one shopper', async () => {
    await send()
    await send({ subject: 'second', to: 'ben@example.com' })
    const html = await page('?to=ben%40example.com')
    expect(html).toContain('second')
    expect(html).not.toContain(mail.subject)
    expect(html).toContain(`href="${mailboxPath}?to=ann%40example.com"`)
  })

  it('keeps 200 of them', async () => {
    for (let number = 0; number < 205; number += 1) await send({ subject: `mail ${number}` })
    expect(mailbox.mails()).toHaveLength(200)
    expect(mailbox.mails()[0]?.subject).toBe('mail 204')
  })

  it('refuses what the SDK does not send', async () => {
    const body = JSON.stringify({ FromEmailAddress: 'a@b.example', More: 1 })
    const response = await fetch(server.url + sesPrefix + sendEmailPath, { method: 'POST', body })
    expect([response.status, response.headers.get('x-amzn-errortype')]).toEqual([400, 'BadRequestException'])
  })
})
