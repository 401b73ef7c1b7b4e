import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { HttpClient, HttpReply } from '../../../proof/rush/http.ts'
import { purchasesOf } from '../../../proof/rush/requests.ts'
import { clickUntilDone, traitsOf, type VirtualShopper } from '../../../proof/rush/shopper.ts'

const ann: VirtualShopper = { shopperId: 'ann', token: 't', pass: undefined, key: 'k1' }

const reply = (status: number, body: unknown, retryAfterSeconds?: number): HttpReply => ({
  status,
  body,
  retryAfterSeconds,
  atGate: false,
  isCounted: true,
})

const refusal = (status: number, code: string, more: object = {}): HttpReply =>
  reply(status, { code, detail: 'No.', ...more }, 0)

/** An answer of the gate itself. */
const atGate = (status: number, code: string, more: object = {}): HttpReply => ({
  ...refusal(status, code, more),
  atGate: true,
})

/** The connections of a shopper in front of a system that gives these answers to clicks, one after the other. */
function clientOf(replies: (HttpReply | undefined)[], orders: unknown) {
  const lookups: string[] = []
  const keys: unknown[] = []
  const fetch: HttpClient['fetch'] = (onPost) => async (input, init) => {
    const path = input.slice('http://shop'.length)
    const isPost = init?.method === 'POST'
    if (isPost) keys.push(new Headers(init.headers).get('idempotency-key'))
    else lookups.push(path)
    const given = isPost ? replies.shift() : reply(200, { orders, next: null })
    if (isPost) onPost({ ms: 1, reply: given })
    if (given === undefined) throw new TypeError('no answer')
    const headers = new Headers({
      ...(given.atGate && { 'x-sluice-gate': 'refused' }),
      ...(given.retryAfterSeconds !== undefined && { 'retry-after': String(given.retryAfterSeconds) }),
    })
    const { status, body } = given
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
  }
  const client: Pick<HttpClient, 'origin' | 'fetch'> = { origin: 'http://shop', fetch }
  return { client: client as HttpClient, lookups, keys }
}

type Play = Partial<Parameters<typeof clickUntilDone>[1]> & {
  orders?: unknown
  choices?: Parameters<typeof purchasesOf>[3]
}

/** Runs a shopper against these answers, with automatic time. */
async function play(replies: (HttpReply | undefined)[], { orders = [], choices, ...change }: Play = {}) {
  const { client, lookups, keys } = clientOf(replies, orders)
  const codes: string[] = []
  const sale = { saleId: 'mug', startToken: 'token-1' }
  const played = clickUntilDone(ann, {
    ...purchasesOf(client, sale, 1, choices),
    onTry: ({ code }) => codes.push(code),
    random: () => 0,
    patienceMs: 5000,
    ...change,
  })
  const [ending] = await Promise.all([played, vi.runAllTimersAsync()])
  return { ending, keys, codes, lookups }
}

const order = { orderId: 'o1', quantity: 1, status: 'reserved', saleId: 'mug' }
const won = { kind: 'won', win: { orderId: 'o1', quantity: 1 } }

describe('a virtual shopper', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  it('chooses another variant while there is one', async () => {
    let choices = 0
    const { ending, keys } = await play([refusal(410, 'sold-out'), reply(202, order)], {
      choices: {
        of: () => ({ quantity: 1, variant: 'm', key: `k${choices}` }),
        chooseAgain: () => {
          choices += 1
          return choices === 1
        },
        wanted: new Map(),
      },
    })
    expect(ending).toMatchObject(won)
    expect(keys).toEqual(['k0', 'k1'])
  })

  it('gives up when its patience ends before an answer', async () => {
    const { ending } = await play([undefined], { patienceMs: 500 })
    expect(ending).toEqual({ kind: 'gave-up', inDoubt: true })
  })

  it.each<[string, HttpReply | undefined]>([
    ['no answer arrived', undefined],
    ['a function failed', refusal(503, 'unavailable')],
    ['the distribution answered for a function', reply(502, '<html>', 0)],
  ])('is in doubt when %s, even if the gate then answers sold out', async (_, lost) => {
    const { ending } = await play([lost, atGate(410, 'sold-out', { remaining: 0 })])
    expect(ending).toMatchObject({ kind: 'refused', code: 'sold-out', inDoubt: true })
  })

  it('is not in doubt when only the gate received its requests', async () => {
    const full = atGate(429, 'at-capacity')
    const { ending } = await play([full, full, atGate(410, 'sold-out', { remaining: 0 })])
    expect(ending).toMatchObject({ kind: 'refused', inDoubt: false })
  })

  it('is not in doubt when a function answers sold out after a lost answer', async () => {
    const { ending } = await play([undefined, refusal(410, 'sold-out', { remaining: 0 })])
    expect(ending).toMatchObject({ kind: 'refused', inDoubt: false })
  })

  const soldOut = atGate(410, 'sold-out', { remaining: 0, lookup: '/api/orders?sale=mug' })

  it('finds the order of a lost answer at the path that the refusal names (I5)', async () => {
    const orders = [
      { ...order, orderId: 'o0', status: 'cancelled' },
      { ...order, status: 'paid' },
    ]
    const { ending, lookups } = await play([undefined, soldOut], { orders })
    expect(lookups).toEqual(['/api/orders?sale=mug'])
    expect(ending).toMatchObject(won)
    expect((await play([undefined, soldOut])).ending).toMatchObject({ kind: 'refused', inDoubt: true })
  })

  it('ignores Retry-After as a bot where the first click wins, and heeds it in a mode that keeps its unit', () => {
    const bots = [false, true].flatMap((keepsUnits) => traitsOf(1, { keepsUnits }, () => 0))
    expect(bots.map(({ isBot }) => isBot)).toEqual([true, true])
    expect(bots.map(({ ignoresRetryAfter }) => ignoresRetryAfter)).toEqual([true, false])
  })
})
