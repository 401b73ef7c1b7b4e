/**
 * No log line holds what a shopper sent. Each deployed bundle gets a request full of personal data
 * while every service that it needs is unreachable, and all that it prints is searched.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { dist } from '../../build.ts'
import { shopOriginHeader } from '../../core/people/sign-in-paths.ts'
import { environmentAt } from '../../proof/bench/edge/environment.ts'
import { orderIdOf, saleIdOf } from '../redis/support.ts'

const orderId = orderIdOf(saleIdOf('lamp'), 1, 1)

/** Personal data that a request may contain and no log may. */
const personal = {
  email: 'wei.zhang.1987@private-mail.example',
  phone: '+4915112345678',
  street: 'Rosenthaler-Strasse-4711',
  card: '4242424242424242',
  address: '203.0.113.77',
  token: 'eyJhbGciOiJFUzI1NiJ9.cGxhbnRlZC1zZXNzaW9u.c2lnbmF0dXJl',
  code: 'planted-code-of-the-issuer',
  name: 'Zhang-Wei-Planted',
}

const elsewhere = environmentAt('http://127.0.0.1:9')

const environment: Record<string, string> = {
  ...elsewhere,
  SIGN_IN: elsewhere.SIGN_IN?.replace('https://issuer.example', 'https://127.0.0.1:9') ?? '',
  GATE_REDIS_REST_TOKEN: 'planted-token-of-the-gate',
  PAYMENT_API_KEY: 'planted-key-of-the-provider',
  AWS_SECRET_ACCESS_KEY: 'planted-key-of-aws',
  POWERTOOLS_LOG_LEVEL: 'DEBUG',
}
const webhookSecret = environment.WEBHOOK_SECRET ?? ''

const headers = {
  'content-type': 'application/json',
  'x-shopper-id': 'ann',
  'x-shopper-roles': 'marketer',
  'x-request-id': 'request-1',
  [shopOriginHeader]: 'https://shop.example',
  'x-forwarded-for': personal.address,
  'x-shopper-name': personal.name,
  authorization: `Bearer ${personal.token}`,
  'idempotency-key': '0b5b1a52-26a8-4f08-9a9a-3d3f6f1b7a10',
}

type Request = { method: string; path: string; query?: string; body?: object; more?: Record<string, string> }

const bought = { quantity: 1, startToken: 's'.repeat(43) }
const inBody = { ...personal, delivery: { ...personal } }

/** A message that its provider has signed, with more than the shop asks for. */
function webhook(): Request {
  const data = { paymentId: `${orderId}.1`, orderId, amount: 100, currency: 'EUR', ...personal }
  const body = { type: 'payment.succeeded', data, ...personal }
  const at = new Date()
  const signed = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(webhookSecret).sign('msg_1', at, JSON.stringify(body)),
  }
  return { method: 'POST', path: '/api/payments/webhook', body, more: signed }
}

const sale = {
  ...{
    saleId: 'lamp',
    kind: 'goods',
    title: 'A lamp',
    description: 'One lamp.',
    pictures: [{ src: '/assets/lamp.svg', alt: 'The product' }],
  },
  ...{ currency: 'EUR', price: 100, stock: 1, limitPerShopper: 1, maxPerOrder: 1 },
  ...{ startsAt: Date.now(), endsAt: Date.now() + 60_000 },
}

/** `fails`: it reaches a service, so there is a failure to log. */
const requests: [name: string, request: Request, fails: boolean][] = [
  ['reserve', { method: 'POST', path: '/api/sales/lamp/orders', body: bought }, true],
  ['reserve', { method: 'POST', path: '/api/sales/lamp/orders', body: { ...bought, ...inBody } }, false],
  ['orders', { method: 'GET', path: `/api/orders/${orderId}`, query: `email=${personal.email}` }, true],
  ['order-changes', { method: 'POST', path: `/api/orders/${orderId}/pay`, body: {} }, true],
  ['order-changes', { method: 'POST', path: `/api/orders/${orderId}/pay`, body: inBody }, false],
  ['payments', webhook(), true],
  ['payments', { ...webhook(), more: {} }, false],
  ['control', { method: 'POST', path: '/api/control/sales', body: sale }, true],
  ['delivery', { method: 'POST', path: '/api/control/orders/find', body: { find: personal.email } }, true],
  ['sign-in', { method: 'GET', path: '/api/sign-in', query: `back=/&login_hint=${personal.email}` }, true],
  [
    'sign-in',
    { method: 'GET', path: '/api/sign-in/callback', query: `code=${personal.code}&state=${personal.name}` },
    false,
  ],
]

function eventOf({ method, path, query = '', body, more }: Request): object {
  return {
    ...{ rawPath: path, rawQueryString: query, isBase64Encoded: false },
    headers: { ...headers, ...more },
    cookies: [`sluice_session=${personal.token}`, `sluice_sign_in=${personal.token}`],
    ...(body && { body: JSON.stringify(body) }),
    requestContext: { http: { method } },
  }
}

type Printed = { statuses: number[]; lines: string[] }

/**
 * All that the bundles print while they answer, and their statuses, request by request. They share one process: to start
 * one for each would take more time than all else.
 */
async function printedByAll(): Promise<Printed> {
  const asked = requests.map(([name, request]) => ({
    file: pathToFileURL(join(dist, 'functions', name, 'handler.mjs')).href,
    event: eventOf(request),
  }))
  const program = `
    const answers = JSON.parse(process.env.ASKED).map(async ({ file, event }) => (await import(file)).handler(event))
    const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
    console.log(JSON.stringify(statuses))
    process.exit()`
  const env = { ...environment, ASKED: JSON.stringify(asked) }
  const options = { env, timeout: 100_000, maxBuffer: 16 * 1024 * 1024 }
  const args = ['--input-type=module', '-e', program]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options)
  const lines = stdout.trimEnd().split('\n')
  const statuses = z.array(z.number()).parse(JSON.parse(lines.pop() ?? ''))
  return { statuses, lines: [...lines, ...stderr.split('\n')] }
}

describe('the log of failed requests', () => {
  let printed: Printed
  beforeAll(async () => {
    printed = await printedByAll()
  })

  const failed = [...requests.entries()].flatMap(([at, [name, , fails]]) => (fails ? [{ at, name }] : []))

  it.each(failed)('has a line of $name', ({ at, name }) => {
    expect(printed.statuses[at]).toBe(503)
    const parts = ['"level":"ERROR"', `"service":"${name}"`]
    expect(printed.lines.filter((line) => parts.every((part) => line.includes(part)))).not.toEqual([])
  })

  it('holds nothing that a shopper sent, and no secret', () => {
    const secrets = [
      ...Object.values(personal),
      'planted-token-of',
      'planted-key-of',
      webhookSecret,
      environment.SIGN_IN_COOKIE_KEYS ?? '',
    ]
    expect(printed.lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
  })
})
