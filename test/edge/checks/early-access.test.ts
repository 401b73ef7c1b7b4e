import { describe, expect, it } from 'vitest'
import { failedMs, memberMs } from '../../../edge/memory/members.ts'
import { shopperHashOf } from '../../../edge/memory/passes.ts'
import { turnMs } from '../../../edge/turn.ts'
import {
  type buyEvent,
  forwardedOf,
  openGate,
  refusalOf,
  ruled,
  saleId,
  saleIdOf,
  shopperIdOf,
  startOfTests,
  startToken,
} from '../support.ts'

const minutes = 10
const earlyMs = minutes * 60_000
const shopper = (sub: string, level?: number) => ({ claims: { sub, ...(level !== undefined && { level }) } })

/** A gate whose sale starts with the test, with early access as given. */
function openEarly(
  { minLevel }: { minLevel: number },
  rules: Parameters<typeof ruled>[0] = {},
  change: Parameters<typeof openGate>[0] = {},
) {
  const gate = openGate({
    ...ruled({ earlyAccess: { minutes, minLevel }, ...rules }),
    startsAt: startOfTests,
    ...change,
  })
  return clickable(gate)
}

function clickable(gate: ReturnType<typeof openGate>) {
  const clickAt = async (ms: number, parts: Parameters<typeof buyEvent>[1]) => {
    gate.time.now = startOfTests + ms
    return gate.buy(parts)
  }
  return { ...gate, clickAt }
}

describe('early access by level (R6, R7)', () => {
  it.each([3, 4])('lets a member of level %d buy from the start', async (level) => {
    const { clickAt, store } = openEarly({ minLevel: 3 })
    forwardedOf(await clickAt(0, shopper('ann', level)))
    expect(store.memberReads).toEqual([])
  })

  it.each([undefined, 0, 2])('asks level %s to wait until all others may buy', async (level) => {
    const { clickAt, store } = openEarly({ minLevel: 3 })
    const refusal = refusalOf(await clickAt(1500, shopper('ann', level)))
    expect(refusal).toMatchObject({ status: 425, code: 'not-your-turn' })
    expect(refusal.headers['retry-after']).toBe(String(earlyMs / 1000 - 1))
    expect(store.asks).toEqual([])
    expect(refusalOf(await clickAt(earlyMs - 1, shopper('ann', level))).code).toBe('not-your-turn')
    forwardedOf(await clickAt(earlyMs, shopper('ann', level)))
  })

  it('starts anew with each window of the sale', async () => {
    const { clickAt, time } = openEarly(
      { minLevel: 3 },
      {},
      { startsAt: startOfTests + 7_200_000, endsAt: startOfTests + 9_000_000 },
    )
    expect(time.now).toBe(startOfTests)
    expect(refusalOf(await clickAt(7_200_000, shopper('ann'))).code).toBe('not-your-turn')
    forwardedOf(await clickAt(7_200_000, shopper('ben', 3)))
    forwardedOf(await clickAt(7_200_000 + earlyMs, shopper('cem')))
  })

  it('does not count the requests of a shopper who waits (R2)', async () => {
    const { clickAt } = openEarly(
      { minLevel: 3 },
      { throttle: { perShopper: { limit: 1, windowSeconds: 3600 }, perIp: { limit: 1000, windowSeconds: 60 } } },
    )
    for (const ms of [earlyMs - 3000, earlyMs - 2000]) await clickAt(ms, shopper('ann'))
    forwardedOf(await clickAt(earlyMs, shopper('ann')))
  })
})

