/**
 * How often a sale was asked for units, and what became of it. Each instance of the gate and of the functions counts in
 * memory and sends its counts once a second at most, beside its requests: no request waits for that.
 */
import type { SaleId } from '../../core/ids.ts'
import { type Commander, command } from '../command.ts'
import { demandKey } from '../keys.ts'
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
  const words = [...counts].map(([outcome, count]) => `${place}:${outcome} ${count}`)
  const [code] = await countScript.run(redis, [demandKey(saleId)], [words.join(' ')])
  kindOf(countDemandCodes, code, 'count-demand')
}

/**
 * The counts so far, at most some seconds old.
 * @throws RedisUnavailable, UnexpectedReply
 */
export async function readDemand(redis: Commander, saleId: SaleId): Promise<SaleDemand> {
  return demandIn(await command(redis, ['HGETALL', demandKey(saleId)]))
}

/** The counts in the fields of the hash. @throws UnexpectedReply */
export function demandIn(reply: unknown): SaleDemand {
  const counts = { gate: new Map<string, number>(), stock: new Map<string, number>() }
  for (const [word, count] of pairs(reply, 'demand')) {
    const place = places.find((one) => word.startsWith(`${one}:`))
    if (place !== undefined) counts[place].set(word.slice(place.length + 1), integer(count, 'count'))
  }
  return counts
}

/** Counts one outcome of a sale. Never throws and never waits. */
export type DemandCounter = { count: (saleId: SaleId, outcome: string) => void }

/** What a counter sends to. */
type DemandPorts = {
  count: (saleId: SaleId, counts: DemandCounts) => Promise<void>
  /** Called when something could not be sent. */
  onFailure: (error: unknown) => void
  /** Epoch ms. */
  clock: () => number
}

/** An instance sends what it has counted this often, ms. */
const everyMs = 1000

/**
 * Sends the counts of each sale `everyMs` after the first of them. Lambda may freeze an instance before that, and then
 * its next request sends them. An instance that gets no further request loses the counts of less than its last second.
 */
export function createDemandCounter({ count, onFailure, clock }: DemandPorts): DemandCounter {
  const waiting = new Map<SaleId, Map<string, number>>()
  let since = 0
  let timer: NodeJS.Timeout | undefined

  function sendAll(): void {
    clearTimeout(timer)
    for (const [saleId, counts] of waiting) count(saleId, counts).catch(onFailure)
    waiting.clear()
  }

  return {
    count(saleId, outcome) {
      const now = clock()
      if (!waiting.size) {
        since = now
        // One timer for all sales, and none while nothing is counted. It keeps no process alive.
        timer = setTimeout(sendAll, everyMs).unref()
      }
      const counts = waiting.get(saleId) ?? new Map<string, number>()
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      waiting.set(saleId, counts)
      // The timer of a busy instance is late, and that of a frozen one has not run.
      if (now - since >= everyMs) sendAll()
    },
  }
}
