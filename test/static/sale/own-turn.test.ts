import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { spreadMs } from '../../../core/gate/spread.ts'
import { parseSaleId } from '../../../core/ids.ts'
import type { Countdown } from '../../../core/sale/pointer.ts'
import { ownTurn } from '../../../static/client/sale/pass.ts'

const saleId = parseSaleId('mug')
if (saleId === undefined) throw new Error('mug is a sale id')

const countdown: Countdown = {
  ...{ saleId, version: 2, started: true, startsAt: 1000, endsAt: 9000 },
  ...{ requirePass: 'on', spreadSeconds: 30, startToken: 'token-1', turnKey: 'key-1' },
}
const pass = { shopperHash: 'abcdefgh_-123456', expiresAt: 2_000_000_000 }

/** As the gate computes it. */
const turnAtGate = (token: string, shopperHash: string) =>
  spreadMs(createHmac('sha256', token).update(shopperHash).digest('hex'), 30)

function page() {
  let known: () => void = () => {}
  return {
    turn: ownTurn(() => known()),
    /** Resolves when the page has worked its turn out. */
    next: () =>
      new Promise<void>((resolve) => {
        known = resolve
      }),
  }
}

describe('the shopper’s turn in a page', () => {
  it('is the one that the gate computes, for every start anew (R8)', async () => {
    const { turn, next } = page()
    for (const turnKey of ['key-1', 'key-2']) {
      const known = next()
      expect(turn({ ...countdown, turnKey }, pass)).toBeUndefined()
      await known
      expect(turn({ ...countdown, turnKey }, pass)).toBe(turnAtGate(turnKey, pass.shopperHash))
    }
  })

  it('is that of the newest pass, also when the older one is worked out later', async () => {
    const { turn, next } = page()
    const other = { ...pass, shopperHash: 'other-shopper-00' }
    const known = next()
    turn(countdown, pass)
    turn(countdown, other)
    await known
    expect(turn(countdown, other)).toBe(turnAtGate('key-1', other.shopperHash))
  })

  it('is at once without a spread, and where the page cannot know it', () => {
    const { turn } = page()
    expect(turn(undefined, pass)).toBe(0)
    expect(turn(countdown, undefined)).toBe(0)
    const { turnKey: _, ...before } = countdown
    expect(turn(before, pass)).toBe(0)
  })
})
