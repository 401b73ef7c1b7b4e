/** Where escrows are kept: one suite over each table. */
import { expect, it } from 'vitest'
import { dividedUnits, mapParts } from '../../core/stock/divided-units.ts'
import { grant, openEscrow, recall, refuseChange, startRecovery } from '../../core/stock/escrow.ts'
import { addEscrow, findEscrow, saveEscrow } from '../../functions/table/stock/escrows.ts'
import { aSale } from '../redis/support.ts'
import { rigsOf } from './cloud.ts'
import { describeEach } from './each.ts'

describeEach(
  'an escrow',
  rigsOf((rig) => rig),
  (the) => {
    it('is not there for a sale whose stock is not split', async () => {
      expect(await findEscrow(the().table, aSale().saleId)).toBeUndefined()
    })

    it('is opened once, and stays as it is (I5)', async () => {
      const [table, { saleId }] = [the().table, aSale()]
      await addEscrow(table, saleId, openEscrow(dividedUnits({ delta: 100 }), 3, 7))
      await addEscrow(table, saleId, openEscrow(dividedUnits({ delta: 500 }), 3))
      expect(await findEscrow(table, saleId)).toEqual({
        revision: 0,
        pool: dividedUnits({ delta: 100 }),
        change: 7,
        shards: Array(3).fill({ granted: dividedUnits({ delta: 0 }), generation: 0 }),
      })
    })

    it.each([
      ['', dividedUnits({ delta: 100 }), dividedUnits({ delta: 3 })],
      [' of two variants', { s: 60, m: 40 }, { s: 2, m: 1 }],
    ])('is read as it was saved, with all that is under way%s', async (_of, stock, some) => {
      const [table, { saleId }] = [the().table, aSale()]
      const opened = openEscrow(stock, 3)
      await addEscrow(table, saleId, opened)
      const recalling = recall(grant(opened, 0, some), [{ shard: 1, units: some }], 2)
      const busy = refuseChange(startRecovery({ ...recalling, pool: mapParts(some, (units) => -units) }, 2), 9)
      expect(await saveEscrow(table, saleId, 0, busy)).toBe('saved')
      expect(await findEscrow(table, saleId)).toEqual(busy)
    })

    it('is saved by one of two who read the same revision (I5)', async () => {
      const [table, { saleId }] = [the().table, aSale()]
      const opened = openEscrow(dividedUnits({ delta: 100 }), 2)
      await addEscrow(table, saleId, opened)
      const [first, second] = [
        grant(opened, 0, dividedUnits({ delta: 10 })),
        grant(opened, 1, dividedUnits({ delta: 20 })),
      ]
      const saved = await Promise.all([saveEscrow(table, saleId, 0, first), saveEscrow(table, saleId, 0, second)])
      expect(saved.toSorted()).toEqual(['conflict', 'saved'])
      expect(await findEscrow(table, saleId)).toEqual(saved[0] === 'saved' ? first : second)
      expect(await saveEscrow(table, aSale().saleId, 0, first), 'a sale without an escrow').toBe('conflict')
    })
  },
)
