/** Completes the gate's admissions, many in one call. */
import type { Admitted } from '../../core/admitted.ts'
import type { SaleId } from '../../core/ids.ts'
import { maxOrdersPerCall } from '../../redis/batch.ts'
import type { Commander } from '../../redis/command.ts'
import { completeAdmissions, latestSeen, type StockSeen } from '../../redis/complete-admissions.ts'
import type { AdmissionCompleter } from '../buy/complete-admission.ts'
import { coalesce } from '../lib/coalesce.ts'

/** How long the first of several waits for the others. */
const maxWaitMs = 20

type Decided = Admitted & { saleId: SaleId }

/**
 * For a function that decides one request at a time: those of one moment share a call. `clock` gives
 * epoch ms.
 */
export function redisAdmissionCompleter(gate: Commander, clock: () => number): AdmissionCompleter {
  const complete = coalesce<Decided, void>({
    maxItems: maxOrdersPerCall,
    maxWaitMs,
    async send(decided) {
      const now = clock()
      const bySale = Map.groupBy(decided, ({ saleId }) => saleId)
      await Promise.all([...bySale].map(([saleId, some]) => completeDecided(gate, saleId, some, now)))
      return decided.map(() => undefined)
    },
  })
  return {
    async complete(saleId, decided) {
      await Promise.all(decided.map((one) => complete({ ...one, saleId })))
    },
  }
}

/**
 * For the consumer of a queue, which has at most `maxOrdersPerCall` of a sale together already.
 * `clock` gives epoch ms.
 */
export function redisBatchCompleter(gate: Commander, clock: () => number): AdmissionCompleter {
  return { complete: (saleId, decided) => completeDecided(gate, saleId, decided, clock()) }
}

/** @throws RedisUnavailable, UnexpectedReply, RangeError for more than `maxOrdersPerCall` */
function completeDecided(
  gate: Commander,
  saleId: SaleId,
  decided: readonly Admitted[],
  now: number,
): Promise<void> {
  const seconds = decided.map(({ second }) => second)
  return completeAdmissions(gate, saleId, { seconds, seen: latestSeen(decided.flatMap(seenOf)), now })
}

function seenOf({ booked, stockRevision }: Admitted): StockSeen[] {
  return booked === undefined || stockRevision === undefined ? [] : [{ booked, stockRevision }]
}
