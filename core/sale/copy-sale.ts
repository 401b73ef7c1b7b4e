/** Copies a sale to a later date, with the same times of day. */

import type { Live } from '../api/control-answers.ts'
import { definitionOf, plansOf, type Sale, type SaleDefinition, stockOfVariants } from './sale.ts'
import { daysLater } from './schedule.ts'

/**
 * Returns the definition of a new sale without its id. All times move by the smallest number of whole days after which its
 * first window, or the first time of an option's field, is after `now` (epoch ms). They keep their time of day in the zone
 * of the sale, or else in that of this machine. Variants get their stock of the first window, if there are windows.
 */
export function copySale(sale: Sale | SaleDefinition, now: number): Omit<SaleDefinition, 'saleId'> {
  const { saleId: _, ...definition } = 'epoch' in sale ? definitionOf(sale) : sale
  const days = daysToMove(sale, now)
  const later = (time: number) => daysLater(time, days, sale.timeZone)
  const moved = <T extends { startsAt: number; endsAt: number }>(span: T): T => ({
    ...span,
    startsAt: later(span.startsAt),
    endsAt: later(span.endsAt),
  })
  const windows = sale.windows.map(moved)
  const { startsAt, endsAt, stock, totalAmount } = { totalAmount: undefined, ...(windows[0] ?? moved(definition)) }
  const units = windows[0]?.units
  const variants = sale.variants?.map((one) => ({ ...one, stock: units?.[one.id] ?? one.stock }))
  const packets = totalAmount === undefined ? definition.packets : { count: stock, totalAmount }
  const { validFrom, validUntil } = definition.coupons ?? {}
  return {
    ...definition,
    ...{ startsAt, endsAt, stock, windows },
    ...(variants && { variants }),
    ...(packets && { packets }),
    ...Object.assign({}, ...plansOf(definition).map((plan) => plan.moved(definition, later))),
    ...(definition.coupons && {
      coupons: {
        ...(validFrom !== undefined && { validFrom: later(validFrom) }),
        ...(validUntil !== undefined && { validUntil: later(validUntil) }),
      },
    }),
  }
}

/**
 * Returns the definition of an ended sale with exactly the units that no order owns: unsold ones, and those of ended orders.
 * Undefined if none is left or the number is unknown, for an unlimited stock, and for red packets. Orders that wait for
 * payment still own their units.
 */
export function withUnitsLeft({ sale, phase, orders, variants: counts }: UnitsOfSale): SaleDefinition | undefined {
  if (phase !== 'ended' || sale.epoch === 0 || sale.kind === 'red-packet' || sale.stock === -1) return undefined
  const { variants, ...definition } = definitionOf(sale)
  if (variants === undefined) {
    const stock = sale.stock - orders.sold
    return stock > 0 ? { ...definition, windows: [], stock } : undefined
  }
  const left = variants.map((one) => ({ ...one, stock: counts?.[one.id]?.left ?? 0 }))
  const stock = stockOfVariants(left)
  return stock > 0 ? { ...definition, windows: [], stock, variants: left } : undefined
}

type UnitsOfSale = Pick<Live, 'sale' | 'phase' | 'orders' | 'variants'>

/** Returns whole days in the zone of the sale; a clock change makes one of them shorter or longer. */
function daysToMove(sale: SaleDefinition, now: number): number {
  const { windows, startsAt, timeZone } = sale
  const first = Math.min(windows[0]?.startsAt ?? startsAt, ...plansOf(sale).map((plan) => plan.firstTime(sale)))
  let days = Math.max(0, Math.floor((now - first) / 86_400_000) - 1)
  while (daysLater(first, days, timeZone) <= now) days += 1
  return days
}
