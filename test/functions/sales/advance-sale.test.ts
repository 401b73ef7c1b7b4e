/** A sale with several windows moves through them, interrupted at any call and resumed (R7, I5). */

import { beforeEach, describe, expect, it } from 'vitest'
import { repair } from '../../../functions/sales/repair-sale.ts'
import { advanceSale } from '../../../functions/sales/window-steps.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { useRedis } from '../../redis/test-store.ts'
import { phone } from '../../world/stock-record.ts'
import { type World, world } from '../../world/world.ts'
import { cutOffAt, isCutOff, type Where } from '../recovery/cut-off.ts'
import { atEachCut } from '../recovery/each-cut.ts'

const server = useRedis()

const hour = 3_600_000
const actor = { who: 'reconcile', requestId: 'request-1' }

let rig: World
beforeEach(async () => {
  rig = await opened()
})

/** Started in the first of three windows: ten units now, four an hour after it, one right behind those. */
async function opened(): Promise<World> {
  const made = await world({ redis: server })
  const { now } = made.clock
  const windows = [
    { startsAt: now, endsAt: now + hour, stock: 10 },
    { startsAt: now + 2 * hour, endsAt: now + 3 * hour, stock: 4 },
    { startsAt: now + 3 * hour, endsAt: now + 4 * hour, stock: 1 },
  ]
  await made.openWindows(windows)
  return made
}

const sale = () => rig.sale()
const stockRecord = () => rig.stockRecord()
const gate = () => rig.facts()
const totals = () => saleTotals(rig.table.table, phone)
const whatWasDone = () => rig.audit().map(({ what }) => what)

/** The state of the sale in every store. */
const state = async (of: World) => ({
  record: await of.record(),
  stock: await of.stockRecord(),
  cap: await saleTotals(of.table.table, phone),
  gate: await of.facts(),
  truth: await of.truth(),
  pointer: of.pointer(),
  audit: of.audit(),
})

