import { describe, expect, it } from 'vitest'
import { withoutRepeats } from '../../../../functions/sales/publishing/shopfront.ts'
import { saleIdOf } from '../../../redis/support.ts'

const saleId = saleIdOf('sale-in-the-window')

function window() {
  const state = { now: 100_000, refreshed: [] as number[], isUnavailable: false }
  const shopfront = withoutRepeats(
    {
      refresh: async () => {
        if (state.isUnavailable) throw new Error('S3 is unavailable')
        state.refreshed.push(state.now)
      },
    },
    () => state.now,
  )
  return { state, refresh: (reservedAt: number) => shopfront.refresh(saleId, reservedAt) }
}

describe('the published count', () => {
  it('is refreshed once for all messages that were queued before (C8)', async () => {
    const { state, refresh } = window()
    for (const reservedAt of [90_000, 92_000, 94_000, 96_999]) {
      await refresh(reservedAt)
      state.now += 40
    }
    expect(state.refreshed).toEqual([100_000])
  })

  it('is refreshed for every batch with a reservation the last refresh may not have seen (C8)', async () => {
    const { state, refresh } = window()
    await refresh(99_500)
    state.now = 100_500
    await refresh(100_400)
    // Reserved before that refresh by its own clock, and perhaps after it by ours.
    await refresh(97_600)
    expect(state.refreshed).toEqual([100_000, 100_500, 100_500])
  })

  it('is refreshed by the next batch when this one fails to refresh it', async () => {
    const { state, refresh } = window()
    state.isUnavailable = true
    await expect(refresh(90_000)).rejects.toThrow('unavailable')
    state.isUnavailable = false
    await refresh(90_000)
    expect(state.refreshed).toEqual([100_000])
  })

  it('is waited for by a batch that another one publishes, and fails for both', async () => {
    let fail = () => {}
    const silent = new Promise<void>((_, reject) => {
      fail = () => reject(new Error('S3 is unavailable'))
    })
    const shopfront = withoutRepeats({ refresh: () => silent }, () => 100_000)
    const both = [shopfront.refresh(saleId, 90_000), shopfront.refresh(saleId, 90_000)]
    fail()
    const results = await Promise.allSettled(both)
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })

  it('is each sale’s own', async () => {
    const refreshed: string[] = []
    const shopfront = withoutRepeats({ refresh: async (id) => void refreshed.push(id) }, () => 100_000)
    await shopfront.refresh(saleId, 90_000)
    await shopfront.refresh(saleIdOf('another-sale'), 90_000)
    expect(refreshed).toEqual([saleId, 'another-sale'])
  })
})
