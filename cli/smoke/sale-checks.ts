/**
 * Checks the roles of a session. Then runs a sale of one unit through every tier: a coupon to a fulfilled order, or goods
 * to a paid one. At the end, also after a failure, it refunds the order and closes or deletes the sale.
 */
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type BuyOptions, createClient, type Purchase } from '../../client/client.ts'
import type { Fetch } from '../../client/http.ts'
import { controlApi } from '../../core/api/control-answers.ts'
import { shopApi } from '../../core/api/shop.ts'
import { clockHeader } from '../../core/gate/cors.ts'
import { readJson } from '../../core/lib/parse.ts'
import { findingsAtRest } from '../../proof/invariants/invariants.ts'
import type { ObservedSale } from '../../proof/invariants/snapshot.ts'
import { hintFor } from './diagnosis.ts'
import { failed, ok, type SmokeCheck, type SmokeFinding, skipped } from './finding.ts'
import { type Pause, problemCodeOf, type SendRequest, type SmokeReply, summarizeReply } from './request.ts'

/** The sale ends by itself if the program is killed. */
const saleLastsMs = 10 * 60_000

/** Flags are at most a second old, and the gate sees a new sale a little later. */
const openTimeoutMs = 30_000
const buyTimeoutMs = 20_000
/** Longer than the batching window. */
const orderTimeoutMs = 30_000
const pollMs = 500

const pointer = z.looseObject({ phase: z.string() })
const order = z.looseObject({ status: z.string(), coupons: z.optional(z.array(z.string())) })

/** State from step to step; `mayExist` until it is certain that no sale was created. */
type Sale = { product: SmokeProduct; saleId: string; mayExist: boolean; isStarted: boolean; orderId: string }

export type SaleChecks = {
  /** In order; each depends on all before it. */
  steps: SmokeCheck[]
  /** Runs last, also after a failure; needs a `request` without an expired deadline. */
  cleanUp: (request: SendRequest) => SmokeCheck
}

const products = {
  coupon: { kind: 'coupon', pictures: [{ src: '/assets/pictures/ticket.svg', alt: 'The product' }] },
  goods: { kind: 'goods', pictures: [{ src: '/assets/pictures/mug.svg', alt: 'The product' }], price: 100 },
} as const
export type SmokeProduct = keyof typeof products

/** Returns the checks. `token` is a marketer's session, which also buys. */
export function saleChecks(request: SendRequest, pause: Pause, token: string, product: SmokeProduct): SaleChecks {
  const sale: Sale = {
    product,
    saleId: `smoke-${Date.now().toString(36)}`,
    mayExist: true,
    isStarted: false,
    orderId: '',
  }
  return {
    steps: [
      createCheck(request, token, sale),
      startCheck(request, token, sale),
      openCheck(request, pause, sale),
      buyCheck(request, pause, token, sale),
      ...(product === 'coupon' ? [orderCheck(request, pause, token, sale)] : []),
      numbersCheck(request, pause, token, sale),
      ...(product === 'goods' ? [paymentCheck(request, pause, token, sale)] : []),
    ],
    cleanUp: (later) => cleanUp(later, token, sale),
  }
}

/**
 * Checks the roles of the session. A person gets roles at the sign-in, by a group of the issuer and a second factor. A
 * token of `session token` has the roles that it was signed with, so it proves only the keys.
 */
export const sessionCheck = (request: SendRequest, token: string): SmokeCheck => ({
  name: 'the session',
  expected: 'a marketer’s',
  async run() {
    const reply = await request(controlApi.whoAmI.path, { token })
    const read = readJson(controlApi.whoAmI.answer, reply.text)
    if (reply.status === 200 && read.ok) {
      const received = `${read.value.roles.join(', ')}, as ${read.value.who}`
      return read.value.roles.includes('marketer') ? ok(received) : failed(received, noMarketer)
    }
    const hints: Readonly<Record<string, string>> = { 'sign-in-required': noSession, 'role-required': noMarketer }
    return failed(textOf(reply), hints[problemCodeOf(reply) ?? ''] ?? hintFor(reply))
  },
})

const noSession =
  'It has ended, or none of the keys in the secret `edge` has signed it: sign in again, or use `npm run session -- token --stage …`.'
