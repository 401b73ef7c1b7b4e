/** A marketer's changes reach a real Redis: every field of the sale as the table has it. */

import { beforeEach, describe, expect, it } from 'vitest'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { nameOfCommand } from '../../../proof/simulation/parts/redis.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import type { Commander } from '../../../redis/command.ts'
import { gateKey, stockKeys } from '../../../redis/keys.ts'
import { aClaim } from '../../redis/packets/rain.ts'
import { orderIdOf, raw, shopperIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld, type World } from '../../world/world.ts'

const rig = useWorld()

/** The answer to shopper number `shopper` by the stock in `redis`. */
async function buy(quantity: number, shopper = 1, redis: Commander = rig.redis): Promise<string> {
  const sale = await rig.sale()
  const { kind } = await reserve(redis, {
    orderId: orderIdOf(phone, shopper, 1),
    saleId: phone,
    shopperId: shopperIdOf(shopper),
    quantity,
    startToken: sale.startToken ?? '',
    now: rig.clock.now,
    requestId: 'r',
  })
  return kind
}

it('an edit that a start overtakes applies the edited limits, though the edit is the last to reach Redis', async () => {
  await rig.create({ limitPerShopper: 5, maxPerOrder: 5 })
  await rig.act('warm')
  const saved = Promise.withResolvers<void>()
  const flipped = Promise.withResolvers<void>()
  rig.stock.before('warm', async ([, , , , units, , definition]) => {
    // A flip has no units.
    if (units === '' || !definition?.includes('"limitPerShopper":"1"')) return
    saved.resolve()
    await flipped.promise
  })
  let isStarting = false
  // The start reads the sale before the edit, and goes on once the edit is saved.
  rig.ports.table = onWireAt(rig.ports.table, 'get SALE', async (send) => {
    const record = await send()
    if (isStarting) {
      isStarting = false
      editing = rig.ask('PATCH', '/sales/phone', { limitPerShopper: 1, maxPerOrder: 1 })
      await saved.promise
    }
    return record
  })
  let editing: ReturnType<World['ask']> | undefined
  isStarting = true
  expect(await rig.act('start', { now: true })).toMatchObject({ status: 200, body: { limitPerShopper: 1 } })
  flipped.resolve()
  expect(await editing).toMatchObject({ status: 200 })

  expect(await rig.live()).toMatchObject({ inStep: true })
  expect(await buy(5)).toBe('invalid-request')
})

describe('a sale of which Redis holds another', () => {
  beforeEach(async () => {
    await rig.create({ limitPerShopper: 5, maxPerOrder: 5 })
    await rig.act('start', { now: true })
    expect(await rig.live()).toMatchObject({ inStep: true })
  })

  const stock = () => stockKeys(phone).stock
  const gate = () => gateKey(phone)
  const once = { limit: 1, windowSeconds: 60 }
  const otherRules = {
    ...{ kind: 'goods', throttle: { perShopper: once, perIp: once }, minLevel: 3 },
    ...{ challenge: 'pow', requirePass: 'off', spreadSeconds: 0 },
  }

  it.each([
    ['kind', stock, 'coupon'],
    ['limitPerShopper', stock, '9'],
    ['maxPerOrder', stock, '9'],
    ['maxTries', stock, '9'],
    ['windowMs', stock, '9'],
    ['hasNext', stock, '1'],
    ['invitedOnly', stock, '1'],
    ['flag', stock, 'paused'],
    ['epoch', stock, '7'],
    ['startToken', stock, 'another'],
    ['opensAt', stock, '1'],
    ['closesAt', stock, '2'],
    ['rules', gate, JSON.stringify(otherRules)],
    ['databases', gate, '["another"]'],
    ['flag', gate, 'paused'],
    ['epoch', gate, '7'],
    ['startToken', gate, 'another'],
    ['startsAt', gate, '1'],
    ['endsAt', gate, '2'],
    ['nextStartsAt', gate, '3'],
    ['version', gate, '1'],
    ['frozen', gate, '1'],
  ])('%s is out of step, and the next run puts it right (I6)', async (field, key, wrong) => {
    const before = await raw(rig.redis, 'HGET', key(), field)
    await raw(rig.redis, 'HSET', key(), field, wrong)
    expect(await rig.live()).toMatchObject({ inStep: false })
    expect(await rig.reconcile()).toMatchObject({ repaired: 1 })
    expect(await raw(rig.redis, 'HGET', key(), field)).toBe(before)
    expect(await rig.live()).toMatchObject({ inStep: true })
    expect(await rig.reconcile()).toMatchObject({ repaired: 0 })
  })
})

describe('the first request after warming a Redis without any script', () => {
  const sent: string[] = []
  // An instance of a function that has never asked this Redis.
  const fresh = (): Commander => ({
    exec(command) {
      sent.push(nameOfCommand(command))
      return rig.redis.exec(command)
    },
  })
  beforeEach(async () => {
    sent.length = 0
    await raw(rig.redis, 'SCRIPT', 'FLUSH')
  })

  it('claims a red packet with one command (S3, N8)', async () => {
    const { price, stock, limitPerShopper, maxPerOrder, ...definition } = rig.definition()
    const packets = { count: 8, totalAmount: 1000 }
    await rig.ask('POST', '/sales', { ...definition, kind: 'red-packet', packets })
    expect(await rig.act('warm')).toMatchObject({ status: 200 })
    const claim = aClaim(await rig.sale(), 1, { now: rig.clock.now })
    expect(await reserve(fresh(), claim)).toEqual({ kind: 'not-started' })
    expect(sent).toEqual(['reserve'])
  })

  it('reserves with one command (S3)', async () => {
    await rig.create({ limitPerShopper: 5, maxPerOrder: 5 })
    await rig.act('warm')
    await raw(rig.redis, 'SCRIPT', 'FLUSH')
    // Redis restarted between warming and start; a start loads the script again.
    await rig.act('start', { now: true })
    const instance = fresh()
    for (const shopper of [1, 2]) expect(await buy(1, shopper, instance)).toBe('reserved')
    expect(sent).toEqual(['reserve', 'reserve'])
  })
})
