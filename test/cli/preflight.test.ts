import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AwsCli, AwsRefused } from '../../cli/aws-cli.ts'
import { readAccount } from '../../cli/preflight/account.ts'
import { cdnPlanCosts } from '../../cli/preflight/cdn-plans.ts'
import { reservedInAll, unreservedAtLeast } from '../../cli/preflight/concurrency.ts'
import { crowdsOf } from '../../cli/preflight/crowds.ts'
import { databaseReport } from '../../cli/preflight/databases.ts'
import { findingsOf, mostShoppers, worthAsking } from '../../cli/preflight/findings.ts'
import { type LimitId, limitIds, limitsOf, needOf } from '../../cli/preflight/limits.ts'
import { pageRequests, targets } from '../../cli/preflight/page-requests.ts'
import {
  arrivedWithin,
  asksInBusiestMinute,
  callsInBusiestMinute,
  clicksPerSecond,
  gateClicksPerSecond,
  type Plan,
  passesPerSecond,
  pollPaceOf,
  pollsBetween,
  pollsOf,
  requestsOfShopper,
  usualHabits,
} from '../../cli/preflight/plan.ts'
import { provisionCommands, putProvisioned } from '../../cli/preflight/provisioned.ts'
import { environmentsFor, sellingCommands, sellingFloorSeconds, writesOfOneSale } from '../../cli/preflight/rates.ts'
import { isReady, type Report, reportLines } from '../../cli/preflight/report.ts'
import { signInCurve, signInWays } from '../../cli/preflight/sign-ins.ts'
import { proposeSpread } from '../../cli/preflight/spread.ts'
import { targetTiers } from '../../cli/preflight/targets.ts'
import { maxSpreadSeconds, type SaleKind, saleKinds } from '../../core/sale/settings.ts'
import { priceBooks } from '../../infra/prices.ts'
import { tableWritesFor } from '../../infra/settings/arithmetic.ts'
import { dev } from '../../infra/settings/dev.ts'
import { refuseBadSettings } from '../../infra/settings/problems.ts'
import { prod, prodSelling } from '../../infra/settings/prod.ts'
import { documentedQuotas, type Quotas } from '../../infra/settings/quotas.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'

const planOf = ({ forecast }: StageSettings, change: Partial<Plan> = {}): Plan => ({
  ...usualHabits,
  kind: 'goods',
  ...forecast,
  ...change,
})

const quotaNames = [
  'functionConcurrency',
  'edgeConcurrency',
  'edgeRequestsPerSecond',
  'distributionRequestsPerSecond',
  'redisCommandsPerSecond',
] as const

const amountOf = (id: LimitId, plan: Plan, settings = prod) => needOf(id, plan, settings).amount
const amountsOf = (plan: Plan, ids: readonly LimitId[]) => ids.map((id) => amountOf(id, plan))
const shortIn = (plan: Plan, settings: StageSettings, owner: string) =>
  findingsOf(plan, settings, settings.quotas)
    .filter((finding) => finding.owner === owner && finding.state === 'short')
    .map(({ id }) => id)

