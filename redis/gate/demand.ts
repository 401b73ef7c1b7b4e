/**
 * Counts requests for units of a sale by outcome. Each instance of the gate and of the functions counts in memory and sends
 * its counts at most once a second, in the background: no request waits for that.
 */
import type { SaleId } from '../../core/ids.ts'
import { type TokenFault, tokenFaults } from '../../core/people/customer-keys.ts'
import { type Commander, command } from '../command.ts'
import { demandKey, refusedTokensKey } from '../keys.ts'
import { integer, kindOf, pairs } from '../reply.ts'
import { defineScript } from '../script.ts'
import source from './count-demand.lua'

// Marked pure: a bundle carries only the scripts that it runs.
const countScript = /* @__PURE__ */ defineScript('count-demand', source)
const countDemandCodes = { counted: 1 } as const

/** Where a request was decided: at the gate, or by the stock's script. */
const places = ['gate', 'stock'] as const

export type DemandPlace = (typeof places)[number]

/** Counts by outcome, a `ProblemCode` or an outcome of reserve.lua. */
export type DemandCounts = ReadonlyMap<string, number>

/** Counts of outcomes by the place that decided. */
export type SaleDemand = Readonly<Record<DemandPlace, DemandCounts>>

/** Adds counts to the demand of a sale. @throws RedisUnavailable when the outcome is unknown; UnexpectedReply */
export async function countDemand(
  redis: Commander,
  saleId: SaleId,
  place: DemandPlace,
  counts: DemandCounts,
): Promise<void> {
  await count(redis, demandKey(saleId), place, counts)
}

async function count(redis: Commander, key: string, prefix: string, counts: DemandCounts): Promise<void> {
  const words = [...counts].map(([outcome, count]) => `${prefix}:${outcome} ${count}`)
  const [code] = await countScript.run(redis, [key], [words.join(' ')])
  kindOf(countDemandCodes, code, 'count-demand')
}

const hourMs = 3_600_000
const countedHours = 24

/**
 * Counts refused customer tokens of an issuer by reason, for the hour of `now` (epoch ms). Only tokens of known issuers are
 * counted, so the hash stays small: a field for each hour, issuer and reason.
 * @throws RedisUnavailable when the outcome is unknown; UnexpectedReply
 */
export function countRefusedTokens(
  redis: Commander,
  issuerName: string,
  counts: DemandCounts,
  now: number,
): Promise<void> {
  return count(redis, refusedTokensKey, `${Math.floor(now / hourMs)}:${issuerName}`, counts)
}

/** `lastAt` is the start of the last hour with a refused token, epoch ms. */
export type RefusedTokens = { issuerName: string; reason: TokenFault; count: number; lastAt: number }

/**
 * Reads the counts of refused tokens of the last 24 hours, and removes older ones.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readRefusedTokens(redis: Commander, now: number): Promise<RefusedTokens[]> {
  const found = new Map<string, RefusedTokens>()
  const old: string[] = []
  for (const [field, text] of pairs(await command(redis, ['HGETALL', refusedTokensKey]), 'refused tokens')) {
    const [hour, issuerName = '', fault] = field.split(':')
    const reason = tokenFaults.find((one) => one === fault)
    const at = Number(hour) * hourMs
    if (reason === undefined || at <= now - (countedHours + 1) * hourMs) old.push(field)
    else {
      const key = `${issuerName}:${reason}`
      const { count, lastAt } = found.get(key) ?? { count: 0, lastAt: 0 }
      const sum = count + integer(text, 'count')
      found.set(key, { issuerName, reason, count: sum, lastAt: Math.max(at, lastAt) })
    }
  }
  if (old.length > 0) await command(redis, ['HDEL', refusedTokensKey, ...old])
  return [...found.values()].toSorted((a, b) => b.count - a.count)
}

/**
 * Reads the counts so far, at most some seconds old.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readDemand(redis: Commander, saleId: SaleId): Promise<SaleDemand> {
  return demandIn(await command(redis, ['HGETALL', demandKey(saleId)]))
}

/** Returns the counts in the fields of the hash. @throws UnexpectedReply */
export function demandIn(reply: unknown): SaleDemand {
  const counts = { gate: new Map<string, number>(), stock: new Map<string, number>() }
  for (const [word, count] of pairs(reply, 'demand')) {
    const place = places.find((one) => word.startsWith(`${one}:`))
    if (place !== undefined) counts[place].set(word.slice(place.length + 1), integer(count, 'count'))
  }
  return counts
}

/** Counts one outcome of a sale, or of another key. Never throws and never waits. */
export type DemandCounter<Key = SaleId> = { count: (key: Key, outcome: string) => void }

/** The ports of a counter. */
type DemandPorts<Key> = {
  count: (key: Key, counts: DemandCounts) => Promise<void>
  /** Called when counts could not be sent. */
  onFailure: (error: unknown) => void
  /** Epoch ms. */
  clock: () => number
}

const flushIntervalMs = 1000

/**
 * Sends the counts of each key `flushIntervalMs` after the first of them. If Lambda freezes the instance before, its next
 * request sends them. An instance without another request loses less than a second of counts.
 */
export function createDemandCounter<Key = SaleId>({ count, onFailure, clock }: DemandPorts<Key>): DemandCounter<Key> {
  const waiting = new Map<Key, Map<string, number>>()
  let since = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    for (const [key, counts] of waiting) count(key, counts).catch(onFailure)
    waiting.clear()
  }

  return {
    count(key, outcome) {
      const now = clock()
      if (!waiting.size) {
        since = now
        // One timer for all sales, and none while nothing is counted. It keeps no process alive.
        timer = setTimeout(flush, flushIntervalMs).unref()
      }
      const counts = waiting.get(key) ?? new Map<string, number>()
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      waiting.set(key, counts)
      // The timer of a busy instance is late, and that of a frozen instance has not fired.
      if (now - since >= flushIntervalMs) flush()
    },
  }
}
