import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchPointer, loadCountdown, preloadedSample } from '../../../static/sale/load-state.ts'
import { shopClock } from '../../../web/clock.ts'
import { saleIdOf } from '../../redis/support.ts'

const saleId = saleIdOf('mug')
const pointer = {
  ...{ saleId, version: 3, at: 5, phase: 'scheduled', startsAt: 10, endsAt: 20, nextStartsAt: null },
  ...{ src: '/sales/mug/countdown.3.js', remaining: 5 },
}
const answering =
  (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  async () =>
    new Response(JSON.stringify(body), { status, headers })

describe('a look at the pointer', () => {
  it('brings the shop’s time with it, without a request of its own (C5)', async () => {
    const asked: string[] = []
    const look = await fetchPointer(async (path) => {
      asked.push(path)
      return answering(pointer, { 'x-sluice-now': '1234' })()
    }, saleId)
    expect(look?.pointer).toEqual(pointer)
    expect(look?.clock?.serverNow).toBe(1234)
    expect(asked).toEqual(['/sales/mug/current.json'])
  })

  it('is a look without a time, where the answer has none', async () => {
    const look = await fetchPointer(answering(pointer), saleId)
    expect(look?.pointer).toEqual(pointer)
    expect(look?.clock).toBeUndefined()
  })

  it('is lost without a pointer', async () => {
    expect(await fetchPointer(answering({}, { 'x-sluice-now': '1' }), saleId)).toBeUndefined()
    expect(await fetchPointer(answering(pointer, {}, 503), saleId)).toBeUndefined()
    const failing = async () => {
      throw new TypeError('no connection')
    }
    expect(await fetchPointer(failing, saleId)).toBeUndefined()
  })
})

describe('the time in a pointer that was preloaded', () => {
  // The script asked at 900 and had the answer at once; the shop gave its time at about 300.
  const sample = { sentAt: 10_900, receivedAt: 10_901, serverNow: 50_300 }
  const offsetOf = (taken: typeof sample) => {
    const clock = shopClock(() => 0)
    clock.take(taken)
    return clock.now()
  }

  it('is as old as the request of the preload, not as that of the script (C5)', () => {
    const taken = preloadedSample(sample, 10_000, { requestStart: 200, responseStart: 400 })
    expect(taken).toEqual({ sentAt: 10_200, receivedAt: 10_400, serverNow: 50_300 })
    expect(offsetOf(taken)).toBe(40_000)
  })

  it.each([
    ['the browser does not say when it was sent', undefined],
    ['the browser hides when it was sent', { requestStart: 0, responseStart: 0 }],
  ])('may be as old as the page itself, where %s', (_, timing) => {
    const taken = preloadedSample(sample, 10_000, timing)
    expect(taken).toEqual({ ...sample, sentAt: 10_000 })
    expect(Math.abs(offsetOf(taken) - 40_000)).toBeLessThanOrEqual(901 / 2)
  })
})

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
