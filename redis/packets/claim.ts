/**
 * Runs claim.lua, the script behind every red-packet claim that reaches Redis.
 *
 * The packets of a split stock are lists in several shards. A shopper begins at the home shard, and a
 * shard without packets sends them on to the next one. It remembers the hop with which it did, in the
 * same call that finds its list empty. So the right to a packet is at one shard at any time, and every
 * request of the shopper comes to it or finds the packet on its way, also one that arrives late or
 * was cut off. Packets that come to a shard later (a window, held-back ones) go to a shopper who was
 * sent on only when they come round again with a later hop.
 */

import type { SaleId, ShopperId } from '../../core/ids.ts'
import { sortableTime } from '../../core/lib/sortable-time.ts'
import { luaCodes } from '../../core/outcome.ts'
import type { ClaimMessage } from '../../core/packets/claim.ts'
import { shardOfHop } from '../../core/packets/packet-shards.ts'
import { homeShard } from '../../core/stock/hash-slot.ts'
import type { StockLeft } from '../buy/sale-facts.ts'
import type { Commander, Stocks } from '../command.ts'
import { UnexpectedReply } from '../errors.ts'
import { stockKeys } from '../keys.ts'
import { integer, kindOf, text } from '../reply.ts'
import { defineScript } from '../script.ts'
import { shardsOf } from '../shards.ts'
import { tokenWord } from '../stock/packed-window.ts'
import source from './claim.lua'
import { parseClaim } from './stored-claims.ts'

export const claimScript = defineScript('claim', source)

const { repeat, paused, ended, unavailable } = luaCodes

export const claimCodes = {
  claimed: 1,
  repeat,
  'sent-on': 3,
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
 * are claimed now. A repeat has the message of the first time. Of a split stock `remaining` is -1 for
 * a claimed packet, because only one shard is known, and a sold-out one has no counters.
 */
export type Tapped =
  | ({ kind: 'claimed'; message: ClaimMessage } & StockLeft)
  | { kind: 'repeat'; message: ClaimMessage }
  | ({ kind: 'sold-out' } & StockLeft)
  | { kind: 'sold-out'; remaining: 0 }
  | { kind: Exclude<keyof typeof claimCodes, 'claimed' | 'repeat' | 'sent-on' | 'sold-out'> }

/** The shopper goes on after `hop`; `left` is 0 if the shard had no packet in this call. */
type SentOn = { kind: 'sent-on'; hop: number; left: number }

/** The arguments of claim.lua, in order; `hop` for a shard of a split stock. */
function claimCall(
  { saleId, shopperId, startToken, now, requestId }: Tap,
  shard?: number,
  hop?: number,
): {
  keys: string[]
  args: string[]
} {
  const { stock, packets, claims, outbox } = stockKeys(saleId, shard)
  return {
    keys: [stock, packets, claims, outbox],
    args: [
      shopperId,
      ` ${tokenWord('red-packet', startToken)} `,
      sortableTime(now),
      ` ${now} ${wordOf(requestId)}`,
      ...(hop === undefined ? [] : [String(hop)]),
    ],
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
  const shards = await shardsOf(stocks, tap.saleId)
  const [only, ...others] = shards
  if (only === undefined || others.length > 0) return claimAnywhere(shards, tap)
  const answer = await claimIn(only, tap)
  if (answer.kind === 'sent-on') throw new UnexpectedReply('the only shard sent a shopper on')
  return answer
}

/**
 * The most rounds of one request. A walk lasts longer only while the same shopper has others; then the shopper
 * asks again.
 */
const mostRounds = 3

/**
 * Walks the shards until one decides. Sold out is answered only after each of them was without a
 * packet in a call of this walk: a packet that was in a list all the time would have been seen there.
 * Lists only shrink, but for a new window and released packets. Unless these came during the walk, all
 * lists were empty at once when the last shard answered.
 */
async function claimAnywhere(shards: readonly Commander[], tap: Tap): Promise<Tapped> {
  const home = homeShard(tap.shopperId, shards.length)
  const empty = new Set<number>()
  for (let hop = 0, calls = 0; calls < mostRounds * shards.length; calls += 1) {
    const at = shardOfHop(home, hop, shards.length)
    const shard = shards[at]
    if (shard === undefined) break
    const answer = await claimIn(shard, tap, hop)
    if (answer.kind === 'claimed') return { ...answer, remaining: -1 }
    if (answer.kind !== 'sent-on') return answer
    if (answer.left === 0) empty.add(at)
    if (empty.size === shards.length) return { kind: 'sold-out', remaining: 0 }
    hop = answer.hop + 1
  }
  return { kind: 'unavailable' }
}

async function claimIn(redis: Commander, tap: Tap, hop?: number): Promise<Tapped | SentOn> {
  const { keys, args } = claimCall(tap, redis.shard, hop)
  const [code, ...facts] = await claimScript.run(redis, keys, args)
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
    case 'sent-on':
      return { kind, hop: integer(facts[0], 'hop'), left: integer(facts[1], 'left') }
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