describe('the load of a million shoppers for a thousand units', () => {
  const plan = planOf(prod)

  /** 1 - e^(-1 s / 2 s), of what comes within 10 s. */
  const firstSecond = Math.ceil((1_000_000 * (1 - Math.exp(-0.5))) / (1 - Math.exp(-5)))

  it('counts the requests of pages that know the start: a poll within 17.5 s of the start, and clicks', () => {
    expect(amountsOf(plan, ['distribution-requests'])).toEqual([Math.ceil(1_000_000 / 17.5) + firstSecond])
    expect(amountsOf({ ...plan, arrival: 'even' }, ['distribution-requests'])).toEqual([157_143])
  })

  it('has 40 % of its first clicks in the first second and all of them after ten, as people react to a start', () => {
    expect(firstSecond).toBe(396_139)
    expect(clicksPerSecond(plan)).toBe(firstSecond)
    expect(arrivedWithin(10, plan)).toBe(1)
    expect(arrivedWithin(60, plan)).toBe(1)
    expect(arrivedWithin(1, { ...plan, openingSeconds: 1 })).toBe(1)
    expect(clicksPerSecond({ ...plan, arrival: 'even' })).toBe(100_000)
  })

  it('is higher with a start at the last moment: every page polls every 1.5 s, and then loads the countdown', () => {
    const late = { ...plan, isFlippedLate: true }
    expect(amountsOf(late, ['distribution-requests'])).toEqual([2 * Math.ceil(1_000_000 / 1.5)])
    expect(amountsOf(late, ['flood', 'flood-of-calls'])).toEqual([200 * 23, 200 * 3])
    expect(amountsOf(plan, ['flood-of-calls'])).toEqual([200 * 5])
    const others = limitIds.filter((id) => !/distribution|flood/.test(id))
    expect(amountsOf(late, others)).toEqual(amountsOf(plan, others))
  })

  it('counts buy requests where they exceed all other requests of pages', () => {
    expect(amountsOf({ ...plan, openingSeconds: 1 }, ['distribution-requests'])).toEqual([
      Math.ceil(1_000_000 / 17.5) + 1_000_000,
    ])
  })

  it('is all first clicks in one region unless some are elsewhere, and an environment for each ten of them', () => {
    expect(amountsOf(plan, ['edge-requests', 'edge-concurrency'])).toEqual([firstSecond, 39_614])
    expect(amountOf('edge-requests', { ...plan, busiestShare: 0.5 })).toBe(Math.ceil(firstSecond / 2))
  })

  it('counts the cold burst: in the first second every request keeps an environment busy for half a second', () => {
    expect(amountsOf(plan, ['edge-starts'])).toEqual([Math.ceil(firstSecond / 2)])
    expect(amountsOf({ ...plan, edgeColdSeconds: 0.01 }, ['edge-starts'])).toEqual([39_614])
    // 397 cold requests a second in one region: 199 environments, although 40 are enough once they
    // are warm.
    expect(amountsOf(planOf(dev), ['edge-concurrency', 'edge-starts'])).toEqual([199, 199])
  })

  it('is 11,885 instances with 6.67 requests a second for Redis, and 4,800 commands in a minute', () => {
    expect(sellingCommands(plan)).toBe(1000 * 4 + 200 * 4)
    expect(amountsOf(plan, ['redis-commands'])).toEqual([Math.ceil(11_885 * (2 / 0.6 + 2 + 2 / 1.5) + 4_800 / 60)])
  })

  it('is 6,800 commands for red packets: a claim needs six, an order four', () => {
    expect(sellingCommands({ kind: 'red-packet', stock: 1000 })).toBe(1000 * 6 + 200 * 4)
  })

  it('depends on the stock behind the gate, not on the number of shoppers', () => {
    const ids: LimitId[] = [
      'seller-concurrency',
      'seller-provisioned',
      'queue-rate',
      'table-writes',
      'reader-concurrency',
    ]
    expect(amountsOf(plan, ids)).toEqual([300, 50, 17, 3500, 40])
    expect(amountsOf({ ...plan, shoppers: 5_000_000 }, ids)).toEqual([300, 50, 17, 3500, 40])
  })

  it('is all reservations in the home region, the gate, and consumers without a reservation', () => {
    expect(amountsOf(plan, ['account-concurrency'])).toEqual([576 + 39_614])
    const elsewhere = { ...prod, region: 'ca-central-1' }
    expect(amountOf('account-concurrency', plan, elsewhere)).toBe(576 + 100)
    const { reserved: _, ...unreserved } = prod.functions['write-orders']
    const sharing = { ...prod, functions: { ...prod.functions, 'write-orders': unreserved } }
    expect(amountOf('account-concurrency', plan, sharing)).toBe(566 + 10 + 39_614)
  })

  it('is no less than its own advice on other functions would reserve', () => {
    const plenty = planOf(prod, { shoppers: 100_000, stock: 50_000 })
    const readers = amountOf('reader-concurrency', plenty)
    expect(readers).toBeGreaterThan(100)
    expect(amountOf('account-concurrency', plenty)).toBe(576 + (readers - 60) + (42 - 20) + 3962)
  })
})

