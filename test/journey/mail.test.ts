/** Emails through the whole system: from the sign-in to the stream of the table and the mailbox. */
import { afterAll, describe, expect, it } from 'vitest'
import { sessionCookie } from '../../core/people/session.ts'
import { mailboxPath, type SentEmail } from '../../local/mail/mailbox.ts'
import { startDescribedStack } from '../described-stack.ts'
import { ownFolder } from './own-stack.ts'
import { buyWhenAdmitted, call, click, control, eventually, openSale, payOnPage, writtenOrder } from './support.ts'

const dataDir = await ownFolder()
const start = () => startDescribedStack({ demo: false, mail: true, scheduled: false, dataDir })
let stack = await start()
afterAll(() => stack.stop())

/**
 * The session token of a browser that signs in at the issuer with this language. Like a person, it
 * begins again when the issuer did not answer in time.
 */
const signIn = (name: string, language: string): Promise<string> => eventually(() => trySignIn(name, language))

/** Undefined when a part does not answer. */
async function trySignIn(name: string, language: string): Promise<string | undefined> {
  const jar = new Map<string, string>()
  let url = new URL('/api/sign-in?return=/', stack.url)
  while (jar.get(sessionCookie) === undefined) {
    const isForm = url.pathname === '/sign-in/' && url.searchParams.has('uid')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...jar].map((pair) => pair.join('=')).join('; '), 'accept-language': language },
      ...(isForm && { method: 'POST', body: new URLSearchParams({ shopperId: name }) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    if (response.status === 503) return undefined
    const next = response.headers.get('location')
    if (next === null) throw new Error(`${url} answered ${response.status} ${await response.text()}`)
    url = new URL(next, url)
  }
  return jar.get(sessionCookie) ?? ''
}

const mailsTo = (to: string): SentEmail[] => stack.mails().filter((mail) => mail.to.includes(to))

/** The emails to `to`, once there are `count`. */
const mailsWhen = (to: string, count: number) =>
  eventually(async () => (mailsTo(to).length >= count ? mailsTo(to).toReversed() : undefined))

describe('a shopper who has signed in', () => {
  it('gets an email to pay, one that confirms, and one about the refund, in the language of the browser', async () => {
    const token = await signIn('ann', 'zh-CN,zh;q=0.9')
    const title = 'Mug <b>& saucer</b>'
    const { saleId, startToken } = await openSale(stack, { title })
    const { orderId } = (await buyWhenAdmitted(stack, saleId, { token, startToken })).body
    await writtenOrder(stack, orderId, token)
    const [due] = await mailsWhen('ann@example.com', 1)
    expect(due?.subject).toBe(`请尽快付款：${title}`)
    expect(due?.text).toContain(`${stack.url}/orders/?id=${orderId}`)
    await payOnPage(stack, orderId, token)
    const [, confirmed] = await mailsWhen('ann@example.com', 2)
    expect(confirmed?.subject).toBe(`订单已确认：${title}`)
    expect(confirmed?.html).toContain('Mug &lt;b&gt;&amp; saucer&lt;/b&gt;')
    await control(stack, `/orders/${orderId}/refund`, {})
    const refunded = await mailsWhen('ann@example.com', 4)
    expect(refunded.map(({ subject }) => subject)).toEqual([
      `请尽快付款：${title}`,
      `订单已确认：${title}`,
      `订单已取消：${title}`,
      `退款通知：${title}`,
    ])
    const page = await (await fetch(stack.url + mailboxPath)).text()
    expect(page).toContain('订单已确认')
    expect(page).not.toContain('<b>')
  })

  it('gets an email about a red packet, with a link that unsubscribes', async () => {
    const token = await signIn('ben', 'en-GB')
    const { saleId, startToken } = await openSale(stack, {
      ...{ kind: 'red-packet', price: undefined, stock: undefined, title: 'Lucky rain' },
      ...{ limitPerShopper: undefined, maxPerOrder: undefined },
      ...{ packets: { count: 1, totalAmount: 500 }, admissionRatio: 100 },
    })
    await eventually(async () => {
      const claimed = await click(stack, `/api/sales/${saleId}/packets`, { token, body: { startToken } })
      if (claimed.status === 503) return undefined
      expect(claimed.status).toBe(200)
      return true
    })
    const [mail] = await mailsWhen('ben@example.com', 1)
    expect(mail?.subject).toBe('You got CN¥5.00: Lucky rain')
    expect(mail?.headers.map(({ name }) => name)).toEqual(['List-Unsubscribe', 'List-Unsubscribe-Post'])
  })
})

it('a data folder keeps contacts readable, and sends no email of the last run again', async () => {
  const token = await signIn('eva', 'en')
  const { saleId, startToken } = await openSale(stack)
  const first = await buyWhenAdmitted(stack, saleId, { token, startToken })
  await writtenOrder(stack, first.body.orderId, token)
  await mailsWhen('eva@example.com', 1)
  await stack.stop()
  stack = await start()
  const again = await stack.token('eva')
  await call(stack, `/api/orders/${first.body.orderId}/cancel`, { token: again, body: {} })
  const [mail] = await mailsWhen('eva@example.com', 1)
  expect(mail?.subject).toBe('Order cancelled: Stoneware mug')
  expect(stack.mails(), 'none for the orders of the last run').toHaveLength(1)
})
