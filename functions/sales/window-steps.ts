/**
 * What the clock does to a sale with several windows (R7), as pure steps. After a window the sale
 * turns to the next: it takes that window's times, its units are added to those left, and nothing
 * sells until it opens under an epoch of its own. A paused sale turns and stays paused. A window
 * opens by itself if a marketer has started the sale before; the first one needs the marketer.
 */
import type { Sale } from '../../core/sale.ts'
import { maxStock } from '../../core/settings.ts'
import { type VariantUnits, withMoreUnits } from '../../core/variants.ts'
import { nextWindow } from '../../core/windows.ts'
import { revised } from './revised.ts'

/** `units` come to the stock with the step; `ofVariants` says how many of each, where there are some. */
export type WindowStep = { what: 'turn' | 'open'; sale: Sale; units: number; ofVariants?: VariantUnits }

/**
 * The step that is due at `now` (epoch ms), or undefined. A sale that is not warmed, or closed, has
 * none.
 */
export function dueStep(sale: Sale, now: number, newToken: () => string): WindowStep | undefined {
  switch (dueWork(sale, now)) {
    case 'turn':
      return turned(sale, now)
    case 'open':
      return { what: 'open', sale: revised(sale, now, openedAs(sale, newToken)), units: 0 }
    default:
      return undefined
  }
}

/** Which step is due, without taking it. */
export function dueWork(sale: Sale, now: number): WindowStep['what'] | undefined {
  const { warmed, flag, epoch, startsAt, endsAt } = sale
  if (!warmed || flag === 'closed') return undefined
  if (now >= endsAt) return nextWindow(sale) === undefined ? undefined : 'turn'
  return flag === 'off' && epoch > 0 && now >= startsAt ? 'open' : undefined
}

/** Flag on, under a new epoch with an unpredictable token (C6). */
export function openedAs(
  { epoch }: Sale,
  newToken: () => string,
): Pick<Sale, 'flag' | 'epoch' | 'startToken'> {
  return { flag: 'on', epoch: epoch + 1, startToken: newToken() }
}

/**
 * The token is removed: a window without one was never open, and resuming the sale in it starts a
 * new epoch.
 */
function turned(sale: Sale, now: number): WindowStep | undefined {
  const saleWindow = nextWindow(sale)
  if (saleWindow === undefined) return undefined
  const { startsAt, endsAt } = saleWindow
  // What a marketer added meanwhile may leave less room than the window wants.
  const units = Math.min(saleWindow.stock, maxStock - sale.stock)
  const flag = sale.flag === 'paused' ? 'paused' : 'off'
  const present = { windowIndex: sale.windowIndex + 1, startsAt, endsAt, stock: sale.stock + units }
  const divided = dividedUnits(sale, saleWindow.units, units)
  const variants = divided && { variants: withMoreUnits(sale.variants ?? [], divided) }
  return {
    what: 'turn',
    units,
    ...(divided && { ofVariants: divided }),
    sale: revised(sale, now, { ...present, ...variants, flag, startToken: null }),
  }
}

/** The window's units of each variant, in their order as long as there is room for them. */
function dividedUnits(
  { variants }: Sale,
  wanted: VariantUnits | undefined,
  room: number,
): VariantUnits | undefined {
  if (variants === undefined || wanted === undefined) return undefined
  let left = room
  const lines = variants.map(({ id }) => {
    const units = Math.min(wanted[id] ?? 0, left)
    left -= units
    return [id, units] as const
  })
  return Object.fromEntries(lines)
}