describe('the spread of a sale', () => {
  const proposed = (plan: Plan, settings = prod) => proposeSpread(plan, settings, settings.quotas)
  const spread = (plan: Plan, settings = prod): Plan => ({
    ...plan,
    spreadSeconds: proposed(plan, settings).seconds,
  })

  it('is 300 s for a million shoppers in 10 s, so that 3,334 of 396,139 clicks a second start the gate (R8)', () => {
    const { seconds, reasons } = proposed(planOf(prod))
    expect(seconds).toBe(300)
    expect(reasons).toContain('edge starts, busiest region')
    expect(gateClicksPerSecond(spread(planOf(prod)))).toBe(3334)
    expect(amountsOf(spread(planOf(prod)), ['edge-requests', 'edge-concurrency', 'edge-starts'])).toEqual([
      3334, 1000, 1667,
    ])
  })

  it('leaves a million shoppers of one region short of starts, which cannot be raised; 600,000 have room', () => {
    expect(shortIn(spread(planOf(prod)), prod, 'fixed')).toEqual(['edge-starts'])
    const starts = (shoppers: number) => amountOf('edge-starts', planOf(prod, { shoppers, spreadSeconds: 300 }))
    expect([starts(600_000), starts(600_001)]).toEqual([1000, 1001])
  })

  it('leaves a million shoppers of two regions nothing short but quotas to ask for, flipped late or not', () => {
    for (const isFlippedLate of [false, true]) {
      const plan = spread(planOf(prod, { isFlippedLate, busiestShare: 0.5 }))
      expect(shortIn(plan, prod, 'fixed')).toEqual([])
      expect(shortIn(plan, prod, 'settings')).toEqual([])
      const asked = shortIn(plan, prod, 'quota')
      expect(asked).toEqual(['distribution-requests', 'account-concurrency'])
      const advice = findingsOf(plan, prod, prod.quotas).filter(({ state }) => state === 'short')
      for (const finding of advice) expect(finding.advice).toMatch(/Service Quotas, .*: ask for [\d,]+;/)
    }
  })

  it('is the least with which every limit of the gate has room: 230 s for 100,000 shoppers, none for 1,000', () => {
    const plan = planOf(prod, { shoppers: 100_000 })
    expect(proposed(plan).seconds).toBe(230)
    const stateWith = (spreadSeconds: number) =>
      findingsOf({ ...plan, spreadSeconds }, prod, prod.quotas).map(({ state }) => state)
    expect([stateWith(230).includes('close'), stateWith(220).includes('close')]).toEqual([false, true])
    expect(proposed(planOf(dev), dev)).toEqual({ seconds: 0, reasons: [] })
  })

  it('depends on the gate alone: not on a stock, a distribution or an office that is too much', () => {
    const plan = planOf(dev, { stock: 240_000, officePeople: 100_000, sellSeconds: 1 })
    expect(shortIn(plan, dev, 'settings')).not.toEqual(['flood', 'flood-of-calls'])
    expect(proposed(plan, dev).seconds).toBe(0)
  })

  it('does not lower what the passes need, which pages ask for while they wait', () => {
    const early = planOf(prod, { spreadSeconds: 300, waitMinutes: 1, passShare: 1 })
    expect(passesPerSecond(early)).toBe(Math.ceil(1_000_000 / 120))
    expect(amountOf('edge-requests', early)).toBe(8334)
    expect(amountOf('edge-requests', { ...early, passShare: 0 })).toBe(3334)
  })

  it('needs a sign-in of every shopper before the start: two requests each, and one at Cognito', () => {
    const inAnHour = planOf(prod, { signInMinutes: 60 })
    expect(amountOf('sign-in-concurrency', inAnHour)).toBe(167)
    expect(amountOf('sign-in-issuer', inAnHour)).toBe(278)
    expect(shortIn(inAnHour, prod, 'settings')).toContain('sign-in-concurrency')
    expect(shortIn(planOf(prod), prod, 'settings')).not.toContain('sign-in-concurrency')
  })

  it('needs five times as many in their busiest minute, when most sign in right before the start', () => {
    const late = planOf(prod, { signInArrival: 'reaction' })
    const share = (1 - Math.exp(-5 / 240)) / (1 - Math.exp(-5))
    expect(amountOf('sign-in-issuer', late)).toBe(Math.ceil((1_000_000 * share) / 60))
    expect(amountOf('sign-in-concurrency', late)).toBe(Math.ceil(((1_000_000 * share) / 60) * 2 * 0.3))
    expect(amountOf('sign-in-issuer', { ...late, signInMinutes: 1 })).toBe(Math.ceil(1_000_000 / 60))
  })

  it('never worsens a limit when it is longer', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(dev, prod),
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 0, max: maxSpreadSeconds }),
        fc.integer({ min: 0, max: maxSpreadSeconds }),
        (settings, shoppers, a, b) => {
          const needs = (spreadSeconds: number) => planOf(settings, { shoppers, spreadSeconds })
          const [short, long] = [needs(Math.min(a, b)), needs(Math.max(a, b))]
          for (const id of limitIds) {
            expect(amountOf(id, long, settings), id).toBeLessThanOrEqual(amountOf(id, short, settings))
          }
        },
      ),
    )
  })
})

describe('the published targets, tier by tier', () => {
  const tiers = (change: Partial<Plan> = {}) => targetTiers(planOf(prod, change), prod, prod.quotas)
  const isCarried = (change: Partial<Plan> = {}) =>
    tiers(change).map(({ need, limit, canBeRaised }) => (need <= limit ? 'yes' : canBeRaised ? 'with a quota' : 'no'))

  it('are a million shoppers in 10 s at once and over 300 s, and 100,000 orders/s, which 64 databases take', () => {
    expect(tiers().map(({ need, limit }) => [need, limit])).toEqual([
      [453_282, 250_000],
      [396_139, 10_000],
      [198_070, 1000],
      [3334, 10_000],
      [1667, 1000],
      [50_000, 1000],
      [100_000, 133_312],
    ])
    expect(isCarried()).toEqual(['with a quota', 'with a quota', 'no', 'yes', 'no', 'no', 'yes'])
  })

  it('have room for the starts of the gate over 300 s where half of the shoppers are near another region', () => {
    expect(isCarried({ busiestShare: 0.5 })[4]).toBe('yes')
  })

  it('do not depend on the planned crowd and stock', () => {
    expect(tiers({ shoppers: 10, stock: 1, openingSeconds: 60, shards: 3, databases: 3 })).toEqual(tiers())
  })
})

describe('the polls of a waiting page', () => {
  const [inTime, late] = [{ isFlippedLate: false }, { isFlippedLate: true }]

  it('read the pointer 17.5 s after a start that it knows, and otherwise at the start every 1.5 s', () => {
    expect(pollPaceOf(inTime)).toEqual({ near: 17.5, open: 15 })
    expect(pollPaceOf(late)).toEqual({ near: 1.5, open: 15 })
  })

  it('are 2 in five minutes with a known start, 12 when the flip comes at the last moment', () => {
    expect(pollsOf({ ...inTime, waitMinutes: 5 })).toBe(2)
    expect(pollsOf({ ...inTime, waitMinutes: 10 })).toBe(3)
    expect(pollsOf({ ...late, waitMinutes: 5 })).toBe(12)
    expect(pollsOf({ ...late, waitMinutes: 0 })).toBe(1)
  })

  it('make 8 requests of a shopper who waits five minutes and clicks once, and one more when all is sold (C3)', () => {
    const { clicked, lost, won } = targets
    expect(requestsOfShopper(usualHabits)).toBe(6 + 2 + 1)
    expect(requestsOfShopper(usualHabits)).toBeLessThanOrEqual(lost)
    const { orderPage, orderReads, payment, paymentReads } = pageRequests
    const ordered = orderPage + orderReads + payment + paymentReads
    // A winner leaves the page at the start.
    const untilClicked = pageRequests.firstLoad + pollsBetween(inTime, -300, 0) - 1 + pageRequests.click
    expect(untilClicked).toBeLessThanOrEqual(clicked)
    expect(untilClicked + ordered).toBeLessThanOrEqual(won)
  })

  it('make 14 requests in the minute of the start: the load, 2 polls, 3 clicks, the countdown, the challenge, a pass', () => {
    expect(asksInBusiestMinute(inTime)).toBe(6 + 2 + 3 + 3)
  })

  it('make 23 in a minute of waiting for the flip: the load, 13 polls, and a click at its end', () => {
    expect(asksInBusiestMinute(late)).toBe(6 + 13 + 3 + 1)
  })
})

