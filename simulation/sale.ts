/** The sale that is played: small, so that everything about it meets. */
import type { SaleId } from '../core/ids.ts'
import { defaultThrottle, type SaleDefinition, type SaleKind } from '../core/sale.ts'
import type { Dice } from './engine/dice.ts'

/** Long after everything that can happen. */
const lastsMs = 30 * 86_400_000

/** Of so many sales in a hundred, each kind. */
const kinds = new Map<SaleKind, number>([
  ['goods', 55],
  ['coupon', 20],
  ['red-packet', 25],
])

export function drawKind(dice: Dice): SaleKind {
  return dice.weighted(kinds)
}

export function drawSale(dice: Dice, kind: SaleKind, saleId: SaleId, now: number): SaleDefinition {
  const common = {
    saleId,
    title: 'A lamp',
    description: 'One of a few.',
    image: '/assets/lamp.svg',
    currency: 'EUR',
    paymentWindowSeconds: dice.chance(0.1) ? dice.whole(901, 2000) : dice.spread(1, 120),
    paymentGraceSeconds: dice.spread(1, 120) - 1,
    admissionRatio: dice.pick([1, 1.2, 1.2, 2.5]),
    minLevel: 0,
    challenge: 'off',
    throttle: defaultThrottle,
  } as const
  return kind === 'red-packet'
    ? { ...common, ...drawPackets(dice, now) }
    : { ...common, ...drawUnits(dice, kind, now) }
}

type Units = Pick<
  SaleDefinition,
  | 'kind'
  | 'price'
  | 'limitPerShopper'
  | 'maxPerOrder'
  | 'stock'
  | 'startsAt'
  | 'endsAt'
  | 'windows'
  | 'coupons'
>

function drawUnits(dice: Dice, kind: 'goods' | 'coupon', now: number): Units {
  const limitPerShopper = dice.whole(1, 4)
  const windowTimes = dice.chance(0.3) ? drawWindows(dice, now) : []
  const windows = windowTimes.map((window) => ({ ...window, stock: dice.whole(1, 8) }))
  const endsAt = windows[0]?.endsAt ?? now + lastsMs
  const isUnlimited = dice.chance(kind === 'goods' ? 0.05 : 0.2)
  return {
    ...(kind === 'goods' ? { kind, price: dice.pick([0, 1, 250, 1999, 1999, 1999]) } : { kind, price: 0 }),
    limitPerShopper,
    maxPerOrder: dice.whole(1, limitPerShopper),
    stock: windows[0]?.stock ?? (isUnlimited ? -1 : dice.whole(1, 12)),
    startsAt: now,
    endsAt,
    windows,
    ...(kind === 'coupon' && dice.chance(0.5) ? { coupons: { validFrom: now } } : {}),
  }
}

function drawPackets(dice: Dice, now: number): Units & Pick<SaleDefinition, 'packets'> {
  const windowTimes = dice.chance(0.35) ? drawWindows(dice, now) : []
  const windows = windowTimes.map((window) => {
    const { count, totalAmount } = drawWave(dice, 6)
    return { ...window, stock: count, totalAmount }
  })
  const [first] = windows
  const packets =
    first === undefined ? drawWave(dice, 12) : { count: first.stock, totalAmount: first.totalAmount }
  return {
    kind: 'red-packet',
    price: 0,
    limitPerShopper: 1,
    maxPerOrder: 1,
    stock: packets.count,
    startsAt: now,
    endsAt: first?.endsAt ?? now + lastsMs,
    windows,
    packets,
  }
}

/** As little as one minor unit for each packet, and as much as nobody will ever have. */
function drawWave(dice: Dice, most: number): { count: number; totalAmount: number } {
  const count = dice.whole(1, most)
  return { count, totalAmount: count + dice.pick([0, 1, dice.spread(1, 5000), dice.spread(1, 1e9)]) }
}

/** Two or three windowTimes, of which the last is open until the end. */
function drawWindows(dice: Dice, now: number): { startsAt: number; endsAt: number }[] {
  const windowTimes = dice.whole(2, 3)
  let startsAt = now
  return Array.from({ length: windowTimes }, (_, index) => {
    const endsAt = index === windowTimes - 1 ? now + lastsMs : startsAt + dice.spread(5_000, 200_000)
    const window = { startsAt, endsAt }
    startsAt = endsAt + (dice.chance(0.5) ? 0 : dice.spread(1_000, 90_000))
    return window
  })
}
