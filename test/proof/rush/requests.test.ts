import { describe, expect, it } from 'vitest'
import type { HttpClient } from '../../../proof/rush/http.ts'
import { claimsOf } from '../../../proof/rush/requests.ts'
import { walletView } from '../../../proof/rush/watch.ts'

const packet = { packetId: 'rain-p7', amount: 12, currency: 'CNY' }
const reply = (status: number, body: unknown) => ({
  status,
  body,
  retryAfterSeconds: undefined,
  atGate: false,
  isCounted: true,
})
const client = { origin: '', fetch: () => fetch } as Partial<HttpClient> as HttpClient
const { clickOf, winCodeOf } = claimsOf(client, { saleId: 'rain', startToken: 'token-1' })
const { read } = clickOf({ shopperId: 'ann', token: 't', pass: undefined, key: 'k1' })

describe('the answer to a claim', () => {
  it('is a packet when it is a 200, first or repeated (P5)', () => {
    expect(winCodeOf(reply(200, { ...packet, remaining: 3 }))).toBe('claimed')
    expect(winCodeOf(reply(200, { ...packet, repeat: true }))).toBe('repeat')
    expect(read(packet, 200)).toMatchObject(packet)
  })

  it('is no packet with any other status', () => {
    expect(winCodeOf(reply(410, { code: 'sold-out', remaining: 0 }))).toBeUndefined()
    expect(winCodeOf(reply(202, packet))).toBeUndefined()
  })

  it('is no packet when the 200 has no packet id', () => {
    expect(read({ amount: 12, currency: 'CNY' }, 200)).toBeUndefined()
  })
})

it.each([
  ['the credit itself', { credits: [{ ...packet, packetId: 'rain-p1' }, packet] }, true],
  ['another amount', { credits: [{ ...packet, amount: 13 }] }, false],
  ['another packet', { credits: [{ ...packet, packetId: 'rain-p1' }] }, false],
  ['another currency', { credits: [{ ...packet, currency: 'EUR' }] }, false],
  ['no credits', { balances: [{ currency: 'CNY', amount: 12 }], credits: [] }, false],
  ['something else', 'sorry', false],
])('the credits of a wallet are read correctly with %s', (_, body, isShown) => {
  expect(walletView.shows(body, packet)).toBe(isShown)
})
