/** The adapters that remember: the sign that a sale is sold out, and the terms of started sales. */
import { describe, expect, it } from 'vitest'
import { rememberTerms } from '../../../functions/adapters/terms.ts'
import { aSale } from '../../redis/support.ts'

describe('remembered terms', () => {
  it('are read once for a started sale, whose terms can no longer change', async () => {
    const sale = aSale({ epoch: 1 })
    let reads = 0
    const terms = rememberTerms({
      find: async () => {
        reads += 1
        return { sale }
      },
    })
    expect(await terms.of(sale.saleId)).toMatchObject({ price: 10 })
    await terms.of(sale.saleId)
    expect(reads).toBe(1)
  })

  it('are read again for a sale that is not started or not there', async () => {
    const sale = aSale({ epoch: 0 })
    const answers = [undefined, { sale }, { sale: { ...sale, price: 99 } }]
    const terms = rememberTerms({ find: async () => answers.shift() })
    expect(await terms.of(sale.saleId)).toBeUndefined()
    expect(await terms.of(sale.saleId)).toMatchObject({ price: 10 })
    expect(await terms.of(sale.saleId)).toMatchObject({ price: 99 })
  })
})