describe('needs', () => {
  it('never shrink with more shoppers, more stock, or earlier arrivals', () => {
    const count = fc.integer({ min: 1, max: 10_000_000 })
    const pair = fc.tuple(count, count).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
    fc.assert(
      fc.property(
        fc.constantFrom<SaleKind>(...saleKinds),
        fc.constantFrom(dev, prod),
        fc.boolean(),
        pair,
        pair,
        fc.tuple(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 0, max: 600 })),
        (kind, settings, isFlippedLate, shoppers, stock, [seconds, more]) => {
          const few = planOf(settings, {
            ...{
              kind,
              isFlippedLate,
              shoppers: shoppers[0],
              stock: stock[0],
              openingSeconds: seconds + more,
            },
          })
          const many = planOf(settings, {
            ...{ kind, isFlippedLate, shoppers: shoppers[1], stock: stock[1], openingSeconds: seconds },
          })
          for (const id of limitIds) {
            expect(amountOf(id, many, settings), id).toBeGreaterThanOrEqual(amountOf(id, few, settings))
          }
        },
      ),
    )
  })

  it('write one sale as fast as its writers, each half a batch of 49 in 100 ms, as long as each has a part of the cap', () => {
    const rateOf = (stock: number, settings = prod) =>
      limitsOf(planOf(settings, { stock }), settings, settings.quotas).find(({ id }) => id === 'queue-rate')
    const more = { ...prod, consumers: { ...prod.consumers, orders: 50 } }
    expect([1, 199, 500, 1000, 100_000].map((stock) => rateOf(stock)?.amount)).toEqual([490, 490, 1225, 2450, 2450])
    // Ten parts for ten writers: an eleventh would find none.
    expect(rateOf(1000)).toMatchObject({ amount: 2450, owner: 'fixed' })
    expect(rateOf(1100)).toMatchObject({ amount: 2450, owner: 'settings' })
    expect(rateOf(1000, more)).toMatchObject({ amount: 2450, owner: 'fixed' })
    expect(rateOf(100_000, more)).toMatchObject({ amount: 32 * 245, owner: 'fixed' })
    const large = findingsOf(planOf(prod, { stock: 490_000 }), prod, prod.quotas)
    expect(large.find(({ id }) => id === 'queue-rate')).toMatchObject({ need: 8167, state: 'short' })
    expect(large.find(({ id }) => id === 'queue-rate')?.advice).toContain('Raise consumers.orders')
    expect(large.find(({ id }) => id === 'queue-rate')?.advice).toContain('take 200 s (--sell-seconds)')
  })

  it('write the claims of one sale through one item: a group of 33 in 100 ms, with any number of writers', () => {
    expect(writesOfOneSale({ kind: 'red-packet', stock: 100_000, sales: 1 }, prod)).toBe(330)
  })

  it('count an environment for each ten calls of a second, however short they are', () => {
    expect(environmentsFor(1000, 0.001)).toBe(100)
    expect(environmentsFor(1000, 0.3)).toBe(300)
  })

  it('leave Redis at least the seconds that its rate needs for the commands', () => {
    const plan = planOf(prod, { stock: 50_000 })
    expect(sellingFloorSeconds(plan, prod.quotas)).toBe((50_000 * 4 + 10_000 * 4) / 10_000)
  })
})

