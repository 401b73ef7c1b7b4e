import { expect, it } from 'vitest'
import { createRefreshingCache } from '../../../edge/memory/refreshing-cache.ts'

/** A store whose reads are answered by the test, one after the other. */
function storeOfTest() {
  const reads: PromiseWithResolvers<string>[] = []
  const failures: unknown[] = []
  let now = 0
  const cache = createRefreshingCache(
    {
      read: () => {
        const read = Promise.withResolvers<string>()
        reads.push(read)
        return read.promise
      },
      unavailable: 'unavailable',
      isInDemand: () => true,
      goodForMs: () => 1000,
    },
    () => now,
    (error) => failures.push(error),
  )
  return { reads, failures, cache, at: (ms: number) => (now = ms) }
}

it('requests that wait for one value share the read after a refresh in the background failed (G3)', async () => {
  const { reads, failures, cache, at } = storeOfTest()
  const first = cache.get()
  reads[0]?.resolve('open')
  expect(await first).toBe('open')

  at(800)
  expect(cache.get()).toBe('open')
  expect(reads).toHaveLength(2)

  at(1100)
  const waiting = [cache.get(), cache.get()]
  reads[1]?.reject(new Error('frozen meanwhile'))
  await expect.poll(() => reads.length).toBe(3)
  reads[2]?.resolve('sold out')
  expect(await Promise.all(waiting)).toEqual(['sold out', 'sold out'])
  expect(reads).toHaveLength(3)
  expect(failures).toHaveLength(1)
})
