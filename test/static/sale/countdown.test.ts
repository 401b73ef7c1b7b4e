import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadCountdown } from '../../../static/client/sale/countdown.ts'

const src = '/sales/mug/countdown.2.js'
const countdown = {
  ...{ saleId: 'mug', version: 2, started: false, startsAt: 1000, endsAt: 2000 },
  ...{ requirePass: 'on', spreadSeconds: 0, earlyMinutes: 0 },
}

afterEach(() => {
  vi.useRealTimers()
})

describe('loading a countdown', () => {
  it('gives up on an import that stalls, so that the page goes on looking (C6)', async () => {
    vi.useFakeTimers()
    const loaded = loadCountdown(src, () => new Promise(() => undefined))
    await vi.advanceTimersByTimeAsync(5000)
    expect(await loaded).toBeUndefined()
  })

  it('reads what came in time, and knows nothing after a broken connection', async () => {
    expect(await loadCountdown(src, async () => ({ countdown }))).toEqual(countdown)
    expect(await loadCountdown(src, () => Promise.reject(new Error('offline')))).toBeUndefined()
  })

  it('asks first under the address that the page preloaded, then under a new one each time: a browser remembers a failed import', async () => {
    const other = '/sales/mug/countdown.3.js'
    const addresses: string[] = []
    const load = async (address: string) => addresses.push(address)
    for (let i = 0; i < 3; i += 1) await loadCountdown(other, load)
    expect(addresses).toEqual([other, `${other}#1`, `${other}#2`])
  })
})
