import { describe, expect, it } from 'vitest'
import type { Sale } from '../../../core/sale/sale.ts'
import { capPartWriter } from '../../../functions/orders/cap-part-writer.ts'
import { capKey } from '../../../functions/table/keys.ts'
import type { OrderEntry } from '../../../functions/table/orders/order-entry.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { moveCapUnits } from '../../../functions/table/stock/cap-parts.ts'
import { tableName } from '../../../proof/simulation/dynamodb/memory-table.ts'
import { conflict, onWire } from '../../../proof/simulation/dynamodb/wire.ts'
import { entryOf, orderOf, range } from '../../contract/table-rig.ts'
import { aSale } from '../../redis/support.ts'
import { worldTable } from '../../world/table.ts'

/** A writer of a table, and the parts that each of its transactions sold from. */
async function writerOf(sale: Sale, random = () => 0.5) {
  const table = worldTable()
  await table.openCap(sale.saleId, sale.stock)
  const parts: number[][] = []
  const calls: string[] = []
  const writer = {
    write: (chunk: readonly OrderEntry[]) => {
      parts.push([...new Set(chunk.map(({ order }) => order.capPart ?? 0))])
      return table.write(chunk)
    },
  }
  const hooks = new Map<string, (send: () => Promise<object>) => Promise<object>>()
  const wired = onWire(table.table, (name, send) => {
    const call = callsOfParts[name]
    if (call !== undefined) calls.push(call)
    return (hooks.get(call ?? '') ?? ((sent) => sent()))(send)
  })
  const { write } = capPartWriter({ writer, table: wired, random })
  return { table, parts, calls, hooks, write }
}

/** The calls of a writer for the parts of a cap. */
const callsOfParts: Readonly<Record<string, string>> = {
  'batch get CAP': 'look',
  'transact get CAP': 'look at once',
  'transact CAP': 'move',
}

const entries = (sale: Sale, count: number, from = 1) =>
  range(count, from).map((shopper) => entryOf(sale, orderOf(sale, shopper)))

describe('a writer of a sale', () => {
  it('that meets no other writer sells from the first part, without looking at the others', async () => {
    const sale = aSale({ stock: 400 })
    const { write, parts, calls } = await writerOf(sale)
    await write(entries(sale, 49))
    await write(entries(sale, 49, 50))
    expect(parts).toEqual([[0], [0]])
    expect(calls).toEqual([])
  })

  it('goes to another part after a conflict, and stays there', async () => {
    const sale = aSale({ stock: 3200 })
    const { table, write, parts } = await writerOf(sale)
    table.beBusy(1)
    expect(await write(entries(sale, 49))).toEqual({ kind: 'busy' })
    await write(entries(sale, 49))
    await write(entries(sale, 49, 50))
    expect(parts).toEqual([[0], [16], [16]])
  })

  it('finds a part that has units when its own has none, in one try', async () => {
    const sale = aSale({ stock: 400 })
    const { table, write, parts, calls } = await writerOf(sale)
    table.beBusy(1)
    await write(entries(sale, 49))
    expect(await write(entries(sale, 49))).toEqual({ kind: 'written' })
    expect(parts).toEqual([[0], [16], [0]])
    expect(calls).toEqual(['look'])
  })

  it('sells the rest of two parts in one transaction of 49 orders', async () => {
    const sale = aSale({ stock: 55 })
    const { table, write, parts, calls } = await writerOf(sale)
    await moveCapUnits(
      table.table,
      sale.saleId,
      new Map([
        [0, -25],
        [7, 25],
      ]),
    )
    expect(await write(entries(sale, 49))).toEqual({ kind: 'written' })
    expect(parts).toEqual([[0], [0, 7]])
    expect(calls).toEqual(['look'])
  })

  it('is not refused for units that another transaction of its own is taking', async () => {
    const sale = aSale({ stock: 3200 })
    const { table, write, parts } = await writerOf(sale)
    table.beBusy(1)
    for (const from of [1, 1, 50, 99]) await write(entries(sale, 49, from))
    const before = parts.length
    await Promise.all([write(entries(sale, 49, 148)), write(entries(sale, 49, 197))])
    expect(parts.slice(before)).toHaveLength(2)
  })

  it('reports a short cap only after one read of all parts at one moment (I2)', async () => {
    const sale = aSale({ stock: 200 })
    const { write, calls } = await writerOf(sale)
    for (const from of [1, 50, 99, 148]) await write(entries(sale, 49, from))
    expect(await write(entries(sale, 5, 197))).toMatchObject({ caps: new Map([[sale.saleId, 4]]) })
    expect(calls.filter((call) => call !== 'look')).toEqual(['look at once'])
    expect(await write(entries(sale, 4, 197))).toEqual({ kind: 'written' })
  })

  it('rejects no order for the units of one that another writer writes while it looks (I2, O6)', async () => {
    const sale = aSale({ stock: 2 })
    const { table, hooks, write } = await writerOf(sale)
    await table.write(entries(sale, 1, 8))
    hooks.set('look at once', async (send) => {
      await table.write(entries(sale, 1))
      return send()
    })
    const first = orderOf(sale, 1).orderId
    expect(await write(entries(sale, 2))).toMatchObject({ kind: 'refused', duplicates: new Set([first]) })
  })

  const cause = Object.assign(new Error('no answer'), { name: 'TimeoutError' })
  it.each([
    ['busy when the parts change while it looks at them', 'look at once', conflict(), { kind: 'busy' }],
    ['unavailable when it cannot look at the parts (I6)', 'look', cause, { kind: 'unavailable', cause }],
  ])('says that the table is %s', async (_, call, failure, said) => {
    const sale = aSale({ stock: 1 })
    const { hooks, write } = await writerOf(sale)
    hooks.set(call, () => Promise.reject(failure))
    expect(await write(entries(sale, 2))).toEqual(said)
  })

  it('pauses when other writers take what it finds again and again', async () => {
    const sale = aSale({ stock: 1 })
    const { hooks, write, parts } = await writerOf(sale)
    const first = { ...capKey(sale.saleId), remaining: 9, sold: 0, orders: 0 }
    hooks.set('look', async () => ({ Responses: { [tableName]: [first] } }))
    expect(await write(entries(sale, 2))).toEqual({ kind: 'busy' })
    expect(parts).toHaveLength(3)
  })

  it('that ended between a move and its orders leaves the units to others (I4)', async () => {
    const sale = aSale({ stock: 200 })
    const { table, write } = await writerOf(sale)
    await moveCapUnits(
      table.table,
      sale.saleId,
      new Map([
        [0, -100],
        [1, -100],
        [31, 200],
      ]),
    )
    for (const from of [1, 41, 81, 121, 161]) await write(entries(sale, 40, from))
    expect(await saleTotals(table.table, sale.saleId)).toEqual({ remaining: 0, sold: 200, orders: 200 })
  })
})
