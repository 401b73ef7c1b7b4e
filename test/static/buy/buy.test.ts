import { describe, expect, it } from 'vitest'
import { buy, type ChosenUnits, checkPendingClick } from '../../../static/buy/buy.ts'
import { noPass, type Reply, refusal, shopOfAnswers, tabStore } from '../shop-of-answers.ts'

const orderId = `mug-${'a'.repeat(26)}`
const buyPath = 'POST /api/sales/mug/orders'
const lookPath = 'GET /api/orders?sale=mug'
const won: Reply = { status: 202, body: { orderId, status: 'reserved', quantity: 1, remaining: 9 } }
const noOrders: Reply = { status: 200, body: { orders: [] } }
const orderAt = (reservedAt: number, status = 'reserved'): Reply => {
  const order = { orderId, saleId: 'mug', quantity: 1, amount: 10, currency: 'EUR', status, reservedAt }
  return { status: 200, body: { orders: [{ ...order, payBy: null }] } }
}

function visit(replies: Record<string, Reply[]>, store = tabStore()) {
  const { fetch, asked } = shopOfAnswers(replies)
  let checks = 0
  const onChecking = () => {
    checks += 1
  }
  const waits: number[] = []
  const wait = async (milliseconds: number) => void waits.push(milliseconds)
  const device = { online: true }
  const ports = { fetch, store, onChecking, wait, random: () => 0.5, online: () => device.online }
  const click = (
    key: string,
    change: { startToken?: string; now?: number; challenge?: string; units?: ChosenUnits } = {},
  ) =>
    buy(ports, {
      ...{
        saleId: 'mug',
        startToken: 'token-1',
        seen: '4.49000',
        units: { quantity: 1 },
        challenge: undefined,
        key,
        now: 50_000,
      },
      ...change,
    })
  const look = (now = 120_000) => checkPendingClick(ports, 'mug', now)
  return { click, look, asked, store, waits, device, checks: () => checks }
}

const keys = (asked: { key: string | null }[]) => asked.map(({ key }) => key).filter((key) => key !== null)

describe('a click on buy', () => {
  it('sends exactly one request with quantity, start token and key (C7)', async () => {
    const { click, asked } = visit({ [buyPath]: [won] })
    expect(await click('k1')).toMatchObject({ kind: 'won', orderId, repeat: false })
    expect(asked).toEqual([
      {
        path: '/api/sales/mug/orders',
        method: 'POST',
        key: 'k1',
        seen: '4.49000',
        body: { quantity: 1, startToken: 'token-1' },
      },
    ])
  })

  it('sends the variant, how many of it and the solved challenge, and the same under the same key again (N1, R5, I5)', async () => {
    const { click, asked } = visit({ [buyPath]: ['lost', won], [lookPath]: [noOrders] })
    const units = { quantity: 3, variant: 'm' }
    await click('k1', { units, challenge: 'c29sdmVk' })
    await click('k2', { units, challenge: 'c29sdmVk' })
    const sent = asked.filter(({ method }) => method === 'POST')
    const body = { quantity: 3, variant: 'm', startToken: 'token-1', challenge: 'c29sdmVk' }
    expect(sent.map((one) => one.body)).toEqual([body, body])
    expect(keys(asked)).toEqual(['k1', 'k1'])
  })

  it('tells how many are left and how long to wait', async () => {
    const { click } = visit({
      [buyPath]: [
        refusal('sold-out', 410, { remaining: 2 }),
        refusal('too-many-requests', 429, { retryAfterSeconds: 42 }),
      ],
    })
    expect(await click('k1')).toEqual({
      kind: 'refused',
      code: 'sold-out',
      remaining: 2,
      retryAfterSeconds: 0,
      atGate: false,
    })
    expect(await click('k2')).toMatchObject({ code: 'too-many-requests', retryAfterSeconds: 42 })
  })
})

/** `offline` are the clicks that the device makes without a connection. */
type Played = [what: string, buys: Reply[], looks: Reply[], outcomes: unknown[], keys?: string[], offline?: number[]]

