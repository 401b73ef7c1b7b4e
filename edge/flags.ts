/**
 * What this instance believes about each sale, kept in memory so that a click costs no network (G3).
 *
 * - Facts are at most one second old. From half a second on, the next click starts a refresh in the
 *   background and is answered at once; past one second it waits for the refresh.
 * - One read per sale is under way at a time, whatever the crowd. A failed read is not tried again for a
 *   quarter of a second, so a dark store is asked four times a second and found again as soon as it is back.
 * - Nothing fails open: no usable facts is `dark`, and dark is refused (I6).
 * - A published sale never goes away: where one was seen, a store that knows nothing of it has lost its data, and
 *   that is `dark` as well, until a repair has told it again (P10).
 *
 * Lambda freezes an instance between two requests, and a background refresh with it. The reader that meets
 * such a refresh after the thaw may see it fail on an expired timer, or succeed with old facts. It therefore
 * never takes a background refresh's word for darkness: it reads once itself.
 */
import { LRUCache } from 'lru-cache'
import type { SaleId } from '../core/ids.ts'
import type { GateFacts, GateStore } from './gate-store.ts'

export type Known = { kind: 'sale'; facts: GateFacts } | { kind: 'unknown-sale' } | { kind: 'dark' }

export type Flags = {
  /** What is known of the sale now; a promise only when memory cannot say and the store must be asked. */
  look(saleId: SaleId): Known | Promise<Known>
}

/** How old facts may be, also the fact that a sale does not exist (B5). */
const maxAgeMs = 1000
const refreshFromMs = 500
/** Least time between two reads of one sale while reads fail. */
const retryEveryMs = 250
/** Sales remembered at once; made-up ids push each other out, a sale in demand is always recent. */
const maxSales = 2000

const unknownSale: Known = { kind: 'unknown-sale' }
const dark: Known = { kind: 'dark' }

type Flight = { done: Promise<void>; background: boolean }

/** `reading` is the number of the read that `known` comes from; the times are epoch ms. */
type Watch = {
  known: Known
  wasThere: boolean
  reading: number
  readAt: number
  triedAt: number
  flight: Flight | undefined
}

/** `clock` gives epoch ms. A failed read is reported to `onFailure`, at most four times a second per sale. */
export function createFlags(
  store: GateStore,
  clock: () => number,
  onFailure: (error: unknown) => void,
): Flags {
  const watches = new LRUCache<SaleId, Watch>({ max: maxSales })
  let readings = 0

  function watchOf(saleId: SaleId): Watch {
    const seen = watches.get(saleId)
    if (seen !== undefined) return seen
    const watch: Watch = {
      known: dark,
      wasThere: false,
      reading: 0,
      readAt: -Infinity,
      triedAt: -Infinity,
      flight: undefined,
    }
    watches.set(saleId, watch)
    return watch
  }

  async function read(saleId: SaleId, watch: Watch): Promise<void> {
    // The age counts from the moment of asking: the answer cannot be older than that.
    const askedAt = clock()
    watch.triedAt = askedAt
    // Reads are put in order by their number: by its time, none would count after the clock was set back.
    readings += 1
    const reading = readings
    try {
      const facts = await store.read(saleId)
      if (reading < watch.reading) return
      watch.reading = reading
      if (facts !== undefined) watch.known = { kind: 'sale', facts }
      else watch.known = watch.wasThere ? dark : unknownSale
      watch.wasThere ||= facts !== undefined
      watch.readAt = askedAt
    } catch (error) {
      onFailure(error)
    }
  }

  function startRead(saleId: SaleId, watch: Watch, background: boolean): Promise<void> {
    const flight: Flight = { done: Promise.resolve(), background }
    watch.flight = flight
    flight.done = read(saleId, watch).finally(() => {
      if (watch.flight === flight) watch.flight = undefined
    })
    return flight.done
  }

  // A clock that was set back would make facts look new for ever; a negative age is as good as too old.
  const isFresh = (watch: Watch, now: number) => now >= watch.readAt && now - watch.readAt <= maxAgeMs
  const mayTry = ({ triedAt }: Watch, now: number) => now < triedAt || now - triedAt >= retryEveryMs

  async function settle(saleId: SaleId, watch: Watch): Promise<Known> {
    const joined = watch.flight
    if (joined !== undefined) {
      await joined.done
      if (isFresh(watch, clock())) return watch.known
      if (!joined.background) return dark
    }
    if (watch.flight === undefined && !mayTry(watch, clock())) return dark
    await (watch.flight?.done ?? startRead(saleId, watch, false))
    return isFresh(watch, clock()) ? watch.known : dark
  }

  return {
    look(saleId) {
      const watch = watchOf(saleId)
      const now = clock()
      if (isFresh(watch, now)) {
        const due = now - watch.readAt >= refreshFromMs && watch.known.kind === 'sale'
        if (due && watch.flight === undefined && mayTry(watch, now)) void startRead(saleId, watch, true)
        return watch.known
      }
      return watch.flight === undefined && !mayTry(watch, now) ? dark : settle(saleId, watch)
    },
  }
}
