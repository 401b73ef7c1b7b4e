/** The typed face of accuse.lua: one limit for an address, whichever instances of the gate it comes to (R3). */
import type { SaleId } from '../core/ids.ts'
import type { ThrottleRule } from '../core/sale.ts'
import source from './accuse.lua'
import type { Commander } from './command.ts'
import { addressesKey } from './keys.ts'
import { integer, kindOf, text } from './reply.ts'
import { defineScript } from './script.ts'

// Marked pure: a bundle carries only the scripts that it runs.
export const accuseScript = /* @__PURE__ */ defineScript('accuse', source)
export const accuseCodes = { counted: 1 } as const

/** Points that one instance holds against an address since it last told. */
export type Accusation = { address: string; points: number }

/** Addresses in one call, and addresses of a sale that Redis keeps: some megabyte. */
export const maxAccusations = 100
const maxAddresses = 10_000

/**
 * Adds the points up with those of other instances; resolves with the addresses among them that are over `rule` now, and
 * until when (epoch ms). `now` is epoch ms.
 * @throws RedisUnavailable, UnexpectedReply, RangeError for more than `maxAccusations`
 */
export async function accuse(
  redis: Commander,
  saleId: SaleId,
  { limit, windowSeconds }: ThrottleRule,
  accusations: readonly Accusation[],
  now: number,
): Promise<Map<string, number>> {
  if (accusations.length > maxAccusations) throw new RangeError('too many addresses in one call')
  const lines = accusations.map(({ address, points }) => `${address} ${points}`).join('\n')
  const args = [now, limit, windowSeconds * 1000, maxAddresses, lines].map(String)
  const [code, ...shut] = await accuseScript.run(redis, [addressesKey(saleId)], args)
  kindOf(accuseCodes, code, 'accuse')
  const until = new Map<string, number>()
  for (let at = 0; at < shut.length; at += 2)
    until.set(text(shut[at], 'address'), integer(shut[at + 1], 'until'))
  return until
}
