import { describe, expect, it } from 'vitest'
import type { ButtonState } from '../../../static/client/buy/button.ts'
import { skyOf } from '../../../static/client/packets/rain-sky.ts'

const button = (kind: ButtonState['kind']): ButtonState => ({ kind, lit: kind === 'ready', secondsLeft: 0 })
const ready = button('ready')

describe('the sky over the button', () => {
  it('is clear unless a wave is open', () => {
    for (const phase of [undefined, 'draft', 'scheduled', 'paused', 'sold-out', 'ended'] as const) {
      expect(skyOf({ phase, button: ready, caught: false })).toBe('clear')
    }
  })

  it('rains while a tap counts, and says so when it does not (C7)', () => {
    const sky = (kind: ButtonState['kind']) => skyOf({ phase: 'open', button: button(kind), caught: false })
    expect(sky('ready')).toBe('raining')
    expect(sky('resting')).toBe('resting')
    expect(sky('checking')).toBe('resting')
    expect(sky('sending')).toBe('held')
  })

  it('shows the shopper’s own packet from the catch on, whatever becomes of the sale', () => {
    for (const phase of [undefined, 'open', 'sold-out', 'ended'] as const) {
      expect(skyOf({ phase, button: ready, caught: true })).toBe('caught')
    }
  })
})
