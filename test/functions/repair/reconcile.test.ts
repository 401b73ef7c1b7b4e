/** The scheduled run over all sales. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { SaleId } from '../../../core/ids.ts'
import { minAgeMs } from '../../../functions/recovery/orders/resend-outbox.ts'
import type { ReconcileOptions, RepairPorts } from '../../../functions/recovery/ports.ts'
import { holdAgeMs } from '../../../functions/recovery/stock/compare-holds.ts'
import type { Reconciled } from '../../../functions/repair/job.ts'
import { reconcile } from '../../../functions/repair/reconcile.ts'
import { addRefund } from '../../../functions/table/orders/due-money.ts'
import { recordedWhenIdle } from '../../../infra/constructs/own-metrics.ts'
import { acquireLock } from '../../../redis/lock.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { removeStock } from '../../../redis/stock/stock.ts'
import { saleIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { onWalks, withoutOrders } from '../../world/wire.ts'
import { useWorld, world } from '../../world/world.ts'

const rig = useWorld()
beforeEach(async () => {
  await rig.open()
})

const scheduled: ReconcileOptions = { minAgeMs, holdAgeMs, full: false }
const run = (
  options: Partial<ReconcileOptions> = {},
  ms = 25_000,
  ports: RepairPorts = rig.ports,
): Promise<Reconciled> => reconcile(ports, { ...scheduled, ...options }, rig.clock.now + ms)
const nothing: Reconciled = {
  ...{ resent: 0, waiting: 0, oldestAgeMs: 0 },
  ...{ repaired: 0, recovered: 0, restored: 0, released: 0, refunds: 0 },
}
const minute = () => {
  rig.clock.now += 60_000
}

async function openMore(count: number): Promise<SaleId[]> {
  const saleIds = Array.from({ length: count }, (_, i) => saleIdOf(`lamp-${i}`))
  for (const saleId of saleIds) {
    await rig.create({ saleId })
    await rig.ask('POST', `/sales/${saleId}/start`, { now: true })
  }
  return saleIds
}

/** The sales whose pointers a run repairs, in its order. */
async function salesRepairedBy(work: () => Promise<unknown>): Promise<string[]> {
  rig.log.length = 0
  await work()
  return rig.log.flatMap((line) => /^sales\/(.*)\/current\.json$/.exec(line)?.[1] ?? [])
}

const overdue = (requestedAt: number) =>
  addRefund(rig.table.table, { paymentId: 'p-1', orderId: 'unknown', amount: 5, currency: 'EUR', requestedAt })

