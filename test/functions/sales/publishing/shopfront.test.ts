import { describe, expect, it } from 'vitest'
import { throttleRefresh } from '../../../../functions/sales/publishing/shopfront.ts'
import { saleIdOf } from '../../../redis/support.ts'

const saleId = saleIdOf('sale-in-the-window')

function shopWindow(waiting?: () => Promise<number>) {
  const state = { now: 100_000, waiting: 0, refreshed: [] as (number | string)[], isUnavailable: false }
  const shopfront = throttleRefresh(
    {
      refresh: async (id) => {
        if (state.isUnavailable) throw new Error('S3 is unavailable')
        state.refreshed.push(id === saleId ? state.now : id)
      },
    },
    waiting ?? (async () => state.waiting),
    () => state.now,
  )
  return { state, refresh: (id = saleId) => shopfront.refresh(id) }
}

describe('the published count', () => {
  it('is refreshed by every batch that leaves no message waiting (C8)', async () => {
    const { state, refresh } = shopWindow()
    for (let batch = 0; batch < 3; batch += 1) {
      await refresh()
      state.now += 40
    }
    expect(state.refreshed).toEqual([100_000, 100_040, 100_080])
  })

  it('is refreshed once a second while messages wait, and by the last batch (C8)', async () => {
    const { state, refresh } = shopWindow()
    state.waiting = 500
    for (let batch = 0; batch < 30; batch += 1) {
      await refresh()
      state.now += 100
    }
    expect(state.refreshed).toEqual([100_000, 101_000, 102_000])
    state.waiting = 0
    await refresh()
    expect(state.refreshed.at(-1)).toBe(103_000)
    state.now += 1
    await refresh()
    expect(state.refreshed.at(-1)).toBe(103_001)
  })

  it('is refreshed when it is unknown whether messages wait', async () => {
    const { state, refresh } = shopWindow(() => Promise.reject(new Error('Redis is unavailable')))
    await refresh()
    await refresh()
    expect(state.refreshed).toEqual([100_000, 100_000])
  })

  it('is refreshed by the next batch when this one fails to refresh it', async () => {
    const { state, refresh } = shopWindow()
    state.waiting = 500
    state.isUnavailable = true
    await expect(refresh()).rejects.toThrow('unavailable')
    state.isUnavailable = false
    await refresh()
    expect(state.refreshed).toEqual([100_000])
  })

  it('is each sale’s own', async () => {
    const { state, refresh } = shopWindow(async () => 500)
    await refresh()
    await refresh(saleIdOf('another-sale'))
    await refresh()
    expect(state.refreshed).toEqual([100_000, 'another-sale'])
  })
})
