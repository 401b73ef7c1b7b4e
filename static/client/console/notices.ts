/**
 * What a marketer must know before trusting the numbers of a sale: parts that are dark, a stock that is lost or being
 * rebuilt, and changes still on their way.
 */
import type { Live, Part } from './read.ts'

type NoticeKey = `live.dark.${Part}` | 'live.fenced' | 'live.stockLost' | 'live.behind'

/** The keys of the notices, the gravest first. */
export function noticesOf(live: Live): readonly NoticeKey[] {
  const dark = live.dark.map((part): NoticeKey => `live.dark.${part}`)
  if (live.fenced) return [...dark, 'live.fenced']
  if (isStockLost(live)) return [...dark, 'live.stockLost']
  return live.inStep ? dark : [...dark, 'live.behind']
}

/** Whether nobody can buy until the sale is rebuilt from its orders. */
export function needsRecovery(live: Live): boolean {
  return canRecover(live) && (live.fenced || isStockLost(live))
}

/** An archived sale has nothing in Redis. One that was never started has no orders to be rebuilt from: its stock is put on the shelf again. */
export function canRecover({ sale }: Live): boolean {
  return sale.warmed && sale.epoch > 0 && sale.archivedAt === undefined
}

function isStockLost(live: Live): boolean {
  return canRecover(live) && live.stock === null && !live.dark.includes('redis')
}