describe('reconcile', () => {
  it('sends what waits of every sale, and reports how much and how old it was (O5)', async () => {
    await rig.reserve(1)
    await rig.reserve(2)
    rig.clock.now += minAgeMs
    await rig.reserve(3)
    expect(await run()).toEqual({ ...nothing, resent: 2, waiting: 3, oldestAgeMs: minAgeMs })
    expect(rig.telemetry.counted('OutboxResent')).toBe(2)
    expect(rig.telemetry.counted('OutboxAge')).toBe(10)
    await rig.deliver()
    expect(await run({ minAgeMs: 0 })).toMatchObject({ resent: 1, waiting: 1 })
  })

  it('reports the troubles of each sale, and none of one that does well', async () => {
    await openMore(1)
    const troubles: unknown[] = []
    const report = (trouble: unknown) => troubles.push(trouble)
    await rig.reserve(1)
    await run({ report })
    expect(troubles).toEqual([])
    rig.clock.now += 3 * 60_000
    await run({ report })
    expect(troubles).toEqual([{ saleId: phone, trouble: 'waiting', count: 1 }])
  })

  it('records in a minute without a sale the metrics that the preflight bills for all month', async () => {
    const idle = await world({ redis: rig.redis })
    const names = new Set<string>()
    const meter = { count: (name: string) => void names.add(name) }
    await reconcile({ ...idle.ports, meter }, scheduled, idle.clock.now + 25_000)
    // The clients of Redis record their latency, and these have none.
    const billed = recordedWhenIdle.reconcile.filter((name) => !name.endsWith('Latency'))
    expect([...names].toSorted()).toEqual(billed.toSorted())
  })

  it('compares every hold of each sale once in ten minutes, even if the counters agree (I4)', async () => {
    const others = await openMore(3)
    const walked = new Map<string, number>()
    rig.stock.before('hscan:stock', ([, key = '']) => {
      const [, saleId = ''] = /\{(.*):0\}/.exec(key) ?? []
      walked.set(saleId, (walked.get(saleId) ?? 0) + 1)
    })
    for (let time = 0; time < 20; time += 1) {
      await run()
      minute()
    }
    expect([...walked].sort()).toEqual([...others, phone].sort().map((saleId) => [saleId, 2]))
    await run({ full: true })
    expect([...walked.values()]).toEqual([3, 3, 3, 3])
  })

  it('recovers a sale that Redis has lost before it compares the others (P10, I6)', async () => {
    const orderIds = await rig.sell(2)
    const others = await openMore(2)
    await removeStock(rig.redis, phone)
    const seen = await salesRepairedBy(async () => expect(await run()).toMatchObject({ recovered: 1, repaired: 0 }))
    expect(seen[0]).toBe(phone)
    expect(seen.slice(-2).sort()).toEqual([...others].sort())
    expect(await rig.held()).toEqual(orderIds.sort())
    expect(rig.audit().at(-1)).toMatchObject({ who: 'reconcile', what: 'recover', saleId: phone })
    expect(await run()).toEqual(nothing)
  })

  it('runs refunds and recoveries even when one sale takes all the time (I6, O8)', async () => {
    await rig.sell(3)
    const [lost] = await openMore(1)
    if (lost === undefined) throw new Error('no other sale was opened')
    await removeStock(rig.redis, lost)
    await overdue(0)
    let walks = 0
    rig.ports.table = onWalks(rig.ports.table, phone, (page, walk) => {
      rig.clock.now += walk > walks ? 26_000 : 0
      walks = walk
      return page
    })
    expect(await run({ full: true })).toMatchObject({ refunds: 1, recovered: 1 })
    expect(walks).toBe(1)
  })

  it('waits for a recovery only as long as the other sales still have time (I6)', async () => {
    const others = await openMore(2)
    await rig.sell(1)
    await removeStock(rig.redis, phone)
    rig.ports.table = withoutOrders(rig.ports.table)
    const seen = await salesRepairedBy(async () => expect(await run({}, 10_000)).toMatchObject({ recovered: 0 }))
    expect(seen.sort()).toEqual([...others].sort())
  })

  it('redrives dead letters of orders and timers every ten minutes, and not in between (I2, O7)', async () => {
    const orderId = await rig.buy(1)
    rig.queue.dead.push(...rig.queue.messages.splice(0))
    const timers: number[] = []
    rig.ports.deadTimers = {
      async retry(deadline) {
        timers.push(deadline - rig.clock.now)
        return { moved: 2, missed: 0 }
      },
    }
    for (let time = 0; time < 10; time += 1) {
      minute()
      await run()
      expect(rig.queue.messages, `after ${time + 1} minutes`).toHaveLength(time < 9 ? 0 : 1)
    }
    expect(timers).toEqual([2000])
    await rig.deliver()
    expect(await rig.table.find(orderId)).toMatchObject({ status: 'awaiting-payment' })
  })

  it('skips a sale that another function is recovering (K3)', async () => {
    await rig.sell(1)
    await freeze(rig.redis, phone)
    await acquireLock(rig.gate, phone, 'another', 9000)
    expect(await run()).toMatchObject({ recovered: 0 })
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(0)
    minute()
    expect(await run()).toMatchObject({ recovered: 1 })
  })

  it('requests refunds though Redis is unavailable, and recovers a sale though refunds cannot be read (I6)', async () => {
    await overdue(0)
    rig.stock.goDown()
    expect(await run()).toMatchObject({ refunds: 1 })
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(1)
    rig.stock.comeUp()
    await rig.loseStock()
    rig.table.failAt('"REFUNDS"')
    expect(await run()).toMatchObject({ refunds: 0, recovered: 1 })
  })
})
