/** The list of sales at the gate and the filter made of it (B4): it may contain too many sales, and never too few. */
import { describe, expect, it } from 'vitest'
import { publishCatalogue } from '../../../../functions/sales/publishing/catalogue.ts'
import { salesList } from '../../../../functions/table/keys.ts'
import { onWireAt } from '../../../../proof/simulation/dynamodb/wire.ts'
import { listSale, readFilter, readListVersions, readSaleIds } from '../../../../redis/gate/shared-lists.ts'
import { sharedListKeys } from '../../../../redis/keys.ts'
import { raw, saleIdOf } from '../../../redis/support.ts'
import { phone } from '../../../world/stock-record.ts'
import { useWorld } from '../../../world/world.ts'

const rig = useWorld()

const lamp = saleIdOf('lamp')
const warm = async (saleId: string) => {
  await rig.create({ saleId })
  return rig.ask('POST', `/sales/${saleId}/warm`)
}
/** Does it the first time only. */
const once = (work: () => Promise<unknown>) => {
  let isDone = false
  return async () => {
    if (isDone) return
    isDone = true
    await work()
  }
}

describe('a sale', () => {
  it('is known to the filter from its creation on, before any page shows it (B3, B4)', async () => {
    expect(await rig.mayHold(phone)).toBeUndefined()
    const { publisher } = rig.ports
    const known: unknown[] = []
    rig.ports.publisher = {
      ...publisher,
      async countdown(sale) {
        known.push(await rig.mayHold(phone))
        await publisher.countdown(sale)
      },
    }
    await rig.create()
    expect(known).toEqual([true])
    expect(await rig.mayHold('another-sale')).toBe(false)
  })

  it('is closed at the gate though the catalogue cannot be published (I6)', async () => {
    await rig.open()
    rig.gate.fail('list-sale')
    await expect(rig.act('close')).rejects.toThrow(/unavailable/)
    expect(await rig.facts(phone)).toMatchObject({ flag: 'closed' })
  })

  it('builds one filter for several changes', async () => {
    await rig.open()
    await rig.act('pause')
    await rig.act('resume')
    expect(rig.filters.published).toBe(1)
  })

  it('that is deleted leaves the list and the filter (B4)', async () => {
    await warm('lamp')
    await warm('phone')
    await rig.ask('DELETE', '/sales/lamp')
    expect([...(await readSaleIds(rig.redis))]).toEqual([phone])
    expect(await rig.mayHold(phone)).toBe(true)
    expect(await rig.mayHold(lamp)).toBe(false)
  })

  it('whose creation was cut off by an unavailable store is listed by the next try (I5)', async () => {
    const definition = rig.definition()
    const heal = rig.gate.fail('list-sale')
    await expect(rig.create(definition)).rejects.toThrow(/unavailable/)
    heal()
    await rig.create(definition)
    expect(await rig.mayHold(phone)).toBe(true)
  })
})

describe('a new sale beside others', () => {
  it('is added to their filter without a look at them (B4)', async () => {
    await warm('lamp')
    const before = await readFilter(rig.redis)
    const reads: string[] = []
    rig.ports.table = onWireAt(rig.ports.table, `query ${salesList}`, (send) => {
      reads.push('list')
      return send()
    })
    rig.gate.before('smembers:sales', () => reads.push('ids'))
    await rig.create()
    expect(reads).toEqual([])
    for (const saleId of ['lamp', 'phone']) expect(await rig.mayHold(saleId)).toBe(true)
    expect(await rig.mayHold('another-sale')).toBe(false)
    expect(await readFilter(rig.redis)).not.toEqual(before)
  })

  it('leaves no sale out when another one is listed at the same moment (B4)', async () => {
    await warm('lamp')
    rig.gate.before(
      'publish-filter',
      once(() => listSale(rig.redis, saleIdOf('other'), true, rig.clock.now)),
    )
    await rig.create()
    for (const saleId of ['lamp', 'phone', 'other']) expect(await rig.mayHold(saleId)).toBe(true)
  })

  it('is in the filter by the next try when the addition was cut off (I5, B4)', async () => {
    await warm('lamp')
    const definition = rig.definition()
    const heal = rig.gate.fail('publish-filter')
    await expect(rig.create(definition)).rejects.toThrow(/unavailable/)
    heal()
    expect((await readListVersions(rig.redis)).filter).toBeLessThan((await readListVersions(rig.redis)).sales)
    await rig.create(definition)
    for (const saleId of ['lamp', 'phone']) expect(await rig.mayHold(saleId)).toBe(true)
    expect(await rig.mayHold('another-sale')).toBe(false)
  })

  it('has a filter of its own ids when the present one is lost alone', async () => {
    await warm('lamp')
    await raw(rig.redis, 'DEL', sharedListKeys.filter)
    await rig.create()
    for (const saleId of ['lamp', 'phone']) expect(await rig.mayHold(saleId)).toBe(true)
  })
})

describe('a catalogue that was lost', () => {
  it('is restored completely before its filter is published (B4, I6)', async () => {
    await warm('lamp')
    await warm('phone')
    await rig.loseList()
    const held: (boolean | undefined)[] = []
    rig.gate.after('publish-filter', async () => held.push(await rig.mayHold(lamp)))
    await rig.act('start')
    expect(held).toEqual([true])
    expect([...(await readSaleIds(rig.redis))].sort()).toEqual([lamp, phone])
  })

  it('is restored by the next run, once for all sales', async () => {
    for (const saleId of ['lamp', 'phone', 'chair']) await warm(saleId)
    await rig.create({ saleId: 'draft-one' })
    await rig.loseList()
    await rig.loseGate()
    const before = rig.filters.published
    await rig.reconcile()
    expect(await readSaleIds(rig.redis)).toHaveLength(4)
    expect(await rig.facts(saleIdOf('draft-one'))).toMatchObject({ flag: 'off' })
    expect(rig.filters.published).toBe(before + 1)
    await rig.reconcile()
    expect(rig.filters.published).toBe(before + 1)
  })
})

describe('a filter', () => {
  it('is published once in a shop that never had a sale: no id is one (B3)', async () => {
    for (const _ of [1, 2]) await publishCatalogue(rig.ports)
    expect(await rig.mayHold(phone)).toBe(false)
    expect(rig.filters.published).toBe(1)
  })

  it('is rebuilt when the list changed meanwhile', async () => {
    await warm('phone')
    let moves = 2
    await raw(rig.redis, 'SREM', sharedListKeys.sales, phone)
    rig.gate.before('publish-filter', async () => {
      moves -= 1
      if (moves >= 0) await listSale(rig.redis, saleIdOf(`other-${moves}`), true, rig.clock.now)
    })
    await publishCatalogue(rig.ports)
    for (const saleId of ['other-0', 'other-1', 'phone']) expect(await rig.mayHold(saleId)).toBe(true)
  })

  it('of a list that keeps changing fails with an error', async () => {
    await warm('phone')
    // 2: the list moved meanwhile.
    rig.gate.replace('publish-filter', [2])
    await listSale(rig.redis, lamp, true, rig.clock.now)
    await expect(publishCatalogue(rig.ports)).rejects.toThrow(/changes too fast/)
  })
})
