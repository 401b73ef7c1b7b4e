import { describe, expect, it } from 'vitest'
import { createAccusations } from '../../edge/accusations.ts'
import { createAddresses } from '../../edge/addresses.ts'
import { fakeStore, saleId, startOfTests } from './support.ts'

const rule = { limit: 100, windowSeconds: 60 }
const farm = '198.51.100.7'

const noFailure = (error: unknown) => {
  throw error
}
const answered = () => new Promise((resolve) => setImmediate(resolve))

describe('what instances tell each other (R3)', () => {
  it('shuts out a machine that comes to another instance each time', async () => {
    const store = fakeStore({})
    const instances = Array.from({ length: 50 }, () => createAddresses(store, noFailure))
    let now = startOfTests
    for (let turn = 0; turn < 15; turn += 1) {
      for (const instance of instances) instance.note(saleId, farm, 'early', rule, now)
      now += 1000
      await answered()
    }
    for (const instance of instances) {
      expect(instance.waitSeconds(saleId, farm, rule, now)).toBeGreaterThan(0)
      expect(instance.waitSeconds(saleId, '198.51.100.8', rule, now)).toBe(0)
    }
  })

  it('is nothing about clicks that passed, and nothing about one click too early', async () => {
    const store = fakeStore({})
    const addresses = createAddresses(store, noFailure)
    for (let i = 0; i < 50; i += 1) {
      addresses.note(saleId, '203.0.113.9', 'passed', rule, startOfTests + i * 1000)
      addresses.note(saleId, `203.0.113.${100 + i}`, 'early', rule, startOfTests + i * 1000)
      await answered()
    }
    expect(store.told).toEqual([])
  })

  it('is told once a second at most, a hundred addresses at a time, and nothing twice', async () => {
    const store = fakeStore({})
    const accusations = createAccusations(store, noFailure)
    for (let ms = 0; ms < 3000; ms += 1) {
      accusations.add(saleId, `10.0.${ms % 250}.1`, 10, rule, startOfTests + ms)
      await Promise.resolve()
    }
    expect(store.told.length).toBeLessThanOrEqual(3)
    for (const one of store.told) {
      expect(one.length).toBeLessThanOrEqual(100)
      expect(new Set(one.map(({ address }) => address)).size).toBe(one.length)
    }
    const sum = store.told.flat().reduce((all, { points }) => all + points, 0)
    expect(sum).toBeLessThanOrEqual(30_000)
  })

  it('ends with the window, and lasts no longer for an instance whose clock is behind', async () => {
    const store = fakeStore({})
    const addresses = createAddresses(store, noFailure)
    addresses.note(saleId, farm, 'failed-token', { ...rule, limit: 5 }, startOfTests)
    await answered()
    const wait = (now: number) => addresses.waitSeconds(saleId, farm, rule, now)
    expect(wait(startOfTests + 1)).toBe(60)
    expect(wait(startOfTests + 59_001)).toBe(1)
    expect(wait(startOfTests + 60_000)).toBe(0)
    expect(wait(startOfTests - 3_600_000)).toBe(60)
  })

  it('is forgotten when the store does not answer, which is reported, and told again with what comes next', async () => {
    const store = fakeStore({})
    store.goDark()
    const failures: unknown[] = []
    const accusations = createAccusations(store, (error) => failures.push(error))
    accusations.add(saleId, farm, 200, rule, startOfTests)
    await answered()
    expect(failures).toHaveLength(1)
    expect(accusations.shutUntil(saleId, farm)).toBe(0)
    store.comeBack()
    accusations.add(saleId, farm, 200, rule, startOfTests + 1000)
    await answered()
    expect(accusations.shutUntil(saleId, farm)).toBe(startOfTests + 61_000)
  })
})
