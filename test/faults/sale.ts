/** The sale that is played: small, so that everything about it meets. */
import type { SaleId } from '../../core/ids.ts'
import type { SaleDefinition } from '../../core/sale.ts'
import type { Dice } from './engine/dice.ts'

/** Long after everything that can happen. */
const lastsMs = 30 * 86_400_000

export function drawSale(dice: Dice, saleId: SaleId, now: number): SaleDefinition {
  const limitPerShopper = dice.whole(1, 4)
  return {
    saleId,
    kind: 'goods',
    title: 'A lamp',
    description: 'One of a few.',
    image: '/assets/lamp.svg',
    price: dice.pick([0, 1, 250, 1999, 1999, 1999]),
    currency: 'EUR',
    stock: dice.chance(0.05) ? -1 : dice.whole(1, 12),
    limitPerShopper,
    maxPerOrder: dice.whole(1, limitPerShopper),
    startsAt: now,
    endsAt: now + lastsMs,
    paymentWindowSeconds: dice.chance(0.1) ? dice.whole(901, 2000) : dice.spread(1, 120),
    paymentGraceSeconds: dice.spread(1, 120) - 1,
    throttle: { perShopper: { limit: 5, windowSeconds: 60 } },
  }
}
