/** Sales that were over long ago, on a real Redis: what is removed, what waits, and what still works afterwards. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../../core/ids.ts'
import { changeOrder } from '../../../../functions/orders/change-orders.ts'
import { closeDelayMs } from '../../../../functions/recovery/packets/close-budget.ts'
import type { RepairPorts } from '../../../../functions/recovery/ports.ts'
import { holdAgeMs } from '../../../../functions/recovery/stock/compare-holds.ts'
import { markArchived } from '../../../../functions/repair/jobs/archive.ts'
import { reconcile } from '../../../../functions/repair/reconcile.ts'
import { repair } from '../../../../functions/sales/repair-sale.ts'
import { dueReleases } from '../../../../functions/table/orders/releases.ts'
import { saleTotals } from '../../../../functions/table/sale/sale-orders.ts'
import { tick } from '../../../../functions/tick/tick.ts'
import { onWireAt } from '../../../../proof/simulation/dynamodb/wire.ts'
import { sharedListKeys, stockKeys } from '../../../../redis/keys.ts'
import { freeze } from '../../../../redis/stock/freeze.ts'
import { orderIdOf, raw } from '../../../redis/support.ts'
import { phone } from '../../../world/stock-record.ts'
import { currentSales } from '../../../world/table.ts'
import { unavailable } from '../../../world/wire.ts'
import { useWorld, world } from '../../../world/world.ts'
import { cutOffAt, isCutOff } from '../../recovery/cut-off.ts'
import { rainOf } from '../../recovery/rain.ts'

const minute = 60_000
const week = 7 * 86_400_000
/** The sale lasts another two hours, then units can be cancelled for 17 minutes, and a week later it is archived. */
const untilArchivable = week + 5 * 3_600_000

const rig = useWorld()

const keys = async () => {
  const found = await raw(rig.redis, 'KEYS', `*${phone}*`)
  return Array.isArray(found) ? found.map(String).sort() : []
}
const isCurrent = async () => (await currentSales(rig.table)).length > 0

/** One scheduled run per minute; each sale is compared in full in one of ten. */
async function runMinutes(minutes: number, ports: RepairPorts = rig.ports): Promise<void> {
  const scheduled = { minAgeMs: 10_000, holdAgeMs, full: false }
  for (let run = 0; run < minutes; run += 1) {
    await reconcile(ports, scheduled, rig.clock.now + 25_000)
    rig.clock.now += minute
  }
}

/** A sale of which two units are paid for, a week and more after its end. */
async function sellAndWait() {
  await rig.open()
  const orderIds = await rig.sell(2)
  for (const orderId of orderIds) await rig.pay(orderId)
  rig.clock.now += untilArchivable
  return orderIds
}

const archiveNow = () => runMinutes(22)

describe('a sale that was over a week ago', () => {
  it('leaves no key in Redis and an audit entry, is listed no longer, and no scheduled run reads it again', async () => {
    await sellAndWait()
    expect(await keys()).not.toEqual([])
    await archiveNow()
    expect(await keys()).toEqual([])
    expect(rig.audit().at(-1)).toMatchObject({ who: 'reconcile', what: 'archive', saleId: phone })
    expect(rig.site.objects.get('index.html')?.body).toBe('')
    expect(rig.site.objects.get('sales/phone/index.html')).toBeDefined()
    expect(await raw(rig.redis, 'SMEMBERS', sharedListKeys.sales)).toEqual([])
    expect(await isCurrent()).toBe(false)
    const { body } = await rig.ask('GET', '/sales?archived=true')
    expect(body).toMatchObject({ sales: [{ saleId: phone, archivedAt: expect.any(Number) }], next: null })
    expect((await rig.ask('GET', '/sales')).body).toEqual({ sales: [], next: null })
    const before = rig.log.length
    await runMinutes(11)
    await tick(rig.ports, rig.clock.now + 1000)
    expect(rig.log).toHaveLength(before)
    expect(await keys()).toEqual([])
  })

  it('is archived with shipped and delivered orders', async () => {
    const [first, second] = await sellAndWait()
    await changeOrder(rig.ports, first, { kind: 'shipped', carrier: 'DHL' })
    await changeOrder(rig.ports, second, { kind: 'shipped', carrier: 'DHL' })
    await changeOrder(rig.ports, second, { kind: 'delivered' })
    await archiveNow()
    expect((await rig.record()).sale.archivedAt).toBeDefined()
    const lines = [{ orderId: first, carrier: 'DHL', status: 'delivered' }]
    const shipped = await rig.ask('POST', '/sales/phone/shipments', { lines })
    expect(shipped.body.lines, 'an archived sale').toEqual([{ orderId: first, code: 'delivered' }])
  })

  it('of which Redis lost the stock is recovered first, and archived then', async () => {
    await sellAndWait()
    await raw(rig.redis, 'UNLINK', ...Object.values(stockKeys(phone)))
    await runMinutes(45)
    expect(await isCurrent()).toBe(false)
    expect(await keys()).toEqual([])
    expect(rig.telemetry.counted('SaleRecovered')).toBe(1)
  })
})

