/** The typed face of admit.lua: a few admissions at a time, so that the gate's calls follow the stock (G3, G4). */
import type { SaleId } from '../core/ids.ts'
import source from './admit.lua'
import type { Commander } from './command.ts'
import { admissionsKey } from './keys.ts'
import { integer, kindOf } from './reply.ts'
import { defineScript } from './script.ts'

// Marked pure: a bundle carries only the scripts that it runs.
export const admitScript = /* @__PURE__ */ defineScript('admit', source)
export const admitCodes = { granted: 1, none: 2, unlimited: 3, 'sold-out': 4, unknown: 10 } as const

/**
 * `granted`: `count` clicks may be let through within `leaseLifeMs` of asking; `second` is the epoch second that they
 * are counted in. `none`: ask again later. `sold-out`: every unit is booked, so too. `unlimited`: nobody needs an admission. `unknown`: nobody has told how many
 * there may be, so nobody may be let through.
 */
export type Lease =
  | { kind: 'granted'; count: number; second: number }
  | { kind: 'none' }
  | { kind: 'sold-out' }
  | { kind: 'unlimited' }
  | { kind: 'unknown' }

/** What is left of a lease. */
export type Unspent = { second: number; count: number }

/** `now` is epoch ms. `waiting` clicks would spend an admission each at once. */
export type Ask = { now: number; waiting: number; returned?: Unspent }

/**
 * Asks for admissions of a sale. `returned` may be told once only, whatever becomes of the call: told twice it would take
 * somebody else's lease for one's own. Not telling is safe. `by`: the script's text, where Redis may not know it yet.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function admit(
  redis: Commander,
  saleId: SaleId,
  { now, waiting, returned }: Ask,
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
