/** Completes the gate's admissions, those of one moment in one call. */
import type { SaleId } from '../../core/ids.ts'
import { maxOrdersPerCall } from '../../redis/batch.ts'
import type { Commander } from '../../redis/command.ts'
import { completeAdmissions, latestSeen, type StockSeen } from '../../redis/complete-admissions.ts'
import type { AdmissionCompleter } from '../buy/complete-admission.ts'
import { coalesce } from '../lib/coalesce.ts'

/** How long the first of several waits for the others. */
const maxWaitMs = 20

type Decided = { saleId: SaleId; second: number; seen: StockSeen | undefined }

/** `clock` gives epoch ms. */
export function redisAdmissionCompleter(gate: Commander, clock: () => number): AdmissionCompleter {
  const complete = coalesce<Decided, void>({
    maxItems: maxOrdersPerCall,
    maxWaitMs,
    async send(decided) {
      const now = clock()
      const bySale = Map.groupBy(decided, ({ saleId }) => saleId)
      const telling = [...bySale].map(([saleId, some]) =>
        completeAdmissions(gate, saleId, {
          seconds: some.map(({ second }) => second),
          seen: latestSeen(some.flatMap(({ seen }) => seen ?? [])),
          now,
        }),
      )
      await Promise.all(telling)
      return decided.map(() => undefined)
    },
  })
  return { completeAdmissions: (saleId, second, seen) => complete({ saleId, second, seen }) }
}
