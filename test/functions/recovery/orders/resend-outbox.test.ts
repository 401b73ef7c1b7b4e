import { beforeEach, describe, expect, it } from 'vitest'
import type { OrderId } from '../../../../core/ids.ts'
import {
  maxSends,
  minAgeMs,
  type OutboxResent,
  resendOutbox,
} from '../../../../functions/recovery/orders/resend-outbox.ts'
import { dueReleases } from '../../../../functions/table/orders/releases.ts'
import { orderSuffix, stockKeys } from '../../../../redis/keys.ts'
import { release } from '../../../../redis/orders/release.ts'
import { list } from '../../../../redis/reply.ts'
import { raw } from '../../../redis/support.ts'
import { phone } from '../../../world/stock-record.ts'
import { useWorld, world } from '../../../world/world.ts'

const rig = useWorld()
beforeEach(() => rig.open())

const minuteMs = 60_000
const run = async (ageMs = minAgeMs): Promise<OutboxResent> => resendOutbox(rig.ports, await rig.sale(), ageMs)
const sent = () => rig.queue.messages.map(({ orderId }) => orderId).sort()
const waiting = async () =>
  list(await raw(rig.redis, 'HKEYS', stockKeys(phone).outbox), 'outbox')
    .map((word) => `${phone}-${word}`)
    .sort()

/** Runs once a minute, `times` times; what the queue took is written. */
async function everyMinute(times: number): Promise<OutboxResent[]> {
  const results: OutboxResent[] = []
  for (let time = 0; time < times; time += 1) {
    rig.clock.now += minuteMs
    results.push(await run())
    await rig.deliver()
  }
  return results
}

/** Makes an entry of the outbox unreadable. */
async function spoil(orderId: OrderId): Promise<void> {
  await raw(rig.redis, 'HSET', stockKeys(phone).outbox, orderSuffix(orderId), '{"orderId":1')
}

