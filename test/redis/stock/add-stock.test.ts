import { describe, expect, it } from 'vitest'
import { reserve } from '../../../redis/buy/reserve.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aPurchase, aSale, useRedisRig } from '../support.ts'

const rig = useRedisRig()

async function saleWith(stock: number, booked: number) {
  const sale = aSale({ stock, limitPerShopper: 100, maxPerOrder: 100 })
  await warmStock(rig.redis, sale)
  if (booked > 0) await reserve(rig.redis, aPurchase(sale, 1, 1, { quantity: booked }))
  return sale
}

describe('a change of stock', () => {
  it('repeated after a lost reply adds nothing twice, even with orders in between (I5)', async () => {
    const sale = await saleWith(10, 0)
    await addStock(rig.redis, sale.saleId, { number: 1, delta: 5 })
    await reserve(rig.redis, aPurchase(sale, 1, 1, { quantity: 2 }))
    const again = { kind: 'repeat', total: 15, booked: 2, stockRevision: 1 }
    expect(await addStock(rig.redis, sale.saleId, { number: 1, delta: 5 })).toEqual(again)
    expect(await addStock(rig.redis, sale.saleId, { number: 2, delta: 5 })).toMatchObject({
      kind: 'changed',
      total: 20,
    })
  })

  it('keeps large numbers exact', async () => {
    const { saleId } = await saleWith(10_000_000, 0)
    const changed = { kind: 'changed', total: 999_999_999_999_999 }
    expect(await addStock(rig.redis, saleId, { number: 1, delta: 999_999_989_999_999 })).toMatchObject(changed)
    expect(await readStock(rig.redis, saleId)).toMatchObject({ total: 999_999_999_999_999 })
  })

  it('of an unlimited or unknown stock reports that and does nothing (S18)', async () => {
    const { saleId } = await saleWith(-1, 0)
    expect(await addStock(rig.redis, saleId, { number: 1, delta: 5 })).toEqual({ kind: 'unlimited' })
    expect(await readStock(rig.redis, saleId)).toMatchObject({ total: -1, stockRevision: 0 })
    const missing = aSale().saleId
    expect(await addStock(rig.redis, missing, { number: 1, delta: 5 })).toEqual({ kind: 'unknown-sale' })
    expect(await readStock(rig.redis, missing)).toBeUndefined()
  })

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e99])('by %s is rejected before it is sent', async (delta) => {
    const { saleId } = await saleWith(10, 0)
    await expect(addStock(rig.redis, saleId, { number: 1, delta })).rejects.toThrow(RangeError)
  })
})
