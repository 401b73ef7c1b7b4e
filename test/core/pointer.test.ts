import { describe, expect, it } from 'vitest'
import type { SaleId } from '../../core/ids.ts'
import type { Flag } from '../../core/phase.ts'
import { countdownOf, countdownSource, pointerOf } from '../../core/pointer.ts'

const sale = {
  saleId: 'mug' as SaleId,
  version: 3,
  warmed: true,
  startToken: 'secret-token',
  startsAt: 1000,
  endsAt: 2000,
}

describe('the countdown', () => {
  it.each<Flag>(['off', 'paused', 'closed'])(
    'never shows the start token while the flag is %s (C6)',
    (flag) => {
      const source = countdownSource(countdownOf({ ...sale, flag }))
      expect(source).not.toContain('secret-token')
      expect(source).toContain('"started":false')
    },
  )

  it('shows started and the token once the flag is on (C6)', () => {
    expect(countdownOf({ ...sale, flag: 'on' })).toMatchObject({ started: true, startToken: 'secret-token' })
  })

  it('is a module a browser can import', () => {
    expect(countdownSource(countdownOf({ ...sale, flag: 'off' }))).toMatch(
      /^export const countdown = \{.*\}\n$/,
    )
  })
})

describe('the pointer', () => {
  it('names the countdown of its version and what is left, and never a token (C6, C8)', () => {
    const pointer = pointerOf({ ...sale, flag: 'on' }, 1500, 0)
    expect(pointer).toEqual({
      saleId: 'mug',
      version: 3,
      phase: 'sold-out',
      startsAt: 1000,
      endsAt: 2000,
      src: '/sales/mug/countdown.3.js',
      remaining: 0,
    })
  })
})