describe('dispatching the outbox', () => {
  it('handles a page of any size', async () => {
    Object.assign(rig, await world({ redis: rig.redis }))
    await rig.open({ stock: 1000 })
    for (let shopper = 1; shopper <= 401; shopper += 1) await rig.reserve(shopper)
    expect(await run(0)).toMatchObject({ resent: 401, waiting: 401 })
  })

  it('waits for two minutes while the queue has messages, and then until the age has doubled (O5)', async () => {
    await rig.reserve(1)
    rig.queue.messages.push(...(await rig.waiting()))
    const resentAt: number[] = []
    for (let second = 1; second <= 1_000; second += 1) {
      rig.clock.now += 1_000
      const { resent } = await run()
      if (resent > 0) resentAt.push(second)
    }
    expect(resentAt).toEqual([120, 240, 480, 960])
    rig.queue.messages.length = 0
    rig.clock.now += 10_000
    expect(await run(), 'in an empty queue it is not').toMatchObject({ resent: 1 })
  })

  it('does not send garbage for ever that the queue takes and the writer can never write (O7)', async () => {
    const [garbage, good] = [await rig.reserve(1, { quantity: 2 }), await rig.reserve(2)]
    let sends = 0
    const runs: OutboxResent[] = []
    for (let minute = 0; minute <= maxSends; minute += 1) {
      rig.clock.now += minuteMs
      runs.push(await run())
      // The writer drops the message of the one order, and writes that of the other.
      sends += rig.queue.messages.filter((one) => one.orderId === garbage).length
      const others = rig.queue.messages.filter((one) => one.orderId !== garbage)
      rig.queue.messages.splice(0, Infinity, ...others)
      await rig.deliver()
    }
    expect(sends).toBe(maxSends)
    expect(runs.map(({ givenUp }) => givenUp)).toEqual([...Array(maxSends).fill(0), 1])
    expect(await rig.table.find(garbage)).toMatchObject({ status: 'rejected', reason: 'undeliverable' })
    expect(await rig.table.find(good)).toMatchObject({ status: 'awaiting-payment' })
    expect([await rig.booked(), await waiting()]).toEqual([1, []])
    expect(rig.telemetry.counted('Undeliverable')).toBe(1)
  })

  it('sends once when two run at once (O5, I5)', async () => {
    for (const shopper of [1, 2, 3]) await rig.reserve(shopper)
    rig.clock.now += minuteMs
    const [one, two] = await Promise.all([run(), run()])
    expect(one.resent + two.resent).toBe(3)
    expect(sent()).toHaveLength(3)
  })

  it('gives up on a message that the queue rejects for half an hour: the order is rejected and its units released (O7)', async () => {
    const [bad, good] = [await rig.reserve(1, { quantity: 2 }), await rig.reserve(2)]
    rig.queue.refused.add(bad)
    await everyMinute(maxSends)
    expect([await rig.booked(), await waiting()]).toEqual([3, [bad]])
    expect(await rig.table.find(bad)).toBeUndefined()
    rig.telemetry.lines.length = 0
    expect(await everyMinute(1)).toEqual([expect.objectContaining({ resent: 0, waiting: 0, givenUp: 1 })])
    expect(await rig.table.find(bad)).toMatchObject({ status: 'rejected', reason: 'undeliverable', quantity: 2 })
    expect([await rig.booked(), await waiting()]).toEqual([1, []])
    expect(await rig.table.find(good)).toMatchObject({ status: 'awaiting-payment' })
    expect(await dueReleases(rig.table.table, phone)).toEqual([])
    expect(rig.telemetry.counted('Undeliverable')).toBe(1)
    expect(rig.telemetry.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
    expect(rig.pointer()).toMatchObject({ remaining: 9 })
  })

  it('gives up after thirty attempts, and not before half an hour has passed (O7)', async () => {
    const bad = await rig.reserve(1)
    rig.queue.refused.add(bad)
    // Thirty attempts within seconds: enough attempts, but far too soon.
    for (let sending = 1; sending <= 30; sending += 1) {
      rig.clock.now += 10
      expect(await run(0), `sending ${sending}`).toMatchObject({ givenUp: 0 })
    }
    rig.clock.now += 1_800_000 - 300 - 1
    expect(await run(0), 'one millisecond short of half an hour').toMatchObject({ givenUp: 0 })
    rig.clock.now += 1
    expect(await run(0)).toMatchObject({ givenUp: 1 })
  })

  it('does the same with an unreadable message, and logs it each time (O7)', async () => {
    const garbage = await rig.reserve(1, { quantity: 2 })
    await spoil(garbage)
    const good = await rig.reserve(2)
    const errors = () => rig.telemetry.lines.filter(({ level }) => level === 'error').length
    await everyMinute(maxSends)
    expect([await waiting(), errors(), await rig.booked()]).toEqual([[garbage], maxSends, 3])
    expect(await rig.table.find(good)).toMatchObject({ status: 'awaiting-payment' })
    await everyMinute(1)
    expect(await rig.table.find(garbage)).toMatchObject({
      status: 'rejected',
      reason: 'undeliverable',
      quantity: 2,
      shopperId: 'shopper-1',
    })
    expect([await rig.booked(), await waiting()]).toEqual([1, []])
  })

  it('does not give up on a reservation within seconds, even if a marketer reconciles repeatedly (I2)', async () => {
    const [refused, garbage] = [await rig.reserve(1), await rig.reserve(2)]
    rig.queue.refused.add(refused)
    await spoil(garbage)
    for (let press = 0; press <= 2 * maxSends; press += 1) {
      rig.clock.now += 500
      expect(await run(0)).toMatchObject({ givenUp: 0 })
    }
    expect([await waiting(), await rig.booked()]).toEqual([[refused, garbage], 2])
    rig.queue.refused.clear()
    expect(await run(0), 'a message that is young is sent all the same').toMatchObject({ resent: 1 })
    rig.clock.now += maxSends * minuteMs
    expect(await run(0)).toMatchObject({ givenUp: 1, waiting: 1 })
    expect(await waiting()).toEqual([refused])
  })

  it('keeps an order that was written although its message was rejected each time (O6)', async () => {
    const orderId = await rig.reserve(1)
    rig.queue.messages.push(...(await rig.waiting()))
    await rig.deliver()
    rig.queue.refused.add(orderId)
    await everyMinute(maxSends + 1)
    expect(await rig.table.find(orderId)).toMatchObject({ status: 'awaiting-payment' })
    expect([await rig.booked(), await waiting()]).toEqual([1, []])
    expect(rig.telemetry.counted('Undeliverable')).toBe(0)
  })

  it('drops a message whose hold is gone', async () => {
    const orderId = await rig.reserve(1)
    rig.queue.refused.add(orderId)
    await rig.forgetHolds()
    await everyMinute(maxSends + 1)
    expect([await waiting(), await rig.table.find(orderId)]).toEqual([[], undefined])
  })

  it('does not count an outage of the whole queue against a message, and sends all when it is back (I2)', async () => {
    const orderIds = [await rig.reserve(1), await rig.reserve(2)]
    rig.queue.goDown()
    await everyMinute(2 * maxSends)
    expect(await waiting()).toEqual(orderIds)
    rig.queue.comeUp()
    expect(await everyMinute(1)).toEqual([expect.objectContaining({ resent: 2, givenUp: 0 })])
    expect(await waiting()).toEqual([])
  })

  it.each(['the release', 'the acknowledgement'])(
    'finishes what was cut off before %s of a message given up, without a second effect (I5)',
    async (where) => {
      const bad = await rig.reserve(1, { quantity: 2 })
      rig.queue.refused.add(bad)
      await everyMinute(maxSends)
      const heal = rig.stock.fail(where === 'the release' ? 'release' : 'hdel:outbox')
      await expect(everyMinute(1)).rejects.toThrow(/unavailable/)
      heal()
      await everyMinute(1)
      const due = await dueReleases(rig.table.table, phone)
      await release(rig.redis, phone, due)
      expect([await rig.booked(), await waiting()]).toEqual([0, []])
      expect(await rig.table.find(bad)).toMatchObject({ reason: 'undeliverable' })
    },
  )
})
