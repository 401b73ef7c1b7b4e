import { describe, expect, it } from 'vitest'
import { readClaim } from '../../../../proof/rush/packets/claim.ts'
import { walletView } from '../../../../proof/rush/packets/watch-wallets.ts'

const packet = { packetId: 'rain-p7', amount: 12, currency: 'CNY' }
const reply = (status: number, body: unknown) => ({
  status,
  body,
  retryAfterSeconds: undefined,
  atGate: false,
  isCounted: true,
})

describe('the answer to a claim', () => {
  it('is a packet when it is a 200, first or repeated (P5)', () => {
    expect(readClaim(reply(200, { ...packet, remaining: 3 }))).toEqual({ code: 'claimed', prize: packet })
    expect(readClaim(reply(200, { ...packet, repeat: true }))).toEqual({ code: 'repeat', prize: packet })
  })

  it('is no packet with any other status', () => {
    expect(readClaim(reply(410, { code: 'sold-out', remaining: 0 }))).toBeUndefined()
    expect(readClaim(reply(202, packet))).toBeUndefined()
  })

  it('is no packet when the 200 has no packet id', () => {
    expect(readClaim(reply(200, { packetId: 'rain-p7' }))).toEqual({ code: 'claimed', prize: undefined })
  })
})

describe('the credits of a wallet', () => {
  it.each([
    ['the credit itself', { credits: [{ ...packet, packetId: 'rain-p1' }, packet] }, true],
    ['another amount', { credits: [{ ...packet, amount: 13 }] }, false],
    ['another packet', { credits: [{ ...packet, packetId: 'rain-p1' }] }, false],
    ['another currency', { credits: [{ ...packet, currency: 'EUR' }] }, false],
    ['no credits', { balances: [{ currency: 'CNY', amount: 12 }], credits: [] }, false],
    ['something else', 'sorry', false],
  ])('are read correctly with %s', (_, body, isShown) => {
    expect(walletView.shows(body, packet)).toBe(isShown)
  })
})
