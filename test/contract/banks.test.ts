/** Where banks are kept: the table, and the memory of the simulation, behind the same port. */
import { describe, expect, it } from 'vitest'
import { grant, lend, openBank, refuseChange, startRecovery } from '../../core/stock/rights.ts'
import { type BankBook, dynamoBanks } from '../../functions/table/stock/banks.ts'
import { memoryTable, tableName } from '../../proof/simulation/dynamodb/memory-table.ts'
import { aSale } from '../redis/support.ts'
import { useTable } from './cloud.ts'

const rig = useTable()

const books: [string, () => BankBook][] = [
  ['the table', () => dynamoBanks(rig.table)],
  ['memory', () => dynamoBanks({ client: memoryTable().client, name: tableName })],
]

describe.each(books)('a bank in %s', (_name, bookOf) => {
  it('is not there for a sale whose stock is not split', async () => {
    expect(await bookOf().find(aSale().saleId)).toBeUndefined()
  })

  it('is opened once, and stays as it is (I5)', async () => {
    const [book, { saleId }] = [bookOf(), aSale()]
    await book.open(saleId, openBank(100, 3, 7))
    await book.open(saleId, openBank(500, 3))
    expect(await book.find(saleId)).toEqual({
      revision: 0,
      pool: 100,
      change: 7,
      shards: Array(3).fill({ granted: 0, generation: 0 }),
    })
  })

  it('is read as it was saved, with all that is under way', async () => {
    const [book, { saleId }] = [bookOf(), aSale()]
    const opened = openBank(100, 3)
    await book.open(saleId, opened)
    const lending = lend(grant(opened, 0, 40), [{ shard: 1, units: 3 }], 2)
    const busy = refuseChange(startRecovery({ ...lending, pool: -5 }, 2), 9)
    expect(await book.save(saleId, 0, busy)).toBe('saved')
    expect(await book.find(saleId)).toEqual(busy)
  })

  it('is saved by one of two who read the same revision (I5)', async () => {
    const [book, { saleId }] = [bookOf(), aSale()]
    const opened = openBank(100, 2)
    await book.open(saleId, opened)
    const [first, second] = [grant(opened, 0, 10), grant(opened, 1, 20)]
    const saved = await Promise.all([book.save(saleId, 0, first), book.save(saleId, 0, second)])
    expect(saved.toSorted()).toEqual(['conflict', 'saved'])
    expect(await book.find(saleId)).toEqual(saved[0] === 'saved' ? first : second)
    expect(await book.save(aSale().saleId, 0, first), 'a sale without a bank').toBe('conflict')
  })
})
