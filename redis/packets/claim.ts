/** Runs claim.lua, the script behind every red-packet claim that reaches Redis. */

import type { SaleId, ShopperId } from '../../core/ids.ts'
import { luaCodes } from '../../core/outcome.ts'
import type { ClaimMessage } from '../../core/packets/claim.ts'
import type { StockLeft } from '../buy/reserve.ts'
import type { Stocks } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { stockKeys } from '../keys.ts'
import { integer, kindOf, text } from '../reply.ts'
import { defineScript } from '../script.ts'
import { onlyShard } from '../shards.ts'
import source from './claim.lua'
import { parseClaim } from './stored-claims.ts'

export const claimScript = defineScript('claim', source)

const { repeat, paused, ended, unavailable } = luaCodes

const claimCodes = {
  claimed: 1,
  repeat,
  'unknown-sale': luaCodes['unknown-sale'],
  'not-started': luaCodes['not-started'],
  paused,
  ended,
  'stale-page': luaCodes['stale-page'],
  'sold-out': luaCodes['sold-out'],
  unavailable,
} as const

/** A claim request. `now` is epoch ms; `startToken` is the one the page received. */
export type Tap = { saleId: SaleId; shopperId: ShopperId; startToken: string; now: number; requestId: string }

/**
 * The outcome of a claim. `stockRevision` is the revision of the stock, `booked` how many packets
 * are claimed now. A repeat has the message of the first time.
 */
export type Tapped =
  | ({ kind: 'claimed'; message: ClaimMessage } & StockLeft)
  | { kind: 'repeat'; message: ClaimMessage }
  | ({ kind: 'sold-out' } & StockLeft)
  | { kind: Exclude<keyof typeof claimCodes, 'claimed' | 'repeat' | 'sold-out'> }

/** The arguments of claim.lua, in order. */
function claimCall({ saleId, shopperId, startToken, now, requestId }: Tap): { keys: string[]; args: string[] } {
  const { stock, packets, claims, outbox } = stockKeys(saleId)
  return {
    keys: [stock, packets, claims, outbox],
    args: [shopperId, startToken, String(now), ` ${now} ${wordOf(requestId)}`],
  }
}

/** A stored claim is words separated by spaces. */
function wordOf(requestId: string): string {
  return requestId.replace(/\s/g, '') || '-'
}

/**
 * Claims a packet, or says why not (P2, P3, P5). Safe to repeat: the shopper's own packet is found
 * again.
 * @throws RedisUnavailable when the outcome is unknown, UnexpectedReply
 */
export async function claim(stocks: Stocks, tap: Tap): Promise<Tapped> {
  const { keys, args } = claimCall(tap)
  const [code, ...facts] = await claimScript.run(await onlyShard(stocks, tap.saleId), keys, args)
  const kind = kindOf(claimCodes, code, 'claim')
  switch (kind) {
    case 'claimed': {
      const { saleId, shopperId, now, requestId } = tap
      const [rank, packet, amount, currency] = text(facts[0], 'packet').split(' ')
      const message = {
        ...{ saleId, shopperId, claimedAt: now, requestId: wordOf(requestId) },
        packet: integer(packet, 'packet'),
        amount: integer(amount, 'amount'),
        currency: text(currency, 'currency'),
      }
      return { kind, message, ...leftOf(integer(rank, 'rank'), facts[1], facts[2], facts[3]) }
    }
    case 'repeat': {
      const mine = parseClaim(tap.saleId, tap.shopperId, text(facts[0], 'claim'))
      if (mine === undefined) throw new UnexpectedReply('a claim is not what this version keeps')
      return { kind, message: mine }
    }
    case 'sold-out': {
      const total = integer(facts[1], 'total')
      return { kind, ...leftOf(total, facts[0], total) }
    }
    default:
      return { kind }
  }
}

function leftOf(booked: number, stockRevision: unknown, total: unknown, returning: unknown = 0): StockLeft {
  return {
    ...(integer(returning, 'returning') > 0 && { holdsBack: true }),
    booked,
    stockRevision: integer(stockRevision, 'stockRevision'),
    remaining: integer(total, 'total') - booked,
  }
}