describe('a sale whose window is over', () => {
  it('moves on to the next: the units that are left stay on sale beside the new ones', async () => {
    await rig.sell(3)
    rig.clock.now += hour
    expect(await advanceSale(rig.ports, actor, phone)).toEqual(await sale())
    const [, second, third] = (await sale()).windows
    expect(await sale()).toMatchObject({ windowIndex: 1, flag: 'off', epoch: 1, startToken: null, stock: 14 })
    expect(await stockRecord()).toMatchObject({ total: 14, booked: 3, sale: { flag: 'off' } })
    expect(await totals()).toMatchObject({ remaining: 11, sold: 3 })
    expect(await gate()).toMatchObject({ flag: 'off', startsAt: second?.startsAt })
    expect(await rig.truth()).toMatchObject({ total: 14, booked: 3, ratio: 1.2 })
    expect(rig.pointer()).toMatchObject({
      phase: 'scheduled',
      startsAt: second?.startsAt,
      nextStartsAt: third?.startsAt,
      remaining: 11,
    })
    expect((await rig.record()).finishedStockChanges).toMatchObject([{ changeId: 'window-1', delta: 4 }])
    expect(rig.audit().at(-1)).toMatchObject({
      who: 'reconcile',
      what: 'next-window',
      before: { windowIndex: 0, stock: 10, flag: 'on' },
      after: { windowIndex: 1, stock: 14, flag: 'off' },
    })
    await expect(rig.reserve(4)).rejects.toThrow('not-started')
  })

  it('opens the next at its time under a new epoch, and rejects the old token as stale (C6)', async () => {
    const old = await sale()
    rig.clock.now += 2 * hour
    await advanceSale(rig.ports, actor, phone)
    const now = await sale()
    expect(now).toMatchObject({ windowIndex: 1, flag: 'on', epoch: 2 })
    expect(now.startToken).not.toBe(old.startToken)
    expect(rig.pointer()).toMatchObject({ phase: 'open', remaining: 14 })
    expect(rig.site.objects.get(rig.pointer().src.slice(1))?.body).toContain(`"startToken":"${now.startToken}"`)
    expect(await gate()).toMatchObject({ flag: 'on', epoch: 2 })
    expect(whatWasDone()).toEqual(['create', 'warm', 'start', 'next-window', 'open'])
    await rig.buy(1)
    await rig.deliver()
    expect((await rig.stockRecord())?.booked).toBe(1)
  })

  it('opens the next window at once when it follows without a gap', async () => {
    rig.clock.now += 2 * hour
    await advanceSale(rig.ports, actor, phone)
    rig.clock.now += hour
    await advanceSale(rig.ports, actor, phone)
    expect(await sale()).toMatchObject({ windowIndex: 2, flag: 'on', epoch: 3, stock: 15 })
    expect(rig.pointer()).toMatchObject({ phase: 'open', nextStartsAt: null })
    rig.clock.now += hour
    await advanceSale(rig.ports, actor, phone)
    expect(await sale()).toMatchObject({ windowIndex: 2, version: 7 })
    expect(await rig.live()).toMatchObject({ phase: 'ended' })
  })

  it('moves through every window that was missed, and loses no unit', async () => {
    rig.clock.now += 3.5 * hour
    await advanceSale(rig.ports, actor, phone)
    expect(await sale()).toMatchObject({ windowIndex: 2, flag: 'on', epoch: 2, stock: 15 })
    expect((await stockRecord())?.total).toBe(15)
    expect(whatWasDone().slice(3)).toEqual(['next-window', 'next-window', 'open'])
  })

  it('changes nothing while nothing is due', async () => {
    const before = await state(rig)
    rig.log.length = 0
    await advanceSale(rig.ports, actor, phone)
    expect(await state(rig)).toEqual(before)
    expect(rig.log).toEqual([])
  })

  it('opens a window while orders of the one before are still held, and repeats find them (I2, I3)', async () => {
    await rig.buy(1, { quantity: 2 })
    rig.clock.now += 2 * hour
    await advanceSale(rig.ports, actor, phone)
    await expect(rig.reserve(1)).rejects.toThrow('repeat')
    await expect(rig.reserve(1, { order: 2 })).rejects.toThrow('limit-reached')
  })

  it('moves on in the table when its stock is lost, and the recovered stock has the new units (P10, I1)', async () => {
    await rig.sell(3)
    await rig.loseStock()
    rig.clock.now += hour
    await advanceSale(rig.ports, actor, phone)
    expect(await sale()).toMatchObject({ windowIndex: 1, stock: 14, flag: 'off' })
    await rig.act('recover')
    expect(await stockRecord()).toMatchObject({ total: 14, booked: 3, frozen: false })
    expect((await rig.record()).pendingStock).toBeUndefined()
    rig.clock.now += hour
    await advanceSale(rig.ports, actor, phone)
    expect(rig.pointer()).toMatchObject({ phase: 'open', remaining: 11 })
  })

  it('moves on once when several functions try at the same time (I5)', async () => {
    rig.clock.now += 2 * hour
    const together = [1, 2, 3].map(() => advanceSale(rig.ports, actor, phone))
    expect((await Promise.all(together)).map((present) => present?.epoch)).toEqual([2, 2, 2])
    expect((await stockRecord())?.total).toBe(14)
    expect(await totals()).toMatchObject({ remaining: 14 })
    expect(whatWasDone().slice(3)).toEqual(['next-window', 'open'])
  })
})

