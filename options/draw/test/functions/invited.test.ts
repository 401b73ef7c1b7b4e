/** The list of shoppers with an offer: the table has it for good, and the gate a copy. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { ShopperId } from '../../../../core/ids.ts'
import { putBatch } from '../../../../functions/table/batch.ts'
import { invitedListPk } from '../../../../functions/table/keys.ts'
import { queryPartition } from '../../../../functions/table/query.ts'
import { addInvited, allInvited } from '../../../../functions/table/sale/invited.ts'
import { addMembers, readMembers, removeList } from '../../../../redis/gate/members.ts'
import { saleIdOf, shopperNamed } from '../../../../test/redis/support.ts'
import { useWorld } from '../../../../test/world/world.ts'
import { drawEntryKey, entryParts } from '../../functions/keys.ts'

const phone = saleIdOf('phone')
const hour = 3_600_000
const [ann, ben, cem, eve] = [shopperNamed('ann'), shopperNamed('ben'), shopperNamed('cem'), shopperNamed('eve')]

const rig = useWorld()
beforeEach(async () => {
  const { now } = rig.clock
  const draw = { opensAt: now, closesAt: now + hour, claimSeconds: 7200 }
  const times = { startsAt: now + 2 * hour, endsAt: now + 24 * hour }
  const created = await rig.create({ stock: 2, limitPerShopper: 1, maxPerOrder: 1, draw, ...times })
  expect(created).toMatchObject({ status: 201 })
})

const offersTo = (shoppers: readonly ShopperId[]) => shoppers.map((shopperId) => ({ shopperId }))
const add = (...shoppers: ShopperId[]) => addInvited(rig.ports.table, phone, offersTo(shoppers))
const published = async () => (await readMembers(rig.redis, phone)).toSorted()

describe('the copy of the list at the gate', () => {
  it('is rebuilt within a run after the store has lost it (I6)', async () => {
    await add(ann, ben)
    await removeList(rig.redis, phone)
    await rig.reconcile()
    expect(await published()).toEqual(['ann', 'ben'])
  })

  it('is compared completely at intervals: wrong shoppers are removed, missing ones added', async () => {
    await add(ann, ben)
    await addMembers(rig.redis, phone, [ann, ben, eve])
    await add(cem)
    await rig.reconcile(true)
    expect(await published()).toEqual(['ann', 'ben', 'cem'])
  })

  it('costs a sale that does not draw no command', async () => {
    await rig.ask('PATCH', '/sales/phone', { draw: null })
    await addMembers(rig.redis, phone, [eve])
    await rig.reconcile(true)
    expect(await published()).toEqual(['eve'])
  })
})

describe('the deletion of a sale that was never started', () => {
  const keysLeft = async () => {
    const parts = [invitedListPk(phone), ...entryParts(phone)]
    return (await Promise.all(parts.map((pk) => queryPartition(rig.table.table, pk)))).flat().length
  }

  it('deletes its list, the copy at the gate and its entries, also when it is repeated after an interruption', async () => {
    const shoppers = Array.from({ length: 60 }, (_, n) => shopperNamed(`shopper-${n}`))
    await add(...shoppers)
    await addMembers(rig.redis, phone, shoppers)
    const entries = ['0a', 'ff'].map((id) => ({ ...drawEntryKey(phone, id), shopperId: 'ann' }))
    await putBatch(rig.table.table, entries)
    const other = saleIdOf('phones')
    await addInvited(rig.table.table, other, offersTo([ann]))
    expect(await keysLeft()).toBe(62)
    expect(await rig.ask('DELETE', '/sales/phone')).toMatchObject({ status: 200 })
    expect([await keysLeft(), await published()]).toEqual([0, []])
    // The repeat also deletes what another call added in between.
    await add(ben)
    expect(await rig.ask('DELETE', '/sales/phone')).toMatchObject({ status: 200 })
    expect(await keysLeft()).toBe(0)
    expect(await allInvited(rig.table.table, other)).toEqual(['ann'])
  })
})
