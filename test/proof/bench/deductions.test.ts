import { describe, expect, it } from 'vitest'
import { drawRound, faultText, roundFaults, wrongUnits } from '../../../proof/bench/deductions/round.ts'
import { measureWays, millionLines, wayLine, withWays } from '../../../proof/bench/deductions.ts'
import { seededRandom } from '../../../proof/bench/statistics.ts'

const none = { oversold: 0, unsold: 0, twice: 0, miscounted: 0 }

describe('the comparison of ways to deduct (S10, S12)', async () => {
  const round = { rounds: 1, requests: 120, seed: 7 }
  const [results, plenty] = await withWays(8, async (ways) => [
    await measureWays(ways.all, round),
    await measureWays(ways.plenty, { ...round, rounds: 3 }),
  ])
  const faults = (name: string) => results.find((way) => way.name === name)?.rounds.map((round) => round.faults)

  it('finds no fault in a way that is right, ours among them (I1, I3)', () => {
    const right = results.filter(({ isRight }) => isRight)
    expect(right.map(({ name }) => name)).toEqual([
      'SQLite: select and update under a lock',
      'SQLite: one conditional update',
      'memory with a mutex, one server',
      'Redis: GET and SET under a lock key',
      'script of S1',
      'script of S2',
      'script of S4, one unit each',
      'script of S5',
      'reserve.lua',
      'reserve.lua, each shopper twice at once',
    ])
    for (const { name, rounds } of right) expect([name, rounds[0]?.faults]).toEqual([name, none])
  })

  it('finds the faults that need no requests to meet', () => {
    const { stock, quantities } = drawRound('units', 120, seededRandom(8))
    const wanted = quantities.reduce((sum, units) => sum + units, 0)
    expect(faults('SQLite: update without a check')).toEqual([{ ...none, oversold: wanted - stock }])
    expect(faults('Redis: DECRBY, one unit each')).toEqual([{ ...none, miscounted: -60 }])
    // Each server sells what it has, and half of the requests want almost all of it.
    const [twoServers] = faults('memory with a mutex, two servers') ?? []
    expect(twoServers).toMatchObject({ unsold: 0, twice: 0, miscounted: 0 })
    expect(twoServers?.oversold).toBeGreaterThan(stock / 2)
    // The last units leave the stock, and its caller takes the 0 that remains for a loss.
    const [asRead] = faults('script of S5, its answer as its caller reads it') ?? []
    expect(asRead?.unsold).toBeGreaterThan(0)
    expect(asRead).toEqual({ ...none, unsold: asRead?.unsold, miscounted: -(asRead?.unsold ?? 0) })
    const [steps] = faults('steps of S9, each shopper twice at once') ?? []
    expect(steps?.miscounted).toBeLessThan(0)
  })

  it('deducts exactly the requested units from a stock for all, also through the smallest script (S5, S13)', () => {
    for (const { rounds } of plenty) expect(rounds.map((round) => round.faults)).toEqual([none, none, none])
    expect(millionLines(plenty)[0]).toMatchObject({ target: '≤ 2' })
  })

  it('has a rate for every way', () => {
    const lines = [...results.map(wayLine), ...millionLines(plenty)]
    for (const { value } of lines) expect(String(value)).not.toMatch(/NaN|Infinity|undefined/)
  })
})

describe('the verdict on a round', () => {
  const round = { stock: 3, sells: 3, shoppers: Uint32Array.of(0, 0, 1, 2), quantities: Uint8Array.of(2, 1, 0, 2) }
  const plenty = { ...round, stock: 20, sells: 5 }
  const end = (won: number[], left: number, of = round) =>
    roundFaults(of, { won: Uint8Array.from(won), left, wallMs: 1 })

  it.each([
    ['', [0, 1, 0, 1], 0, 0],
    ['1 unsold', [1, 0, 0, 0], 1, 1],
    ['1 oversold', [1, 0, 1, 1], -1, 1],
    ['1 sold to the same shopper again', [1, 1, 0, 0], 0, 1],
    ['stock 2 too low', [0, 1, 0, 1], -2, 2],
    ['1 oversold, stock 4 too high', [1, 0, 0, 1], 3, 5],
  ])('says "%s"', (text, won, left, wrong) => {
    const found = end(won, left)
    expect([faultText(found), wrongUnits(found)]).toEqual([text, wrong])
  })

  it('expects every requested unit of a stock for all', () => {
    expect(faultText(end([0, 1, 0, 1], 17, plenty))).toBe('2 unsold')
    expect(drawRound('plenty', 100, seededRandom(3)).stock).toBe(500)
  })

  const line = (isRight: boolean, ...all: (typeof none)[]) =>
    wayLine({ name: 'a way', isRight, rounds: all.map((faults, at) => ({ faults, perSecond: 1000 * at })) })

  it('misses the target when a right way has a fault in one of its rounds', () => {
    expect(line(true, none, { ...none, oversold: 1 }, none)).toEqual({
      what: 'a way',
      value: 'wrong, 1,000 requests/s, 1 oversold',
      target: 'right',
      met: false,
    })
    expect(line(true, none)).toMatchObject({ value: 'right, 0 requests/s', met: true })
  })

  it('never calls a wrong way right, and reports when it had no fault', () => {
    expect(line(false, none)).toEqual({ what: 'a way', value: 'no fault seen, 0 requests/s' })
    const worst = line(false, { ...none, twice: 1 }, { ...none, miscounted: -9 }, none)
    expect(worst.value).toEqual('wrong, 1,000 requests/s, stock 9 too low')
  })
})
