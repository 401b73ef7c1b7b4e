import { describe, expect, it } from 'vitest'
import { readTap } from '../../../../bench/rush/packets/tap.ts'
import { walletSight } from '../../../../bench/rush/packets/watch-wallets.ts'

const packet = { packetId: 'rain-p7', amount: 12, currency: 'CNY' }
const reply = (status: number, body: unknown) => ({
  status,
  body,
  retryAfterSeconds: undefined,
  atGate: false,
})

describe('a tap on a red packet', () => {
  it('takes a 200 for a packet, and tells the first time from a repeat (P5)', () => {
    expect(readTap(reply(200, { ...packet, remaining: 3 }))).toEqual({ code: 'claimed', prize: packet })
    expect(readTap(reply(200, { ...packet, repeat: true }))).toEqual({ code: 'repeat', prize: packet })
  })

  it('takes nothing else for a packet', () => {
    expect(readTap(reply(410, { code: 'sold-out', remaining: 0 }))).toBeUndefined()
    expect(readTap(reply(202, packet))).toBeUndefined()
  })

  it('finds no packet in a 200 that does not say which it is', () => {
    expect(readTap(reply(200, { packetId: 'rain-p7' }))).toEqual({ code: 'claimed', prize: undefined })
  })
})

describe('a look into the wallet', () => {
  it.each([
    ['the credit itself', { credits: [{ ...packet, packetId: 'rain-p1' }, packet] }, true],
    ['another amount', { credits: [{ ...packet, amount: 13 }] }, false],
    ['another packet', { credits: [{ ...packet, packetId: 'rain-p1' }] }, false],
    ['another currency', { credits: [{ ...packet, currency: 'EUR' }] }, false],
    ['no credits', { balances: [{ currency: 'CNY', amount: 12 }], credits: [] }, false],
    ['something else', 'sorry', false],
  ])('reads %s rightly', (_, body, isShown) => {
    expect(walletSight.shows(body, packet)).toBe(isShown)
  })
})
