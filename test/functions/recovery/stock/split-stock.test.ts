/** A stock over two shards, of which one does not answer or was left behind. */

import { beforeEach, describe, expect, it } from 'vitest'
import { allUnits } from '../../../../core/sale/variants.ts'
import { dividedUnits, plusParts } from '../../../../core/stock/divided-units.ts'
import { grant, isFree, unitsOfSale } from '../../../../core/stock/escrow.ts'
import { releaseUnits } from '../../../../functions/orders/release.ts'
import { saveEscrow } from '../../../../functions/table/stock/escrows.ts'
import { reserve } from '../../../../redis/buy/reserve.ts'
import { placeOf } from '../../../../redis/databases.ts'
import { RedisUnavailable } from '../../../../redis/errors.ts'
import { readShards, readStock } from '../../../../redis/stock/stock.ts'
import { orderIdOf, shopperIdOf } from '../../../redis/support.ts'
import { useRedis } from '../../../redis/test-store.ts'
import { phone } from '../../../world/stock-record.ts'
import { type World, world } from '../../../world/world.ts'
import { shoppersOf, storedEscrow } from '../../sales/split-rig.ts'

const server = useRedis()
const stock = 10

let rig: World
/** The shards that do not answer. */
const away = new Set<number>()

beforeEach(async () => {
  away.clear()
  rig = await world({ redis: server, databases: 2 })
  const { exec } = rig.stock
  rig.stock.exec = async (command) => {
    if (away.has(placeOf(command)?.shard ?? 0)) throw new Error('no answer')
    return exec(command)
  }
  await rig.open({ shards: 2, stock })
})

const flags = async () =>
  (await readShards(rig.ports.stock, phone)).map((shard) => (shard instanceof Error ? 'away' : shard?.flag))

const escrow = () => storedEscrow(rig.ports, phone)

const one = dividedUnits({ delta: 1 })

describe('a split sale', () => {
  it('is not called closed while a shard may still sell (I6)', async () => {
    away.add(1)
    await expect(rig.act('close')).rejects.toThrow(RedisUnavailable)
    expect((await rig.facts())?.flag).toBe('closed')
    away.clear()
    expect(await flags()).toEqual(['closed', 'on'])
    expect(await rig.act('close')).toMatchObject({ status: 200 })
    expect(await flags()).toEqual(['closed', 'closed'])
  })

  it('is published while a shard does not answer', async () => {
    away.add(1)
    await rig.ports.publisher.pointer(phone)
    expect(rig.pointer()).toMatchObject({ phase: 'open', remaining: stock })
  })

  it('gets units back where a shard answers, while another does not', async () => {
    const { startToken } = (await rig.ask('GET', '/sales/phone')).body
    const ofBoth = [1, 0].flatMap((shard) => shoppersOf(shard, 2, 1))
    const orders = ofBoth.map((one) => ({ orderId: orderIdOf(phone, one, 1), shopperId: shopperIdOf(one) }))
    for (const order of orders) {
      const wanted = { saleId: phone, quantity: 1, startToken, now: rig.clock.now, requestId: 'request' }
      const purchase = { ...order, ...wanted }
      expect(await reserve(rig.ports.stock, purchase)).toMatchObject({ kind: 'reserved' })
    }
    away.add(1)
    await expect(releaseUnits(rig.ports, phone, orders)).rejects.toThrow(RedisUnavailable)
    away.clear()
    expect((await readStock(rig.ports.stock, phone))?.booked).toBe(1)
    expect(await releaseUnits(rig.ports, phone, orders)).toBe(1)
    expect((await readStock(rig.ports.stock, phone))?.booked).toBe(0)
  })

  it('has the units again that were taken from the escrow and not from the cap', async () => {
    const before = await escrow()
    const changed = { ...before, revision: before.revision + 1, pool: plusParts(before.pool, one, -1) }
    await saveEscrow(rig.ports.table, phone, before.revision, changed)
    await rig.reconcile()
    expect(unitsOfSale(await escrow())).toEqual(dividedUnits({ delta: stock }))
  })

  it('ends a transfer also when it is closed', async () => {
    const before = await escrow()
    await saveEscrow(rig.ports.table, phone, before.revision, grant(before, 0, one))
    await rig.act('close')
    await rig.reconcile()
    const after = await escrow()
    expect(after.shards.every(isFree)).toBe(true)
    const totals = (await readShards(rig.ports.stock, phone)).map((shard) =>
      shard instanceof Error ? undefined : shard?.total,
    )
    expect(totals).toEqual(after.shards.map(({ granted }) => allUnits(granted)))
  })
})
