import { describe, expect, it } from 'vitest'
import { playRounds } from '../../../proof/bench/harness.ts'
import { checkedFolder, peerProjects } from '../../../proof/bench/peers/peer.ts'
import { type PeerRound, type PlayedLane, summary } from '../../../proof/bench/peers/table.ts'
import { measurePeers, usualPeers } from '../../../proof/bench/peers.ts'

describe('the comparison', () => {
  const rounds = (accepted: number, durable: number, soldOut: number): PeerRound[] =>
    [0.5, 1, 2].map((factor) => ({
      ...{ accepted: accepted * factor, durable: durable * factor, soldOut: soldOut * factor },
      writtenMs: 1000,
      answer: { p50Ms: 1, p99Ms: 2 },
      before: new Map([['API', 1000]]),
      after: new Map([
        ['API', 2500],
        ['Redis', 300],
      ]),
    }))
  const lane = (name: string, played: PlayedLane['rounds']): PlayedLane => ({
    system: { name },
    rounds: played,
    failures: [],
  })
  const [jim, lug] = ['JIM tuned', 'LUG']
  const ours = [
    lane('Sluice, one at a time', rounds(3000, 1500, 30_000)),
    lane('Sluice, many at once', rounds(3500, 1800, 30_000)),
  ]

  it('judges Sluice by its processes of one request at a time, round by round', () => {
    const theirs = [lane(jim, rounds(1000, 250, 25_000)), lane(lug, rounds(5000, 500, 8000))]
    const { headings, lines } = summary(3000, [...ours, ...theirs])
    expect(headings).toEqual(['Sluice, one at a time', 'Sluice, many at once', 'JIM tuned', 'LUG'])
    expect(lines.slice(0, 3)).toMatchObject([
      { what: 'orders in the database/s, Sluice ÷ LUG', value: ['3.00', '3.60'], target: '≥ 3', met: true },
      { what: 'answers to losing clicks/s, Sluice ÷ JIM tuned', value: ['1.20', '1.20'], met: false },
      { what: 'orders accepted/s, Sluice with admission open', value: ['3000', '3500'], met: true },
    ])
    expect(lines[3]).toMatchObject({ value: ['3', '3', '3', '3'], target: '3 each', met: true })
    expect(lines[4]).toEqual({ what: 'orders accepted/s', value: ['3,000', '3,500', '1,000', '5,000'] })
    const cost = lines.find(({ what }) => what === 'processor time of an order, µs')
    expect(cost?.value[3]).toBe('600')
  })

  it('has no target against a project that was not measured', () => {
    const { lines } = summary(3000, [...ours, lane(lug, rounds(5000, 500, 8000))])
    expect(lines.filter(({ target }) => target !== undefined).map(({ what }) => what)).toEqual([
      'orders in the database/s, Sluice ÷ LUG',
      'orders accepted/s, Sluice with admission open',
      'rounds that ended, of which the others are medians',
    ])
  })

  it('keeps the completed rounds next to a failed one, and names the failures of each lane', () => {
    const [slow, , fast] = rounds(5000, 500, 8000)
    const why = '900 of 1,500 orders were written within 120 s'
    const failures = ['warm-up 1 of 4', 'round 2 of 3'].map((when) => ({ when, why }))
    const broken = { ...lane(lug, [slow, undefined, fast]), failures: [...failures, { when: 'round 2', why: 'x' }] }
    const { lines } = summary(3000, [...ours, broken])
    const lineNamed = (what: string) => lines.find((line) => line.what === what)
    expect(lineNamed('orders in the database/s, Sluice ÷ LUG')).toMatchObject({ value: ['3.00', '3.60'] })
    expect(lineNamed('orders accepted/s')?.value).toEqual(['3,000', '3,500', '2,500'])
    const ended = { value: ['3', '3', '2'], target: '3 each', met: false }
    expect(lineNamed('rounds that ended, of which the others are medians')).toMatchObject(ended)
    expect(lineNamed('LUG failed')?.value).toBe(`3 times: ${why} (warm-up 1 of 4, round 2 of 3); x (round 2)`)
  })

  it('shows a lane without a completed round, and misses the targets against it', () => {
    const { lines } = summary(3000, [...ours, lane(lug, [undefined, undefined, undefined])])
    expect(lines[0]).toMatchObject({ value: ['–', '–'], met: false })
    expect(lines.find(({ what }) => what === 'orders accepted/s')?.value).toEqual(['3,000', '3,500', '–'])
    const none = summary(3000, [lane('Sluice, one at a time', [undefined]), lane('Sluice, many at once', [undefined])])
    expect(none.lines[0]).toMatchObject({ value: ['–', '–'], met: false })
  })

  it('begins each round with another system', async () => {
    const order: string[] = []
    const turns = { rounds: 3, warmUps: 1, isRotated: true }
    await playRounds(['a', 'b', 'c'], turns, async (lane, round) => order.push(`${round}${lane}`))
    expect(order.join(' ')).toBe('0a 0b 0c 1b 1c 1a 2c 2a 2b 3a 3b 3c')
  })

  it('asks for the folder of a project', async () => {
    await expect(measurePeers({ ...usualPeers, orders: 1 })).rejects.toThrow('--jim or --lug')
  })

  it('refuses a folder with other sources', async () => {
    const [project] = peerProjects
    if (project === undefined) throw new Error('there are no projects')
    await expect(checkedFolder(project, import.meta.dirname)).rejects.toThrow(/^--jim: .*, not f452782$/)
  })
})
