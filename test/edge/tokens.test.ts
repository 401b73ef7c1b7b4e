import { describe, expect, it } from 'vitest'
import { createTokens } from '../../edge/tokens.ts'
import { audience, issuer, keys, startOfTests, tokenAt } from './support.ts'

/** Tokens that count how often a signature had to be checked: only that needs the key. */
function counted() {
  const count = { verifications: 0 }
  const time = { now: startOfTests }
  const rules = {
    issuer,
    audience,
    get publicKey() {
      count.verifications += 1
      return keys.publicKey
    },
  }
  return { tokens: createTokens(rules, () => time.now), count, time }
}

describe('verified tokens', () => {
  it('are remembered, so that a second click costs no signature check', async () => {
    const { tokens, count } = counted()
    const token = await tokenAt(startOfTests)
    const first = await tokens.verify(token)
    expect(first).toEqual({ shopperId: 'ann', level: 0, roles: [] })
    for (let i = 0; i < 10; i++) expect(await tokens.verify(token)).toEqual(first)
    expect(count.verifications).toBe(1)
  })

  it('are forgotten when they expire', async () => {
    const { tokens, count, time } = counted()
    const token = await tokenAt(startOfTests)
    await tokens.verify(token)
    time.now += 600_000
    await tokens.verify(token)
    expect(count.verifications).toBe(2)
    time.now += 5_000
    expect(await tokens.verify(token)).toBeUndefined()
  })

  it('are only the good ones: a refused token is judged again', async () => {
    const { tokens, count } = counted()
    const token = await tokenAt(startOfTests, { claims: { nbf: startOfTests / 1000 + 60 } })
    expect(await tokens.verify(token)).toBeUndefined()
    expect(await tokens.verify(token)).toBeUndefined()
    expect(count.verifications).toBe(2)
  })
})