describe('sales that are separate', () => {
  /** 240,000 orders in a minute: 19,200 commands a second, more than one database takes. */
  const large = planOf(dev, { shoppers: 1000, stock: 240_000 })
  const found = (change: Partial<Plan>, quotas = dev.quotas) =>
    findingsOf({ ...large, ...change }, dev, quotas).find(({ id }) => id === 'stock-commands')

  it('use as many databases as they have shards, so one with a single shard is too much even with twelve', () => {
    for (const databases of [1, 2, 12]) {
      expect(found({ databases }), String(databases)).toMatchObject({ need: 19_200, state: 'short' })
    }
    expect(found({})?.advice).toContain('over 2 databases (shards of the sale; --shards 2). Add databases')
    expect(found({})?.advice).toContain('until there are 2 (--databases 2; their price is below)')
    expect(found({ databases: 12 })?.advice).toContain('--shards 2). There are enough databases for that')
    expect(found({ sellSeconds: 116 })?.state).toBe('ok')
    expect(found({ shards: 2, databases: 2 })).toMatchObject({ need: 9600, state: 'ok' })
    expect(found({ shards: 3, databases: 4 })).toMatchObject({ need: 6400, state: 'ok' })
  })

  it('divide their shards over the databases, and the advice counts those of all sales', () => {
    const three = { sales: 3, stock: 3 * 240_000 }
    expect(found({ ...three, shards: 2, databases: 2 })).toMatchObject({ need: 28_800, state: 'short' })
    expect(found({ ...three, shards: 2, databases: 2 })?.advice).toContain('until there are 6 (--databases 6')
    expect(found({ ...three, shards: 2, databases: 6 })).toMatchObject({ need: 9600, state: 'ok' })
  })

  it('get no advice that one shop cannot follow: it lists at most twelve databases', () => {
    const huge = { stock: 10_000_000 }
    expect(found({ ...huge, shards: 12, databases: 12 })?.state).toBe('short')
    expect(found(huge)?.advice).toContain('It needs 80 databases, and one shop lists at most 64.')
    expect(found({ stock: 12 * 125_000 })?.advice).toContain('until there are 12 (--databases 12;')
    expect(found({ stock: 64 * 125_000 + 1 })?.advice).toContain('It needs 65 databases')
    expect(found({ stock: 12 * 125_000, shards: 12, databases: 12 })?.state).toBe('ok')
  })

  it('of red packets are in one database each, and the advice does not split them', () => {
    const packets = found({ kind: 'red-packet', databases: 12 })
    expect(packets?.state).toBe('short')
    expect(packets?.advice).toContain('The packets of a sale are in one database')
  })

  it('divide the load as far as there is a database for each', () => {
    const needOfSales = (sales: number, databases: number) => found({ sales, databases })?.need
    expect(needOfSales(2, 2)).toBe(9600)
    expect(needOfSales(3, 2)).toBe(12_800)
    expect(needOfSales(4, 4)).toBe(4800)
    expect(needOfSales(1, 4)).toBe(19_200)
    expect(needOfSales(4, 1)).toBe(19_200)
  })

  it('that meet in a database come with the number of databases that is enough', () => {
    expect(found({ sales: 4, databases: 1 })?.advice).toContain('until there are 2 (--databases 2;')
    expect(found({ sales: 4, databases: 2 })?.state).toBe('ok')
    expect(found({ sales: 5, databases: 1 })?.advice).toContain('until there are 3 (--databases 3;')
    expect(found({ sales: 5, databases: 2 })?.state).toBe('short')
    expect(found({ sales: 5, databases: 3 })?.state).toBe('ok')
  })

  it('leave the gate a database of its own once there are several', () => {
    const gateOf = (databases: number) => amountOf('redis-commands', { ...planOf(prod), databases })
    expect([gateOf(1), gateOf(2)]).toEqual([79_314, 79_234])
    const names = limitsOf({ ...planOf(prod), databases: 2 }, prod, prod.quotas).map(({ name }) => name)
    expect(names).toContain("Redis commands/s, gate's database")
  })

  it('are written by the consumers that they share, each with the parts of its own cap', () => {
    const rate = (sales: number) => writesOfOneSale({ kind: 'goods', stock: 1000, sales }, prod)
    expect([1, 2, 5, 10, 20].map(rate)).toEqual([2450, 1225, 490, 490, 245])
    const packets = (sales: number) => writesOfOneSale({ kind: 'red-packet', stock: 1000, sales }, prod)
    expect([1, 2, 10, 20].map(packets)).toEqual([330, 330, 330, 165])
  })

  it('sell in the time that the busiest database needs', () => {
    const floor = (sales: number, databases: number) => sellingFloorSeconds({ ...large, sales, databases }, dev.quotas)
    expect([floor(1, 1), floor(1, 4), floor(4, 2), floor(3, 2)]).toEqual([115.2, 115.2, 57.6, 76.8])
  })
})

describe('a finding', () => {
  const plan = planOf(dev)
  const findingOf = (id: LimitId, quotas: Partial<StageSettings['quotas']>) => {
    const settings = { ...dev, quotas: { ...dev.quotas, ...quotas } }
    return findingsOf(plan, settings, settings.quotas).find((one) => one.id === id)
  }

  it('is short above the limit, close above four fifths of it, and otherwise fine', () => {
    const need = 397
    expect(amountOf('edge-requests', plan, dev)).toBe(need)
    const stateAt = (limit: number) => findingOf('edge-requests', { edgeRequestsPerSecond: limit })?.state
    expect([stateAt(396), stateAt(397), stateAt(496), stateAt(497)]).toEqual(['short', 'close', 'close', 'ok'])
  })

  it('says what to request and where, with a fifth to spare', () => {
    expect(findingOf('edge-concurrency', { edgeConcurrency: 1 })?.advice).toMatch(
      /ask for 250 in each of the 13 regions/,
    )
    expect(findingOf('edge-concurrency', {})?.advice).toBeUndefined()
    expect([worthAsking(50_000, 'crowd'), worthAsking(899, 'stock')]).toEqual([63_000, 900])
  })

  it('may use up what follows the stock, which is no forecast', () => {
    const all = findingsOf(planOf(prod), prod, prod.quotas)
    expect(all.find(({ id }) => id === 'seller-concurrency')).toMatchObject({ share: 1, state: 'ok' })
  })

  it('that is accepted stays short and stops nothing', () => {
    const quotas = { ...dev.quotas, edgeRequestsPerSecond: 1 }
    const ready = (accepted: LimitId[]) => isReady({ findings: findingsOf(plan, dev, quotas, accepted) })
    expect([ready([]), ready(['flood']), ready(['edge-requests'])]).toEqual([false, false, true])
  })
})

