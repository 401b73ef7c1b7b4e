/** The sale that is played: small, so that everything about it meets. */
import type { SaleId } from '../../core/ids.ts'
import { defaultThrottle, type SaleDefinition } from '../../core/sale.ts'
import type { Dice } from './engine/dice.ts'

/** Long after everything that can happen. */
const lastsMs = 30 * 86_400_000

/** Two or three windows, of which the last is open until the end. */
function drawSlots(dice: Dice, now: number): SaleDefinition['slots'] {
  const windows = dice.whole(2, 3)
  let startsAt = now
  return Array.from({ length: windows }, (_, index) => {
    const endsAt = index === windows - 1 ? now + lastsMs : startsAt + dice.spread(5_000, 200_000)
    const window = { startsAt, endsAt, stock: dice.whole(1, 8) }
    startsAt = endsAt + (dice.chance(0.5) ? 0 : dice.spread(1_000, 90_000))
    return window
  })
}

export function drawSale(dice: Dice, saleId: SaleId, now: number): SaleDefinition {
  const limitPerShopper = dice.whole(1, 4)
  const slots = dice.chance(0.3) ? drawSlots(dice, now) : []
  const endsAt = slots[0]?.endsAt ?? now + lastsMs
  const stock = slots[0]?.stock ?? (dice.chance(0.05) ? -1 : dice.whole(1, 12))
  return {
    saleId,
    kind: 'goods',
    title: 'A lamp',
    description: 'One of a few.',
    image: '/assets/lamp.svg',
    price: dice.pick([0, 1, 250, 1999, 1999, 1999]),
    currency: 'EUR',
    stock,
    limitPerShopper,
    maxPerOrder: dice.whole(1, limitPerShopper),
    startsAt: now,
    endsAt,
    paymentWindowSeconds: dice.chance(0.1) ? dice.whole(901, 2000) : dice.spread(1, 120),
    paymentGraceSeconds: dice.spread(1, 120) - 1,
    admissionRatio: dice.pick([1, 1.2, 1.2, 2.5]),
    minLevel: 0,
    challenge: 'off',
    throttle: defaultThrottle,
    slots,
  }
}
