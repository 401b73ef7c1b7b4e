import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningRedis, startRedis } from '../../../local/redis/redis-server.ts'
import { openLink, type RedisLink } from '../../../local/upstash/link.ts'
import { type DeductionLane, lanes } from '../../../proof/bench/deductions/lanes.ts'
import { openRunner } from '../../../proof/bench/deductions/runner.ts'
import { deductionLines, type RaceResult, race, ways } from '../../../proof/bench/deductions.ts'

describe('the deductions measurement (S13)', () => {
  const options = { rounds: 3, perRound: 1000, seed: 7 }
  let alone: RaceResult
  let inBursts: RaceResult
  beforeAll(async () => {
    ;[alone, inBursts] = [await race(ways.alone, options), await race(ways.inBursts, options)]
  })

  it('leaves exactly the stock minus the deductions, on every lane and in both modes', () => {
    for (const { stock, taken, lanes: found } of [alone, inBursts]) {
      expect(stock).toBe(15_000)
      // 3,000 draws from 0 to 5 come to about 7,500.
      expect(Math.abs(taken - 7500)).toBeLessThan(500)
      expect(found.map(({ left }) => left)).toEqual(found.map(() => stock - taken))
      for (const { rounds } of found) expect(rounds).toHaveLength(3)
    }
    expect(alone.taken).toBe(inBursts.taken)
    for (const { lanes: raced } of [alone, inBursts]) {
      expect(raced.map(({ name }) => name)).toEqual(['ours', 'minimal', 'bare'])
    }
  })

  it('reports a line for each mode, with a target for the wall time of concurrent calls', () => {
    const lines = deductionLines(alone, inBursts)
    const left = String(15_000 - alone.taken)
    const ends = lines.filter(({ what }) => what.startsWith('units left of 15000 after 3000 deductions'))
    expect(ends).toHaveLength(2)
    for (const end of ends) {
      const target = `15000 - ${alone.taken} = ${left}`
      const value = [left, left, left].join('; ')
      expect(end).toMatchObject({ value, target, met: true })
    }
    const held = lines.filter(({ target }) => target === '≤ 2')
    expect(held.map(({ what }) => what.split(':')[0])).toEqual(['64 connections'])
    for (const { value } of lines) expect(value).not.toMatch(/NaN|undefined/)
  })
})

describe('a lane of the deductions measurement', () => {
  let server: RunningRedis
  let link: RedisLink
  beforeAll(async () => {
    server = await startRedis({ env: { ...process.env, REDIS_URL: '' } })
    link = openLink(server)
  })
  afterAll(async () => {
    link.close()
    await server.stop()
  })

  const play = async (lane: DeductionLane) => {
    const runner = await openRunner([link], ways.inBursts, lane, 100)
    await runner.play([3, 0, 5])
    return runner.left()
  }
  const minimal = () => {
    const lane = lanes.find(({ name }) => name === 'minimal')
    if (lane === undefined) throw new Error('there is a minimal lane')
    return lane
  }

  it.each(lanes)('takes the requested units, and nothing for 0: $name (S5)', async (lane) => {
    expect(await play(lane)).toBe(92)
  })

  it('throws when a script takes more than requested, or anything for 0', async () => {
    const lane = minimal()
    const greedy = { ...lane, source: lane.source.replace('KEYS[1], wanted)', 'KEYS[1], wanted + 1)') }
    await expect(play(greedy)).rejects.toThrow('96 units left instead of 97')
    const generous = { ...lane, source: lane.source.replace('wanted < 1', 'wanted < 0') }
    await expect(play(generous)).rejects.toThrow(/answered {"left":97} to 0 units/)
  })
})
