/** The results of the client for each answer, one request after the other. */
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createClient, NoAnswer, type Order, type Pointer, Refused } from '../../client/client.ts'
import type * as client from '../../client/types.ts'
import type { OrderListPage, OrderView } from '../../core/api/shop.ts'
import type * as paid from '../../core/api/wallet.ts'
import { holdsUnits, orderStatuses } from '../../core/orders/order.ts'
import { type Problem, type ProblemCode, type ProblemFacts, problem } from '../../core/outcome.ts'
import type * as published from '../../core/sale/pointer.ts'
import { problemCodes } from '../problem-codes.ts'

type Answer = Response | 'lost'
type Asked = { path: string; headers: Headers; body: unknown }

const saleId = 'phone'
const worthAWait: readonly ProblemCode[] = [
  ...(['at-capacity', 'too-many-requests', 'unavailable', 'not-your-turn', 'not-started', 'paused'] as const),
]
const orderId = 'phone-aaaaaaaaaaaaaaaaaaaaaaaaaa'
const json = (body: unknown, status = 200, headers = {}): Response => Response.json(body, { status, headers })
const refusal = (code: ProblemCode, facts: ProblemFacts = {}, headers = {}): Response => {
  const rejection = problem(code, 'No.', facts)
  return json(rejection, rejection.status, { 'content-type': 'application/problem+json', ...headers })
}
const order = (change: Partial<Order> = {}): Order => ({
  ...{ orderId, saleId, quantity: 1, amount: 10, currency: 'CNY', status: 'awaiting-payment' },
  ...{ reservedAt: Date.now(), payBy: null, history: [] },
  ...change,
})
const bought = () => json({ orderId, status: 'reserved', quantity: 1, remaining: 3 }, 202)

/** A shop whose sale is open, and that answers clicks and look-ups as given, in order. */
function shopOf({
  clicks = [],
  reads = [],
  tokens = ['a'],
}: {
  clicks?: Answer[]
  reads?: Answer[]
  tokens?: string[]
}) {
  const asked: Asked[] = []
  const slept: number[] = []
  let countdowns = 0
  const shop = createClient({
    url: 'https://shop.example',
    token: () => 'session',
    random: () => 0,
    sleep: async (milliseconds) => void slept.push(milliseconds),
    fetch: async (input, init) => {
      const { pathname, search } = new URL(input)
      const path = pathname + search
      asked.push({ path, headers: new Headers(init?.headers), body: init?.body && JSON.parse(String(init.body)) })
      if (path.endsWith('/current.json')) return json({ saleId, version: 7 })
      if (path.endsWith('/countdown.7.json'))
        return json({ saleId, startsAt: 0, startToken: tokens[countdowns++] ?? tokens.at(-1) })
      if (path === '/api/pass') return json({ pass: 'fresh' }, 200, { 'x-sluice-pass': 'fresh' })
      const answer = (path.startsWith(`/api/sales/${saleId}/`) ? clicks : reads).shift()
      if (answer === undefined) throw new Error(`${path} was not expected`)
      if (answer === 'lost') throw new TypeError('no connection')
      return answer
    },
  })
  const isClick = (path: string) => path.startsWith(`/api/sales/${saleId}/`)
  const sent = () => asked.filter(({ path }) => isClick(path))
  return { shop, slept, sent, asked }
}

