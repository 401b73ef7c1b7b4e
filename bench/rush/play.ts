/**
 * Plays one sale under load, from its creation to the verdict. The crowd uses the front door only; what
 * happened is then read from the two databases directly, so that no tier vouches for itself.
 */
import { controlClient } from '../../local/control-client.ts'
import { seededRandom, spread } from '../statistics.ts'
import type { System } from '../system.ts'
import { costOf } from './cost.ts'
import { letIn, signIn } from './crowd.ts'
import { openLine } from './http.ts'
import { loadOf } from './load.ts'
import { openSale } from './open-sale.ts'
import type { RushOptions } from './options.ts'
import { type Result, summarise } from './report.ts'
import { askLate, queued, settle, shownLeft } from './settle.ts'
import { judge } from './verdict.ts'

export async function playRush(system: System, options: RushOptions): Promise<Result> {
  const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
  const random = seededRandom(options.seed)
  const shoppers = await signIn(system, options, random)
  const sale = await openSale(system.url, control, options)
  const line = openLine(system.url, options.concurrency)
  const readers = openLine(system.url, 4)
  try {
    const before = await system.counters()
    if (options.fault !== undefined) await system.setFault(options.fault)
    const crowd = await letIn(line, readers, sale, shoppers, options, random)
    const after = await system.counters()
    const live = await settle(system, control, sale.saleId, options)
    if (live === undefined)
      throw new Error('the system did not come back after the rush: nothing can be checked')

    const { winners, tries, endings } = crowd
    const seen = await crowd.watched
    const orders = await system.orders(sale.saleId)
    const latecomer = await askLate(line, system, sale, options)
    const verdict = judge({
      ...options,
      books: await system.books(sale.saleId),
      orders,
      promises: winners,
      unseen: seen.unseen,
      queued: queued(live),
      deadLetters: live.deadLetters ?? Number.NaN,
      shownLeft: await shownLeft(system.url, sale.saleId, live.stock?.available),
      refusedWithLeft: latecomer,
    })
    const load = loadOf(before, after, tries, winners.length)
    return {
      saleId: sale.saleId,
      seed: options.seed,
      shoppers: options.shoppers,
      stock: options.stock,
      quantity: options.quantity,
      verdict,
      answers: summarise(tries),
      gaveUp: endings.filter(({ kind }) => kind === 'gave-up').length,
      seconds: crowd.seconds,
      clicksPerSecond: tries.length / crowd.seconds,
      written: orders.length === 0 ? undefined : spread(orders.map((o) => o.writtenAt - o.reservedAt)),
      readable:
        seen.delaysMs.length === 0 ? undefined : { ...spread(seen.delaysMs), sampled: seen.delaysMs.length },
      load,
      cost: costOf({
        requests: tries.length,
        gateRuns: tries.length,
        functionRuns: load.functionRuns,
        redisCommands: load.redisCommands,
        ordersWritten: orders.length,
      }),
    }
  } finally {
    await Promise.all([line.close(), readers.close()])
  }
}
