import { describe, expect, it } from 'vitest'
import { peakOf } from '../../../proof/rush/load.ts'
import { modeFacts } from '../../../proof/rush/mode-facts.ts'
import { modesReport } from '../../../proof/rush/modes.ts'
import { type PacketResult, packetRushReport } from '../../../proof/rush/packets/run-packet-rush.ts'
import { type RushResult, rushReport } from '../../../proof/rush/report.ts'

const crowd = {
  answers: [
    { code: 'sold-out', count: 290, p50Ms: 2, p99Ms: 9 },
    { code: 'reserved', count: 10, p50Ms: 20, p99Ms: 40 },
  ],
  ...{ gaveUp: 0, seconds: 2, requestsPerSecond: 150 },
  peaks: [
    peakOf('clicks', [
      { ms: 5, isFailed: false },
      { ms: 40, isFailed: true },
    ]),
  ],
}

const load = {
  ...{ losingRequests: 290, redisCommands: 145, functionRuns: 30 },
  ...{ redisPerLosingRequest: 0.5, functionRunsPerLosingRequest: 0.01 },
}

function ofGoods(): RushResult {
  return {
    ...{ saleId: 'rush-1', seed: 7, shoppers: 300, stock: 10, quantity: 1 },
    verdict: { sold: 10, expected: 10, oversold: 0, lost: 0, stranded: 0, violations: [] },
    ...crowd,
    written: { p50Ms: 100, p99Ms: 200 },
    readable: { p50Ms: 110, p99Ms: 210, sampled: 10 },
    load,
    lostDatabase: undefined,
  }
}

function ofPackets(): PacketResult {
  return {
    ...{ saleId: 'rush-1', seed: 7, shoppers: 300, packets: 10, totalAmount: 1000, currency: 'CNY' },
    verdict: {
      ...{ claimed: 8, credited: 8, expected: 8, overpaid: 0, lost: 0, stranded: 0, unanswered: 1 },
      money: { total: 1000, claimed: 790, credited: 790, left: 210 },
      violations: [],
    },
    ...crowd,
    creditedAfter: { p50Ms: 100, p99Ms: 200 },
    visible: { p50Ms: 110, p99Ms: 210, sampled: 8 },
    load,
  }
}

describe('the report of a rush for goods', () => {
  it('shows the units sold, the answers and the load', () => {
    expect(rushReport(ofGoods())).toBe(`
sold            10 of 10 (expected 10)
oversold        0
lost            0
stranded        0
gave up         0
requests        150/s for 2.0 s
order written   p50 100 ms, p99 200 ms after its reservation
order readable  p50 110 ms, p99 210 ms after the 202 (10 winners asked)
Redis commands  145 in total, at most 0.500 per losing request
function calls  30 in total, 0.010 per losing request

answer    count  p50    p99
sold-out  290    2 ms   9 ms
reserved  10     20 ms  40 ms

peak    requests  to repeat  p50   p99    longest wait
clicks  2         1          5 ms  40 ms  40 ms

Every invariant holds.
(sale rush-1, seed 7)`)
  })

  it('has a line for what only some rushes have: variants, codes, a lost database, violations (N1)', () => {
    const verdict = { ...ofGoods().verdict, violations: ['I1: 11 units sold, 10 expected'], coupons: 10 }
    const variants = [{ id: 'v1', stock: 4, wanted: 150, sold: 4, oversold: 0 }]
    const lostDatabase = { movedShards: [{ shard: 1, from: 'db-2', to: 'main' }], heldBack: 3, seconds: 12.34 }
    const lines = rushReport({ ...ofGoods(), verdict: { ...verdict, variants }, lostDatabase }).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'coupons         10 codes',
        'of which v1     4 of 4 (150 wanted at first, 0 oversold)',
        'lost database   shard 2 moved from db-2 to main, 3 units held back at first; recovered after 12.3 s',
        'VIOLATION I1: 11 units sold, 10 expected',
      ]),
    )
  })
})

