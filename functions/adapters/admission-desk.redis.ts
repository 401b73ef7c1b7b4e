/** Tells the gate of decided clicks, those of one moment together. */
import type { SaleId } from '../../core/ids.ts'
import { maxOrdersPerCall } from '../../redis/batch.ts'
import type { Commander } from '../../redis/command.ts'
import { redeem } from '../../redis/redeem.ts'
import type { AdmissionDesk } from '../reserve/reserve.ts'
import { coalesce } from './coalesce.ts'

/** Nobody waits for this but the end of the invocation, so company is worth more than haste. */
const maxWaitMs = 20

type Decided = { saleId: SaleId; second: number; remaining: number | undefined }

/** `clock` gives epoch ms. */
export function redisAdmissionDesk(gate: Commander, clock: () => number): AdmissionDesk {
  const tell = coalesce<Decided, void>({
    maxItems: maxOrdersPerCall,
    maxWaitMs,
    async send(decided) {
      const now = clock()
      const bySale = Map.groupBy(decided, ({ saleId }) => saleId)
      const telling = [...bySale].map(([saleId, some]) =>
        redeem(gate, saleId, {
          seconds: some.map(({ second }) => second),
          remaining: lowest(some.flatMap(({ remaining }) => remaining ?? [])),
          now,
        }),
      )
      await Promise.all(telling)
      return decided.map(() => undefined)
    },
  })
  return { redeem: (saleId, second, remaining) => tell({ saleId, second, remaining }) }
}

const lowest = (counts: readonly number[]) => (counts.length === 0 ? undefined : Math.min(...counts))
