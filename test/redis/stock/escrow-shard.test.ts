/** The shard of the model is add-stock.lua: both take the same transfers and must give the same answers. */
import { describe, expect, it } from 'vitest'
import { allUnits, type VariantUnits } from '../../../core/sale/variants.ts'
import { areAllZero, dividedUnits, plusParts, undivided, unitsOfParts } from '../../../core/stock/divided-units.ts'
import type { ShardStock } from '../../../core/stock/transfer-plan.ts'
import { openRandom } from '../../../proof/simulation/engine/random.ts'
import { reserve } from '../../../redis/buy/reserve.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { readStock, type StockFacts } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { applyTransfer, emptyShard } from '../../core/stock/shard-model.ts'
import { aPurchase, aSale, aSaleOfVariants, useRedisRig } from '../support.ts'

const rig = useRedisRig()

const leftIn = (facts: StockFacts | undefined) => (facts?.total ?? 0) - (facts?.booked ?? 0)

/** A sale without units yet, of these parts. */
function saleOver(ids: readonly string[]) {
  const highLimits = { limitPerShopper: 100, maxPerOrder: 100 }
  if (ids.includes(undivided)) return aSale({ stock: 0, ...highLimits })
  return aSaleOfVariants(Object.fromEntries(ids.map((id) => [id, 0])), highLimits)
}

describe('a transfer of units', () => {
  it.each([
    ['', [undivided]],
    [' of several variants', ['s', 'm', 'l']],
  ])('has the effect and the answer of add-stock.lua, repeated, late or refused%s', async (_of, ids) => {
    const random = openRandom(16)
    const seen = new Set<string>()
    for (let play = 0; play < 10; play += 1) {
      const sale = saleOver(ids)
      await warmStock(rig.redis, sale)
      let stock: ShardStock = emptyShard
      let number = 0
      for (let step = 0; step < 40; step += 1) {
        const id = random.pick(ids)
        if ((stock.left[id] ?? 0) > 0 && random.chance(0.3)) {
          const quantity = random.whole(1, stock.left[id] ?? 0)
          const variant = id === undivided ? {} : { variant: id }
          await reserve(rig.redis, aPurchase(sale, step + 1, 1, { quantity, ...variant }))
          stock = { ...stock, left: plusParts(stock.left, { [id]: quantity }, -1) }
        }
        number += random.pick([1, 1, 2, 0, -1])
        const sign = random.pick([1, -1])
        const some = ids.map((one) => [one, sign * random.whole(1, 8)] as const)
        const delta: VariantUnits = Object.fromEntries(some.slice(random.whole(0, ids.length - 1)))
        const transfer = { number: Math.max(number, 1), delta }
        const applied = applyTransfer(stock, transfer)
        const { saleId } = sale
        const answer = await addStock(rig.redis, saleId, { number: transfer.number, ...unitsOfParts(delta) })
        seen.add(answer.kind)
        if (!('stock' in applied && 'total' in answer)) throw new Error('an open shard gives its counters')
        stock = applied.stock
        expect(answer.kind).toBe(applied.kind)
        const facts = await readStock(rig.redis, saleId)
        const counted = facts?.variants ?? { [undivided]: { total: facts?.total ?? 0, left: leftIn(facts) } }
        for (const [one, { total, left }] of Object.entries(counted)) {
          expect([one, total, left]).toEqual([one, stock.total[one] ?? 0, stock.left[one] ?? 0])
        }
        expect([facts?.total, facts?.stockRevision]).toEqual([allUnits(stock.total), stock.stockRevision])
      }
      expect(areAllZero(stock.total)).toBe(false)
    }
    expect([...seen].toSorted()).toEqual(['below-booked', 'changed', 'repeat'])
  })

  it('changes nothing where the stock is missing or frozen', async () => {
    const sale = aSale({ stock: 0 })
    const transfer = { number: 1, delta: dividedUnits({ delta: 5 }) }
    const change = { number: 1, delta: 5 }
    const unknown = { kind: 'unknown-sale' }
    expect(applyTransfer(undefined, transfer)).toEqual(unknown)
    expect(await addStock(rig.redis, sale.saleId, change)).toEqual(unknown)
    await warmStock(rig.redis, sale)
    await freeze(rig.redis, sale.saleId)
    expect(applyTransfer({ ...emptyShard, isFrozen: true }, transfer)).toEqual(unknown)
    expect(await addStock(rig.redis, sale.saleId, change)).toEqual(unknown)
  })
})
