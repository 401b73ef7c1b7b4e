import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { HttpClient, HttpReply } from '../../../proof/rush/http.ts'
import { purchasesOf } from '../../../proof/rush/requests.ts'
import { clickUntilDone, type VirtualShopper } from '../../../proof/rush/shopper.ts'

const ann: VirtualShopper = { shopperId: 'ann', token: 't', pass: undefined, key: 'k1' }

const refusal = (status: number, code: string, more: object = {}): HttpReply => ({
  ...{ status, body: { code, detail: 'No.', ...more }, retryAfterSeconds: 0, atGate: false, isCounted: true },
})

/** An answer of the gate itself. */
const atGate = (status: number, code: string): HttpReply => ({
  ...refusal(status, code, { remaining: 0 }),
  atGate: true,
})

/** Runs a shopper against these answers to clicks, with automatic time; the shopper has no orders. */
async function play(...replies: (HttpReply | undefined)[]) {
  const fetch: HttpClient['fetch'] = (onPost) => async (_, init) => {
    if (init?.method !== 'POST') return Response.json({ orders: [], next: null })
    const given = replies.shift()
    onPost({ ms: 1, reply: given })
    if (given === undefined) throw new TypeError('no answer')
    const headers = { 'retry-after': '0', ...(given.atGate && { 'x-sluice-gate': 'refused' }) }
    return Response.json(given.body, { status: given.status, headers })
  }
  const client: Partial<HttpClient> = { origin: 'http://shop', fetch }
  const played = clickUntilDone(ann, {
    ...purchasesOf(client as HttpClient, { saleId: 'mug', startToken: 'token-1' }, 1),
    ...{ onTry: () => {}, random: () => 0, patienceMs: 5000 },
  })
  const [ending] = await Promise.all([played, vi.runAllTimersAsync()])
  return ending
}

describe('a virtual shopper', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  it.each<[string, HttpReply | undefined]>([
    ['no answer arrived', undefined],
    ['a function failed', refusal(503, 'unavailable')],
    ['the distribution answered for a function', { ...refusal(502, ''), body: '<html>' }],
  ])('is in doubt when %s, even if the gate then answers sold out', async (_, lost) => {
    expect(await play(lost, atGate(410, 'sold-out'))).toMatchObject({ kind: 'refused', inDoubt: true })
  })

  it('is not in doubt when only the gate received its requests', async () => {
    const full = atGate(429, 'at-capacity')
    expect(await play(full, full, atGate(410, 'sold-out'))).toMatchObject({ kind: 'refused', inDoubt: false })
  })

  it('is not in doubt when a function answers sold out after a lost answer', async () => {
    const ending = await play(undefined, refusal(410, 'sold-out', { remaining: 0 }))
    expect(ending).toMatchObject({ kind: 'refused', inDoubt: false })
  })
})
