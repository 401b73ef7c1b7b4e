import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLists, type ListsSnapshot } from '../../../edge/memory/lists.ts'
import { fakeStore, openSaleFacts, saleId, saleIdOf, shopOrigin, shopperIdOf, startOfTests } from '../support.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: startOfTests })
})
afterEach(() => {
  vi.useRealTimers()
})

function open() {
  const store = fakeStore({ [saleId]: openSaleFacts })
  const failures: unknown[] = []
  const lists = createLists(store, {
    origins: new Set([shopOrigin]),
    clock: Date.now,
    onFailure: (error) => failures.push(error),
  })
  return { store, lists, failures }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const blocksAnn = ({ blocks }: ListsSnapshot) => blocks.hasShopper(shopperIdOf('ann'))

describe('the lists in memory', () => {
  it('cost one small read while nothing changes, and a list only once per version (R8, B4)', async () => {
    const { store, lists } = open()
    store.block('shopper ann')
    store.publishFilter()
    for (let i = 0; i < 100; i++) {
      await lists.get()
      await pass(100)
    }
    const reads = (what: string) => store.listReads.filter((one) => one === what).length
    expect(reads('blocklist')).toBe(1)
    expect(reads('filter')).toBe(1)
    expect(reads('versions')).toBeLessThanOrEqual(1.6 * 10 + 1)
  })

  it('are read once for concurrent requests on a cold instance and for those that come meanwhile, which wait for them', async () => {
    const { store, lists } = open()
    store.block('shopper ann')
    const first = Array.from({ length: 100 }, () => lists.get())
    vi.setSystemTime(startOfTests + 5)
    const boards = await Promise.all([...first, lists.get()])
    expect(boards.every(blocksAnn)).toBe(true)
    expect(store.listReads).toEqual(['versions', 'blocklist', 'filter'])
  })

  it('follow a block and its end within a second (R8)', async () => {
    const { store, lists } = open()
    await lists.get()
    store.block('shopper ann')
    await pass(1001)
    expect(blocksAnn(await lists.get())).toBe(true)
    store.unblock('shopper ann')
    await pass(1001)
    expect(blocksAnn(await lists.get())).toBe(false)
  })

  it('keep the last known block list while the store is unavailable or has lost it (R8, I6)', async () => {
    const { store, lists, failures } = open()
    store.block('shopper ann')
    await lists.get()
    store.goDown()
    for (let i = 0; i < 100; i++) {
      await pass(100)
      expect(blocksAnn(await lists.get())).toBe(true)
    }
    expect(failures.length).toBeLessThanOrEqual(40)
    store.comeUp()
    store.loseLists()
    await pass(1001)
    expect(blocksAnn(await lists.get())).toBe(true)
    store.block('shopper bob')
    await pass(1001)
    expect(blocksAnn(await lists.get()), 'the new list is used').toBe(false)
  })

  it('read a list again when that failed, and keep what could be read (I6)', async () => {
    const { store, lists } = open()
    store.publishFilter()
    store.block('shopper ann')
    const { filter } = store
    store.filter = async () => {
      throw new Error('too large for the timeout')
    }
    const board = await lists.get()
    expect(blocksAnn(board)).toBe(true)
    expect(board.saleFilter).toBeUndefined()
    store.filter = filter
    await pass(250)
    expect((await lists.get()).saleFilter?.mayHold(saleId)).toBe(true)
  })

  it('use no filter that is older than the list of sales, until a newer one is published (B4)', async () => {
    const { store, lists } = open()
    store.publishFilter()
    expect((await lists.get()).saleFilter).toBeDefined()
    store.list(saleIdOf('new-sale'))
    await pass(1001)
    expect((await lists.get()).saleFilter).toBeUndefined()
    store.publishFilter()
    await pass(1001)
    expect((await lists.get()).saleFilter?.mayHold('new-sale')).toBe(true)
  })

  it('use the same filter again when the list of sales returns to its version, without reading it', async () => {
    const { store, lists } = open()
    store.publishFilter()
    await lists.get()
    const versions = store.versions
    store.versions = async () => ({ ...(await versions()), sales: Number.MAX_SAFE_INTEGER })
    await pass(1001)
    expect((await lists.get()).saleFilter).toBeUndefined()
    store.versions = versions
    await pass(1001)
    expect((await lists.get()).saleFilter).toBeDefined()
    expect(store.listReads.filter((one) => one === 'filter')).toHaveLength(1)
  })

  it('ignore an invalid filter', async () => {
    const { store, lists } = open()
    store.publishFilter()
    store.filter = async () => new Uint8Array(100)
    expect((await lists.get()).saleFilter).toBeUndefined()
  })
})