describe('the outcome of each click in turn', () => {
  const ours = expect.objectContaining({ kind: 'won', orderId, repeat: false })
  const unsure = expect.objectContaining({ kind: 'unsure' })
  const busy = { kind: 'busy', retryAfterSeconds: 0 }
  const refused = (code: string, more: object = {}) => expect.objectContaining({ kind: 'refused', code, ...more })
  const soldOut = refusal('sold-out', 410, { remaining: 0 })
  const signIn = refusal('sign-in-required', 401)
  const ofGate = { 'x-sluice-gate': 'refused' }
  const full: Reply = { ...refusal('at-capacity', 429, { retryAfterSeconds: 2 }), headers: ofGate }
  const cancelled: Reply = { status: 200, body: { orderId, status: 'cancelled', quantity: 0 } }

  type Rest = [buys: Reply[], looks: Reply[], outcomes: unknown[]]
  /** The first try and its look are lost; `refusal` answers the second try, and `found` its look. */
  const retried = (refusal: Reply, found: Reply, outcome: unknown): Rest => [
    ['lost', refusal],
    ['lost', found],
    [unsure, outcome],
  ]

  it.each<Played>([
    [
      'takes a repeat for the win it is (I5)',
      [{ status: 200, body: { orderId, quantity: 1 } }],
      [],
      [expect.objectContaining({ kind: 'won', orderId, repeat: true })],
    ],
    [
      'begins a new key after every definite answer',
      [won, soldOut, won],
      [],
      [ours, refused('sold-out'), ours],
      ['k1', 'k2', 'k3'],
    ],
    [
      'says which variant lacks units (N1)',
      [refusal('sold-out', 410, { remaining: 4, variant: 's' })],
      [],
      [refused('sold-out', { variant: 's' })],
    ],
    ['asks for no pass when the session is missing', [signIn], [], [refused('sign-in-required')]],
    [
      'costs no look where the gate itself turns it away: no function heard of it',
      [full, won],
      [],
      [refused('at-capacity', { retryAfterSeconds: 2, atGate: true }), ours],
      ['k1', 'k2'],
    ],
    ['is found by a look before a message is shown (I5)', ['lost'], [orderAt(50_010)], [ours]],
    ['is not an older order', ['lost'], [orderAt(10_000)], [busy]],
    ['is busy where no order is found', ['lost'], [noOrders], [busy]],
    ['is unsure when not even the look was answered (I6)', [refusal('unavailable', 503)], ['lost'], [unsure]],
    ['says so when the shopper was signed out meanwhile', ['lost'], [signIn], [refused('sign-in-required')]],
    [
      'does not believe a refusal of the retry while the first try may have won (I2)',
      ...retried(soldOut, orderAt(50_020), ours),
    ],
    ['does not believe the gate’s refusal either', ...retried(full, orderAt(50_020), ours)],
    ['believes the refusal when no order is found', ...retried(soldOut, noOrders, refused('sold-out'))],
    [
      'believes the refusal when the only order found does not stand',
      ...retried(soldOut, orderAt(50_010, 'cancelled'), refused('sold-out')),
    ],
    [
      'begins anew when its order was given back since: a fresh key, and no word of a win (I5)',
      ['lost', cancelled, won],
      ['lost'],
      [unsure, expect.objectContaining({ kind: 'gone', orderId }), ours],
      ['k1', 'k1', 'k3'],
    ],
    [
      'is known never to have left a device without a connection: no look, and it is sent later under the same key (I5)',
      ['lost', won],
      [],
      [{ kind: 'offline' }, ours],
      ['k1', 'k1'],
      [0],
    ],
    [
      'needs no look for an order when it is refused after it was kept',
      ['lost', soldOut],
      [],
      [{ kind: 'offline' }, refused('sold-out')],
      ['k1', 'k1'],
      [0],
    ],
    [
      'keeps the key of an earlier click whose answer was lost, also without a connection (I5)',
      ['lost', 'lost', won],
      ['lost'],
      [unsure, { kind: 'offline' }, ours],
      ['k1', 'k1', 'k1'],
      [1],
    ],
  ])('%s', async (_, buys, looks, outcomes, sent, offline = []) => {
    const { click, asked, checks, device } = visit({ [buyPath]: [...buys], [lookPath]: [...looks] })
    for (const [at, outcome] of outcomes.entries()) {
      device.online = !offline.includes(at)
      expect(await click(`k${at + 1}`)).toEqual(outcome)
    }
    expect(asked).toHaveLength(buys.length + looks.length)
    expect(checks(), 'said once').toBe(looks.length > 0 ? 1 : 0)
    if (sent !== undefined) expect(keys(asked)).toEqual(sent)
  })
})

