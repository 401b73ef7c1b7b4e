/** The emulated key-value store: its limits, its ETags, and the locations that are behind. */
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createKeyValueStore, type KeyValueStore, type KeyValueUpdate } from '../../../local/cdn/key-value-store.ts'
import { newFolder } from '../../folders.ts'

function open(options: { maxDelayMs?: number; file?: string } = {}) {
  const time = { now: 1_000_000 }
  const store = createKeyValueStore({ now: () => time.now, maxDelayMs: 10_000, ...options })
  return { store, time }
}

function change(store: KeyValueStore, changes: Partial<KeyValueUpdate>) {
  return store.update(store.facts().etag, { puts: [], deletes: [], ...changes })
}

const put = (values: Readonly<Record<string, string>>) => ({
  puts: Object.entries(values).map(([key, value]) => ({ key, value })),
})

describe('an update', () => {
  it('applies all of its changes or none, and gives the store another ETag', () => {
    const { store } = open()
    const { etag } = store.facts()
    const after = store.update(etag, { ...put({ a: '1', b: '22' }), deletes: [] })
    expect(after.etag).not.toBe(etag)
    expect(after).toMatchObject({ itemCount: 2, bytes: 5 })
    const tooLong = { ...put({ c: 'x'.repeat(1025) }), deletes: ['a'] }
    expect(() => change(store, tooLong)).toThrow('at most 1024 bytes')
    expect([store.get('a'), store.get('c'), store.facts()]).toEqual(['1', undefined, after])
    change(store, { deletes: ['a', 'never'] })
    expect([store.get('a'), store.get('b')]).toEqual([undefined, '22'])
  })

  it('is refused for an ETag that is no longer that of the store, as the second of two writers', () => {
    const { store } = open()
    const { etag } = store.facts()
    store.update(etag, { ...put({ a: 'first' }), deletes: [] })
    expect(() => store.update(etag, { ...put({ a: 'second' }), deletes: [] })).toThrow(
      expect.objectContaining({ kind: 'ConflictException' }),
    )
    expect(store.get('a')).toBe('first')
  })

  it.each([
    ['a value of 1 KB', put({ k: 'x'.repeat(1024) }), undefined],
    ['a longer value, counted in bytes', put({ k: 'é'.repeat(513) }), 'ValidationException'],
    ['a key of 512 bytes', put({ ['k'.repeat(512)]: '' }), undefined],
    ['a longer key', put({ ['k'.repeat(513)]: '' }), 'ValidationException'],
    ['a longer key to delete', { deletes: ['k'.repeat(513)] }, 'ValidationException'],
    ['no key', put({ '': '' }), 'ValidationException'],
    ['50 keys', { deletes: Array.from({ length: 50 }, (_, i) => `k${i}`) }, undefined],
    ['51 keys', { deletes: Array.from({ length: 51 }, (_, i) => `k${i}`) }, 'ValidationException'],
    ['a key twice', { ...put({ k: '' }), deletes: ['k'] }, 'ValidationException'],
    ['nothing', {}, 'ValidationException'],
  ])('has the limits of CloudFront: %s', (_, changes: Partial<KeyValueUpdate>, kind) => {
    const { store } = open()
    if (kind === undefined) expect(() => change(store, changes)).not.toThrow()
    else expect(() => change(store, changes)).toThrow(expect.objectContaining({ kind }))
  })

  it('is refused when the store would have more than 5 MB', () => {
    const { store } = open()
    const fill = (first: number) =>
      change(store, put(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${first + i}`, 'x'.repeat(1024)]))))
    expect(() => {
      for (let i = 0; ; i += 50) fill(i)
    }).toThrow(expect.objectContaining({ kind: 'ServiceQuotaExceededException' }))
    const { bytes } = store.facts()
    expect(bytes).toBeLessThanOrEqual(5 * 1024 * 1024)
    expect(bytes).toBeGreaterThan(5 * 1024 * 1024 - 60 * 1024)
  })
})

describe('a location', () => {
  it('reads the state of its delay ago, each location its own, and the API the present one', () => {
    const { store, time } = open()
    const near = store.location(500)
    const far = store.location(10_000)
    change(store, put({ a: 'old' }))
    time.now += 3000
    change(store, put({ a: 'new' }))
    const seen = () => [store.get('a'), near.get('a'), far.get('a')]
    expect(seen()).toEqual(['new', 'old', undefined])
    time.now += 499
    expect(seen()).toEqual(['new', 'old', undefined])
    time.now += 1
    expect(seen()).toEqual(['new', 'new', undefined])
    time.now += 6500
    expect(seen()).toEqual(['new', 'new', 'old'])
    time.now += 3000
    expect(seen()).toEqual(['new', 'new', 'new'])
  })

  it('still reads a key that was deleted, and never half of an update', () => {
    const { store, time } = open()
    change(store, put({ a: '1', b: '1' }))
    time.now += 10_000
    const location = store.location(2000)
    change(store, { ...put({ b: '2' }), deletes: ['a'] })
    for (let waited = 0; waited < 4000; waited += 250) {
      const pair = [location.get('a'), location.get('b')]
      expect(pair).toEqual(waited < 2000 ? ['1', '1'] : [undefined, '2'])
      time.now += 250
    }
  })

  it('reads the right state after many changes, of which old ones are forgotten', () => {
    const { store, time } = open({ maxDelayMs: 1000 })
    const location = store.location(1000)
    for (let i = 0; i < 200; i++) {
      change(store, put({ a: String(i) }))
      if (i >= 10) expect(location.get('a')).toBe(String(i - 10))
      time.now += 100
    }
  })

  it('without a delay has a change at once', () => {
    const { store } = open({ maxDelayMs: 0 })
    const location = store.location(0)
    change(store, put({ a: '1' }))
    expect(location.get('a')).toBe('1')
    expect(() => store.location(1)).toThrow(RangeError)
  })
})

it('keeps its content in a file, which every location has at once', () => {
  const file = join(newFolder('store'), 'store.json')
  const { store } = open({ file })
  change(store, put({ a: '1' }))
  const { store: next } = open({ file })
  expect([next.get('a'), next.location(10_000).get('a')]).toEqual(['1', '1'])
})
