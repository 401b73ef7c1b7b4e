/** The gate's check of an entry, whether it was a proof of work or Turnstile. */
import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { type Proof, startProofs } from '../../../../test/edge/proofs.ts'
import { forwardedOf, refusalOf, saleId, startOfTests } from '../../../../test/edge/support.ts'

const { time, turnstile, openChecked, proofFrom, buyWith } = await startProofs()
afterAll(() => turnstile.stop())
beforeEach(() => {
  time.now = startOfTests
})

const ofBob = { claims: { sub: 'bob' } }
const codeOf = async (answer: ReturnType<typeof buyWith>) => refusalOf(await answer).code

it.each<Proof>(['pow', 'turnstile'])(
  'a passed check by %s lets its shopper enter a draw and change the entry, and is good for a purchase afterwards (R5, N4)',
  async (proof) => {
    const gate = openChecked(proof)
    const uri = `/api/entries/${saleId}`
    const enter = (challenge: string | undefined, change = {}) =>
      buyWith(gate, '', { key: null, method: 'PUT', uri, body: JSON.stringify({ challenge }), ...change })
    const passed = await proofFrom(gate, proof)
    const firstUse = vi.spyOn(gate.store, 'firstUse')
    for (let i = 0; i < 2; i++) forwardedOf(await enter(passed))
    expect(firstUse).not.toHaveBeenCalled()
    expect(await codeOf(enter(undefined))).toBe('challenge-required')
    expect(await codeOf(enter('no solution'))).toBe('challenge-required')
    expect(await codeOf(enter(await proofFrom(gate, proof, ofBob)))).toBe('challenge-failed')
    for (const method of ['GET', 'DELETE']) forwardedOf(await enter(undefined, { method }))
    forwardedOf(await buyWith(gate, passed))
  },
)