it('a click without a valid pass gets one and is sent once more, with the same key (L6, I5)', async () => {
  const passPath = 'GET /api/pass'
  const given: Reply = { status: 200, body: { pass: 'v1.x' } }
  const { click, asked } = visit({ [buyPath]: [noPass, won], [passPath]: [given] })
  expect(await click('k1')).toMatchObject({ kind: 'won', orderId, repeat: false })
  expect(asked.map(({ path, key, seen }) => [path, key, seen])).toEqual([
    ['/api/sales/mug/orders', 'k1', '4.49000'],
    ['/api/pass', null, null],
    ['/api/sales/mug/orders', 'k1', '4.49000'],
  ])
})

describe('a click whose answer was lost', () => {
  it('is requested 5 to 10 s later, so that a throttled crowd leaves the winners room', async () => {
    const lost: Reply[] = ['lost', { status: 429, body: { Message: 'Rate Exceeded.' } }, refusal('unavailable', 503)]
    for (const reply of lost) {
      const { click, asked, waits } = visit({ [buyPath]: [reply], [lookPath]: [noOrders] })
      expect(await click('k1')).toMatchObject({ kind: 'busy' })
      expect(waits).toEqual([7500])
      expect(asked.map(({ method }) => method)).toEqual(['POST', 'GET'])
    }
  })

  it('is requested no sooner when the page is loaded again, and at once when it was long ago', async () => {
    const first = visit({ [buyPath]: ['lost'], [lookPath]: ['lost'] })
    await first.click('k1')
    const reloaded = visit({ [lookPath]: [noOrders, noOrders, noOrders] }, first.store)
    await reloaded.look(52_000)
    expect(reloaded.waits, 'clicked at 50 s').toEqual([5500])
    await reloaded.look(49_000)
    expect(reloaded.waits, 'a clock that was set back').toEqual([5500, 7500])
    await reloaded.look(120_000)
    expect(reloaded.waits.at(-1), 'no wait at all').toBeLessThan(0)
  })

  it('repeats the same key with the next click, even after a reload (I5)', async () => {
    const first = visit({ [buyPath]: [refusal('unavailable', 503)], [lookPath]: [noOrders] })
    await first.click('k1')
    const reloaded = visit({ [buyPath]: [{ status: 200, body: { orderId, quantity: 1 } }] }, first.store)
    expect(await reloaded.click('k2')).toMatchObject({ kind: 'won', orderId, repeat: true })
    expect(keys(reloaded.asked)).toEqual(['k1'])
  })

  it('does not buy twice when the sale was rebuilt since: the same key with the new token (I2, I5)', async () => {
    const repeat: Reply = { status: 200, body: { orderId, status: 'reserved', quantity: 1, remaining: 9 } }
    const first = visit({ [buyPath]: ['lost', refusal('unavailable', 503)], [lookPath]: ['lost', 'lost'] })
    await first.click('k1')
    await first.click('k2')
    const rebuilt = visit({ [buyPath]: [refusal('unavailable', 503), repeat], [lookPath]: ['lost'] }, first.store)
    await rebuilt.click('k3', { startToken: 'token-2' })
    expect(await rebuilt.click('k4', { startToken: 'token-3' })).toMatchObject({ kind: 'won', repeat: true })
    const asked = [...first.asked, ...rebuilt.asked].filter(({ key }) => key !== null)
    expect(keys(asked)).toEqual(['k1', 'k1', 'k1', 'k1'])
    expect(asked.map(({ body }) => (body as { startToken: string }).startToken)).toEqual([
      'token-1',
      'token-1',
      'token-2',
      'token-3',
    ])
  })

  it('is requested when the page is opened again, without buying', async () => {
    const first = visit({ [buyPath]: ['lost'], [lookPath]: ['lost'] })
    await first.click('k1')
    const reloaded = visit({ [lookPath]: [orderAt(50_500)] }, first.store)
    expect(await reloaded.look()).toMatchObject({ kind: 'won', orderId })
    expect(await reloaded.look()).toBeUndefined()
  })

  it.each(['cancelled', 'rejected', 'refund-due', 'refunded'])(
    'does not call an order its own win that is %s by the time it is found',
    async (status) => {
      const { click, look } = visit({ [buyPath]: ['lost'], [lookPath]: [orderAt(50_010, status)] })
      expect(await click('k1')).toMatchObject({ kind: 'gone', orderId })
      expect(await look()).toBeUndefined()
    },
  )
})