describe('a sale is not archived', () => {
  const mark = () => markArchived({ ...rig.ports, deadline: rig.clock.now + 10_000 }, phone)
  const stock = stockKeys(phone)

  it.each<[string, (orderIds: OrderId[]) => Promise<unknown>]>([
    ['while a message waits in its outbox', () => raw(rig.redis, 'HSET', stock.outbox, 'a'.repeat(26), 'a message')],
    [
      'while units are held back for orders that may still arrive',
      async () => {
        await raw(rig.redis, 'HSET', stock.stock, 'heldBack', '1')
        await raw(rig.redis, 'HINCRBY', stock.stock, 'booked', '1')
      },
    ],
    ['while its stock is frozen', () => freeze(rig.redis, phone)],
    ['while its stock is lost', () => raw(rig.redis, 'UNLINK', stock.stock)],
    ['while more is booked than sold', () => raw(rig.redis, 'HINCRBY', stock.stock, 'booked', '1')],
    ['while less is booked than sold', () => raw(rig.redis, 'HINCRBY', stock.stock, 'booked', '-1')],
    [
      'while a release is due that Redis did not take',
      async ([orderId]) => {
        rig.stock.fail('release')
        if (orderId !== undefined) await changeOrder(rig.ports, orderId, { kind: 'refunded-by-marketer' })
      },
    ],
    [
      'while a change of its stock is under way',
      async () => {
        rig.stock.fail('add-stock')
        await rig.ask('POST', '/sales/phone/stock', { delta: 1 }).catch(() => 'lost')
      },
    ],
    ['when it was extended meanwhile', () => rig.ask('PATCH', '/sales/phone', { endsAt: rig.clock.now + 3_600_000 })],
  ])('%s', async (_when, disturb) => {
    const orderIds = await sellAndWait()
    await disturb(orderIds)
    expect(await mark()).toBe(false)
    expect((await rig.record()).sale.archivedAt).toBeUndefined()
  })
})

describe('a sale that is marked', () => {
  const marked = async () => {
    const orderIds = await sellAndWait()
    await markArchived({ ...rig.ports, deadline: rig.clock.now + 10_000 }, phone)
    return orderIds
  }

  it('leaves no release due of an order that was refunded meanwhile', async () => {
    const [orderId] = await marked()
    const heal = rig.stock.fail('release')
    await changeOrder(rig.ports, orderId, { kind: 'refunded-by-marketer' })
    expect(await dueReleases(rig.table.table, phone)).toHaveLength(1)
    heal()
    await runMinutes(2)
    expect(await dueReleases(rig.table.table, phone)).toEqual([])
    expect(await keys()).toEqual([])
  })

  it('rejects every change, and reconcile restores nothing', async () => {
    await marked()
    await raw(rig.redis, 'FLUSHALL')
    expect(await repair(rig.ports, phone)).toMatchObject({ kind: 'in-step' })
    expect(await rig.act('start', { now: true })).toMatchObject({ status: 409 })
    await runMinutes(1)
    expect(await keys()).toEqual([])
  })
})