describe('more of a quota', () => {
  const atMost = (max: number) => fc.integer({ min: 1, max })
  const anyQuotas: fc.Arbitrary<Quotas> = fc.record({
    functionConcurrency: atMost(50_000),
    edgeConcurrency: atMost(50_000),
    edgeRequestsPerSecond: atMost(500_000),
    distributionRequestsPerSecond: atMost(5_000_000),
    redisCommandsPerSecond: atMost(500_000),
    paymentPagesPerSecond: atMost(1000),
  })
  const anyPlan = fc.record({
    kind: fc.constantFrom<SaleKind>(...saleKinds),
    shoppers: atMost(5_000_000),
    stock: atMost(100_000),
    openingSeconds: atMost(60),
    isFlippedLate: fc.boolean(),
  })
  const rank = { ok: 0, close: 1, short: 2 }

  it('never worsens the verdict, limit by limit', () => {
    fc.assert(
      fc.property(
        anyPlan,
        fc.constantFrom(dev, prod),
        anyQuotas,
        fc.constantFrom(...quotaNames),
        atMost(500_000),
        (change, settings, quotas, raised, by) => {
          const plan = planOf(settings, change)
          const more = { ...quotas, [raised]: quotas[raised] + by }
          const [before, after] = [findingsOf(plan, settings, quotas), findingsOf(plan, settings, more)]
          for (const [index, finding] of after.entries()) {
            const former = before[index]
            expect(finding.id).toBe(former?.id)
            expect(rank[finding.state], finding.id).toBeLessThanOrEqual(rank[former?.state ?? 'ok'])
            expect(finding.share, finding.id).toBeLessThanOrEqual(former?.share ?? 0)
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  // One largest number is found by calculating dozens of plans.
  it('never lowers the load that a stage can take', () => {
    fc.assert(
      fc.property(
        anyPlan,
        fc.constantFrom(dev, prod),
        anyQuotas,
        fc.constantFrom(...quotaNames),
        atMost(500_000),
        (change, settings, quotas, raised, by) => {
          const plan = planOf(settings, change)
          const more = { ...quotas, [raised]: quotas[raised] + by }
          const most = mostShoppers(plan, settings, quotas)
          expect(mostShoppers(plan, settings, more)).toBeGreaterThanOrEqual(most)
        },
      ),
      { numRuns: 25 },
    )
  })

  it('leads to a stage that is ready, when all requests are granted and the rest accepted', () => {
    const plan = planOf(prod)
    const quotas = {
      functionConcurrency: 51_000,
      edgeConcurrency: 50_000,
      edgeRequestsPerSecond: 500_000,
      distributionRequestsPerSecond: 570_000,
      redisCommandsPerSecond: 85_000,
      paymentPagesPerSecond: 20,
    }
    expect(isReady({ findings: findingsOf(plan, prod, quotas, ['edge-starts']) })).toBe(true)
  })
})

describe('the largest number of shoppers for a stage', () => {
  it('is the last one for which nothing is short', () => {
    const plan = planOf(prod)
    const most = mostShoppers(plan, prod, prod.quotas)
    const readyFor = (shoppers: number) => isReady({ findings: findingsOf({ ...plan, shoppers }, prod, prod.quotas) })
    expect([readyFor(most), readyFor(most + 1)]).toEqual([true, false])
    // Of 1,000 in the home region 424 are left for the gate: 848 cold requests in the first second,
    // which has 40 % of the shoppers.
    expect(most).toBe(2140)
  })

  it('is 0 when the stock alone exceeds a limit', () => {
    expect(mostShoppers(planOf(prod, { stock: 1_000_000 }), prod, prod.quotas)).toBe(0)
  })
})

describe('the settings of a stage', () => {
  it.each([dev, prod, prodSelling(['red-packet'])])(
    '$name can take its own forecast, of each kind it sells, flipped late or not, except for raised quotas',
    (settings) => {
      for (const kind of settings.sells) {
        for (const isFlippedLate of [false, true]) {
          expect(shortIn(planOf(settings, { kind, isFlippedLate }), settings, 'settings'), kind).toEqual([])
        }
      }
    },
  )

  it('of dev need no raised quota', () => {
    expect(findingsOf(planOf(dev), dev, dev.quotas).filter(({ state }) => state !== 'ok')).toEqual([])
  })

  it('of prod need the quotas raised for a million shoppers, and nothing else', () => {
    expect(shortIn(planOf(prod), prod, 'quota')).toEqual([
      'distribution-requests',
      'edge-requests',
      'edge-concurrency',
      'account-concurrency',
      'redis-commands',
    ])
    expect(shortIn(planOf(prod), prod, 'fixed')).toEqual(['edge-starts'])
  })

  it('of prod reserve 576 together and leave an account at least the hundred that it must keep', () => {
    expect(reservedInAll(prod)).toBe(576)
    for (const sells of [['goods'], ['red-packet'], ['goods', 'red-packet']] as const) {
      const left = prod.quotas.functionConcurrency - reservedInAll(prodSelling(sells))
      expect(left, sells.join()).toBeGreaterThanOrEqual(unreservedAtLeast)
    }
  })

  it('of prod do not reserve for reserve and claim at once unless it sells what both are for', () => {
    const of = (...sells: SaleKind[]) => {
      const { reserve, claim } = prodSelling(sells).functions
      return [reserve.reserved, claim.reserved, reserve.provisioned, claim.provisioned]
    }
    expect(of('goods')).toEqual([300, 10, 50, undefined])
    expect(of('coupon')).toEqual([300, 10, 50, undefined])
    expect(of('red-packet')).toEqual([10, 300, undefined, 50])
    expect(of('goods', 'red-packet')).toEqual([300, 300, 50, 50])
  })

  it('of prod reserve for each consumer what its event sources may start: 10, 10 and 5', () => {
    const { functions } = prod
    expect(functions['write-orders'].reserved).toBe(10)
    expect(functions['credit-wallets'].reserved).toBe(10)
    expect(functions['cancel-unpaid'].reserved).toBe(5)
  })

  it('are refused, all problems at once, when a consumer has less than its queue may start, or shares a pool with the gate', () => {
    const { reserved: _, ...unreserved } = prod.functions.control
    const wrong: StageSettings = {
      ...prod,
      alarmEmail: '',
      functions: {
        ...prod.functions,
        control: unreserved,
        'write-orders': { memoryMb: 1769, reserved: 9 },
      },
    }
    expect(() => refuseBadSettings(wrong)).toThrow(
      'infra/settings/prod.ts: functions.write-orders.reserved is 9, but its queues may start 10; functions.control.reserved is missing: it would share a pool with the gate; alarmEmail is missing: alarms would have no recipient',
    )
    for (const settings of [dev, prod]) expect(() => refuseBadSettings(settings)).not.toThrow()
  })

  it('of prod match the calculations in their comments', () => {
    const { functions, table } = prod
    expect(functions.reserve).toMatchObject({ reserved: 300, provisioned: 50 })
    expect([functions.orders, functions['held-reads'], functions.wallet].map(({ reserved }) => reserved)).toEqual([
      60, 40, 10,
    ])
    expect(functions['order-changes'].reserved).toBe(30)
    expect(table.warmWritesPerSecond).toBe(4000)
    expect(prod.firewall?.floodLimit).toBeGreaterThan(200 * asksInBusiestMinute({ isFlippedLate: true }))
    expect(prod.firewall?.callLimit).toBeGreaterThan(200 * callsInBusiestMinute({ isFlippedLate: false }))
  })

  it('let the table accept no more writes than Redis sells orders, and no fewer than a new one accepts', () => {
    const writes = (stock: number) => tableWritesFor({ stock }, 2)
    expect([writes(1000), writes(1700), writes(2000), writes(1_000_000)]).toEqual([4000, 5950, 7000, 7000])
  })
})

describe('provisioned environments', () => {
  const rains = prodSelling(['red-packet'])
  const readyFinding = (settings: StageSettings) =>
    findingsOf(planOf(settings, { kind: 'red-packet' }), settings, settings.quotas).find(
      ({ id }) => id === 'seller-provisioned',
    )
  const few = {
    ...rains,
    functions: { ...rains.functions, claim: { ...rains.functions.claim, provisioned: 2 } },
  }
  const put =
    /^aws lambda put-provisioned-concurrency-config --region eu-west-1 --function-name sluice-prod-(\w+) --qualifier live --provisioned-concurrent-executions (\d+)$/

  it('are added by one command and removed by another, for the function that sells', () => {
    for (const [settings, seller, environments] of [
      [prod, 'reserve', 50],
      [rains, 'claim', 50],
    ] as const) {
      const { before, after } = provisionCommands(settings, seller) ?? {}
      expect(put.exec(before ?? '')?.slice(1)).toEqual([seller, String(environments)])
      expect(after).toBe(
        `aws lambda delete-provisioned-concurrency-config --region eu-west-1 --function-name sluice-prod-${seller} --qualifier live`,
      )
    }
    expect(put.exec(putProvisioned(prod, 'reserve', '1,200'))?.[2]).toBe('1200')
  })

  it('need no command where they are always on, or none are wanted', () => {
    expect(provisionCommands({ ...prod, keepProvisioned: true }, 'reserve')).toBeUndefined()
    expect(provisionCommands(dev, 'reserve')).toBeUndefined()
  })

  it('that are too few come with the command for more, or with a deployment where they are always on', () => {
    const advice = (keepProvisioned: boolean) => readyFinding({ ...few, keepProvisioned })?.advice
    expect(advice(false)).toMatch(
      /claim\.provisioned to 50 in .*prod\.ts, and provision them before the sale: aws lambda put-.*sluice-prod-claim .* 50\.$/,
    )
    expect(advice(true)).toMatch(/claim\.provisioned to 50 in .*prod\.ts, and deploy\.$/)
  })
})

describe('the report', () => {
  const report = (settings: StageSettings): Report => {
    const plan = planOf(settings)
    const commands = provisionCommands(settings, 'reserve')
    return {
      ...(commands !== undefined && { provisionCommands: commands }),
      ...{
        stage: settings.name,
        plan,
        spread: proposeSpread(plan, settings, settings.quotas),
        databases: databaseReport(plan, settings.quotas.redisCommandsPerSecond, 'fixed-prod-pack'),
        sellingFloorSeconds: 1.1,
        writingFloorSeconds: 2.1,
        mostShoppers: 30_000,
        waits: [{ minutes: 5, dollars: 1.5 }],
        visits: [{ times: 2, dollars: 2.5, free: 1 }],
        signInWays: signInWays(plan, settings, settings.quotas, priceBooks.eu),
        signInCurve: signInCurve(plan),
        targets: targetTiers(plan, settings, settings.quotas),
      },
      findings: findingsOf(plan, settings, settings.quotas),
      signIn: 'Sign-in is not in the sum.',
      priceRegion: 'eu',
      crowds: crowdsOf(plan, { settings, quotas: settings.quotas, accepted: [] }, () => [
        { item: 'Lambda', quantity: '1', dollars: 1.5 },
      ]),
      sale: [{ item: 'Lambda', quantity: '1', dollars: 1.5 }],
      cdnPlans: settings.firewall ? cdnPlanCosts([], 7_000_000, 13) : [],
      standing: [{ item: 'Secrets', quantity: '3', dollars: 1.2 }],
    }
  }
  const plain = { width: 80, colour: false, formulas: true }

  it.each([dev, prod])('of $name fits a terminal of 80 columns', (settings) => {
    const tooLong = reportLines(report(settings), plain).filter((line) => line.length > 80)
    expect(tooLong).toEqual([])
  })

  it('has every limit with its formula, and a sentence at the end', () => {
    const lines = reportLines(report(prod), plain)
    for (const { name } of limitsOf(planOf(prod), prod, prod.quotas)) {
      expect(
        lines.some((line) => /^[✓~✗] /.test(line) && line.includes(name)),
        name,
      ).toBe(true)
    }
    expect(lines.filter((line) => line.startsWith('    = '))).toHaveLength(24)
    expect(lines.slice(-3).join(' ')).toMatch(/prod cannot bear this sale as planned: 6 of 24 limits are short/)
    expect(reportLines(report(dev), plain).at(-1)).toBe('dev can bear this sale, and up to 30,000 shoppers.')
  })

  it('prints the commands around the sale ready for a shell, and only where they are needed', () => {
    const text = reportLines(report(prod), plain)
      .join('\n')
      .replaceAll(/ \\\n */g, ' ')
    expect(text).toContain(`  ${provisionCommands(prod, 'reserve')?.before}\n`)
    expect(text).toContain(`  ${provisionCommands(prod, 'reserve')?.after}\n`)
    expect(reportLines(report({ ...prod, keepProvisioned: true }), plain).join('\n')).not.toContain('aws lambda')
  })

  it('has colours only on a terminal', () => {
    const isPainted = (colour: boolean) =>
      reportLines(report(prod), { ...plain, colour })
        .join('')
        .includes('\u001b[')
    expect([isPainted(true), isPainted(false)]).toEqual([true, false])
  })
})

describe('the quotas of the account', () => {
  const lambdaOf = (amount: number) => ({ AccountLimit: { ConcurrentExecutions: amount } })
  const listed = {
    Quotas: [
      { QuotaName: 'Data transfer rate per distribution', Value: 150 },
      { QuotaName: 'Requests per second per distribution', Value: 300_000 },
    ],
  }
  const regionIn = (args: readonly string[]) => args[args.indexOf('--region') + 1] ?? ''
  const account: AwsCli = async (...args) =>
    args[0] === 'lambda' ? lambdaOf(regionIn(args) === 'sa-east-1' ? 50 : 2000) : listed

  it('are those of the home region, the lowest of the regions of the gate, and those of CloudFront', async () => {
    const { quotas } = await readAccount(account, prod)
    expect(quotas).toEqual({
      ...prod.quotas,
      functionConcurrency: 2000,
      edgeConcurrency: 50,
      distributionRequestsPerSecond: 300_000,
    })
  })

  it('are the documented defaults where they cannot be read, each with the reason', async () => {
    const { quotas, readings } = await readAccount(async () => {
      throw new AwsRefused('no credentials')
    }, prod)
    expect(quotas).toEqual(documentedQuotas)
    const why = Object.fromEntries(readings.map(({ quota, problem }) => [quota, problem]))
    expect(why).toMatchObject({
      functionConcurrency: 'no credentials',
      edgeConcurrency: 'not read in all: no credentials',
      distributionRequestsPerSecond: 'no credentials',
      edgeRequestsPerSecond: expect.stringContaining('AWS Support'),
    })
  })

  it('name the region that was not read, and count it as the default', async () => {
    const { quotas, readings } = await readAccount(async (...args) => {
      if (regionIn(args) === 'ap-south-1') throw new AwsRefused('the region is switched off')
      return account(...args)
    }, prod)
    expect(quotas.edgeConcurrency).toBe(50)
    expect(readings.find(({ quota }) => quota === 'edgeConcurrency')?.problem).toBe(
      'not read in ap-south-1: the region is switched off',
    )
  })

  it('report an answer in an undocumented form', async () => {
    const { readings } = await readAccount(async () => ({}), prod)
    expect(readings.find(({ quota }) => quota === 'functionConcurrency')?.problem).toMatch(/not expected/)
    const { readings: unlisted } = await readAccount(async (...args) => {
      return args[0] === 'lambda' ? lambdaOf(1) : { Quotas: [] }
    }, prod)
    expect(unlisted.find(({ quota }) => quota === 'distributionRequestsPerSecond')?.problem).toMatch(
      /does not list "Requests per second per distribution"/,
    )
  })
})
