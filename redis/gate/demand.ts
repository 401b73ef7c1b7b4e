/**
 * How often a sale was asked for units, and what became of it. Each instance of the gate and of the functions counts in
 * memory and sends its counts once a second at most, beside its requests: no request waits for that.
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

/** How often each outcome came; an outcome is a `ProblemCode`, or that of a script. */
export type DemandCounts = ReadonlyMap<string, number>

/** Outcomes by the place that decided. */
export type SaleDemand = Readonly<Record<DemandPlace, DemandCounts>>

/** @throws RedisUnavailable when it is not known whether they were counted; UnexpectedReply */
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
 * Counts refused tokens of an issuer of customers by the reason, for the hour of `now`, epoch ms. Only tokens that name
 * a known issuer are counted, so the hash stays small: a field for each hour, issuer and reason.
 * @throws RedisUnavailable when it is not known whether they were counted; UnexpectedReply
 */
export function countRefusedTokens(
  redis: Commander,
  issuerName: string,
  counts: DemandCounts,
  now: number,
): Promise<void> {
  return count(redis, refusedTokensKey, `${Math.floor(now / hourMs)}:${issuerName}`, counts)
}

/** `lastAt` is the beginning of the last hour in which one was refused, epoch ms. */
export type RefusedTokens = { issuerName: string; reason: TokenFault; count: number; lastAt: number }

/**
 * Reads how often tokens were refused in the last 24 hours, and removes what is older.
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
 * The counts so far, at most some seconds old.
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

/** Counts one outcome of a sale, or of another thing by its name. Never throws and never waits. */
export type DemandCounter<Key = SaleId> = { count: (key: Key, outcome: string) => void }

/** The ports of a counter. */
type DemandPorts<Key> = {
  count: (key: Key, counts: DemandCounts) => Promise<void>
  /** Called when something could not be sent. */
  onFailure: (error: unknown) => void
  /** Epoch ms. */
  clock: () => number
}

/** An instance sends what it has counted this often, ms. */
const flushIntervalMs = 1000

/**
 * Sends the counts of each key `everyMs` after the first of them. Lambda may freeze an instance before that, and then
 * its next request sends them. An instance that gets no further request loses the counts of less than its last second.
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
      // The timer of a busy instance is late, and that of a frozen one has not run.
      if (now - since >= flushIntervalMs) flush()
    },
  }
}
