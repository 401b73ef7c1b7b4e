/** A scheduled run reconciles and ticks concurrently: neither waits for the other or ends with it. */

import { describe, expect, it } from 'vitest'
import { idleRun } from '../../../cli/preflight/costs.ts'
import { passDays, passKeysIn } from '../../../core/gate/pass.ts'
import { reconcileAndTick } from '../../../functions/repair/run.ts'
import { salesList } from '../../../functions/table/keys.ts'
import { onWire, onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { readListVersions } from '../../../redis/gate/shared-lists.ts'
import { admissionsKey } from '../../../redis/keys.ts'
import { removeStock } from '../../../redis/stock/stock.ts'
import { commandCounts, raw, saleIdOf } from '../../redis/support.ts'
import { useRedis } from '../../redis/test-store.ts'
import { phone } from '../../world/stock-record.ts'
import { auditedIn, isOfSale, savesSale, withoutOrders } from '../../world/wire.ts'
import { useWorld } from '../../world/world.ts'

const server = useRedis()

const rig = useWorld({ redis: server })

const lamp = saleIdOf('lamp')
const hour = 3_600_000

/** Runs once as the schedule does; sleepers wake in the order of their times. */
async function run() {
  const { clock, ports } = rig
  const asleep: { at: number; wake: () => void }[] = []
  ports.sleep = (ms) =>
    new Promise((wake) => {
      asleep.push({ at: clock.now + ms, wake })
    })
  let isDone = false
  const options = { minAgeMs: 0, holdAgeMs: 900_000, full: false }
  const until = { reconcile: clock.now + 25_000, tick: clock.now + 58_000 }
  const ended = reconcileAndTick(ports, options, until).finally(() => {
    isDone = true
  })
  for (;;) {
    await server.settled()
    if (isDone) return ended
    const [next] = asleep.toSorted((a, b) => a.at - b.at)
    if (next === undefined) throw new Error('the run waits, and nothing sleeps')
    asleep.splice(asleep.indexOf(next), 1)
    clock.now = Math.max(clock.now, next.at)
    next.wake()
  }
}

/** When admissions of the lamp were replenished, ms after `startedAt`. */
function replenishedAt(startedAt: number): number[] {
  const times: number[] = []
  rig.gate.before('replenish', (command) => {
    if (command.includes(admissionsKey(lamp))) times.push(rig.clock.now - startedAt)
  })
  return times
}

const longestGap = (times: readonly number[]) => Math.max(...times.map((time, at) => time - (times[at - 1] ?? 0)))

describe('a run', () => {
  it('takes no more of Redis and the table in a shop without a running sale than the preflight bills', async () => {
    await run()
    let reads = 0
    rig.ports.table = onWire(rig.ports.table, (_, send) => {
      reads += 1
      return send()
    })
    await raw(server, 'CONFIG', 'RESETSTAT')
    expect((await run()).hasTicked).toBe(false)
    const commands = await commandCounts(server)
    for (const name of ['info', 'config|resetstat', 'config']) commands.delete(name)
    const sum = [...commands.values()].reduce((total, one) => total + one, 0)
    expect(sum, JSON.stringify([...commands])).toBe(idleRun.redisCommands)
    expect(reads).toBeGreaterThan(5)
    expect(reads).toBeLessThanOrEqual(idleRun.tableReads)
  })

  it('ticks the other sales while one waits to be recovered (R7, G7)', async () => {
    await rig.open()
    // Its order is not listed yet, and without it the sold units are unknown.
    await rig.sell(1)
    rig.ports.table = withoutOrders(rig.ports.table)
    await removeStock(server, phone)
    const startedAt = rig.clock.now
    const windows = [
      { startsAt: startedAt, endsAt: startedAt + 3_000, stock: 10 },
      { startsAt: startedAt + 6_000, endsAt: startedAt + hour, stock: 4 },
    ]
    await rig.openWindows(windows, { saleId: lamp })
    const steps = new Map<string, number>()
    rig.ports.table = onWireAt(rig.ports.table, savesSale, (send, command) => {
      const what = auditedIn(command)
      if (isOfSale(command, lamp) && what !== undefined) steps.set(what, rig.clock.now - startedAt)
      return send()
    })
    const replenished = replenishedAt(startedAt)

    expect(await run()).toMatchObject({ done: { recovered: 0 }, hasTicked: true })

    expect(rig.telemetry.lines.map(({ message }) => message)).toContain('sale not yet rebuilt')
    expect(steps.get('next-window')).toBeLessThanOrEqual(5_000)
    expect(steps.get('open')).toBeLessThanOrEqual(8_000)
    const inWindow = replenished.filter((at) => at >= 6_000).map((at) => at - 6_000)
    expect(longestGap(inWindow)).toBeLessThanOrEqual(2_000)
    expect(inWindow.at(-1)).toBeGreaterThan(50_000)
  })

  it('keeps ticking when the sales could not be listed at first, and logs that (I6)', async () => {
    await rig.open({ saleId: lamp })
    await rig.ask('POST', '/sales/lamp/start', { now: true })
    const startedAt = rig.clock.now
    rig.ports.table = onWireAt(rig.ports.table, `query ${salesList}`, async (send) => {
      if (rig.clock.now < startedAt + 1_500) throw new Error('the table is unavailable')
      return send()
    })
    const replenished = replenishedAt(startedAt)

    expect((await run()).done).toBeUndefined()

    expect(replenished[0]).toBeLessThanOrEqual(3_000)
    expect(replenished.at(-1)).toBeGreaterThan(50_000)
    expect(rig.telemetry.lines.filter(({ level }) => level === 'warn')).toEqual(
      expect.arrayContaining([expect.objectContaining({ facts: expect.objectContaining({ part: 'listSales' }) })]),
    )
  })

  it('makes the keys of passes before the first page, so that the first shopper gets a pass (L6)', async () => {
    let keysAtPage: string | undefined
    const { firstIndex } = rig.ports.publisher
    rig.ports.publisher.firstIndex = async () => {
      keysAtPage = (await readListVersions(rig.ports.gate)).passKeys
      await firstIndex()
    }
    await run()
    expect([...passKeysIn(keysAtPage ?? '').keys()]).toEqual(passDays(rig.clock.now))
  })

  it('reports which pages could not be published, does the rest, and the next run retries', async () => {
    rig.site.goDown()
    expect((await run()).done).toBeDefined()
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(2)
    for (const part of ['publishFirstPage', 'publishStablePages']) {
      expect(rig.telemetry.lines.map(({ facts }) => facts)).toContainEqual(expect.objectContaining({ part }))
    }
    expect(rig.site.objects.size).toBe(0)
    rig.site.comeUp()
    await run()
    for (const page of ['', 'accessibility/', 'customer/', 'orders/', 'wallet/']) {
      expect(rig.site.objects.has(`${page}index.html`), page).toBe(true)
    }
    expect(rig.site.objects.get('index.html')?.body, 'without a sale').toBe('')
  })
})
