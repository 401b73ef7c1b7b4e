/** The typed face of reopen.lua: the end of a rebuild. */
import { luaCodes } from '../core/outcome.ts'
import { sortableTime } from '../core/sortable-time.ts'
import type { Commander } from './command.ts'
import { stockKeys } from './keys.ts'
import source from './reopen.lua'
import { integer, kindOf } from './reply.ts'
import { defineScript } from './script.ts'
import { definitionArguments, type WarmSale } from './warm.ts'

export const reopenScript = defineScript('reopen', source)
export const reopenCodes = {
  reopened: 1,
  open: 2,
  superseded: 3,
  'unknown-sale': luaCodes['unknown-sale'],
} as const

/**
 * The counters now in force. `open`: somebody else had lifted the fence already. `superseded`: Redis was told of a
 * newer version of the sale; the fence still stands, and the sale is to be read again.
 */
export type Reopened =
  | { kind: 'reopened' | 'open' | 'superseded'; total: number; booked: number; restocks: number }
  | { kind: 'unknown-sale' }

/**
 * Units that nobody may buy because reservations from before `since` (epoch ms), which Redis has lost, may still arrive in
 * the table and need them.
 */
export type HeldBack = { units: number; since: number }

/**
 * Lifts the fence of `sale`, read after it was fenced, and puts its units and definition in force. `restocksFloor`
 * is the latest revision of the stock that the gate was told of: a stock that was lost has forgotten its own. `heldBack`
 * is not sold, as far as there are so many units beside those that are held.
 * Safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function reopen(
  redis: Commander,
  sale: WarmSale,
  restocksFloor: number,
  heldBack: HeldBack,
): Promise<Reopened> {
  const held = [restocksFloor, heldBack.units, sortableTime(heldBack.since)].map(String)
  const args = [String(sale.stock), ...definitionArguments(sale), ...held]
  const [code, ...counters] = await reopenScript.run(redis, [stockKeys(sale.saleId).stock], args)
  const kind = kindOf(reopenCodes, code, 'reopen')
  if (kind === 'unknown-sale') return { kind }
  const [total, booked, restocks] = counters
  return {
    kind,
    total: integer(total, 'total'),
    booked: integer(booked, 'booked'),
    restocks: integer(restocks, 'restocks'),
  }
}
