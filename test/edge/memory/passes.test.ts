/** How a pass is signed and verified. */
import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { dayOf, type PassKeys, passLifeSeconds } from '../../../core/gate/pass.ts'
import { clockSlackSeconds, issuePass, shopperHashOf, verifyPass } from '../../../edge/memory/passes.ts'
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
    expect(verifyPass(pass, keys, now)).toMatchObject({ shopperHash: shopperHashOf(ann), expiresAt })
    expect([lifeMs - 1, lifeMs, lifeMs + 1].map((ms) => isValid(pass, now + ms))).toEqual([true, false, false])
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
    expect([later, foreign, '', undefined].map((text) => verifyPass(text, keys, now))).toEqual(Array(4).fill(undefined))
  })
})

describe('the proof in a pass', () => {
  const session = { secret: 'of the gate', digest: 'of the token', keyId: 'k-1' }
  const pass = issuePass(ann, keys, now, session) ?? ''
  const proves = (text: string, asked = session, known = keys) => {
    const found = verifyPass(text, known, now)
    return found !== undefined && found !== 'unknown' && found.proves(asked)
  }

  it('is of one token, of the key that signed it, and of the secret of the gate (R8)', () => {
    expect(proves(pass)).toBe(true)
    const others = [{ digest: 'of another' }, { keyId: 'k-2' }, { secret: 'another' }, { secret: '' }]
    expect(others.map((other) => proves(pass, { ...session, ...other }))).toEqual(others.map(() => false))
  })

  it('is no longer one when it is cut, changed, of another pass or left out, and the pass stays good (L6)', () => {
    const [bare, proof = ''] = [pass.slice(0, pass.lastIndexOf('.')), pass.slice(pass.lastIndexOf('.') + 1)]
    const later = issuePass(ann, keys, now + 1000, session)
      ?.split('.')
      .at(-1)
    const changed = (proof.startsWith('A') ? 'B' : 'A') + proof.slice(1)
    const wrong = [bare, `${bare}.`, pass.slice(0, -1), `${pass}A`, `${bare}.${changed}`, `${bare}.${later}`]
    expect(wrong.map((text) => proves(text))).toEqual(wrong.map(() => false))
    expect(wrong.every((text) => isValid(text, now))).toBe(true)
    expect(isValid(pass, now + lifeMs)).toBe(false)
  })

  it('cannot be made with the key of passes alone, which CloudFront has too (L6)', () => {
    const [day = 0] = [...keys.keys()].filter(
      (one) => verifyPass(pass, new Map([[one, keys.get(one) ?? '']]), now) !== 'unknown',
    )
    const head = pass.split('.').slice(0, 3).join('.')
    const text = [head, session.digest, session.keyId].join(' ')
    const forged = createHmac('sha256', keys.get(day) ?? '')
      .update(text)
      .digest('base64url')
      .slice(0, 22)
    expect(proves(`${pass.slice(0, pass.lastIndexOf('.'))}.${forged}`)).toBe(false)
  })
})
