/** The shared cache protects the bucket from the load; clock and origin are controlled here. */
import { describe, expect, it } from 'vitest'
import { type Fetched, sharedCache, sharedLifetime } from '../../../local/cdn/cache.ts'

const object = (change: Partial<Fetched> = {}): Fetched => ({
  status: 200,
  contentType: 'application/json',
  cacheControl: 'max-age=1, s-maxage=1',
  etag: '"1"',
  body: Buffer.from('{}'),
  ...change,
})

function setUp() {
  let now = 1_000_000
  const cache = sharedCache({ now: () => now, errorTtlMs: 1000, maxTtlMs: 3.6e6, maxBytes: 1_000_000 })
  let answer: () => Promise<Fetched> = async () => object()
  const origin = {
    calls: 0,
    answers(change: Partial<Fetched>) {
      answer = async () => object(change)
    },
    goesDark() {
      answer = () => Promise.reject(new Error('unavailable'))
    },
    waitsFor(gate: Promise<Fetched>) {
      answer = () => gate
    },
  }
  const get = async (key = '/a') => {
    const {
      xCache,
      ageSeconds,
      object: found,
    } = await cache.get(key, () => {
      origin.calls += 1
      return answer()
    })
    return { xCache, ageSeconds, status: found.status, text: found.body.toString() }
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { origin, get, pass }
}

describe('the shared cache', () => {
  it('reads the origin once while an object is fresh, and sends its age', async () => {
    const { origin, get, pass } = setUp()
    origin.answers({ cacheControl: 'max-age=60' })
    expect(await get()).toMatchObject({ xCache: 'Miss' })
    pass(12_500)
    expect(await get()).toMatchObject({ xCache: 'Hit', ageSeconds: 12 })
    pass(47_499)
    expect(await get()).toMatchObject({ xCache: 'Hit' })
    pass(1)
    expect(await get()).toMatchObject({ xCache: 'Miss', ageSeconds: 0 })
    expect(origin.calls).toBe(2)
  })

  it('reads the bucket once for concurrent requests (C6)', async () => {
    const { origin, get } = setUp()
    const arriving = Promise.withResolvers<Fetched>()
    origin.waitsFor(arriving.promise)
    const crowd = Array.from({ length: 1000 }, () => get())
    arriving.resolve(object())
    const served = await Promise.all(crowd)
    expect(origin.calls).toBe(1)
    expect(served.filter(({ xCache }) => xCache === 'Miss')).toHaveLength(1)
  })

  it('never gives one viewer a private answer of another', async () => {
    const { origin, get } = setUp()
    const arriving = Promise.withResolvers<Fetched>()
    origin.waitsFor(arriving.promise)
    const two = [get(), get()]
    arriving.resolve(object({ cacheControl: 'private, max-age=60' }))
    await Promise.all(two)
    await get()
    expect(origin.calls).toBe(3)
  })

  it('keeps keys separate', async () => {
    const { origin, get } = setUp()
    await get('/a')
    await get('/b')
    expect(origin.calls).toBe(2)
  })

  it('caches an error for one second only, so that a late upload shows at once (C6)', async () => {
    const { origin, get, pass } = setUp()
    origin.answers({ status: 404 })
    expect(await get()).toMatchObject({ xCache: 'Error', status: 404 })
    origin.answers({})
    pass(999)
    expect(await get()).toMatchObject({ xCache: 'Error', status: 404 })
    pass(1)
    expect(await get()).toMatchObject({ xCache: 'Miss', status: 200 })
    expect(origin.calls).toBe(2)
  })

  it.each(['is unavailable', 'answers 503'])('serves the stale object while the origin %s', async (how) => {
    const { origin, get, pass } = setUp()
    origin.answers({ body: Buffer.from('good') })
    await get()
    if (how === 'is unavailable') origin.goesDark()
    else origin.answers({ status: 503 })
    pass(5000)
    expect(await get()).toEqual({ xCache: 'Hit', ageSeconds: 5, status: 200, text: 'good' })
    await get()
    expect(origin.calls, 'the failing origin is asked once a second').toBe(2)
    pass(1000)
    origin.answers({ body: Buffer.from('new') })
    expect(await get()).toMatchObject({ text: 'new' })
  })

  it('passes a failure on when there is no stale object', async () => {
    const { origin, get } = setUp()
    origin.goesDark()
    await expect(get()).rejects.toThrow('unavailable')
    origin.answers({})
    expect(await get()).toMatchObject({ status: 200 })
  })

  it('lets an object disappear: a 404 replaces a stale object', async () => {
    const { origin, get, pass } = setUp()
    await get()
    origin.answers({ status: 404 })
    pass(1001)
    expect(await get()).toMatchObject({ status: 404 })
    expect(await get()).toMatchObject({ status: 404 })
  })
})

describe('the lifetime of an answer', () => {
  it.each([
    ['public, max-age=30, s-maxage=60', 60_000],
    ['max-age=1, s-maxage=1', 1000],
    ['public,max-age=31536000,immutable', 31_536_000_000],
    ['max-age=99999999999', 31_536_000_000],
  ])('of "%s" is %d ms', (cacheControl, ttlMs) => {
    expect(sharedLifetime(cacheControl)).toEqual({ kind: 'store', ttlMs })
  })

  it.each([undefined, '', 'no-store', 'private, max-age=60', 'no-cache', 's-maxage=0, max-age=60', 'max-age=x'])(
    'of "%s" is 0',
    (cacheControl) => {
      expect(sharedLifetime(cacheControl)).toEqual({ kind: 'do-not-store' })
    },
  )
})
