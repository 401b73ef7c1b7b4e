/** Components that are unavailable or crash in the middle of a change (I5, I6). */
import { beforeEach, describe, expect, it } from 'vitest'
import { warmSaleOf } from '../../../functions/sales/effects.ts'
import { findSale, saveSale } from '../../../functions/table/sale/sales.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { nothingHeldBack } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()
beforeEach(async () => {
  await rig.create()
  await rig.act('warm')
})

const state = async () => ({
  stock: (await rig.stockRecord())?.sale?.flag,
  gate: (await rig.facts())?.flag,
  version: rig.pointer().version,
})

describe('a flip that is cut off', () => {
  it.each([
    ['Redis', () => rig.stock],
    ['the gate', () => rig.gate],
    ['S3', () => rig.site],
  ])('by an outage of %s is repaired by a retry, with the same token (I5, I6)', async (_name, part) => {
    part().goDown()
    await expect(rig.act('start')).rejects.toThrow(/unavailable/)
    part().comeUp()
    const repaired = await rig.act('start')
    expect(repaired).toMatchObject({ status: 200, body: { flag: 'on', epoch: 1 } })
    expect(await state()).toEqual({ stock: 'on', gate: 'on', version: repaired.body.version })
    expect(rig.audit().filter(({ what }) => what === 'start')).toHaveLength(1)
  })

  it('publishes no token before the script accepts it (C6)', async () => {
    rig.stock.goDown()
    await expect(rig.act('start')).rejects.toThrow(/unavailable/)
    expect(rig.allBytes()).not.toContain('startToken')
    expect((await state()).gate).toBe('off')
  })

  it('loses no change when DynamoDB is unavailable, because none was made', async () => {
    rig.table.goDown()
    await expect(rig.act('start')).rejects.toThrow(/unavailable/)
    rig.table.comeUp()
    expect(await state()).toMatchObject({ stock: 'off', gate: 'off' })
    expect((await rig.ask('GET', '/sales/phone')).body).toMatchObject({ flag: 'off', epoch: 0 })
  })

  it('does not warm a lost stock of a started sale again: units would be given away twice (I1, I6)', async () => {
    await rig.act('start')
    await rig.loseStock()
    await rig.loseGate()
    expect(await rig.act('start')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await rig.stockRecord()).toBeUndefined()
    expect(await rig.facts()).toBeUndefined()
  })

  it.each(['pause', 'close'])(
    'can %s a sale that has lost its stock, and updates gate and pages (I6)',
    async (action) => {
      await rig.act('start', { now: true })
      await rig.loseStock()
      const flag = action === 'pause' ? 'paused' : 'closed'
      expect(await rig.act(action)).toMatchObject({ status: 200, body: { flag } })
      expect((await state()).gate).toBe(flag)
      expect(rig.pointer()).toMatchObject({ phase: action === 'pause' ? 'paused' : 'ended' })
      expect(await rig.stockRecord()).toBeUndefined()
      if (action === 'pause') expect(await rig.act('resume')).toMatchObject({ status: 409 })
      expect((await state()).gate).toBe(flag)
    },
  )

  it.each([true, false])('leaves the gate frozen: %s when that changes during the update (I6)', async (after) => {
    await rig.act('start')
    const setFrozen = async (frozen: boolean) => {
      if (frozen) return freeze(rig.redis, phone)
      const record = await findSale(rig.table, phone)
      if (record !== undefined) await unfreeze(rig.redis, warmSaleOf(record), 0, nothingHeldBack)
    }
    await setFrozen(!after)
    const done = rig.gate.before('gate', async () => {
      done()
      await setFrozen(after)
    })
    await rig.act('pause')
    expect(await rig.facts(phone)).toMatchObject({ frozen: after, flag: 'paused' })
  })

  it('answers the second of two concurrent changes with a conflict', async () => {
    let raced = false
    rig.ports.table = onWireAt(rig.ports.table, 'get SALE', async (send) => {
      const answer = await send()
      const record = await findSale(rig.table, phone)
      if (!raced && record !== undefined) {
        raced = true
        const sale = { ...record.sale, title: 'changed meanwhile' }
        await saveSale(rig.table, record.revision, { ...record, sale })
      }
      return answer
    })
    expect(await rig.act('close')).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await rig.ask('GET', '/sales/phone')).body).toMatchObject({ title: 'changed meanwhile', flag: 'off' })
  })
})
