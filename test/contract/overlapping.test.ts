import { describe, expect, it } from 'vitest'
import { trackOverlapping } from './overlapping.ts'

describe('items of transactions under way', () => {
  it('belong to the first of two writing transactions, and the second conflicts in those alone', () => {
    const overlapping = trackOverlapping()
    const first = overlapping.beginWrite(['a', 'b'])
    expect(first.conflicts()).toEqual([false, false])
    expect(overlapping.beginWrite(['c', 'b']).conflicts()).toEqual([false, true])
  })

  it('are free again after the transaction', () => {
    const overlapping = trackOverlapping()
    overlapping.beginWrite(['a']).end()
    expect(overlapping.beginWrite(['a']).conflicts()).toEqual([false])
  })

  it('stay with the first when the second, which was cancelled, ends', () => {
    const overlapping = trackOverlapping()
    overlapping.beginWrite(['a'])
    overlapping.beginWrite(['a', 'b']).end()
    expect(overlapping.beginWrite(['a', 'b']).conflicts()).toEqual([true, false])
  })

  it('are occupied by a transaction that is cancelled, where it had no conflict', () => {
    const overlapping = trackOverlapping()
    overlapping.beginWrite(['a'])
    overlapping.beginWrite(['a', 'b'])
    expect(overlapping.beginWrite(['b']).conflicts()).toEqual([true])
  })
})