describe('the report of a rush with a mode', () => {
  const near = { tripMs: 5, isBot: false, ignoresRetryAfter: false, person: 1, accounts: 1 }
  const shopper = (shopperId: string, traits: Partial<typeof near> = {}) => {
    return { shopperId, token: '', pass: undefined, key: shopperId, traits: { ...near, ...traits } }
  }
  const shoppers = [
    shopper('ann'),
    shopper('bob', { tripMs: 200, person: 2, accounts: 5 }),
    shopper('bot', { isBot: true, person: 2, accounts: 5 }),
  ]
  const [ann, bob] = shoppers
  const tries = [
    ...[100, 500, 1099, 1100].map((at) => ({ code: 'sold-out', ms: 1, at })),
    { code: 'reserved', ms: 1, at: 5000 },
    { code: 'unavailable', ms: 1, at: 7000 },
  ]
  const visits = [ann, bob].flatMap((shopper, i) =>
    shopper === undefined ? [] : [{ shopper, isWon: i === 0, clicks: 3, waitMs: 40 * (i + 1) }],
  )
  const facts = modeFacts('spread', {
    ...{ shoppers, load: { ...load, functionRuns: 30 } },
    crowd: { winners: [{ shopperId: 'ann' }], gaveUp: 0, inDoubt: [], seconds: 2, tries, visits },
    asked: [
      {
        ...{ peak: peakOf('entries', []), used: { redisCommands: 5, functionRuns: 3 } },
        tries: [{ code: 'entered', ms: 1, at: 9000 }],
      },
    ],
  })

  it('adds up what the shop did, who won, and what it took of a shopper (L9)', () => {
    expect(facts).toMatchObject({
      ...{ busiestSecond: 3, errors: 1, functionRuns: 33, redisCommands: 150 },
      byTrip: [
        { name: '5 ms away', shoppers: 2, won: 1 },
        { name: '50 ms away', shoppers: 0, won: 0 },
        { name: '200 ms away', shoppers: 1, won: 0 },
      ],
      byBot: [
        { shoppers: 2, won: 1 },
        { shoppers: 1, won: 0 },
      ],
      // The two accounts of one person count as one.
      byAccounts: [
        { shoppers: 1, won: 1 },
        { shoppers: 1, won: 0 },
      ],
      ...{ requests: 7 / 3, refusals: 5 / 3, wait: { p50Ms: 40, p99Ms: 80 } },
    })
  })

  it('has a column for each mode', () => {
    const report = modesReport([ofGoods(), ofGoods()].map((result) => ({ ...result, mode: facts })))
    expect(report).toContain('\n  5 ms away                      1 of 2 (50.0 %)            1 of 2 (50.0 %)')
    expect(report).toContain('\n  clicks                         2, 1 to repeat, p99 40 ms')
  })
})

describe('the report of a rush for red packets', () => {
  it('shows claims and credits, and where the money is', () => {
    expect(packetRushReport(ofPackets()).split('\n').slice(1, 14)).toEqual([
      'claimed         8 of 10 (expected 8)',
      'credited        8, CN¥7.90',
      'money           CN¥7.90 claimed + CN¥2.10 left, of CN¥10.00',
      'overpaid        CN¥0.00',
      'lost            0',
      'stranded        0',
      'gave up         0',
      'unanswered      1 credit after a lost answer',
      'claims          150/s for 2.0 s',
      'credit written  p50 100 ms, p99 200 ms after its claim',
      'credit visible  p50 110 ms, p99 210 ms after the 200 (8 winners asked)',
      'Redis commands  145 in total, at most 0.500 per losing claim',
      'function calls  30 in total, 0.010 per losing claim',
    ])
  })

  it('shows a dash where there are no credits', () => {
    const dry = { ...ofPackets(), creditedAfter: undefined, visible: undefined }
    expect(packetRushReport(dry)).toContain('\ncredit written  -\ncredit visible  -\n')
  })
})