describe('a purchase', () => {
  it('sends session, start token and one key, and takes the order from the answer (R5)', async () => {
    const { shop, sent } = shopOf({ clicks: [bought()] })
    const purchase = await shop.buy(saleId, { quantity: 1, variant: 'm', challenge: 'solved' })
    expect(purchase).toEqual({ kind: 'won', orderId, quantity: 1, repeat: false, key: purchase.key })
    expect(sent()).toMatchObject([{ body: { quantity: 1, variant: 'm', startToken: 'a', challenge: 'solved' } }])
    expect(sent()[0]?.headers.get('authorization')).toBe('Bearer session')
    expect(sent()[0]?.headers.get('idempotency-key')).toBe(purchase.key)
  })

  it('gets a pass when one is missing, once, with the same key', async () => {
    const missing = () => refusal('sign-in-required', { field: 'pass' })
    const { shop, sent } = shopOf({ clicks: [missing(), bought()] })
    expect(await shop.buy(saleId)).toMatchObject({ kind: 'won' })
    expect(sent().map(({ headers }) => headers.get('x-sluice-pass'))).toEqual([null, 'fresh'])
    expect(new Set(sent().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    const never = shopOf({ clicks: [missing(), missing()] })
    expect(await never.shop.buy(saleId)).toMatchObject({ kind: 'refused', problem: { field: 'pass' } })
  })

  it('waits as long as the shop asks, and no longer than its patience', async () => {
    const busy = () => refusal('at-capacity', { retryAfterSeconds: 7 })
    const { shop, slept } = shopOf({ clicks: [busy(), busy(), bought()] })
    expect(await shop.buy(saleId)).toMatchObject({ kind: 'won' })
    expect(slept).toEqual([7000, 7000])
    const short = shopOf({ clicks: [busy()] })
    const refused = await short.shop.buy(saleId, { patienceMs: 1000 })
    expect(refused).toMatchObject({ kind: 'refused', problem: { code: 'at-capacity' } })
    expect(short.slept).toEqual([])
  })

  it('takes the new start token of a sale that was opened again', async () => {
    const rig = shopOf({ clicks: [refusal('stale-page'), bought()], tokens: ['a', 'b'] })
    expect(await rig.shop.buy(saleId)).toMatchObject({ kind: 'won' })
    expect(rig.sent()).toMatchObject([{ body: { startToken: 'a' } }, { body: { startToken: 'b' } }])
    const { shop } = shopOf({ clicks: [refusal('stale-page')] })
    expect(await shop.buy(saleId)).toMatchObject({ kind: 'refused', problem: { code: 'stale-page' } })
  })

  it.each(orderStatuses)('calls an order that is %s won as long as it holds its units', async (status) => {
    const { shop } = shopOf({ clicks: [json({ orderId, status, quantity: 1 })] })
    const kind = holdsUnits(status) ? 'won' : 'gone'
    expect(await shop.buy(saleId)).toMatchObject({ kind, orderId })
  })

  it.each(problemCodes)('repeats its request after %s only where a wait may help', async (code) => {
    const { shop, slept } = shopOf({ clicks: [refusal(code, {}, { 'x-sluice-gate': 'gate' }), bought()] })
    const mayHelp = worthAWait.includes(code)
    expect(await shop.buy(saleId)).toMatchObject({ kind: mayHelp ? 'won' : 'refused' })
    expect(slept).toEqual(mayHelp ? [1000] : [])
  })

  it('sends nothing before the start, and stops when its caller ends it', async () => {
    const { shop, sent } = shopOf({ tokens: [] })
    expect(await shop.buy(saleId)).toMatchObject({ kind: 'refused', problem: { code: 'not-started' } })
    expect(sent()).toEqual([])
    const stopped = shopOf({ clicks: ['lost'] })
    await expect(stopped.shop.buy(saleId, { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  })
})

it('a claim takes the packet from the answer, and says whether it was claimed before (P3)', async () => {
  const packet = { packetId: 'phone-7', amount: 88, currency: 'CNY' }
  const { shop, sent } = shopOf({ clicks: [json({ ...packet, remaining: 3 }), json({ ...packet, repeat: true })] })
  expect(await shop.claim(saleId)).toMatchObject({ kind: 'won', ...packet, repeat: false })
  expect(await shop.claim(saleId)).toMatchObject({ kind: 'won', ...packet, repeat: true })
  expect(sent()).toMatchObject([{ path: `/api/sales/${saleId}/packets`, body: { startToken: 'a' } }, {}])
})

describe('a read', () => {
  it('is repeated after a lost answer and a wait, five times at most', async () => {
    const { shop, slept } = shopOf({ reads: ['lost', refusal('unavailable', { retryAfterSeconds: 2 }), json(order())] })
    expect(await shop.order(orderId)).toMatchObject({ orderId })
    expect(slept).toEqual([1000, 2000])
    const lost = Array.from({ length: 5 }, (): Answer => 'lost')
    await expect(shopOf({ reads: lost }).shop.order(orderId)).rejects.toThrow(NoAnswer)
    await expect(shopOf({ reads: [refusal('not-found')] }).shop.order(orderId)).rejects.toThrow(Refused)
  })

  it('tells each change of an order once, until nothing can follow', async () => {
    const states = [order(), order(), order({ status: 'paid' }), order({ status: 'delivered' })]
    const { shop, slept } = shopOf({ reads: states.map((one) => json({ ...one, reservedAt: 1 })) })
    const seen = []
    for await (const { status } of shop.changes(orderId)) seen.push(status)
    expect(seen).toEqual(['awaiting-payment', 'paid', 'delivered'])
    expect(slept).toEqual([1000, 2000, 1000])
  })

  it('waits for a step of the shop with requests that are held, and polls after one that was refused (N9)', async () => {
    const history = ['reserved', 'written', 'paid'].map((what) => ({ at: 1, what, status: 'paid' as const }))
    const state = (status: Order['status'], steps: number, change: Partial<Order> = {}) =>
      json(order({ status, reservedAt: 1, history: history.slice(0, steps), ...change }))
    const busy = () => new Response('{"Message":"Rate Exceeded."}', { status: 429 })
    const { shop, slept, asked } = shopOf({
      reads: [
        ...[state('reserved', 1), state('awaiting-payment', 2, { payment: 'started' }), busy()],
        ...[state('awaiting-payment', 2, { payment: 'started' }), state('delivered', 3)],
      ],
    })
    const seen = []
    for await (const { status } of shop.changes(orderId)) seen.push(status)
    expect(seen).toEqual(['reserved', 'awaiting-payment', 'delivered'])
    const plain = `/api/orders/${orderId}`
    const held = (steps: number) => `/api/changes?order=${orderId}&after=${steps}`
    expect(asked.map(({ path }) => path)).toEqual([plain, held(1), held(2), plain, plain])
    expect(slept).toEqual([1500, 1500, 2000])
  })

  it('has each order of several pages once', async () => {
    const other = order({ orderId: `${orderId.slice(0, -1)}b` })
    const { shop } = shopOf({
      reads: [json({ orders: [order()], next: 'x' }), json({ orders: [order(), other], next: null })],
    })
    const seen = []
    for await (const one of shop.orders()) seen.push(one.orderId)
    expect(seen).toEqual([orderId, other.orderId])
  })
})

describe('the package', () => {
  it('has at most 5,000 bytes in transfer, and no dependency', async () => {
    const { outputFiles, metafile } = await build({
      ...{ entryPoints: ['client/client.ts'], bundle: true, minify: true, format: 'esm' },
      ...{ write: false, metafile: true },
    })
    expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThanOrEqual(5000)
    expect(Object.keys(metafile.inputs).filter((file) => !file.startsWith('client/'))).toEqual([])
  })

  it('has the types of what the shop answers', () => {
    // Each assignment is checked by the compiler, and that an order has no member that the client does not know.
    expectTypeOf<keyof Order>().toEqualTypeOf<keyof OrderView>()
    const views: [(view: OrderView) => client.Order, (page: OrderListPage) => client.OrderPage] = [(x) => x, (x) => x]
    const facts: [(x: published.Pointer) => Pointer, (x: published.Countdown) => client.Countdown] = [
      (x) => x,
      (x) => x,
    ]
    const toProblem: (x: Problem) => client.Problem = (x) => x
    const wallet: (x: paid.Wallet) => client.Wallet = (x) => x
    expect([...views, ...facts, toProblem, wallet]).toHaveLength(6)
  })
})
