import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadCountdown } from '../../static/client/countdown.ts'

const src = '/sales/mug/countdown.2.js'
const countdown = { saleId: 'mug', version: 2, started: false, startsAt: 1000, endsAt: 2000 }

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

  it('asks under an address of its own each time: a browser remembers a failed import', async () => {
    const addresses: string[] = []
    const load = async (address: string) => addresses.push(address)
    await loadCountdown(src, load)
    expect(addresses[0]).toMatch(/^\/sales\/mug\/countdown\.2\.js#\d+$/)
  })
})