describe('an archived sale', () => {
  beforeEach(async () => {
    await sellAndWait()
    await archiveNow()
  })

  it.each([
    ['POST', '/sales/phone/warm'],
    ['POST', '/sales/phone/start'],
    ['POST', '/sales/phone/pause'],
    ['POST', '/sales/phone/resume'],
    ['POST', '/sales/phone/close'],
    ['POST', '/sales/phone/recover'],
    ['POST', '/sales/phone/reconcile'],
    ['POST', '/sales/phone/stock', { delta: 5 }],
    ['PATCH', '/sales/phone', { title: 'Another title' }],
    ['DELETE', '/sales/phone'],
  ])('answers %s %s with a conflict, and no key comes back', async (method, path, body?: object) => {
    const before = await rig.record()
    const answer = await rig.ask(method, path, body)
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(answer.body.detail).toContain('archived')
    expect(await keys()).toEqual([])
    expect(await rig.record()).toEqual(before)
  })

  it('shows its orders', async () => {
    const { body } = await rig.ask('GET', '/sales/phone/live')
    expect(body).toMatchObject({ phase: 'ended', stock: null, orders: { sold: 2, orders: 2 }, inStep: true })
    expect((await rig.ask('GET', '/sales/phone/orders.csv')).body.split('\n')).toHaveLength(4)
  })

  it('refunds an order, whose units go back in the table alone', async () => {
    const orderId = orderIdOf(phone, 1, 1)
    expect(await rig.ask('POST', `/orders/${orderId}/refund`, {})).toMatchObject({ status: 200 })
    expect(await rig.table.find(orderId)).toMatchObject({ status: 'refund-due' })
    expect(await saleTotals(rig.table.table, phone)).toMatchObject({ sold: 1, orders: 1 })
    expect(await dueReleases(rig.table.table, phone)).toEqual([])
    expect(await keys()).toEqual([])
  })
})

it('a draft that is archived is not published again by the call that made it', async () => {
  await rig.create()
  const made = rig.definition()
  rig.clock.now += untilArchivable
  await archiveNow()
  expect(await rig.ask('POST', '/sales', made)).toMatchObject({ status: 409, body: { field: 'saleId' } })
  expect(await keys()).toEqual([])
})

describe('red packets that were over a week ago', () => {
  async function rain(): Promise<void> {
    const { open, claimAndWrite } = rainOf(rig.redis, () => rig)
    await open()
    await claimAndWrite(1)
  }

  it('keep their keys while what was left has not gone back', async () => {
    await rain()
    rig.ports.table = onWireAt(rig.ports.table, 'transact CAP+AUDIT', unavailable)
    rig.clock.now += untilArchivable + closeDelayMs
    await runMinutes(22)
    expect((await rig.record()).sale.archivedAt).toBeUndefined()
    expect(await raw(rig.redis, 'EXISTS', stockKeys(phone).stock)).toBe(1)
  })
})

describe('archiving that is cut off', () => {
  const parts = ['stock', 'gate', 'publisher', 'table'] as const

  async function callsOf(last: number, where: 'before' | 'after'): Promise<number> {
    Object.assign(rig, await world({ redis: rig.redis }))
    await sellAndWait()
    const cut = cutOffAt(rig.ports, parts, last, where)
    await runMinutes(22, cut.ports).catch((error: unknown) => {
      if (!isCutOff(error)) throw error
    })
    return cut.calls()
  }

  it.each(['before', 'after'] as const)('%s any call is finished by the runs that follow', async (where) => {
    const calls = await callsOf(Number.POSITIVE_INFINITY, where)
    expect(await keys()).toEqual([])
    for (let last = 1; last <= calls; last += 1) {
      await callsOf(last, where)
      await archiveNow()
      expect({ last, keys: await keys(), isCurrent: await isCurrent() }).toEqual({ last, keys: [], isCurrent: false })
      expect(rig.audit().filter(({ what }) => what === 'archive')).toHaveLength(1)
    }
  })
})
