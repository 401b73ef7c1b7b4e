/** How a pass is signed and verified. */
import { describe, expect, it } from 'vitest'
import { dayOf, type PassKeys, passLifeSeconds } from '../../../core/gate/pass.ts'
import { clockSlackSeconds, shopperHashOf, verifyPass } from '../../../edge/memory/passes.ts'
import { passOf, shopperIdOf, startOfTests } from '../support.ts'

const now = startOfTests
const lifeMs = passLifeSeconds * 1000
const today = dayOf(now / 1000)
const keys: PassKeys = new Map([
  [today, 'key-of-today'],
  [today + 1, 'key-of-tomorrow'],
])
const ann = shopperIdOf('ann')

const isValid = (pass: string, at: number) => {
  const found = verifyPass(pass, keys, at)
  return found !== undefined && found !== 'unknown'
}

describe('a pass', () => {
  it('is that of its shopper until it expires (R8)', () => {
    const pass = passOf(keys, now)
    const expiresAt = now / 1000 + passLifeSeconds
    expect(verifyPass(pass, keys, now)).toEqual({ shopperHash: shopperHashOf(ann), expiresAt })
    expect([lifeMs - 1, lifeMs, lifeMs + 1].map((ms) => isValid(pass, now + ms))).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is not valid for longer than the gate gives one, apart from the difference of clocks (L6)', () => {
    const slackMs = clockSlackSeconds * 1000
    const validAfter = (ms: number) => isValid(passOf(keys, now + ms), now)
    expect([slackMs, slackMs + 1000, 12 * 3_600_000].map(validAfter)).toEqual([true, false, false])
  })

  it('proves nothing under a key that is not known, and is refused under a wrong one (L6)', () => {
    const forged = passOf(new Map([...keys.keys()].map((day) => [day, 'another key'])), now)
    expect(verifyPass(forged, keys, now)).toBeUndefined()
    expect(verifyPass(passOf(keys, now), new Map([[today - 1, 'key-of-yesterday']]), now)).toBe('unknown')
    expect(verifyPass(passOf(keys, now), new Map(), now)).toBe('unknown')
  })

  it('is refused with another shopper hash or expiry under the same signature (L6)', () => {
    const [version, shopperHash = '', expiry, signature] = passOf(keys, now).split('.')
    const later = [version, shopperHash, Number(expiry) + 1, signature].join('.')
    const foreign = [version, 'x'.repeat(shopperHash.length), expiry, signature].join('.')
    expect([later, foreign, '', undefined].map((text) => verifyPass(text, keys, now))).toEqual(
      Array(4).fill(undefined),
    )
  })
})
