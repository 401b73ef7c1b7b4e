/** The typed face of redeem.lua: clicks that were let through and decided make room for others at once (G5, G7). */
import type { SaleId } from '../core/ids.ts'
import { inOneArgument } from './batch.ts'
import type { Commander } from './command.ts'
import { admissionsKey } from './keys.ts'
import source from './redeem.lua'
import { kindOf } from './reply.ts'
import { defineScript } from './script.ts'

export const redeemScript = defineScript('redeem', source)
export const redeemCodes = { redeemed: 1, unknown: 10 } as const

/**
 * Decided clicks of one sale. `seconds` are the epoch seconds of their admissions, at most `maxOrdersPerCall`; `now` (epoch
 * ms) is taken after all of them were decided; `remaining` is the lowest number of units that any of them left in the
 * stock, undefined when none was told.
 */
export type Redeemed = { seconds: readonly number[]; remaining: number | undefined; now: number }

/**
 * Gives the places of decided clicks free. To be called once for each: told twice, it would free somebody else's place.
 * @throws RedisUnavailable, UnexpectedReply, RangeError
 */
export async function redeem(
  redis: Commander,
  saleId: SaleId,
  { seconds, remaining, now }: Redeemed,
): Promise<void> {
  const args = [String(now), inOneArgument(seconds.map(String), ' '), String(remaining ?? '')]
  const [code] = await redeemScript.run(redis, [admissionsKey(saleId)], args)
  kindOf(redeemCodes, code, 'redeem')
}
