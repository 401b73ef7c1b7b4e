/** Each condition on a sale's cap, alone, with a real table. */
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { capKey } from '../../functions/table/keys.ts'
import { openCap, readCap, releaseFromCap, takeFromCap } from '../../functions/table/stock/cap-item.ts'
import { transact } from '../../functions/table/transaction.ts'
import { aSale } from '../redis/support.ts'
import { useTable } from './cloud.ts'

const rig = useTable()

/** A cap from which two orders took two units together. */
async function capOfTwo(stock: number) {
  const { table } = rig
  const { saleId } = aSale()
  const capped = stock !== -1
  await transact(table, openCap(table.name, saleId, { stock }))
  await transact(table, [takeFromCap(table.name, saleId, { part: 0, quantity: 2, orders: 2, capped })])
  return {
    release: (quantity: number, orders: number) =>
      transact(table, [releaseFromCap(table.name, saleId, { part: 0, quantity, orders, capped })]),
    read: async () => {
      const get = new GetCommand({ TableName: table.name, Key: capKey(saleId), ConsistentRead: true })
      return readCap((await table.client.send(get)).Item ?? {})
    },
  }
}

describe.each([10, -1])('the cap of a sale with a stock of %i', (stock) => {
  const remaining = (units: number) => (stock === -1 ? -1 : units)

  it.each([
    ['no units that were never sold, even if the orders would cover them (I1, I4)', [3, 1], 'refused', [8, 2, 2]],
    ['no more orders than it counted, even if the units would cover them (I4)', [1, 3], 'refused', [8, 2, 2]],
    ['exactly what it sold (I4)', [2, 2], 'written', [10, 0, 0]],
  ] as const)('returns %s', async (_what, [quantity, back], answer, [left, sold, orders]) => {
    const cap = await capOfTwo(stock)
    expect(await cap.release(quantity, back)).toBe(answer)
    expect(await cap.read()).toEqual({ remaining: remaining(left), sold, orders })
  })
})
