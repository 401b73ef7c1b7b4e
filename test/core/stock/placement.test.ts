import { describe, expect, it } from 'vitest'
import { chooseDatabases, replaceDatabases, type SaleLoad, salesByDatabase } from '../../../core/stock/placement.ts'
import { saleIdOf } from '../../redis/support.ts'

const database = (name: string, commandsPerSecond = 10_000) => ({ name, commandsPerSecond })
const [one, two, three] = [database('one'), database('two'), database('three')]

let made = 0
const aLoad = (stock: number, changes: Partial<SaleLoad> = {}): SaleLoad => {
  made += 1
  const saleId = saleIdOf(`load-${made}`)
  return { saleId, stock, windows: [], startsAt: 1_000, endsAt: 9_000, databases: [], shards: 1, ...changes }
}
const inside = (name: string, stock: number, changes: Partial<SaleLoad> = {}) =>
  aLoad(stock, { databases: [name], ...changes })

/** The database of a sale with one shard. */
const choose = (...asked: Parameters<typeof chooseDatabases>) => chooseDatabases(...asked)[0]

const [small, big] = [100, 50_000]

describe('the place of a sale (S16, S17)', () => {
  it('is the database with the least load for its capacity', () => {
    const others = [inside('one', 1000), inside('two', 1500)]
    expect(choose(aLoad(small), others, [one, two])).toBe('one')
    expect(choose(aLoad(small), others, [one, database('two', 20_000)])).toBe('two')
  })

  it('is not an empty database that the sale alone would overload', () => {
    const [large, tiny] = [database('large'), database('tiny', 1)]
    const others = [inside('large', 1000)]
    const names = Array.from({ length: 20 }, () => choose(aLoad(small), others, [large, tiny]))
    expect(new Set(names)).toEqual(new Set(['large']))
    // The sale weighs twice as much in a database of half the capacity.
    expect(choose(aLoad(1000), [inside('large', 500)], [large, database('half', 5000)])).toBe('large')
  })

  it('is not beside a big sale for another big one, even where less is sold', () => {
    const crowd = Array.from({ length: 60 }, () => inside('two', 1000))
    const others = [inside('one', big), ...crowd]
    expect(choose(aLoad(big), others, [one, two])).toBe('two')
    // A small one goes where there is less.
    expect(choose(aLoad(small), others, [one, two])).toBe('one')
  })

  it('is beside a big sale where every database has one: the one with less', () => {
    const others = [inside('one', big), inside('two', 2 * big), inside('three', -1)]
    expect(choose(aLoad(big), others, [three, two, one])).toBe('one')
  })

  it('does not depend on sales of another time, over all windows of both', () => {
    const over = inside('one', big, { startsAt: 0, endsAt: 1_000 })
    const waves = { windows: [{ startsAt: 500, endsAt: 1_500, stock: 10 }] }
    const late = inside('two', big, { startsAt: 0, endsAt: 100, ...waves })
    expect(choose(aLoad(big), [over, late], [one, two])).toBe('one')
  })

  it('counts an unlimited stock as more than any other, and a sale by its largest window', () => {
    const windows = [
      { startsAt: 0, endsAt: 2_000, stock: 10 },
      { startsAt: 3_000, endsAt: 9_000, stock: 400 },
    ]
    expect(choose(aLoad(small), [inside('one', -1), inside('two', big)], [one, two])).toBe('two')
    const waves = [inside('one', 10, { windows }), inside('two', 300)]
    expect(choose(aLoad(small), waves, [one, two])).toBe('two')
  })

  it('spreads sales over databases of equal load, and is the same for each try', () => {
    const loads = Array.from({ length: 300 }, () => aLoad(small))
    const names = loads.map((load) => choose(load, [], [one, two, three]))
    expect(names).toEqual(loads.map((load) => choose(load, [load], [three, one, two])))
    for (const name of ['one', 'two', 'three']) {
      const count = names.filter((given) => given === name).length
      expect(count).toBeGreaterThan(50)
    }
  })

  it('is the only database where there is one, beside any other sale', () => {
    expect(choose(aLoad(big), [inside('one', big)], [one])).toBe('one')
    expect(chooseDatabases(aLoad(big), [], [])).toEqual([])
  })
})

describe('the placement of all sales', () => {
  it('names the sales of each database, and the part of its capacity that they would use in a second', () => {
    const [first, second] = [inside('one', 500), inside('two', 2500)]
    expect(salesByDatabase([first, second], [one, two])).toEqual([
      { ...one, sales: [first], share: 0.2 },
      { ...two, sales: [second], share: 1 },
    ])
  })

  it('counts neither a sale that is not placed yet, nor one whose database is not listed', () => {
    const [old, gone] = [aLoad(10), inside('removed', 10)]
    expect(salesByDatabase([old, gone], [one, two]).map(({ sales }) => sales)).toEqual([[], []])
  })
})

describe('the place of a shard whose database does not answer (P10, S14)', () => {
  const split = aLoad(small, { databases: ['one', 'two'], shards: 2 })

  it('is a database without a shard of the sale, the least loaded first', () => {
    const others = [inside('three', 1000)]
    const four = database('four')
    expect(replaceDatabases(split, others, [one, three, four])).toEqual(['one', 'four'])
    expect(replaceDatabases(split, others, [three, four])).toEqual(['four', 'three'])
  })

  it('is beside another shard only where no other database answers', () => {
    expect(replaceDatabases(split, [], [one])).toEqual(['one', 'one'])
    const wide = aLoad(small, { databases: ['one', 'two', 'three'], shards: 3 })
    expect(replaceDatabases(wide, [], [two, database('four')])).toEqual(['four', 'two', 'two'])
  })

  it('stays when its database answers, or no other one does', () => {
    expect(replaceDatabases(split, [], [one, two, three])).toEqual(['one', 'two'])
    expect(replaceDatabases(split, [], [])).toEqual(['one', 'two'])
  })
})