const noMarketer =
  'A person has the role after a sign-in with a second factor and the group `marketer`: `npm run setup -- --stage …` makes both. A token of `session token` needs --role marketer.'

const createCheck = (request: SendRequest, token: string, sale: Sale): SmokeCheck => ({
  name: `create ${sale.saleId}`,
  expected: '201',
  async run() {
    const startsAt = Date.now()
    const definition = {
      saleId: sale.saleId,
      ...products[sale.product],
      title: 'Smoke test',
      description: 'Opened by a smoke test, which closes it a moment later.',
      currency: 'EUR',
      stock: 1,
      limitPerShopper: 1,
      maxPerOrder: 1,
      startsAt,
      endsAt: startsAt + saleLastsMs,
    }
    const reply = await request('/api/control/sales', { method: 'POST', token, body: definition })
    sale.mayExist = reply.status === 201 || reply.status >= 500
    return reply.status === 201 ? ok(`201, one unit: ${sale.product}`) : rejected(reply)
  },
})

const startCheck = (request: SendRequest, token: string, sale: Sale): SmokeCheck => ({
  name: 'start it',
  expected: '200',
  async run() {
    const reply = await request(`/api/control/sales/${sale.saleId}/start`, { method: 'POST', token, body: {} })
    sale.isStarted = reply.status === 200
    return sale.isStarted ? ok('200') : rejected(reply)
  },
})

const openCheck = (request: SendRequest, pause: Pause, sale: Sale): SmokeCheck => ({
  name: 'its pointer',
  expected: `open within ${openTimeoutMs / 1000} s, with the time`,
  run: () =>
    until(openTimeoutMs, pause, async () => {
      const reply = await request(`/sales/${sale.saleId}/current.json`)
      const read = readJson(pointer, reply.text)
      if (reply.status !== 200 || !read.ok) return { isFinal: false, finding: rejected(reply) }
      const { phase } = read.value
      return phase === 'open' ? finalResult(checkClock(reply)) : { isFinal: false, finding: failed(phase) }
    }),
})

/** Two synchronised clocks differ by less. */
const clockToleranceMs = 5000

/** Checks the time in the pointer's answer, by which pages open. */
function checkClock({ headers }: SmokeReply): SmokeFinding {
  const time = headers.get(clockHeader)
  if (time !== null && Math.abs(Number(time) - Date.now()) <= clockToleranceMs) return ok('open, with the time')
  return failed(
    `${clockHeader}: ${time ?? 'none'}`,
    'Is the function `clock` attached to the behaviour of the pointer?',
  )
}

/**
 * Buys with the published client, one try at a time. All tries have the same key, so a lost answer does not cause a second
 * purchase. The gate issues a shopper few passes a minute, and the client reuses its one.
 */
const buyCheck = (request: SendRequest, pause: Pause, token: string, sale: Sale): SmokeCheck => {
  const how: BuyOptions = { key: randomUUID(), patienceMs: 0 }
  const clicks: SmokeReply[] = []
  const fetch: Fetch = async (path, { method, headers, body } = {}) => {
    const reply = await request(path, {
      ...(method === 'POST' && { method, body: JSON.parse(String(body)) }),
      headers: Object.fromEntries(new Headers(headers)),
    })
    if (method === 'POST') clicks.push(reply)
    return { ...reply, ok: reply.status >= 200 && reply.status < 300, text: async () => reply.text }
  }
  const shop = createClient({ url: '', token: () => token, fetch, sleep: pause })
  return {
    name: 'buy one unit',
    expected: '202 reserved',
    run: () =>
      until(buyTimeoutMs, pause, async () => {
        const bought = await shop.buy(sale.saleId, how)
        const last = clicks.at(-1)
        if (bought.kind === 'won') {
          sale.orderId = bought.orderId
          return finalResult(ok(`${last?.status ?? 'found'} reserved, ${sale.orderId}`))
        }
        const isFinal = bought.kind !== 'refused' || !isNotYet(bought.problem)
        return { isFinal, finding: last === undefined ? failed(resultCode(bought)) : rejected(last) }
      }),
  }
}

