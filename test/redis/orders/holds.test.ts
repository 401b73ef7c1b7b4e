/** Tests the holds of orders: scanned, released, restored and counted in batches. */
import { describe, expect, it } from 'vitest'
import type { OrderId } from '../../../core/ids.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { maxOrdersPerCall } from '../../../redis/batch.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { type HeldOrder, holdPages } from '../../../redis/orders/holds.ts'
import { releaseAll } from '../../../redis/orders/release.ts'
import { restore, restoreAll } from '../../../redis/orders/restore.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { releaseHeldBack } from '../../../redis/stock/release-held-back.ts'
import { removeStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aPurchase, aSale, nothingHeldBack } from '../support.ts'
import { useRedis } from '../test-store.ts'

const stock = useRedis()

describe('holds', () => {
  /** One unit for each of `shoppers`; resolves with the holds that follow. */
  async function sold(sale: Sale, shoppers: number): Promise<HeldOrder[]> {
    await warmStock(stock, sale)
    const purchases = Array.from({ length: shoppers }, (_, shopper) => aPurchase(sale, shopper))
    await Promise.all(purchases.map((purchase) => reserve(stock, purchase)))
    return purchases.map(({ orderId, shopperId }) => ({ orderId, shopperId, quantity: 1, reservedAt: 5_000 }))
  }

  async function heldIn(sale: Sale): Promise<Map<OrderId, HeldOrder>> {
    const found = new Map<OrderId, HeldOrder>()
    for await (const page of holdPages(stock, sale.saleId, maxOrdersPerCall)) {
      for (const hold of page) found.set(hold.orderId, hold)
    }
    return found
  }

  const ids = (holds: readonly HeldOrder[]) => holds.map(({ orderId }) => orderId)

  it('are listed and counted, however many there are (I4)', async () => {
    const sale = aSale({ stock: 1000 })
    const holds = await sold(sale, 750)
    const found = await heldIn(sale)
    expect(found).toEqual(new Map(holds.map((hold) => [hold.orderId, hold])))
  })

  it('are released once, however many orders are named (O9, I5)', async () => {
    const sale = aSale({ stock: 500 })
    const holds = await sold(sale, 500)
    const back = holds.slice(0, 450)
    expect(await releaseAll(stock, sale.saleId, back)).toEqual({ kind: 'released', orders: 450, stockRevision: 1 })
    expect(await releaseAll(stock, sale.saleId, back)).toEqual({ kind: 'released', orders: 0, stockRevision: 1 })
    expect([...(await heldIn(sale)).keys()].toSorted()).toEqual(ids(holds.slice(450)).toSorted())
    expect(await reserve(stock, aPurchase(sale, 900))).toMatchObject({ kind: 'reserved', remaining: 449 })
  })

  it('do not change for an empty list of orders', async () => {
    const sale = aSale({ stock: 1 })
    await sold(sale, 1)
    const none = { kind: 'released', orders: 0, stockRevision: 0 }
    expect(await releaseAll(stock, sale.saleId, [])).toEqual(none)
    expect(await restoreAll(stock, sale.saleId, [])).toMatchObject({ kind: 'restored', orders: 0 })
  })

  it('are restored after a loss, in any number, and only the rest is sold again (P10, I1)', async () => {
    const sale = aSale({ stock: 420 })
    const holds = await sold(sale, 410)
    await removeStock(stock, sale.saleId)
    expect(await releaseAll(stock, sale.saleId, holds)).toEqual({ kind: 'unknown-sale' })
    expect(await restoreAll(stock, sale.saleId, holds)).toEqual({ kind: 'unknown-sale' })
    expect(await unfreeze(stock, sale, 0, nothingHeldBack)).toEqual({ kind: 'unknown-sale' })

    await freeze(stock, sale.saleId)
    expect(await restoreAll(stock, sale.saleId, holds)).toMatchObject({ kind: 'restored', orders: 410 })
    expect(await restoreAll(stock, sale.saleId, holds)).toMatchObject({ kind: 'restored', orders: 0 })
    expect(await reserve(stock, aPurchase(sale, 900))).toEqual({ kind: 'unavailable' })
    const counters = { total: 420, booked: 410, stockRevision: 4 }
    expect(await unfreeze(stock, sale, 3, nothingHeldBack)).toEqual({ kind: 'unfrozen', ...counters })
    expect(await unfreeze(stock, sale, 9, nothingHeldBack)).toEqual({ kind: 'open', ...counters })
    expect(await heldIn(sale)).toEqual(new Map(holds.map((hold) => [hold.orderId, hold])))
    expect(await reserve(stock, aPurchase(sale, 1))).toMatchObject({ kind: 'repeat', quantity: 1 })
    expect(await reserve(stock, aPurchase(sale, 900))).toMatchObject({ kind: 'reserved', remaining: 9 })
  })

  describe('in a sale that was unfrozen with units held back', () => {
    const since = 6_000
    /** Three of ten units are held back; the holds were lost. */
    async function unfrozen(units = 10): Promise<{ sale: Sale; lost: HeldOrder[] }> {
      const sale = aSale({ stock: units })
      const lost = await sold(sale, 3)
      await removeStock(stock, sale.saleId)
      await freeze(stock, sale.saleId)
      const heldBack = { units: 3, since }
      expect(await unfreeze(stock, sale, 0, heldBack)).toMatchObject({ kind: 'unfrozen', booked: 3 })
      return { sale, lost }
    }
    const take = async (sale: Sale, shopper: number) => reserve(stock, { ...aPurchase(sale, shopper), now: 7_000 })
    const letGo = (sale: Sale, keep: number, from = since) =>
      releaseHeldBack(stock, sale.saleId, { since: from, keep, quietSince: undefined, isFinal: true })

    it('use no held-back unit for an order from after the unfreeze (I2)', async () => {
      const { sale, lost } = await unfrozen()
      const [first] = lost
      if (first === undefined) throw new Error('there are three holds')
      const later = { ...first, reservedAt: since }
      expect(await restore(stock, sale.saleId, [later])).toMatchObject({ booked: 4 })
    })

    it('are for sale once they are released, which is a restock when nothing was left (G7)', async () => {
      const { sale } = await unfrozen(3)
      expect(await letGo(sale, 5)).toEqual({ kind: 'released', units: 0, stockRevision: 1 })
      expect(await letGo(sale, 0, since - 1)).toEqual({ kind: 'superseded' })
      expect(await letGo(sale, 1)).toEqual({ kind: 'released', units: 2, stockRevision: 2 })
      expect(await letGo(sale, 1)).toEqual({ kind: 'released', units: 0, stockRevision: 2 })
      expect(await letGo(sale, 0)).toEqual({ kind: 'released', units: 1, stockRevision: 2 })
      expect(await take(sale, 9)).toMatchObject({ kind: 'reserved', remaining: 2 })
    })
  })

  it('are empty for an unknown sale', async () => {
    const sale = aSale()
    expect(await heldIn(sale)).toEqual(new Map())
  })
})
