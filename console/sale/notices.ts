/** Chooses notices about the reliability of a sale's numbers. */
import type { Component, Live } from '../../core/api/control-answers.ts'

type NoticeKey =
  | `live.unavailable.${Component}`
  | 'live.frozen'
  | 'live.stockLost'
  | 'live.shardsOut'
  | 'live.heldBack'
  | 'live.behind'

/** The keys of the notices, the gravest first. */
export function noticesOf(live: Live): readonly NoticeKey[] {
  const unavailable = live.unavailable.map((part): NoticeKey => `live.unavailable.${part}`)
  if (live.frozen) return [...unavailable, 'live.frozen']
  if (isStockLost(live)) return [...unavailable, 'live.stockLost']
  return [
    ...unavailable,
    ...(areShardsOut(live) ? (['live.shardsOut'] as const) : []),
    ...(heldBackIn(live) > 0 ? (['live.heldBack'] as const) : []),
    ...(live.inStep ? [] : (['live.behind'] as const)),
  ]
}

/**
 * The answer as it is to be shown. During a flip by this page the parts differ by nature, and whether a part that does
 * not answer is behind is unknown: publishing again would change nothing there.
 */
export function shownLive(live: Live, isFlipping: boolean): Live {
  const isUnknown = live.unavailable.includes('redis') || live.unavailable.includes('gate')
  return { ...live, inStep: live.inStep || isFlipping || isUnknown }
}

/** Units that a rebuild keeps for orders that may still arrive, and that cannot be bought yet. */
export function heldBackIn({ stock }: Live): number {
  return stock?.heldBack ?? 0
}

/** True when every order is rejected until the sale is rebuilt. */
export function needsRecovery(live: Live): boolean {
  return canRecover(live) && (live.frozen || isStockLost(live))
}

/** A sale that was never started has no orders to rebuild it from: it is published again. */
export function canRecover({ sale }: Live): boolean {
  return sale.warmed && sale.epoch > 0 && sale.archivedAt === undefined
}

/** True when a database of a split stock sells nothing, while others may. */
function areShardsOut({ split }: Live): boolean {
  return split?.shards.some(({ state }) => state !== 'selling') ?? false
}

function isStockLost(live: Live): boolean {
  return canRecover(live) && live.stock === null && !live.unavailable.includes('redis')
}
