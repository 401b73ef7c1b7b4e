/**
 * Tells the gate of decided clicks, those of one moment together. The shopper's answer waits for it, because a function that
 * has answered may stand still before it has told.
 */
import type { SaleId } from '../../core/ids.ts'
import { maxOrdersPerCall } from '../../redis/batch.ts'
import type { Commander } from '../../redis/command.ts'
import { redeem } from '../../redis/redeem.ts'
import type { AdmissionDesk } from '../reserve/reserve.ts'
import { within } from '../within.ts'
import { coalesce } from './coalesce.ts'

/** How long the first of many waits for the others. */
const maxWaitMs = 20

/** Longest wait, ms. A click nobody told of settles by itself, so a gate that is dark need hardly delay an answer. */
const patienceMs = 150

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
  return { redeem: (saleId, second, remaining) => within(patienceMs, tell({ saleId, second, remaining })) }
}

const lowest = (counts: readonly number[]) => (counts.length === 0 ? undefined : Math.min(...counts))
