/** Repairs that a marketer can request: of a sale, an order, the dead letters. */

import { beforeEach, describe, expect, it } from 'vitest'
import { changeOrder } from '../../../functions/orders/change-orders.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { readListVersions } from '../../../redis/gate/shared-lists.ts'
import { acquireLock } from '../../../redis/lock.ts'
import { currentSales } from '../../world/table.ts'
import { changesOrders } from '../../world/wire.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()
beforeEach(async () => {
  await rig.open()
})

const refund = (orderId: string) => rig.ask('POST', `/orders/${orderId}/refund`, {})

/** Sells one unit, whose payment was started and then had that outcome. */
async function sellPaid(kind: 'payment-succeeded' | 'payment-authorised' = 'payment-succeeded') {
  const [orderId] = await rig.sell(1)
  const money = { paymentId: `${orderId}.1`, amount: 10, currency: 'CNY' }
  await changeOrder(rig.ports, orderId, { kind: 'payment-started', graceMs: 0 })
  await changeOrder(rig.ports, orderId, { kind, ...money })
  return { orderId, money }
}

describe('POST /api/control/sales/{id}/recover', () => {
  it('recovers the sale and returns its orders and units (P10)', async () => {
    await rig.sell(3)
    await rig.loseStock()
    expect(await rig.act('recover', {})).toMatchObject({
      status: 200,
      body: { sale: { saleId: 'phone', flag: 'on', epoch: 2 }, orders: 3, units: 3 },
    })
    expect(await rig.live()).toMatchObject({ drift: 0, frozen: false })
    expect(await rig.act('recover', { force: true })).toMatchObject({ status: 400, body: { field: 'force' } })
  })
})

describe('a sale whose stock Redis has lost', () => {
  it('cannot be warmed again, and changes requested meanwhile are applied once it is recovered (I1, I6)', async () => {
    await rig.sell(3)
    await rig.act('pause')
    await rig.loseStock()
    expect(await rig.act('warm')).toMatchObject({ status: 200 })
    expect(await rig.stockRecord()).toBeUndefined()
    expect(await rig.act('resume')).toMatchObject({ status: 409, body: { detail: expect.stringContaining('rebuilt') } })
    const kept = () => rig.ask('POST', '/sales/phone/stock', { delta: 5 }, { 'idempotency-key': 'k1' })
    for (const answer of [await kept(), await kept()]) {
      expect(answer).toMatchObject({ status: 409, body: { reason: 'change-saved' } })
    }
    const other = await rig.act('stock', { delta: 7 })
    expect(other).toMatchObject({ status: 409, body: { reason: 'stock-lost' } })
    await rig.act('recover')
    expect(await rig.stockRecord()).toMatchObject({ total: 15, booked: 3, frozen: false })
    expect(await kept()).toMatchObject({ status: 200, body: { total: 15 } })
    expect(rig.pointer()).toMatchObject({ phase: 'open', remaining: 12 })
  })

  it('is warmed by one request at a time (B3, K3)', async () => {
    await rig.create({ saleId: 'lamp' })
    const lamp = (await currentSales(rig.table)).find(({ saleId }) => saleId === 'lamp')?.saleId
    if (lamp === undefined) throw new Error('there is no lamp')
    await acquireLock(rig.gate, lamp, 'another', 600)
    expect(await rig.ask('POST', '/sales/lamp/warm')).toMatchObject({ status: 409 })
    rig.clock.now += 600
    expect(await rig.ask('POST', '/sales/lamp/warm')).toMatchObject({ status: 200 })
    expect(rig.lockHolder(lamp)).toBeUndefined()
  })
})

it('POST /api/control/sales/{id}/reconcile compares everything at once and returns what it found (I4)', async () => {
  await rig.sell(2)
  const waiting = await rig.reserve(3)
  await rig.forgetHolds()
  expect(await rig.act('reconcile')).toEqual({
    status: 200,
    headers: expect.anything(),
    body: {
      resent: 1,
      waiting: 1,
      oldestAgeMs: 0,
      givenUp: 0,
      state: 'in-step',
      drift: -2,
      holds: { restored: 2, released: 0, lost: 0, overdue: 0 },
      released: 0,
    },
  })
  expect(rig.queue.messages.map(({ orderId }) => orderId)).toEqual([waiting])
  expect(await rig.act('reconcile', { deep: true })).toMatchObject({ status: 400, body: { field: 'deep' } })
})

