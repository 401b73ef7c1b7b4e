import { describe, expect, it } from 'vitest'
import { readBuyAnswer, readWonOrder } from '../../../proof/rush/buy.ts'
import type { HttpReply } from '../../../proof/rush/http.ts'
import { shop, type VirtualShopper } from '../../../proof/rush/shopper.ts'

const ann: VirtualShopper = { shopperId: 'ann', token: 't', pass: undefined, key: 'k1' }

const reply = (status: number, body: unknown, retryAfterSeconds?: number): HttpReply => ({
  status,
  body,
  retryAfterSeconds,
  atGate: false,
  isCounted: true,
})

/** An answer of the gate itself. */
const atGate = (status: number, body: unknown): HttpReply => ({
  ...reply(status, body, 0),
  atGate: true,
})

/** A shopper in front of a system that gives these answers, one after the other. */
async function play(replies: (HttpReply | undefined)[], patienceMs = 5000, orders: unknown = []) {
  const lookups: string[] = []
  const keys: string[] = []
  const codes: string[] = []
  const ending = await shop(ann, {
    send: async (shopper) => {
      keys.push(shopper.key)
      return { ms: 1, reply: replies.shift() }
    },
    readWin: readBuyAnswer,
    lookUp: async (_, path) => {
      lookups.push(path)
      return readWonOrder(reply(200, { orders }))
    },
    onTry: ({ code }) => codes.push(code),
    random: () => 0,
    patienceMs,
  })
  return { ending, keys, codes, lookups }
}

describe('a virtual shopper', () => {
  it('stops after a reservation', async () => {
    const { ending, codes } = await play([reply(202, { orderId: 'o1', quantity: 1 })])
    expect(ending).toEqual({ kind: 'won', prize: { orderId: 'o1', quantity: 1 } })
    expect(codes).toEqual(['reserved'])
  })

  it('asks for something else while there is a choice', async () => {
    const replies = [reply(410, { code: 'sold-out' }), reply(202, { orderId: 'o1', quantity: 1 })]
    let choices = 1
    const ending = await shop(ann, {
      send: async () => ({ ms: 1, reply: replies.shift() }),
      readWin: readBuyAnswer,
      lookUp: async () => undefined,
      onTry: () => {},
      random: () => 0,
      patienceMs: 5000,
      chooseAgain: () => {
        choices -= 1
        return choices >= 0
      },
    })
    expect(ending).toMatchObject({ kind: 'won', prize: { orderId: 'o1' } })
    expect(choices).toBe(0)
  })

  it('stops when the sale is sold out, and records how many were left', async () => {
    const { ending } = await play([reply(410, { code: 'sold-out', remaining: 2 })])
    expect(ending).toEqual({ kind: 'refused', code: 'sold-out', remaining: 2, inDoubt: false })
  })

  it('retries with the same key after a request to wait or a lost answer (I5)', async () => {
    const { ending, keys, codes } = await play([
      reply(503, { code: 'unavailable' }, 0),
      reply(429, { code: 'too-many-requests' }, 0),
      reply(200, { orderId: 'o1', quantity: 1 }),
    ])
    expect(ending.kind).toBe('won')
    expect(keys).toEqual(['k1', 'k1', 'k1'])
    expect(codes).toEqual(['unavailable', 'too-many-requests', 'repeat'])
  })

  it('does not count a reservation without an order id', async () => {
    const { ending, codes } = await play([reply(202, {})])
    expect(ending).toMatchObject({ kind: 'refused', code: 'odd-answer' })
    expect(codes).toEqual(['reserved'])
  })

  it('gives up when its patience ends before an answer', async () => {
    const { ending } = await play([undefined], 500)
    expect(ending).toMatchObject({ kind: 'gave-up' })
  })

  it('waits no longer than its patience allows', async () => {
    const { ending } = await play([reply(503, { code: 'unavailable' }, 60)], 500)
    expect(ending).toMatchObject({ kind: 'gave-up' })
  })

  it.each<[string, HttpReply | undefined]>([
    ['no answer arrived', undefined],
    ['a function failed', reply(503, { code: 'unavailable' }, 0)],
    ['the distribution answered for a function', reply(502, '<html>', 0)],
  ])('is in doubt when %s, even if the gate then answers sold out', async (_, lost) => {
    const { ending } = await play([lost, atGate(410, { code: 'sold-out', remaining: 0 })])
    expect(ending).toMatchObject({ kind: 'refused', code: 'sold-out', inDoubt: true })
  })

  it('is not in doubt when only the gate received its requests', async () => {
    const full = atGate(429, { code: 'at-capacity' })
    const { ending } = await play([full, full, atGate(410, { code: 'sold-out', remaining: 0 })])
    expect(ending).toMatchObject({ kind: 'refused', inDoubt: false })
  })

  it('is not in doubt when a function answers sold out after a lost answer', async () => {
    const { ending } = await play([undefined, reply(410, { code: 'sold-out', remaining: 0 })])
    expect(ending).toMatchObject({ kind: 'refused', inDoubt: false })
  })

  const soldOut = atGate(410, { code: 'sold-out', remaining: 0, lookup: '/api/orders?sale=mug' })

  it('finds the order of a lost answer at the path that the refusal names (I5)', async () => {
    const orders = [
      { orderId: 'o0', quantity: 1, status: 'cancelled' },
      { orderId: 'o1', quantity: 1, status: 'paid' },
    ]
    const { ending, lookups } = await play([undefined, soldOut], 5000, orders)
    expect(lookups).toEqual(['/api/orders?sale=mug'])
    expect(ending).toEqual({ kind: 'won', prize: { orderId: 'o1', quantity: 1 } })
    expect((await play([undefined, soldOut])).ending).toMatchObject({ kind: 'refused', inDoubt: true })
  })

  it('looks nothing up when no answer was lost: a rejected request stays free', async () => {
    const { ending, lookups } = await play([soldOut])
    expect(ending).toMatchObject({ kind: 'refused', inDoubt: false })
    expect(lookups).toEqual([])
  })

  it('waits as asked while the sale is at capacity', async () => {
    const { ending, codes } = await play([
      atGate(429, { code: 'at-capacity' }),
      reply(202, { orderId: 'o1', quantity: 1 }),
    ])
    expect(ending.kind).toBe('won')
    expect(codes).toEqual(['at-capacity', 'reserved'])
  })

  it('does not retry after a final refusal', async () => {
    const { ending, keys } = await play([reply(409, { code: 'stale-page' })])
    expect(ending).toMatchObject({ kind: 'refused', code: 'stale-page' })
    expect(keys).toHaveLength(1)
  })
})
