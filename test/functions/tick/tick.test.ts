/** When a run keeps ticking between two schedules. */

import { describe, expect, it } from 'vitest'
import type { SaleId } from '../../../core/ids.ts'
import { tick } from '../../../functions/tick/tick.ts'
import { commandJson, onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { admissionsKey, gateKey } from '../../../redis/keys.ts'
import { acquireLock } from '../../../redis/lock.ts'
import { raw, saleIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { auditedIn, savesSale } from '../../world/wire.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

const hour = 3_600_000
const tickFor = (ms: number) => tick(rig.ports, rig.clock.now + ms)

/** Runs `work` once the clock reaches that time. */
function later(ms: number, work: () => unknown): void {
  const at = rig.clock.now + ms
  const { sleep } = rig.ports
  let isDone = false
  rig.ports.sleep = async (milliseconds) => {
    await sleep(milliseconds)
    if (isDone || rig.clock.now < at) return
    isDone = true
    await work()
  }
}

/** Two windows: of 20 s now, and 20 s after it. */
const openWindows = () => {
  const { now } = rig.clock
  return rig.openWindows([
    { startsAt: now, endsAt: now + 20_000, stock: 10 },
    { startsAt: now + 40_000, endsAt: now + hour, stock: 4 },
  ])
}

/** How long a run of the schedule ticked. */
async function tickedMs(): Promise<number> {
  const startedAt = rig.clock.now
  await tickFor(58_000)
  return rig.clock.now - startedAt
}

describe('tick', () => {
  it('runs for the given time, and not at all by default', async () => {
    await rig.open()
    const startedAt = rig.clock.now
    await tickFor(0)
    expect(rig.clock.now).toBe(startedAt)
    await tickFor(4_500)
    expect(rig.clock.now).toBe(startedAt + 4_500)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['there is no sale', async () => {}],
    ['a sale was warmed and never started', () => rig.create().then(() => rig.act('warm'))],
    ['a sale is armed for a later minute', () => rig.create().then(() => rig.act('start'))],
    ['a sale was closed', () => rig.open().then(() => rig.act('close'))],
  ])('costs no seconds of an idle month while %s', async (_, prepare) => {
    await prepare()
    expect(await tickedMs()).toBe(0)
  })

  const arm = (ms: number) => rig.create({ startsAt: rig.clock.now + ms }).then(() => rig.act('start'))
  it.each<[string, () => Promise<unknown>]>([
    ['an armed sale opens within the run', () => arm(40_000)],
    ['an armed sale opens just after the run', () => arm(67_000)],
    [
      'a sale is paused in its window, because it may sell again any second',
      () => rig.open().then(() => rig.act('pause')),
    ],
  ])('stays while %s', async (_, prepare) => {
    await prepare()
    expect(await tickedMs()).toBe(58_000)
  })

  it('ends within ten seconds of the last sale that needed it', async () => {
    await rig.open()
    later(3_000, () => rig.act('close'))
    expect(await tickedMs()).toBe(10_000)
  })

  it('ends in a gap between windows, and runs again before the next one opens (R7)', async () => {
    const { now } = rig.clock
    const windows = [
      { startsAt: now, endsAt: now + 20_000, stock: 10 },
      { startsAt: now + hour, endsAt: now + 2 * hour, stock: 4 },
    ]
    await rig.openWindows(windows)
    await tickFor(58_000)
    expect(await rig.sale()).toMatchObject({ windowIndex: 1, flag: 'off' })
    expect(rig.clock.now - now).toBeLessThanOrEqual(31_000)
    rig.clock.now = now + hour - 30_000
    await tickFor(58_000)
    expect(await rig.sale()).toMatchObject({ windowIndex: 1, flag: 'on', epoch: 2 })
  })

  it('moves on and opens windows within a second of their time (R7)', async () => {
    await openWindows()
    const at = { start: rig.clock.now, moved: 0, opened: 0 }
    rig.ports.table = onWireAt(rig.ports.table, savesSale, (send, command) => {
      if (auditedIn(command) === 'next-window') at.moved = rig.clock.now
      if (auditedIn(command) === 'open') at.opened = rig.clock.now
      return send()
    })
    await tickFor(58_000)
    expect(at.moved - at.start).toBeGreaterThanOrEqual(20_000)
    expect(at.moved - at.start).toBeLessThanOrEqual(21_000)
    expect(at.opened - at.start).toBeGreaterThanOrEqual(40_000)
    expect(at.opened - at.start).toBeLessThanOrEqual(41_000)
    expect(await rig.sale()).toMatchObject({ windowIndex: 1, flag: 'on', epoch: 2, stock: 14 })
    expect(rig.audit().at(-1)).toMatchObject({ who: 'reconcile', what: 'open' })
  })

  it('publishes the booked units of running sales to the gate each second, and of no other sale (G7)', async () => {
    await rig.open()
    await rig.create({ saleId: 'later-one' })
    await rig.ask('POST', '/sales/later-one/start')
    const published = new Map<SaleId, (number | undefined)[]>()
    rig.gate.before('replenish', ([, , , key, , , , booked]) => {
      const saleId = saleIdOf(/\{(.*)\}/.exec(key ?? '')?.[1] ?? '')
      published.set(saleId, [...(published.get(saleId) ?? []), Number(booked)])
    })
    later(3_000, () => rig.buy(1, { quantity: 2 }))
    await tickFor(6_000)
    expect([...published]).toEqual([[phone, [0, 0, 0, 2, 2, 2]]])
    rig.clock.now += hour - 20_000
    await tickFor(3_000)
    expect(published.get(saleIdOf('later-one'))).toBeUndefined()
    await tickFor(4_000)
    expect(published.get(saleIdOf('later-one'))).toEqual([0, 0, 0])
  })

  it('costs a read of the gate and one of the stock while nothing is to be done', async () => {
    await rig.open()
    await rig.act('pause')
    await tickFor(1_000)
    const reads: string[] = []
    rig.stock.before('hmget:stock', () => reads.push('stock'))
    rig.gate.before('hmget:gate', () => reads.push('gate'))
    rig.log.length = 0
    await tickFor(3_000)
    expect(reads).toEqual(['gate', 'stock', 'gate', 'stock', 'gate', 'stock'])
    expect(rig.log).toEqual([])
  })

  it('publishes a sale again that the gate has lost, under the lock of the sale (B3, K1)', async () => {
    await rig.open()
    await rig.sellOut()
    const holders: (string | undefined)[] = []
    rig.gate.before('gate', () => holders.push(rig.lockHolder(phone)))
    later(1_000, async () => {
      await rig.loseGate()
      await rig.loseList()
    })
    const lostAt = rig.clock.now + 1_000
    await tickFor(3_000)
    expect(await rig.facts(phone)).toMatchObject({ flag: 'on', frozen: false })
    expect(await rig.facts()).toMatchObject({ soldOut: true })
    expect(await rig.mayHold(phone)).toBe(true)
    expect(await rig.truth()).toMatchObject({ total: 10, booked: 10 })
    expect(holders).toEqual([expect.any(String)])
    expect(rig.clock.now - lostAt).toBeLessThanOrEqual(2_000)
    expect(rig.lockHolder(phone)).toBeUndefined()
  })

  it('inspects selling sales and 20 more, with any number of warmed ones', async () => {
    await rig.open()
    const known = await rig.sale()
    for (let at = 0; at < 50; at += 1) {
      const times = { startsAt: known.startsAt + hour + at, endsAt: known.endsAt + hour + at }
      const saleId = saleIdOf(`later-${at}`)
      await rig.table.begin({ ...known, ...times, saleId, flag: 'off', epoch: 0, startToken: null })
    }
    const inspected = new Set<string>()
    rig.gate.before('hmget:gate', ([, key = '']) => inspected.add(key))
    await tickFor(12_000)
    const soonest = Array.from({ length: 20 }, (_, at) => gateKey(saleIdOf(`later-${at}`)))
    expect(inspected).toEqual(new Set([gateKey(phone), ...soonest]))
  })

  it('reads a sale that is over once in a run', async () => {
    await rig.open()
    const known = await rig.sale()
    const past = { startsAt: known.startsAt - 100 * hour, endsAt: known.startsAt - 90 * hour }
    await rig.table.begin({ ...known, ...past, saleId: saleIdOf('long-ago') })
    let reads = 0
    rig.ports.table = onWireAt(rig.ports.table, 'batch get SALE', (send, command) => {
      if (commandJson(command).includes('long-ago')) reads += 1
      return send()
    })
    await tickFor(35_000)
    expect(reads).toBe(1)
  })

  it('skips a locked sale, and retries it (K1, B3)', async () => {
    await rig.open()
    await rig.loseGate()
    await acquireLock(rig.gate, phone, 'another', 2_500)
    await tickFor(2_000)
    expect(await rig.facts()).toBeUndefined()
    await tickFor(3_000)
    expect(await rig.facts()).toBeDefined()
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(0)
  })

  it('does not restore a lost stock: the next run does, because it knows what is sold (I1, P10)', async () => {
    await rig.open()
    await rig.sell(3)
    await rig.loseStock()
    await tickFor(5_000)
    expect(await rig.stockRecord()).toBeUndefined()
    expect(await rig.truth()).toMatchObject({ total: 0 })
    expect(await rig.reconcile()).toMatchObject({ recovered: 1 })
  })

  it('notices what a marketer changes meanwhile, and sales that are added or removed', async () => {
    await rig.open()
    later(2_000, async () => {
      await rig.ask('PATCH', '/sales/phone', { admissionRatio: 3 })
      await rig.create({ saleId: 'lamp' })
      await rig.ask('POST', '/sales/lamp/warm')
    })
    await tickFor(5_000)
    expect(await rig.truth()).toMatchObject({ ratio: 3 })
    const lamp = saleIdOf('lamp')
    later(7_000, () => raw(rig.redis, 'DEL', gateKey(lamp)))
    await tickFor(12_000)
    expect(await rig.facts(lamp)).toMatchObject({ flag: 'off' })
    later(1_000, () => rig.ask('DELETE', '/sales/lamp'))
    await tickFor(5_000)
    expect(await rig.facts(lamp)).toMatchObject({ flag: 'closed' })
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(0)
  })

  it('logs the failure of a sale once, keeps retrying, and handles the others (I6)', async () => {
    await rig.open()
    await rig.create({ saleId: 'lamp' })
    await rig.ask('POST', '/sales/lamp/start', { now: true })
    let tries = 0
    rig.gate.before('hmget:gate', ([, key]) => {
      if (key !== gateKey(phone)) return
      tries += 1
      throw new RedisUnavailable('gone')
    })
    const before = rig.clock.now
    await tickFor(5_000)
    expect(tries).toBe(5)
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(1)
    expect(rig.telemetry.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { facts: { saleId: phone, error: 'RedisUnavailable' } },
    ])
    expect((await rig.truth(saleIdOf('lamp')))?.asOf).toBe(before + 4_000)
  })

  it('continues with the sales it knows while the table is unavailable (I6)', async () => {
    await rig.open()
    later(5_000, () => rig.table.goDown())
    const before = rig.clock.now
    await tickFor(25_000)
    expect((await rig.truth())?.asOf).toBe(before + 24_000)
    expect(rig.telemetry.counted('ReconcileFailed')).toBe(1)
  })

  it('skips a sale that is over', async () => {
    await rig.open()
    rig.clock.now += 10 * hour
    await rig.loseGate()
    await tickFor(2_000)
    expect(await rig.facts()).toBeUndefined()
  })
})

describe('each run', () => {
  it('replenishes the admissions of every sale, and in one of ten runs also of one that is still to come (G7)', async () => {
    await rig.open()
    await rig.create({ saleId: 'lamp' })
    await rig.ask('POST', '/sales/lamp/warm')
    const [orderId] = await rig.sell(2)
    for (const saleId of [phone, saleIdOf('lamp')]) await raw(rig.redis, 'DEL', admissionsKey(saleId))
    await rig.reconcile()
    expect(await rig.truth()).toMatchObject({ total: 10, booked: 2, ratio: 1.2 })
    for (let time = 0; time < 9; time += 1) await rig.reconcile()
    expect(await rig.truth(saleIdOf('lamp'))).toMatchObject({ total: 10, booked: 0, ratio: 1.2 })
    await rig.cancel(orderId)
    expect(await rig.truth()).toMatchObject({ booked: 1 })
  })

  it('moves on and opens windows when no tick is running (R7)', async () => {
    await openWindows()
    rig.clock.now += 45_000
    await rig.reconcile()
    expect(await rig.sale()).toMatchObject({ windowIndex: 1, flag: 'on', epoch: 2 })
    expect(rig.pointer()).toMatchObject({ phase: 'open', remaining: 14 })
  })

  it('compares a sale between two windows like any other, however long that lasts (I4)', async () => {
    await openWindows()
    await rig.sell(3)
    rig.clock.now += 21_000
    await rig.reconcile()
    await rig.forgetHolds()
    expect(await rig.reconcile()).toMatchObject({ restored: 3 })
  })
})