describe('POST /api/control/orders/{orderId}/refund', () => {
  it('cancels an unpaid order, releases its units, and leaves an audit entry (O9)', async () => {
    const [orderId] = await rig.sell(1)
    const answer = { orderId, saleId: 'phone', status: 'cancelled', reason: 'by-marketer', refund: null }
    expect(await refund(orderId)).toMatchObject({ status: 200, body: answer })
    expect(await refund(orderId)).toMatchObject({ status: 200, body: answer })
    expect((await rig.stockRecord())?.booked).toBe(0)
    expect(rig.pointer()).toMatchObject({ remaining: 10 })
    expect(rig.audit().filter(({ what }) => what === 'refund')).toEqual([
      {
        who: 'mia',
        role: 'marketer',
        requestId: 'request-1',
        what: 'refund',
        saleId: 'phone',
        when: rig.clock.now,
        before: { orderId, status: 'awaiting-payment' },
        after: { orderId, status: 'cancelled', reason: 'by-marketer' },
      },
    ])
  })

  it('refunds a paid order once (I5)', async () => {
    const { orderId, money } = await sellPaid()
    expect(await refund(orderId)).toMatchObject({ body: { status: 'refund-due', refund: money } })
    expect(await refund(orderId)).toMatchObject({ body: { status: 'refund-due', refund: null } })
    expect(rig.provider.asked).toEqual([{ ...money, orderId }])
    expect((await rig.stockRecord())?.booked).toBe(0)
  })

  it('says that the payment is being confirmed, not that there is nothing to refund', async () => {
    const { orderId } = await sellPaid('payment-authorised')
    expect(await refund(orderId)).toMatchObject({ status: 409, body: { reason: 'being-captured' } })
  })

  it('settles a refund that the bank returned, once a person has paid it by another way (O9)', async () => {
    const { orderId, money } = await sellPaid()
    const settle = () => rig.ask('POST', `/orders/${orderId}/settle-refund`, {})
    await refund(orderId)
    expect(await settle()).toMatchObject({ status: 409, body: { reason: 'no-returned-refund' } })
    const { amount: _, ...failed } = money
    await changeOrder(rig.ports, orderId, { kind: 'refund-failed', ...failed })
    const found = await rig.ask('POST', '/orders/find', { find: orderId })
    expect(found.body.orders).toMatchObject([{ refunds: [{ returned: 0, failedAt: rig.clock.now }] }])
    expect(await settle()).toMatchObject({ status: 200, body: { status: 'refunded', refund: null } })
    expect(await settle()).toMatchObject({ status: 200, body: { status: 'refunded' } })
    expect(rig.audit().filter(({ what }) => what === 'settle-refund')).toMatchObject([
      { before: { status: 'refund-due' }, after: { orderId, status: 'refunded' } },
    ])
    expect(rig.provider.asked).toHaveLength(1)
  })

  it('records a refund that is cut off as requested, and completes it on a retry (I5)', async () => {
    const [orderId] = await rig.sell(1)
    const { table } = rig.ports
    rig.ports.table = onWireAt(table, changesOrders, () => Promise.reject(new Error('cut off')))
    await expect(refund(orderId)).rejects.toThrow('cut off')
    expect(rig.audit().at(-1)).toMatchObject({ what: 'refund' })
    rig.ports.table = table
    expect(await refund(orderId)).toMatchObject({ body: { status: 'cancelled' } })
  })

  it('rejects an order with nothing to refund, one that is not written, and an invalid id', async () => {
    const [orderId] = await rig.sell(1)
    await changeOrder(rig.ports, orderId, { kind: 'cancelled-by-shopper' })
    expect(await refund(orderId)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('cancelled') } })
    expect(await refund(await rig.reserve(2))).toMatchObject({ status: 404, body: { code: 'not-found' } })
    expect(await refund('nonsense')).toMatchObject({ status: 400, body: { field: 'orderId' } })
    expect(rig.audit().filter(({ what }) => what === 'refund')).toEqual([])
  })
})

describe('POST /api/control/dead-letters/redrive', () => {
  it('returns how many were moved and how many are left, within twenty seconds (O7)', async () => {
    const deadlines: number[] = []
    rig.ports.deadLetters = {
      redrive: async (deadline) => {
        deadlines.push(deadline - rig.clock.now)
        return { moved: 3, left: 1 }
      },
    }
    expect(await rig.ask('POST', '/dead-letters/redrive', {})).toMatchObject({
      status: 200,
      body: { moved: 3, left: 1 },
    })
    expect(deadlines).toEqual([20_000])
    expect(rig.telemetry.lines.at(-1)?.facts).toMatchObject({ who: 'mia', moved: 3 })
    expect(rig.audit().at(-1)).toMatchObject({
      ...{ who: 'mia', role: 'marketer', what: 'redrive', saleId: null, before: null, after: { moved: 3, left: 1 } },
    })
    expect(await rig.ask('POST', '/dead-letters/redrive', { all: 1 })).toMatchObject({ status: 400 })
  })
})

it('POST /api/control/pass-keys/rotate answers when the gate has other keys of passes, and records who did it (L6)', async () => {
  const before = (await readListVersions(rig.ports.gate)).passKeys
  expect(await rig.ask('POST', '/pass-keys/rotate', {})).toMatchObject({
    status: 200,
    body: { rotatedAt: rig.clock.now },
  })
  const { passKeys } = await readListVersions(rig.ports.gate)
  expect(passKeys).not.toBe(before)
  expect(rig.audit().at(-1)).toMatchObject({
    ...{ who: 'mia', what: 'rotate-pass-keys', saleId: null, before: null, after: {} },
  })
  expect(JSON.stringify(rig.audit())).not.toContain(passKeys.split(' ')[1])
  expect(await rig.ask('POST', '/pass-keys/rotate', { day: 1 })).toMatchObject({ status: 400 })
})