describe('early access with a spread (R8)', () => {
  const spreadSeconds = 300

  it('counts the turn of a member from the start, and of all others from the end of the early access', async () => {
    const turn = turnMs(startToken, shopperHashOf(shopperIdOf('ann')), spreadSeconds)
    const { clickAt } = openEarly({ minLevel: 3 }, { requirePass: 'on', spreadSeconds })
    expect(refusalOf(await clickAt(turn - 1, shopper('ann', 3))).code).toBe('not-your-turn')
    forwardedOf(await clickAt(turn, shopper('ann', 3)))
    const late = refusalOf(await clickAt(earlyMs + turn - 1, shopper('ann')))
    expect([late.code, late.headers['retry-after']]).toEqual(['not-your-turn', '1'])
    forwardedOf(await clickAt(earlyMs + turn, shopper('ann')))
  })
})

describe('a sale that only the shoppers on its list may buy', () => {
  const openInvited = (startsAt = startOfTests) => {
    const gate = openGate({ ...ruled({ invitedOnly: true, spreadSeconds: 60 }), startsAt })
    return clickable(gate)
  }

  it('rejects all other shoppers at every level, for as long as it runs (R6)', async () => {
    const { clickAt, store } = openInvited(startOfTests - 7_200_000)
    store.invite(saleId, 'ann')
    forwardedOf(await clickAt(0, shopper('ann')))
    const refusal = refusalOf(await clickAt(0, shopper('ben', 9)))
    expect(refusal).toMatchObject({ status: 403, code: 'level-too-low' })
    expect(refusal.headers['retry-after']).toBeUndefined()
  })

  it('asks the list of this sale, not of another one', async () => {
    const { clickAt, store } = openInvited()
    store.invite(saleIdOf('phone-43'), 'ann')
    expect(refusalOf(await clickAt(0, shopper('ann'))).code).toBe('level-too-low')
  })

  it('may name the one variant that a member may buy', async () => {
    const { clickAt, store } = openInvited(startOfTests - 7_200_000)
    store.invite(saleId, 'ann m', 'ben')
    const click = (name: string, variant: string) =>
      clickAt(0, { ...shopper(name), body: JSON.stringify({ quantity: 1, variant, startToken }) })
    forwardedOf(await click('ann', 'm'))
    expect(refusalOf(await click('ann', 's')).code).toBe('level-too-low')
    expect(refusalOf(await clickAt(0, shopper('ann'))).code).toBe('level-too-low')
    forwardedOf(await click('ben', 's'))
    expect(store.memberReads).toEqual(['ann', 'ann', 'ann', 'ben'])
  })

  it('reads its list once in some seconds for a shopper, and then a new member may buy', async () => {
    const { clickAt, store } = openInvited(startOfTests - 7_200_000)
    for (const ms of [0, 1000, memberMs - 1]) {
      expect(refusalOf(await clickAt(ms, shopper('ann'))).code).toBe('level-too-low')
    }
    expect(store.memberReads).toEqual(['ann'])
    store.invite(saleId, 'ann')
    forwardedOf(await clickAt(memberMs, shopper('ann')))
    expect(store.memberReads).toEqual(['ann', 'ann'])
  })

  it('reads its list once for clicks that come together', async () => {
    const { clickAt, store } = openInvited()
    const answers = await Promise.all([0, 0, 0].map((ms) => clickAt(ms, shopper('ann'))))
    expect(answers.map((answer) => refusalOf(answer).code)).toEqual(Array(3).fill('level-too-low'))
    expect(store.memberReads).toEqual(['ann'])
  })

  it('lets no shopper pass while the store does not answer (I6), and asks it again a second later', async () => {
    const { clickAt, store } = openInvited(startOfTests - 7_200_000)
    store.invite(saleId, 'ann')
    await clickAt(0, shopper('warm'))
    store.goDown()
    expect(refusalOf(await clickAt(1, shopper('ann')))).toMatchObject({ status: 503, code: 'unavailable' })
    expect(refusalOf(await clickAt(2, shopper('ann'))).code).toBe('unavailable')
    expect(store.memberReads).toEqual(['warm', 'ann'])
    store.comeUp()
    forwardedOf(await clickAt(1 + failedMs, shopper('ann')))
  })
})
