import { describe, expect, it } from 'vitest'
import { maxEarlyShoppers } from '../../../core/api/early-list.ts'
import { sendChanges } from '../../../core/lib/slices.ts'
import { readEarlyFile } from '../../../core/sale/early-file.ts'
import { shopperNamed } from '../../redis/support.ts'

const read = (text: string) => readEarlyFile(new TextEncoder().encode(text))

describe('a file of shoppers for early access', () => {
  it('has a column of shopper ids, in any order and beside others', () => {
    expect(read('name;ShopperId\nAnn;ann\nBen;ben@x\n')).toEqual({
      ok: true,
      shoppers: ['ann', 'ben@x'],
      refused: [],
      ignored: ['name'],
    })
  })

  it('names each line that cannot be imported, and keeps the others', () => {
    expect(read('shopperId\nann\nno id\nann\n..\nben')).toMatchObject({
      shoppers: ['ann', 'ben'],
      refused: [
        { line: 3, text: 'no id', code: 'invalid' },
        { line: 4, text: 'ann', code: 'duplicate' },
        { line: 5, text: '..', code: 'invalid' },
      ],
    })
  })

  it('is refused without the column', () => {
    expect(read('id\nann')).toEqual({ ok: false, fault: { kind: 'missing-column', column: 'shopperId' } })
  })

  it('is sent in calls of a thousand, and stops where a call is not answered', async () => {
    const shoppers = Array.from({ length: 2500 }, (_, at) => shopperNamed(`shopper-${at}`))
    const sizes: number[] = []
    const done: number[] = []
    const send = async (some: readonly unknown[]) => {
      sizes.push(some.length)
      return sizes.length === 3 ? undefined : { changed: some.length - 1, same: 1 }
    }
    const counts = await sendChanges(shoppers, maxEarlyShoppers, send, (count) => done.push(count))
    expect(sizes).toEqual([maxEarlyShoppers, maxEarlyShoppers, 500])
    expect(counts).toEqual({ changed: 1998, same: 2 })
    expect(done).toEqual([1000, 2000])
  })
})