const resultCode = (bought: Purchase) => (bought.kind === 'refused' ? bought.problem.code : bought.kind)

/** True for an answer of an instance of the gate that does not have the sale yet. */
const isNotYet = ({ status }: { status: number }): boolean => [404, 425, 503].includes(status)

const orderCheck = (request: SendRequest, pause: Pause, token: string, sale: Sale): SmokeCheck => ({
  name: 'the order',
  expected: `fulfilled, with a code, within ${orderTimeoutMs / 1000} s`,
  run: () =>
    until(orderTimeoutMs, pause, async () => {
      const reply = await request(`/api/orders/${sale.orderId}`, { token })
      const read = readJson(order, reply.text)
      if (reply.status !== 200 || !read.ok) return { isFinal: !isNotYet(reply), finding: rejected(reply) }
      const { status, coupons = [] } = read.value
      if (status === 'reserved') {
        return {
          isFinal: false,
          finding: failed(
            status,
            'Is the queue of orders connected to write-orders? See its log and the dead letters.',
          ),
        }
      }
      const isComplete = status === 'fulfilled' && coupons.length === 1
      return finalResult(isComplete ? ok('fulfilled, with a code') : failed(`${status}, codes: ${coupons.length}`))
    }),
})

/** Redis, the table and the page follow the order within seconds. */
const numbersCheck = (request: SendRequest, pause: Pause, token: string, sale: Sale): SmokeCheck => ({
  name: 'its numbers',
  expected: `one order in Redis, the table and on the page within ${orderTimeoutMs / 1000} s`,
  run: () =>
    until(orderTimeoutMs, pause, async () => {
      const { product: kind, saleId, orderId } = sale
      const read = await readSale(request, token, { kind, saleId, orderId })
      if ('text' in read) return { isFinal: !isNotYet(read), finding: rejected(read) }
      const [worst] = findingsAtRest(read)
      if (worst === undefined) return finalResult(ok('one order in Redis, the table and on the page'))
      return { isFinal: false, finding: failed(`${worst.rules.join(', ')}: ${worst.text}`) }
    }),
})

const opened = z.looseObject({ url: z.string() })

/** The page of the simulated provider is part of the shop; that of a real provider is not. */
const ownPage = /^\/(?!\/)/
const realMoney = 'takes real money, and a smoke test spends none'

/** Pays at the simulated provider. With a real provider it only requests the page. */
const paymentCheck = (request: SendRequest, pause: Pause, token: string, sale: Sale): SmokeCheck => {
  const path = () => `/api/orders/${sale.orderId}`
  let page: string | undefined
  return {
    name: 'pay the order',
    expected: `paid within ${orderTimeoutMs / 1000} s`,
    run: () =>
      until(orderTimeoutMs, pause, async () => {
        if (page === undefined) {
          const reply = await request(`${path()}/pay`, { method: 'POST', token, body: {} })
          const read = readJson(opened, reply.text)
          // The order is not written yet, or the instance has not read it.
          const isEarly = isNotYet(reply) || reply.status === 409
          if (reply.status !== 200 || !read.ok) return { isFinal: !isEarly, finding: rejected(reply) }
          const { url } = read.value
          if (!ownPage.test(url)) return finalResult(skipped(`not paid: ${URL.parse(url)?.host} ${realMoney}`))
          page = url
          const choice = await request(page, { method: 'POST', form: { choice: 'pay' } })
          if (choice.status !== 303) return finalResult(rejected(choice))
        }
        const reply = await request(path(), { token })
        const read = readJson(order, reply.text)
        if (reply.status !== 200 || !read.ok) return { isFinal: !isNotYet(reply), finding: rejected(reply) }
        if (read.value.status === 'paid') return finalResult(ok('paid at the simulated provider'))
        // Loading the page resends a webhook that the shop did not acknowledge.
        await request(page)
        return { isFinal: read.value.status !== 'awaiting-payment', finding: failed(read.value.status, noWebhookHint) }
      }),
  }
}

const noWebhookHint =
  'Did the webhook reach the shop? See the logs of payment-simulator and payments, and the secret `payments`.'

