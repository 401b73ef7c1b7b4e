import { describe, expect, it } from 'vitest'
import { buyEvent, forwardedOf, openGate, refusalOf, ruled } from '../support.ts'

describe('the check of the level', () => {
  it.each([3, 4, 100])('admits a member of level %d where 3 is required (R6)', async (level) => {
    const { buy } = openGate(ruled({ minLevel: 3 }))
    forwardedOf(await buy({ claims: { level } }))
  })

  it.each([undefined, 0, 2])('refuses level %s there, and names the required level (R6)', async (level) => {
    const { buy, store } = openGate(ruled({ minLevel: 3 }))
    const refusal = refusalOf(await buy({ claims: { level } }))
    expect(refusal).toMatchObject({ status: 403, code: 'level-too-low' })
    expect(refusal.body.detail).toMatch(/level 3/)
    expect(store.asks).toEqual([])
  })

  it('admits every shopper where the sale has no minimum, and trusts no header', async () => {
    const { buy, time } = openGate()
    forwardedOf(await buy())
    const strict = openGate(ruled({ minLevel: 1 }))
    const event = await buyEvent(time.now, { headers: { 'x-shopper-level': '9' } })
    expect(refusalOf(await strict.handler(event)).code).toBe('level-too-low')
  })

  it('runs before the challenge, so that shoppers who cannot buy do no work (R6, R5)', async () => {
    const { fetchChallenge } = openGate(ruled({ minLevel: 3, challenge: 'pow' }))
    expect(refusalOf(await fetchChallenge()).code).toBe('level-too-low')
    expect(await fetchChallenge({ claims: { level: 3 } })).toMatchObject({
      status: '200',
    })
  })
})
