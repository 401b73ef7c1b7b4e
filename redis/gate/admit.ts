/** Runs admit.lua, which grants admissions in small batches, so that calls grow with the stock (G3, G4). */
import type { SaleId } from '../../core/ids.ts'
import type { Commander } from '../command.ts'
import { admissionsKey } from '../keys.ts'
import { integer, kindOf } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './admit.lua'

// Marked pure: a bundle carries only the scripts that it runs.
const admitScript = /* @__PURE__ */ defineScript('admit', source)
const admitCodes = { granted: 1, none: 2, 'sold-out': 4, throttled: 5, unknown: 10 } as const

/**
 * `granted`: `count` requests may pass within `leaseLifeMs` of the call; `second` is the epoch second in which they are
 * counted. `none`: retry later. `sold-out`: every unit is booked. `throttled`: the rate of the sale allows none now; retry
 * soon. `unknown`: no count was published yet, so no request may pass.
 */
export type Lease =
  | { kind: 'granted'; count: number; second: number }
  | { kind: 'none' }
  | { kind: 'sold-out' }
  | { kind: 'throttled' }
  | { kind: 'unknown' }

/** `count` unused admissions of the bucket of `second`. */
export type UnusedAdmissions = { second: number; count: number }

/** `now` is epoch ms. `waiting` counts the requests that need an admission now. */
export type LeaseRequest = { now: number; waiting: number; returned?: UnusedAdmissions }

/**
 * Requests admissions of a sale. Send `returned` at most once, whatever the outcome: a second time it would return another
 * instance's admissions. Omitting it is safe. Use `by` 'text' if Redis may not have cached the script yet.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function admit(
  redis: Commander,
  saleId: SaleId,
  { now, waiting, returned }: LeaseRequest,
  by: 'hash' | 'text' = 'hash',
): Promise<Lease> {
  const args = [now, returned?.second ?? '', returned?.count ?? 0, waiting].map(String)
  const [code, count, second] = await (by === 'text'
    ? admitScript.runText(redis, [admissionsKey(saleId)], args)
    : admitScript.run(redis, [admissionsKey(saleId)], args))
  const kind = kindOf(admitCodes, code, 'admit')
  if (kind !== 'granted') return { kind }
  return { kind, count: integer(count, 'count'), second: integer(second, 'second') }
}
