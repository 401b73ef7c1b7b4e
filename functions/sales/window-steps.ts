/**
 * What the clock does to a sale with several windows (R7), as pure steps. When a window is over and another comes, the
 * sale turns to it: its times become the sale's, its units come to those that were left, and nobody may buy until it
 * opens as an epoch of its own. A paused sale turns as well and stays paused. A window opens by itself where the
 * marketer has started the sale before; the first is for the marketer to start.
 */
import { maxStock, type Sale } from '../../core/sale.ts'
import { nextWindow } from '../../core/windows.ts'
import { revised } from './revised.ts'

/** `units` come to the stock with the step. */
export type WindowStep = { what: 'turn' | 'open'; sale: Sale; units: number }

/** The step that is due at `now` (epoch ms), or undefined. A sale that is not on the shelf, or closed, has none. */
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

/** Which step is due, for whoever only wants to know whether one is. */
export function dueWork(sale: Sale, now: number): WindowStep['what'] | undefined {
  const { warmed, flag, epoch, startsAt, endsAt } = sale
  if (!warmed || flag === 'closed') return undefined
  if (now >= endsAt) return nextWindow(sale) === undefined ? undefined : 'turn'
  return flag === 'off' && epoch > 0 && now >= startsAt ? 'open' : undefined
}

/** The flag on, under a new epoch with a token that nobody could know before (C6). */
export function openedAs(
  { epoch }: Sale,
  newToken: () => string,
): Pick<Sale, 'flag' | 'epoch' | 'startToken'> {
  return { flag: 'on', epoch: epoch + 1, startToken: newToken() }
}

/** The token goes: a window without one was never open, and whoever resumes the sale in it opens a new epoch. */
function turned(sale: Sale, now: number): WindowStep | undefined {
  const saleWindow = nextWindow(sale)
  if (saleWindow === undefined) return undefined
  const { startsAt, endsAt } = saleWindow
  // What a marketer added meanwhile may leave less room than the window wants.
  const units = Math.min(saleWindow.stock, maxStock - sale.stock)
  const flag = sale.flag === 'paused' ? 'paused' : 'off'
  const present = { windowIndex: sale.windowIndex + 1, startsAt, endsAt, stock: sale.stock + units }
  return { what: 'turn', units, sale: revised(sale, now, { ...present, flag, startToken: null }) }
}
