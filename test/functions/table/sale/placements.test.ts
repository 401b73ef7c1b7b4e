import { describe, expect, it } from 'vitest'
import { saleItem } from '../../../../functions/table/sale/sale-item.ts'
import { readPlacements } from '../../../../functions/table/sale/sales.ts'
import { aSale } from '../../../redis/support.ts'
import { scripted } from '../scripted-table.ts'

describe('the placement of a sale in the table', () => {
  it('is what the sale says now, in a strongly consistent read; undefined for an unknown sale (S16)', async () => {
    const sale = aSale({ databases: ['db-2', 'main'] })
    const table = scripted({ Item: saleItem({ sale, revision: 1, finishedStockChanges: [] }) }, {})
    expect(await readPlacements(table, sale.saleId)).toEqual(['db-2', 'main'])
    expect(await readPlacements(table, sale.saleId)).toBeUndefined()
    expect(table.inputs).toMatchObject([{ ConsistentRead: true }, { ConsistentRead: true }])
  })
})
