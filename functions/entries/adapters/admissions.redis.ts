/** Completes the gate's admissions. */
import type { Admitted } from '../../../core/gate/request-report.ts'
import type { Commander } from '../../../redis/command.ts'
import { completeAdmissions, latestSeen, type StockSeen } from '../../../redis/gate/complete-admissions.ts'
import type { AdmissionCompleter } from '../../lib/acknowledge.ts'

/**
 * At most `maxOrdersPerCall` requests of a sale in one call; `clock` gives epoch ms. Rejects with
 * RedisUnavailable or UnexpectedReply.
 */
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
