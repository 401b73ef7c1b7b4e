import { describe, expect, it } from 'vitest'
import { faultTexts, healthText } from '../../console/sale/health-panel.tsx'
import { canRecover, needsRecovery, noticesOf, shownLive } from '../../console/sale/notices.ts'
import { tilesOf, tilesOfKind } from '../../console/sale/numbers.ts'
import type { Live } from '../../core/api/control-answers.ts'
import { aLive, rain, sale } from '../core/api/live-answer.ts'
import { voiceIn } from './voices.ts'

const redisDark = { ...aLive, stock: null, outbox: null, drift: null, unavailable: ['redis'], inStep: false }
const frozen = { frozen: true, stock: { total: 0, booked: 0, available: 0 }, drift: null, inStep: false }
const sqsDark = { ...aLive, drift: null, queue: null, deadLetters: null, unavailable: ['sqs'] }
const gateDark = { ...aLive, admissions: null, unavailable: ['gate'] }

/** The keys of the sentences, with their numbers. */
const faultsIn = (now: Live) =>
  faultTexts({ t: (key, args) => (args?.n === undefined ? key : `${key} ${args.n}`) }, now)

const live = (change: object = {}): Live => ({ ...aLive, ...change })
const unpublished = (of: typeof sale) => ({ sale: { ...of, warmed: false }, phase: 'draft', stock: null })
const paidBy = (orders: number) => ({
  paid: { orders, amount: 620, disputed: 0, returned: 0, disputedAmount: 0, refunded: 0 },
})
const money = { budget: 5000, claimed: 1200, left: 3800, returned: null }

describe('the live numbers', () => {
  it('are what the parts answered', () => {
    expect(tilesOf(live())).toEqual({
      remaining: 60,
      total: 100,
      booked: 40,
      admissions: 70,
      out: 10,
      rate: 500,
      admitPerSecond: 2000,
      sold: 38,
      orders: 30,
      drift: 0,
      queue: 3,
      inFlight: 1,
      deadLetters: 0,
      paidOrders: 12,
      revenue: 480,
      redeemed: null,
      processing: 2,
      awaitingPayment: 18,
      ...{ claimed: null, left: null, returned: null },
    })
  })

  it.each<[string, object, object]>([
    [
      'no 0 for a queue that is unavailable',
      sqsDark,
      { queue: null, inFlight: null, deadLetters: null, remaining: 60 },
    ],
    ['no 0 for admissions that cannot be counted (G4)', gateDark, { admissions: null, out: null, remaining: 60 }],
    [
      ...(['neither 0 nor the whole stock while Redis is unavailable', redisDark] as const),
      { remaining: null, booked: null, processing: null, sold: 38 },
    ],
    ['all of a stock that is not published yet', unpublished(sale), { remaining: 100, total: 100, booked: 0 }],
    ['an unlimited stock as such (S4)', { stock: { total: -1, booked: 7, available: -1 } }, { remaining: -1 }],
    ['no payment as awaited for free goods (O8)', { sale: { ...sale, price: 0 } }, { awaitingPayment: 0 }],
    ['no fewer payments as awaited than 0 (O8)', paidBy(31), { awaitingPayment: 0 }],
    ['no 0 for money that is not known', { paid: null }, { awaitingPayment: null, revenue: null }],
    ['no difference as 0 that is not known', { drift: null }, { drift: null }],
    ['a difference', { drift: -3 }, { drift: -3 }],
    ['nothing of a stock that is half rebuilt (P10)', frozen, { remaining: null, booked: null, sold: 38 }],
    [
      'packets and the money in them (P1)',
      { sale: rain, money },
      { remaining: 60, claimed: 1200, left: 3800, returned: null },
    ],
    ['money that went back (P1)', { sale: rain, money: { ...money, returned: 3800 } }, { returned: 3800 }],
    ['no 0 for money of packets that is not known', { sale: rain, money: null }, { claimed: null, left: null }],
    ['all of the money while nothing is split yet', unpublished(rain), { claimed: 0, left: 5000, returned: null }],
  ])('show %s', (_, change, tiles) => {
    expect(tilesOf(live(change))).toMatchObject(tiles)
  })

  it('begin with what is sold, paid, earned and still to be paid', () => {
    expect(tilesOfKind('goods').sales).toEqual(['sold', 'paidOrders', 'revenue', 'awaitingPayment'])
  })

  it('have tiles of their own for red packets, and none for orders: a claim is none (P1)', () => {
    expect(tilesOfKind('red-packet').sales).toEqual(['sold', 'claimed', 'left', 'returned'])
    expect(Object.values(tilesOfKind('red-packet')).flat()).not.toContain('orders')
    for (const kind of ['goods', 'coupon'] as const) {
      expect(Object.values(tilesOfKind(kind)).flat()).not.toContain('claimed')
    }
  })
})

