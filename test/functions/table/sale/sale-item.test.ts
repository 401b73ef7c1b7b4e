import { describe, expect, it } from 'vitest'
import { readSaleItem, saleItem } from '../../../../functions/table/sale/sale-item.ts'
import { aSale } from '../../../redis/support.ts'

const record = { sale: aSale(), revision: 3, finishedStockChanges: [] }

describe('a stored sale', () => {
  it('is read back as it was written', () => {
    expect(readSaleItem(saleItem(record))).toEqual(record)
    const paced = { ...record, sale: { ...record.sale, admitPerSecond: 70 } }
    expect(readSaleItem(saleItem(paced))).toEqual(paced)
  })

  it.each(['+02:00', 'BST'])('with the zone %s, which an earlier version took, is read without one', (timeZone) => {
    expect(readSaleItem({ ...saleItem(record), timeZone })).toEqual(record)
    expect(readSaleItem({ ...saleItem(record), timeZone: 'Europe/Berlin' }).sale.timeZone).toBe('Europe/Berlin')
  })

  it('with an unknown throttle is a fault', () => {
    const throttle = { ...record.sale.throttle, perCountry: { limit: 1, windowSeconds: 1 } }
    expect(() => readSaleItem({ ...saleItem(record), throttle })).toThrow('throttle.perCountry')
  })
})