describe('a marketer', () => {
  it('who pauses a sale finds it paused in its next window, and opens that by resuming it (C6)', async () => {
    const { startToken } = await sale()
    await rig.act('pause')
    rig.clock.now += 2.2 * hour
    await advanceSale(rig.ports, actor, phone)
    expect(await sale()).toMatchObject({ windowIndex: 1, flag: 'paused', epoch: 1, stock: 14, startToken: null })
    expect(rig.pointer()).toMatchObject({ phase: 'paused' })
    expect(await rig.act('resume')).toMatchObject({ body: { flag: 'on', epoch: 2, startsAt: rig.clock.now } })
    expect((await sale()).startToken).not.toBe(startToken)
    expect(rig.pointer()).toMatchObject({ phase: 'open' })
    await rig.act('pause')
    expect(await rig.act('resume')).toMatchObject({ body: { epoch: 2 } })
  })

  it('keeps the next window closed by pausing between two, and arms it by starting it', async () => {
    rig.clock.now += 1.5 * hour
    await advanceSale(rig.ports, actor, phone)
    expect(await rig.act('resume')).toMatchObject({ status: 409 })
    expect(await rig.act('pause')).toMatchObject({ status: 200, body: { flag: 'paused' } })
    rig.clock.now += hour
    await advanceSale(rig.ports, actor, phone)
    expect(rig.pointer()).toMatchObject({ phase: 'paused' })
    rig.clock.now -= hour
    await rig.act('resume')
    expect(rig.pointer()).toMatchObject({ phase: 'scheduled' })
    rig.clock.now += hour
    expect(await sale()).toMatchObject({ flag: 'on', epoch: 2 })
  })

  it('who closes a sale ends all its windows', async () => {
    await rig.act('close')
    rig.clock.now += 2 * hour
    await advanceSale(rig.ports, actor, phone)
    expect(await sale()).toMatchObject({ windowIndex: 0, flag: 'closed', stock: 10 })
    expect(rig.pointer()).toMatchObject({ phase: 'ended' })
  })

  it('who changes the stock at the end of a window loses nothing of either', async () => {
    rig.stock.goDown()
    await expect(rig.act('stock', { delta: 5 })).rejects.toThrow(/unavailable/)
    rig.clock.now += hour
    await expect(advanceSale(rig.ports, actor, phone)).rejects.toThrow(/unavailable/)
    expect(await sale()).toMatchObject({ windowIndex: 0, stock: 15 })
    rig.stock.comeUp()
    await advanceSale(rig.ports, actor, phone)
    expect(await sale()).toMatchObject({ windowIndex: 1, stock: 19 })
    expect((await stockRecord())?.total).toBe(19)
    expect(await totals()).toMatchObject({ remaining: 19 })
  })
})

describe('moving on', () => {
  const parts = ['table', 'stock', 'gate', 'publisher'] as const

  /** Moves over an end and a start, cut off at a call, and continued by the scheduled run. */
  const played = async (last: number, where: Where) => {
    const one = await opened()
    await one.sell(3)
    one.clock.now += 2 * hour
    const { ports, calls } = cutOffAt(one.ports, parts, last, where)
    const isCut = await advanceSale(ports, actor, phone).then(() => false, isCutOff)
    if (isCut) {
      await advanceSale(one.ports, actor, phone)
      await repair(one.ports, phone)
      await one.ports.publisher.pointer(phone)
    }
    return { isCut, calls: calls(), state: withoutChance(await state(one)) }
  }

  it.each(['before', 'after'] as const)(
    'cut off %s any call, and done again, ends as if nothing had happened (I5)',
    async (where) => {
      const whole = await played(Number.POSITIVE_INFINITY, where)
      expect(whole.calls).toBeGreaterThan(20)
      await atEachCut(async (last) => {
        if (last > whole.calls) return false
        const { isCut, state } = await played(last, where)
        expect(isCut, `call ${last}`).toBe(true)
        expect(state, `cut off ${where} call ${last}`).toEqual(whole.state)
        return true
      })
    },
  )
})

/** Each try counts ids and tokens from the start. */
function withoutChance(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member) =>
      name === 'startToken' ? '*' : typeof member === 'string' ? member.replace(/token-\d+_*/, '*') : member,
    ),
  )
}
