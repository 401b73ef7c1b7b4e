/** Adapters with a memory: the published sold-out revisions, and the offers of started sales. */

import { describe, expect, it } from 'vitest'
import { cacheOffers } from '../../../functions/orders/offers.ts'
import { aSale } from '../../redis/support.ts'
import { worldTable } from '../../world/table.ts'
import { withSale } from '../../world/wire.ts'

describe('remembered offers', () => {
  it('are read once for a started sale, whose offer can no longer change', async () => {
    const sale = aSale({ epoch: 1 })
    let reads = 0
    const offers = cacheOffers(
      withSale(worldTable().table, () => {
        reads += 1
        return sale
      }),
    )
    expect(await offers.find(sale.saleId)).toMatchObject({ price: 10 })
    await offers.find(sale.saleId)
    expect(reads).toBe(1)
  })

  it('are read again for a sale that is not started or does not exist', async () => {
    const sale = aSale({ epoch: 0 })
    const answers = [undefined, sale, { ...sale, price: 99 }]
    const offers = cacheOffers(withSale(worldTable().table, () => answers.shift()))
    expect(await offers.find(sale.saleId)).toBeUndefined()
    expect(await offers.find(sale.saleId)).toMatchObject({ price: 10 })
    expect(await offers.find(sale.saleId)).toMatchObject({ price: 99 })
  })
})
