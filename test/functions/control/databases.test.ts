/** A marketer's sales are placed in databases as they are warmed. */

import { beforeEach, describe, expect, it } from 'vitest'
import { salesList } from '../../../functions/table/keys.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { saleIdOf } from '../../redis/support.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()
beforeEach(async () => {
  listDatabases('one', 'two')
})

function listDatabases(...names: string[]): void {
  rig.ports.databases = async () => names.map((name) => ({ name, commandsPerSecond: 10_000 }))
}

const big = 50_000

async function warmed(saleId: string, stock: number, changes: object = {}): Promise<string | undefined> {
  await rig.create({ saleId, stock, ...changes })
  expect(await rig.ask('POST', `/sales/${saleId}/warm`, {})).toMatchObject({ status: 200 })
  return (await findSale(rig.table, saleIdOf(saleId)))?.sale.databases[0]
}

describe('warming a sale (S16, S17)', () => {
  it('places it, and publishes its database to the gate', async () => {
    await rig.create()
    expect((await rig.ask('GET', '/sales/phone')).body).toMatchObject({ databases: [] })
    const { body } = await rig.act('warm')
    expect(body).toMatchObject({ warmed: true, databases: [expect.stringMatching(/^(?:one|two)$/)] })
    expect((await rig.facts())?.databases).toEqual(Reflect.get(Object(body), 'databases'))
  })

  it('gives two big sales of one time two databases, and a sale after them the first that is free', async () => {
    const [first, second] = [await warmed('mug', big), await warmed('lamp', big)]
    expect(new Set([first, second])).toEqual(new Set(['one', 'two']))
    rig.clock.now += 7_200_000
    await warmed('late', big, { startsAt: rig.clock.now, endsAt: rig.clock.now + 1000 })
    expect((await rig.ask('GET', '/databases')).body).toMatchObject({ databases: [{ name: 'one' }, { name: 'two' }] })
  })

  it('keeps the place of a sale that is warmed again or edited', async () => {
    const place = await warmed('mug', big)
    listDatabases('three')
    await rig.ask('POST', '/sales/mug/warm', {})
    await rig.ask('PATCH', '/sales/mug', { title: 'Another mug' })
    expect((await findSale(rig.table, saleIdOf('mug')))?.sale.databases).toEqual([place])
  })

  it('reads no other sales where there is one database', async () => {
    // The first sale of a shop makes the filter of the catalogue.
    await rig.create()
    let lists = 0
    rig.ports.table = onWireAt(rig.ports.table, `query ${salesList}`, (send) => {
      lists += 1
      return send()
    })
    await warmed('mug', big)
    const withTwo = lists
    listDatabases('main')
    lists = 0
    expect(await warmed('lamp', big)).toBe('main')
    expect(lists).toBe(withTwo - 1)
  })
})

it('the list of databases has the sales of each that are not over, its load, and which are big', async () => {
  listDatabases('main')
  await warmed('mug', big)
  await warmed('lamp', 250)
  await rig.create({ saleId: 'draft' })
  await warmed('short', 10, { startsAt: rig.clock.now, endsAt: rig.clock.now + 1000 })
  rig.clock.now += 1000
  const { status, body } = await rig.ask('GET', '/databases')
  expect(status).toBe(200)
  expect(body).toMatchObject({ databases: [{ name: 'main', commandsPerSecond: 10_000, share: 20.1 }] })
  const [main] = Reflect.get(Object(body), 'databases')
  expect(
    main.sales.map(({ sale, isBig }: { sale: { saleId: string }; isBig: boolean }) => [sale.saleId, isBig]),
  ).toEqual(
    expect.arrayContaining([
      ['mug', true],
      ['lamp', false],
    ]),
  )
  expect(main.sales).toHaveLength(2)
})
