/** The language of Stripe's page: the shopper's in each that Stripe speaks, and the browser's choice for every other. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { stripePayments } from '../../../../functions/orders/payments/payment-provider.stripe.ts'
import { listen } from '../../../../local/listen.ts'
import { languageTags } from '../../../../templates/messages/language-files.ts'

const client = path.join(import.meta.dirname, '../../../../node_modules/stripe/esm')
const types = readFileSync(path.join(client, 'resources/Checkout/Sessions.d.ts'), 'utf8')
const [, union = ''] = /type Locale = ([^;]+);/.exec(types) ?? []
const spoken = [...union.matchAll(/'([\w-]+)'/g)].map(([, locale = '']) => locale)

it('is one that Stripe’s client knows, for each tag of a language file, now and later', async () => {
  const asked: (string | null)[] = []
  let returns: unknown
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const form = new URLSearchParams(body)
    asked.push(form.get('locale'))
    returns = [form.get('success_url'), form.get('cancel_url')]
    const session = { id: 'cs_1', object: 'checkout.session', url: 'https://pay.example/cs_1' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(session))
  })
  const { url, stop } = await listen(server, 0)
  onTestFinished(stop)
  const payments = stripePayments({ url, apiKey: 'sk_test' }, 'https://shop.example')
  const localeOf = async (language: string | undefined) => {
    const money = { paymentId: `p-${language}`, orderId: 'mug-a', amount: 500, currency: 'EUR' }
    const times = { startedAt: Date.now(), until: Date.now() + 900_000 }
    await payments.start({ ...money, ...times, product: '1 × Mug', ...(language && { language }) })
    return asked.at(-1)
  }
  expect(spoken.length).toBeGreaterThan(40)
  await localeOf('de')
  const order = 'https://shop.example/orders/?id=mug-a'
  expect(returns, 'a shopper who paid returns to the check of the payment').toEqual([`${order}#paid`, order])
  for (const locale of spoken) expect(await localeOf(locale)).toBe(locale)
  for (const tag of languageTags) expect(spoken).toContain(await localeOf(tag))
  for (const [tag, locale] of [
    ['zh-CN', 'zh'],
    ['pt-PT', 'pt'],
    ['es-MX', 'es'],
    ['hi', 'hi-IN'],
    ['ar', 'auto'],
    [undefined, 'auto'],
  ] as const)
    expect(await localeOf(tag), tag).toBe(locale)
})
