/** The shard of the model is add-stock.lua: both take the same transfers and must give the same answers. */
import { describe, expect, it } from 'vitest'
import { applyTransfer, emptyShard, type ShardStock } from '../../../core/stock/rights-shard.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { aPurchase, aSale, useRedisRig } from '../support.ts'

const rig = useRedisRig()

describe('a transfer of units', () => {
  it('has the effect and the answer of add-stock.lua, repeated, late or refused', async () => {
    const random = openRandom(16)
    const seen = new Map<string, number>()
    for (let play = 0; play < 10; play += 1) {
      const sale = aSale({ stock: 0, limitPerShopper: 100, maxPerOrder: 100 })
      await warmStock(rig.redis, sale)
      let stock: ShardStock = emptyShard
      let number = 0
      for (let step = 0; step < 40; step += 1) {
        if (stock.left > 0 && random.chance(0.3)) {
          const quantity = random.whole(1, stock.left)
          await reserve(rig.redis, aPurchase(sale, step + 1, 1, { quantity }))
          stock = { ...stock, left: stock.left - quantity }
        }
        number += random.pick([1, 1, 2, 0, -1])
        const transfer = { number: Math.max(number, 1), delta: random.whole(-8, 8) || 1 }
        const applied = applyTransfer(stock, transfer)
        const answer = await addStock(rig.redis, sale.saleId, transfer)
        seen.set(answer.kind, (seen.get(answer.kind) ?? 0) + 1)
        if (!('stock' in applied && 'total' in answer)) throw new Error('an open shard gives its counters')
        stock = applied.stock
        const { kind, total, booked } = answer
        expect({ kind, total, booked }).toEqual({
          ...{ kind: applied.kind, total: stock.total },
          booked: stock.total - stock.left,
        })
        if ('stockRevision' in answer) expect(answer.stockRevision).toBe(stock.stockRevision)
      }
    }
    expect([...seen.keys()].toSorted()).toEqual(['below-booked', 'changed', 'repeat'])
  })

  it('changes nothing where the stock is missing or frozen', async () => {
    const sale = aSale({ stock: 0 })
    const transfer = { number: 1, delta: 5 }
    const unknown = { kind: 'unknown-sale' }
    expect(applyTransfer(undefined, transfer)).toEqual(unknown)
    expect(await addStock(rig.redis, sale.saleId, transfer)).toEqual(unknown)
    await warmStock(rig.redis, sale)
    await freeze(rig.redis, sale.saleId)
    expect(applyTransfer({ ...emptyShard, isFrozen: true }, transfer)).toEqual(unknown)
    expect(await addStock(rig.redis, sale.saleId, transfer)).toEqual(unknown)
  })
})
