import { describe, expect, it } from 'vitest'
import { nameInCookies, passInCookies } from '../../web/signed-in.ts'

describe('the name in the cookies', () => {
  it('is found wherever it stands, as it was before it was encoded', () => {
    const name = 'a|b:c+d@example.com'
    const pair = `sluice_who=${encodeURIComponent(name)}`
    for (const cookies of [pair, `a=1; ${pair}`, `${pair}; b=2`]) expect(nameInCookies(cookies)).toBe(name)
    expect(nameInCookies(`sluice_who=${encodeURIComponent('小王 = 王')}`)).toBe('小王 = 王')
  })

  it.each(['', 'a=1', 'sluice_who=', 'sluice_whole=ann', 'not_sluice_who=ann', 'a=sluice_who=ann'])(
    'is not in %j',
    (cookies) => {
      expect(nameInCookies(cookies)).toBeNull()
    },
  )

  it('is what stands there, when that cannot be decoded', () => {
    expect(nameInCookies('sluice_who=100%')).toBe('100%')
  })
})

describe('the pass in the cookies', () => {
  const hash = 'abcdefgh_-123456'
  const signature = 's'.repeat(43)

  it('says whose it is and until when (L6)', () => {
    const cookies = `sluice_who=ann; sluice_pass=v1.${hash}.1700000000.${signature}; b=2`
    expect(passInCookies(cookies)).toEqual({ shopperHash: hash, expiresAt: 1_700_000_000 })
  })

  it.each(['', 'sluice_pass=', `sluice_pass=v2.${hash}.1700000000.${signature}`, 'sluice_passed=1'])(
    'is not in %j',
    (cookies) => {
      expect(passInCookies(cookies)).toBeUndefined()
    },
  )
})