it.each<[string, object, string[]]>([
  ['nothing while all parts answer and agree', {}, []],
  [
    'which part is unavailable, if no action was lost on it',
    shownLive(live(redisDark), false),
    ['live.unavailable.redis'],
  ],
  ['that a change is not yet everywhere', { inStep: false }, ['live.behind']],
  ['that, too, where the parts do not say that they agree', { inStep: undefined }, ['live.behind']],
  ['that Redis has lost the stock, if it answers (I6)', { stock: null, inStep: false }, ['live.stockLost']],
  [
    ...(['no loss of a stock of which nothing was sold: it is published again'] as const),
    { sale: { ...sale, epoch: 0 }, stock: null, inStep: false },
    ['live.behind'],
  ],
])('shows a marketer beside the numbers: %s', (_, change, notices) => {
  expect(noticesOf(live(change))).toEqual(notices)
})

describe('a stock over several databases', () => {
  const working = { state: 'selling', database: 'main', granted: 50, booked: 40, left: 10 } as const
  const out = (state: 'frozen' | 'missing' | 'unreachable') => ({
    split: { pool: 0, shards: [working, { ...working, database: 'db-2', state }] },
  })

  it('is no news while all of them work', () => {
    const split = { pool: 0, shards: [working, { ...working, database: 'db-2' }] }
    expect(noticesOf(live({ split }))).toEqual([])
    expect(faultsIn(live({ split }))).toEqual([])
  })

  it.each(['frozen', 'missing', 'unreachable'] as const)('needs attention when one is %s', (state) => {
    expect(noticesOf(live(out(state)))).toEqual(['live.shardsOut'])
    expect(faultsIn(live(out(state)))).toEqual(['live.shardsOut'])
    expect(needsRecovery(live(out(state))), 'the others sell on').toBe(false)
  })
})

describe('the health of the system', () => {
  it('is good while all parts answer and agree, also while messages are on their way', () => {
    expect(faultsIn(live())).toEqual([])
    expect(faultsIn(live({ drift: null, deadLetters: null }))).toEqual([])
  })

  it.each([
    ['Redis', redisDark, ['live.unavailable.redis', 'live.behind']],
    ['SQS', sqsDark, ['live.unavailable.sqs']],
    ['the gate’s store', gateDark, ['live.unavailable.gate']],
    ['a rebuild', frozen, ['live.frozen']],
    ['a difference', { drift: -1 }, ['health.drift 1']],
    ['a dead letter', { deadLetters: 1 }, ['health.dead 1']],
    [
      'units that are held back after a rebuild',
      { stock: { total: 100, booked: 100, heldBack: 99, available: 0 } },
      ['live.heldBack 99'],
    ],
    ['several', { drift: 2, deadLetters: 3, inStep: false }, ['live.behind', 'health.drift 2', 'health.dead 3']],
  ])('is bad because of %s, the most urgent first', (_name, change, faults) => {
    expect(faultsIn(live(change))).toEqual(faults)
  })

  it('says which button applies the last change again', () => {
    const said = faultTexts({ t: (key, { action } = {}) => `${key}(${action})` }, live({ inStep: false }))
    expect(said).toEqual(['live.behind(do.repeat(undefined))'])
  })
})

describe('the rebuilding of a sale', () => {
  it('is offered first when the stock is lost or the last rebuilding was cut off (P10)', () => {
    expect(needsRecovery(live({ stock: null }))).toBe(true)
    expect(needsRecovery(live(frozen))).toBe(true)
  })

  it('is not urgent while the stock is there or unknown', () => {
    expect(needsRecovery(live())).toBe(false)
    expect(needsRecovery(live({ drift: 3 }))).toBe(false)
    expect(needsRecovery(live(redisDark))).toBe(false)
  })

  it('is possible once a sale was started: before, there are no orders to rebuild it from', () => {
    expect(canRecover(live())).toBe(true)
    expect(canRecover(live({ sale: { ...sale, epoch: 0 } }))).toBe(false)
    expect(canRecover(live({ sale: { ...sale, warmed: false } }))).toBe(false)
  })
})

describe('the line of health', () => {
  it('says that all is well, or the first fault and how many more there are', () => {
    expect(healthText(voiceIn('en'), [])).toBe('All systems are working.')
    expect(healthText(voiceIn('en'), ['One.'])).toBe('One.')
    expect(healthText(voiceIn('en'), ['One.', 'Two.', 'Three.'])).toBe('One. 2 more problems: see below.')
  })

  it('has no space between Chinese sentences', () => {
    expect(healthText(voiceIn('zh-CN'), ['一。', '二。'])).toBe('一。另有 1 个问题，展开查看。')
  })
})
