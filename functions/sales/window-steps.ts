/**
 * What the clock does to a sale with several windows (R7), as pure steps. After a window the sale
 * turns to the next: it takes that window's times, its units are added to those left, and nothing
 * sells until it opens under an epoch of its own. A paused sale turns and stays paused. A window
 * opens by itself if a marketer has started the sale before; the first one needs the marketer.
 */
import type { Sale } from '../../core/sale/sale.ts'
import { maxStock } from '../../core/sale/settings.ts'
import type { VariantUnits } from '../../core/sale/variants.ts'
import { nextWindow } from '../../core/sale/windows.ts'
import { changedStock, revised } from './changed-sale.ts'

/** `units` come to the stock with the step; `variants` says of which variants, in a sale that has some. */
export type WindowStep = { what: 'turn' | 'open'; sale: Sale; units: number; variants?: VariantUnits }

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
export function openedAs({ epoch }: Sale, newToken: () => string): Pick<Sale, 'flag' | 'epoch' | 'startToken'> {
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
  // A marketer may have added so much stock that the units of the window would exceed the largest stock.
  const units = Math.min(saleWindow.stock, maxStock - sale.stock)
  const variants = saleWindow.units && atMost(saleWindow.units, units)
  const flag = sale.flag === 'paused' ? 'paused' : 'off'
  const stocks = changedStock(sale, { delta: units, ...(variants && { units: variants }) })
  const present = { windowIndex: sale.windowIndex + 1, startsAt, endsAt, ...stocks }
  const turnedSale = revised(sale, now, { ...present, flag, startToken: null })
  return { what: 'turn', units, ...(variants && { variants }), sale: turnedSale }
}

/** The first `most` of the units. */
function atMost(units: VariantUnits, most: number): VariantUnits {
  let room = most
  const taken = Object.entries(units).map(([id, wanted]) => {
    const some = Math.min(wanted, room)
    room -= some
    return [id, some] as const
  })
  return Object.fromEntries(taken)
}
