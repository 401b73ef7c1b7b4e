import { describe, expect, it } from 'vitest'
import { shopperHashOf } from '../../../edge/memory/passes.ts'
import { turnMs } from '../../../edge/turn.ts'
import { forwardedOf, openGate, refusalOf, ruled, shopperIdOf, startOfTests, startToken, tokenAt } from '../support.ts'

const spreadSeconds = 300

function turnOf(shopper: string): number {
  return turnMs(startToken, shopperHashOf(shopperIdOf(shopper)), spreadSeconds)
}

/** A shopper whose turn comes when no early request of the first seconds counts any more. */
function shopperWithTurnAfter(ms: number): string {
  for (let number = 0; ; number += 1) {
    if (turnOf(`shopper-${number}`) > ms) return `shopper-${number}`
  }
}

describe('the turn of a shopper', () => {
  const shopper = shopperWithTurnAfter(60_000)
  const openAtStart = () => openGate({ ...ruled({ requirePass: 'on', spreadSeconds }), startsAt: startOfTests })

  async function clicker() {
    const gate = openAtStart()
    const token = await tokenAt(startOfTests, { claims: { sub: shopper } })
    const clickAt = async (ms: number) => {
      gate.time.now = startOfTests + ms
      return gate.buy({ token })
    }
    return { clickAt }
  }

  it('is waited for as Retry-After says, and then the shopper may buy (R8)', async () => {
    const { clickAt } = await clicker()
    const { code, headers } = refusalOf(await clickAt(0))
    const waitMs = Number(headers['retry-after']) * 1000
    expect(code).toBe('not-your-turn')
    expect(waitMs).toBe(Math.ceil(turnOf(shopper) / 1000) * 1000)
    expect(refusalOf(await clickAt(turnOf(shopper) - 1)).code).toBe('not-your-turn')
    forwardedOf(await clickAt(waitMs))
  })

  it('does not help a script that clicks until it comes (R2, R4)', async () => {
    const { clickAt } = await clicker()
    const turn = turnOf(shopper)
    for (const before of [400, 300, 200, 100]) await clickAt(turn - before)
    const { code, headers } = refusalOf(await clickAt(turn))
    expect([code, headers['retry-after']]).toEqual(['too-many-requests', '60'])
    forwardedOf(await clickAt(turn + 60_000))
  })
})