/** Deletes a sale that was not started, and closes any other; a started sale stays in the list. */
const cleanUp = (request: SendRequest, token: string, sale: Sale): SmokeCheck => ({
  name: 'clean up',
  expected: 'the sale closed or deleted',
  async run() {
    if (!sale.mayExist) return ok('no sale was created')
    const path = `/api/control/sales/${sale.saleId}`
    if (!sale.isStarted) {
      const gone = await request(path, { method: 'DELETE', token })
      if (gone.status === 404) return ok('no sale was created')
      if (gone.status < 300) return ok('deleted')
      // The sale was started, and only the answer was lost.
      if (gone.status !== 409) return cleanUpFailed(gone, sale)
    }
    const { product, orderId } = sale
    const back =
      product === 'coupon' || orderId === ''
        ? undefined
        : await request(`/api/control/orders/${orderId}/refund`, { method: 'POST', token, body: {} })
    const closed = await request(`${path}/close`, { method: 'POST', token, body: {} })
    if (back !== undefined && back.status !== 200)
      return failed(summarizeReply(back), manualCommand(`refund ${orderId}`))
    return closed.status === 200
      ? ok(`closed; ${sale.saleId} stays in the list, as every started sale`)
      : cleanUpFailed(closed, sale)
  },
})

function cleanUpFailed(reply: SmokeReply, { saleId }: Sale): SmokeFinding {
  return failed(summarizeReply(reply), manualCommand(`close ${saleId}`))
}

const manualCommand = (command: string) => `Do it by hand: npm run sale -- ${command} --url … --token …`

const rejected = (reply: SmokeReply): SmokeFinding => failed(textOf(reply), hintFor(reply))

const problemDetail = z.looseObject({ detail: z.string() })

/** Summarizes a reply with the detail of its problem. */
function textOf(reply: SmokeReply): string {
  const read = readJson(problemDetail, reply.text)
  return read.ok ? `${summarizeReply(reply)} (${read.value.detail})` : summarizeReply(reply)
}

type Attempt = { isFinal: boolean; finding: SmokeFinding }

const finalResult = (finding: SmokeFinding): Attempt => ({ isFinal: true, finding })

/** Polls until a finding is final, or until the timeout, and returns the last one. */
async function until(timeoutMs: number, pause: Pause, attempt: () => Promise<Attempt>): Promise<SmokeFinding> {
  const endsAt = Date.now() + timeoutMs
  for (;;) {
    const { isFinal, finding } = await attempt()
    if (isFinal || Date.now() >= endsAt) return finding
    await pause(pollMs)
  }
}

type SaleOfTest = { kind: 'coupon' | 'goods'; saleId: string; orderId: string }

const leftOnPage = z.looseObject({ remaining: z.number() })

/**
 * Reads the sale as its marketer and shopper see it from outside, for the invariants. The marketer bought its only unit.
 * Returns an unexpected reply instead.
 */
async function readSale(
  request: SendRequest,
  token: string,
  { kind, saleId, orderId }: SaleOfTest,
): Promise<ObservedSale | SmokeReply> {
  const [liveReply, ordersReply, pageReply] = await Promise.all([
    request(`/api/control/sales/${saleId}/live`, { token }),
    request(`/api/orders?sale=${saleId}`, { token }),
    request(`/sales/${saleId}/current.json`),
  ])
  const live = readJson(controlApi.getLive.answer, liveReply.text)
  const list = readJson(shopApi.listOrders.answer, ordersReply.text)
  const page = readJson(leftOnPage, pageReply.text)
  if (!live.ok) return liveReply
  if (!list.ok) return ordersReply
  const { stock, outbox, orders: table } = live.value
  const shopperId = 'marketer'
  const orders = list.value.orders.filter(({ status }) => status !== 'reserved')
  return {
    sale: { kind, stock: 1, limitPerShopper: 1 },
    orders: orders.map(({ orderId, quantity, status, coupons }) => ({ orderId, shopperId, quantity, status, coupons })),
    answered: [{ orderId, shopperId, units: [{ quantity: 1 }] }],
    redis: { total: stock?.total ?? 0, booked: stock?.booked ?? 0, outbox: outbox ?? Number.NaN },
    table,
    shown: { left: page.ok ? page.value.remaining : undefined },
  }
}
