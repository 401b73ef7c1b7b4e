import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { coalesce } from '../../../functions/lib/coalesce.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] })
})
afterEach(() => {
  vi.useRealTimers()
})

function rig(maxItems = 3) {
  const groups: number[][] = []
  const pending: { resolve: (results: (Error | string)[]) => void; reject: (error: Error) => void }[] = []
  const add = coalesce<number, string>({
    maxItems,
    maxWaitMs: 4,
    send: (items) => {
      groups.push([...items])
      return new Promise((resolve, reject) => pending.push({ resolve, reject }))
    },
  })
  return { add, groups, pending }
}

describe('coalesce', () => {
  it('batches the calls of one turn of the event loop', async () => {
    const { add, groups, pending } = rig()
    const both = Promise.all([add(1), add(2)])
    expect(groups).toEqual([])
    await vi.advanceTimersByTimeAsync(0)
    expect(groups).toEqual([[1, 2]])
    pending[0]?.resolve(['a', 'b'])
    expect(await both).toEqual(['a', 'b'])
  })

  it('sends a full group at once', () => {
    const { add, groups } = rig()
    void add(1)
    void add(2)
    void add(3)
    void add(4)
    expect(groups).toEqual([[1, 2, 3]])
  })

  it('collects calls while a group is in flight, until it returns', async () => {
    const { add, groups, pending } = rig()
    void add(1)
    await vi.advanceTimersByTimeAsync(0)
    void add(2)
    await vi.advanceTimersByTimeAsync(1)
    void add(3)
    expect(groups).toEqual([[1]])
    pending[0]?.resolve(['sent'])
    await vi.advanceTimersByTimeAsync(0)
    expect(groups).toEqual([[1], [2, 3]])
  })

  it('waits for more calls no longer than the maximum delay', async () => {
    const { add, groups } = rig()
    void add(1)
    await vi.advanceTimersByTimeAsync(0)
    void add(2)
    await vi.advanceTimersByTimeAsync(3)
    expect(groups).toEqual([[1]])
    await vi.advanceTimersByTimeAsync(1)
    expect(groups).toEqual([[1], [2]])
  })

  it('returns each caller its own outcome, and rejects all when the whole group failed', async () => {
    const { add, pending } = rig(2)
    const first = Promise.allSettled([add(1), add(2)])
    pending[0]?.resolve(['sent', new Error('refused')])
    expect((await first).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    const second = Promise.allSettled([add(3), add(4)])
    pending[1]?.reject(new Error('unavailable'))
    expect((await second).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
