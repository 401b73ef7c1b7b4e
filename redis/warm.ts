/** The typed face of warm.lua: preloading a sale before its start (G1). */
import type { Sale } from '../core/sale.ts'
import type { Commander } from './command.ts'
import { stockKeys } from './keys.ts'
import { integer, kindOf } from './reply.ts'
import { defineScript } from './script.ts'
import { packTerms, packTries } from './terms.ts'
import source from './warm.lua'

export const warmScript = defineScript('warm', source)
export const warmCodes = { warmed: 1, present: 2 } as const

/** A sale to put on the shelf. `lastChange` numbers the last stock change in `stock`; absent when there was none. */
export type WarmSale = Sale & { lastChange?: number }

/**
 * Puts `sale.stock` units on the shelf unless a stock is there already, and sets the definition unless a newer
 * one is. Answers with the counters now in force; safe to repeat.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function warm(redis: Commander, sale: WarmSale): Promise<{ total: number; booked: number }> {
  const keys = [stockKeys(sale.saleId).stock]
  const [code, total, booked] = await warmScript.run(redis, keys, shelfArguments(sale))
  kindOf(warmCodes, code, 'warm')
  return { total: integer(total, 'total'), booked: integer(booked, 'booked') }
}

/** What a script is given to put `sale` on the shelf, in the order of warm.lua and reopen.lua. */
export function shelfArguments(sale: WarmSale): string[] {
  const definition = [sale.version, sale.flag, sale.epoch, sale.startToken ?? '', sale.startsAt, sale.endsAt]
  const limits = [sale.limitPerShopper, sale.maxPerOrder]
  const terms = [packTerms(sale), packTries(sale.throttle.perShopper)]
  return [sale.stock, ...definition, ...limits, ...terms, sale.lastChange ?? 0].map(String)
}
