/**
 * The facts of each sale that this instance has in memory (G3).
 *
 * - Nothing fails open: without usable facts the sale is `unavailable`, and requests are refused
 *   (I6).
 * - A published sale never disappears: when the store no longer has a sale that was seen there, the
 *   store has lost its data, and the sale is `unavailable` until reconcile has published it again
 *   (P10).
 * - Facts that let a request pass are at most one second old. Facts of a quiet sale, which refuses
 *   every request for the next seconds, are good for up to `quietMs`: a crowd at a sold-out sale
 *   costs the store almost nothing.
 */
import QuickLRU from 'quick-lru'
import { maxFilterAgeMs } from '../../core/gate/sale-filter.ts'
import type { SaleId } from '../../core/ids.ts'
import { type Phase, phaseAt } from '../../core/sale/phase.ts'
import type { GateFacts, GateStore } from './gate-store.ts'
import { createRefreshingCache, maxAgeMs, type RefreshingCache } from './refreshing-cache.ts'

export type Known = { kind: 'sale'; facts: GateFacts } | { kind: 'unknown-sale' } | { kind: 'unavailable' }

export type Flags = {
  /** The sale, at most `withinMs` old: one second, or `quietMs` for a quiet one. A promise only for a read. */
  get(saleId: SaleId, withinMs?: number): Known | Promise<Known>
  /** The sale as it was at `time` (epoch ms) or later. */
  getReadAfter(saleId: SaleId, time: number): Known | Promise<Known>
  /** True when this instance has found the sale in the store before. */
  hasSeen(saleId: SaleId): boolean
  /** True when the sale was quiet by its last facts, however old. */
  wasQuiet(saleId: SaleId): boolean
}

/**
 * At least this many sales are kept, at most twice as many. Made-up ids evict each other; a sale in demand is always
 * recent. A sale that is evicted while it is read costs one more read: waiting requests hold the first one.
 */
const maxSales = 1000

/**
 * Longest age of the facts of a quiet sale, ms. An instance may learn this late that units were
 * returned to a sold-out sale, or that one which had ended has more time. A start is never late by
 * this: phase.ts reads the facts again for the start token of a newer epoch.
 */
export const quietMs = 3000

type Watch = { cache: RefreshingCache<Known>; hasSeen: boolean; isQuiet: boolean }

const unknownSale: Known = { kind: 'unknown-sale' }
const unavailable: Known = { kind: 'unavailable' }

/** `clock` gives epoch ms. `onFailure` is called with failed reads, at most four times a second per sale. */
export function createFlags(
  store: Pick<GateStore, 'read'>,
  clock: () => number,
  onFailure: (error: unknown) => void,
): Flags {
  const watches = new QuickLRU<SaleId, Watch>({ maxSize: maxSales })

  function watch(saleId: SaleId): Watch {
    async function read(): Promise<Known> {
      const facts = await store.read(saleId)
      fresh.hasSeen ||= facts !== undefined
      if (facts !== undefined) return { kind: 'sale', facts }
      return fresh.hasSeen ? unavailable : unknownSale
    }
    function goodForMs(known: Known, readAt: number): number {
      fresh.isQuiet = known.kind === 'sale' && isQuietSince(known.facts, readAt)
      return fresh.isQuiet ? quietMs : maxAgeMs
    }
    const isInDemand = ({ kind }: Known) => kind === 'sale'
    const cache = createRefreshingCache({ read, unavailable, isInDemand, goodForMs }, clock, onFailure)
    const fresh: Watch = { cache, hasSeen: false, isQuiet: false }
    watches.set(saleId, fresh)
    return fresh
  }

  function get(saleId: SaleId, withinMs?: number): Known | Promise<Known> {
    const { cache } = watches.get(saleId) ?? watch(saleId)
    const known = cache.get(withinMs)
    // A new sale is announced once every memory of its absence has expired (B5).
    return known === unknownSale ? cache.get(maxFilterAgeMs) : known
  }

  return {
    get,
    getReadAfter: (saleId, time) => get(saleId, clock() - time),
    hasSeen: (saleId) => watches.get(saleId)?.hasSeen === true,
    wasQuiet: (saleId) => watches.get(saleId)?.isQuiet === true,
  }
}

/**
 * True when facts read at `readAt` let no request pass until they are `quietMs` old. A sale that was started waits for
 * its time with the armed token that its pages have, and its marketer may start it at once: it is not quiet.
 */
function isQuietSince(facts: GateFacts, readAt: number): boolean {
  const { flag, startsAt, frozen } = facts
  const isArmed = flag === 'on' && readAt < startsAt
  const isQuietAt = (time: number) => quietPhases.has(phaseIn(facts, time))
  return !frozen && !isArmed && isQuietAt(readAt) && isQuietAt(readAt + quietMs)
}

const quietPhases: ReadonlySet<Phase> = new Set(['scheduled', 'sold-out', 'ended'])

function phaseIn({ flag, startsAt, endsAt, nextStartsAt, soldOut }: GateFacts, time: number): Phase {
  const times = { startsAt, endsAt, hasNext: nextStartsAt !== null }
  return phaseAt({ warmed: true, flag, ...times }, time, soldOut ? 0 : -1)
}
