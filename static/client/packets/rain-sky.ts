/** What is seen in the sky over the button, from what the page knows. Pure. */
import type { Phase } from '../../../core/sale/phase.ts'
import type { ButtonState } from '../buy/button.ts'

/**
 * `clear`: nothing falls. `raining`: packets fall and can be tapped. `resting`: they fall, and a
 * tap has to wait. `held`: they stand still while one is being caught. `caught`: the shopper's own
 * packet is open.
 */
export type Sky = 'clear' | 'raining' | 'resting' | 'held' | 'caught'

type SkyFacts = { phase: Phase | undefined; button: ButtonState; caught: boolean }

export function skyOf({ phase, button, caught }: SkyFacts): Sky {
  if (caught) return 'caught'
  if (phase !== 'open') return 'clear'
  if (button.kind === 'sending') return 'held'
  return button.lit ? 'raining' : 'resting'
}
