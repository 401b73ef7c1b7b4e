/** Reads, counts and publishes in the store of the gate, for the functions that sell. */
import type { SaleId } from '../../../core/ids.ts'
import { setBounded } from '../../../core/lib/bounded-map.ts'
import type { Admitted } from '../../../core/orders/order-message.ts'
import type { Pipelined } from '../../../redis/client.ts'
import type { Commander } from '../../../redis/command.ts'
import { completeAdmissions, latestSeen, type StockSeen } from '../../../redis/gate/complete-admissions.ts'
import { countDemand, createDemandCounter, type DemandCounter } from '../../../redis/gate/demand.ts'
import { publishSoldOut, publishSoldOutVariants, readDatabases, readGates } from '../../../redis/gate/gate.ts'
import { readSaleIds } from '../../../redis/gate/shared-lists.ts'
import type { SoldOutPublisher } from '../../buy/dispatch-order.ts'
import type { AdmissionCompleter } from '../../lib/acknowledge.ts'
import { errorFacts, type Telemetry } from '../../lib/telemetry.ts'
import type { Placements } from '../redis.ts'

export function gatePlacements(gate: Commander): Placements {
  return (saleId) => readDatabases(gate, saleId)
}

export async function publishedPlacements(
  gate: Commander & Pipelined,
): Promise<ReadonlyMap<SaleId, readonly string[]>> {
  const facts = await readGates(gate, await readSaleIds(gate))
  return new Map([...facts].map(([saleId, { databases }]) => [saleId, databases]))
}

/** Counts the decisions of the stock, next to the gate's own counts. */
export function redisDemandCounter(gate: Commander, { log }: Pick<Telemetry, 'log'>): DemandCounter {
  return createDemandCounter({
    count: (saleId, counts) => countDemand(gate, saleId, 'stock', counts),
    onFailure: (error) => log.warn('demand not counted', errorFacts(error)),
    clock: Date.now,
  })
}

/** `clock` gives epoch ms. @throws RedisUnavailable, UnexpectedReply; takes at most `maxOrdersPerCall` requests */
export function redisAdmissions(gate: Commander, clock: () => number): AdmissionCompleter {
  return {
    complete(saleId, decided) {
      const seconds = decided.map(({ second }) => second)
      const seen = latestSeen(decided.flatMap(seenOf))
      return completeAdmissions(gate, saleId, { seconds, seen, now: clock() })
    },
  }
}

function seenOf({ booked, stockRevision }: Admitted): StockSeen[] {
  return booked === undefined || stockRevision === undefined ? [] : [{ booked, stockRevision }]
}

const maxReports = 1000

/** Answers calls for a published revision from memory. Calls during the publication share its result. */
export function redisSoldOutPublisher(gate: Commander): SoldOutPublisher {
  const published = new Map<string, { stockRevision: number; done: Promise<void> }>()

  function publishOnce(what: string, stockRevision: number, send: () => Promise<void>): Promise<void> {
    const known = published.get(what)
    if (known !== undefined && known.stockRevision >= stockRevision) return known.done
    const done = send().catch((error) => {
      published.delete(what)
      throw error
    })
    setBounded(published, what, { stockRevision, done }, maxReports)
    return done
  }

  return {
    publish: (saleId, stockRevision, variants) =>
      publishOnce([saleId, ...(variants ?? [])].join(' '), stockRevision, () =>
        variants === undefined
          ? publishSoldOut(gate, saleId, stockRevision)
          : publishSoldOutVariants(gate, saleId, stockRevision, variants),
      ),
  }
}
