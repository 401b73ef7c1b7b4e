import { describe, expect, it } from 'vitest'
import { nameInCookies } from '../../static/client/cookies.ts'

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
