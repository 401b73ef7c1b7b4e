import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AwsCliError } from '../../cli/aws-cli.ts'
import { readAccount as readBy } from '../../cli/preflight/account.ts'
import {
  amountToRequest,
  blockingFindings,
  checkLimits,
  findMaxCrowd,
  type LimitId,
  limitIds,
  needOf,
  proposeSpread,
} from '../../cli/preflight/limits.ts'
import {
  environmentsFor,
  minUnreserved,
  sellingCommands,
  totalReserved,
  writesPerSale,
} from '../../cli/preflight/load.ts'
import {
  clicksPerSecond,
  defaultPlan,
  gateClicksPerSecond,
  pageRequests,
  pollsBetween,
  requestsOfShopper,
  type SalePlan,
} from '../../cli/preflight/plan.ts'
import { type SaleKind, saleKinds } from '../../core/sale/kinds.ts'
import { defaultThrottle } from '../../core/sale/sale.ts'
import { maxSpreadSeconds } from '../../core/sale/settings.ts'
import { tableWritesFor } from '../../infra/settings/arithmetic.ts'
import { dev } from '../../infra/settings/dev.ts'
import { refuseBadSettings } from '../../infra/settings/problems.ts'
import { prod, prodSelling } from '../../infra/settings/prod.ts'
import { documentedQuotas, type Quotas } from '../../infra/settings/quotas.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { awsOf } from './aws-of.ts'

const planOf = ({ forecast }: StageSettings, change: Partial<SalePlan> = {}): SalePlan => ({
  ...defaultPlan,
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

const amountsOf = (plan: SalePlan, ids: readonly LimitId[]) => ids.map((id) => needOf(id, plan, prod))
const findingIn = (id: LimitId, plan: SalePlan, settings = prod, quotas = settings.quotas) =>
  checkLimits(plan, settings, quotas).find((one) => one.id === id)
const shortIn = (plan: SalePlan, settings: StageSettings, owner: string) =>
  blockingFindings(checkLimits(plan, settings, settings.quotas))
    .filter((finding) => finding.owner === owner)
    .map(({ id }) => id)

describe('the load of a million shoppers for a thousand units', () => {
  const plan = planOf(prod)
  /** 1 - e^(-1 s / 2 s), of what comes within 10 s. */
  const firstSecond = Math.ceil((1_000_000 * (1 - Math.exp(-0.5))) / (1 - Math.exp(-5)))

  it('has 40 % of its first clicks in the first second, as people react to a start; each page loads the new countdown in 7 s', () => {
    expect([firstSecond, clicksPerSecond(plan)]).toEqual([396_139, firstSecond])
    expect(clicksPerSecond({ ...plan, openingSeconds: 1 })).toBe(1_000_000)
    const clicks = (share: number) => Math.ceil((1_000_000 * share) / (1 - Math.exp(-5)))
    const loads = 2 * Math.ceil(1_000_000 / 7)
    // The most that an opening leaves for its third second; one of 30 s leaves fewer.
    expect(amountsOf(plan, ['distribution-requests'])).toEqual([loads + clicks((2 / 3) ** 2 - (2 / 3) ** 3)])
    const slow = { ...plan, openingSeconds: 30 }
    expect(amountsOf(slow, ['distribution-requests'])).toEqual([loads + clicks(Math.exp(-1 / 3) - Math.exp(-1 / 2))])
    expect(amountsOf({ ...plan, openingSeconds: 1 }, ['distribution-requests'])).toEqual([1_000_000])
  })

  it('is all first clicks in one region unless some are elsewhere, and an environment for each ten of them', () => {
    expect(amountsOf(plan, ['edge-requests', 'edge-concurrency'])).toEqual([firstSecond, 39_614])
    expect(amountsOf({ ...plan, busiestShare: 0.5 }, ['edge-requests'])).toEqual([Math.ceil(firstSecond / 2)])
  })

  it('counts the cold burst: in the first second every request keeps an environment busy for half a second', () => {
    expect(amountsOf(plan, ['edge-starts'])).toEqual([Math.ceil(firstSecond / 2)])
    // 397 cold requests a second: 199 environments, although 40 are enough once they are warm.
    expect(needOf('edge-concurrency', planOf(dev), dev)).toBe(199)
  })

  it('is 11,885 instances with 6.67 requests a second for Redis, and 4,800 commands in a minute at the stock', () => {
    expect(sellingCommands(plan)).toBe(1000 * 4 + 200 * 4)
    expect(sellingCommands({ kind: 'red-packet', stock: 1000 })).toBe(1000 * 5 + 200 * 4)
    expect(amountsOf(plan, ['redis-commands'])).toEqual([Math.ceil(11_885 * (2 / 0.6 + 2 + 2 / 1.5))])
  })

  it('depends on the stock behind the gate, not on the number of shoppers', () => {
    const ids: LimitId[] = [
      ...(['seller-concurrency', 'seller-provisioned', 'queue-rate', 'table-writes', 'table-reads'] as const),
      ...(['reader-concurrency', 'payment-concurrency', 'payment-pages', 'stock-commands'] as const),
    ]
    expect(amountsOf(plan, ids)).toEqual([300, 50, 17, 3500, 400, 40, 1, 2, 80])
    expect(amountsOf({ ...plan, shoppers: 5_000_000 }, ids)).toEqual([300, 50, 17, 3500, 400, 40, 1, 2, 80])
  })

  it('is all reservations in the home region, the gate, and consumers without a reservation', () => {
    expect(amountsOf(plan, ['account-concurrency'])).toEqual([556 + 39_614])
    expect(needOf('account-concurrency', plan, { ...prod, region: 'ca-central-1' })).toBe(556 + 100)
    const { reserved: _, ...unreserved } = prod.functions['write-orders']
    const sharing = { ...prod, functions: { ...prod.functions, 'write-orders': unreserved } }
    expect(needOf('account-concurrency', plan, sharing)).toBe(546 + 10 + 39_614)
    // No less than its own advice on other functions would reserve.
    const plenty = planOf(prod, { shoppers: 100_000, stock: 50_000 })
    const readers = needOf('reader-concurrency', plenty, prod)
    expect(amountsOf(plenty, ['account-concurrency'])).toEqual([556 + (readers - 60) + (42 - 20) + 3962])
  })

  it('is a sign-in of every shopper before the start: two requests each, and one at Cognito', () => {
    const ids: LimitId[] = ['sign-in-concurrency', 'sign-in-issuer']
    expect(amountsOf(plan, ids)).toEqual([42, 70])
    expect(amountsOf({ ...plan, signInMinutes: 60 }, ids)).toEqual([167, 278])
    expect(shortIn({ ...plan, signInMinutes: 60 }, prod, 'settings')).toContain('sign-in-concurrency')
  })

  it('is a sign-up of each new shopper: two requests at Cognito, and a code by the email of SES', () => {
    const ids: LimitId[] = ['sign-up-issuer', 'codes-per-second', 'mails-per-day']
    // One in ten, within four hours.
    expect(amountsOf(plan, ids)).toEqual([14, 7, 100_000])
    expect(amountsOf({ ...plan, newShare: 1 }, ids)).toEqual([139, 70, 1_000_000])
    expect(ids.map((id) => findingIn(id, { ...plan, newShare: 1 })?.limit)).toEqual([50, 14, 50_000])
    const selling = { ...prod, mail: { from: 'orders@shop.example' } }
    expect(needOf('mails-per-day', plan, selling)).toBe(100_000 + 3 * 1000)
    // Cognito sends those of a trial itself, and another issuer makes accounts of its own.
    const elsewhere = { kind: 'issuer', issuer: 'https://login.example' } as unknown as StageSettings['signIn']
    const left = (settings: StageSettings) => ids.filter((id) => findingIn(id, plan, settings) !== undefined)
    expect([left(dev), left({ ...prod, signIn: elsewhere })]).toEqual([['sign-up-issuer'], []])
  })

  it('is for 5,000 behind one address a load, 3 polls, the countdown, and 5 calls of each; they sign in before', () => {
    const ids: LimitId[] = ['flood', 'flood-of-calls', 'flood-of-sign-ins']
    expect(amountsOf(plan, ids)).toEqual([5000 * (6 + 3 + 1 + 5), 5000 * 5, Math.ceil((5000 * 2) / 240)])
    // No more than there are.
    expect(amountsOf({ ...plan, shoppers: 200 }, ids)).toEqual([3000, 1000, 2])
    expect(findingIn('flood', planOf(dev), dev)).toBeUndefined()
  })

  it('fits an address with 5,000 people, and says which limit stops more, or those who sign in too late', () => {
    const shortWith = (change: Partial<SalePlan>) =>
      shortIn({ ...plan, ...change, spreadSeconds: 300 }, prod, 'settings')
    expect([shortWith({ perAddress: 5000 }), shortWith({ perAddress: 300 })]).toEqual([[], []])
    expect(shortWith({ perAddress: 7000 })).toEqual(['flood', 'flood-of-calls'])
    expect(shortWith({ perAddress: 5000, signInMinutes: 5 })).toContain('flood-of-sign-ins')
    expect(findingIn('flood-of-calls', { ...plan, perAddress: 7000 })?.advice).toBe(
      'Set firewall.callLimit to 44,000 in infra/settings/prod.ts and deploy an hour before.',
    )
  })

  it('behind one address is never refused by an instance of the gate, which serves ten requests a second (R3)', () => {
    const { perIp } = defaultThrottle
    expect(10 * perIp.windowSeconds).toBeLessThan(perIp.limit)
  })
})

it('the polls of a waiting page make 11 requests of a shopper who waits five minutes, clicks once and looks again (C3)', () => {
  expect(pollsBetween(-300, 30) - 1).toBe(3)
  // The countdown of the start is one of them (C6).
  expect(requestsOfShopper(defaultPlan)).toBe(6 + 3 + 1 + 1)
  const { orderPage, orderReads, payment, paymentReads } = pageRequests
  // A winner leaves the page at the start.
  const untilClicked = pageRequests.firstLoad + pollsBetween(-300, 0) - 1 + pageRequests.click
  expect(untilClicked).toBeLessThanOrEqual(8)
  expect(untilClicked + orderPage + orderReads + payment + paymentReads).toBeLessThanOrEqual(17)
})

describe('the spread of a sale', () => {
  const proposed = (plan: SalePlan, settings = prod) => proposeSpread(plan, settings, settings.quotas)
  const spread = (plan: SalePlan): SalePlan => ({ ...plan, spreadSeconds: proposed(plan) })

  it('is 300 s for a million shoppers in 10 s, so that 3,334 of 396,139 clicks a second start the gate (R8)', () => {
    const plan = spread(planOf(prod))
    expect([plan.spreadSeconds, gateClicksPerSecond(plan)]).toEqual([300, 3334])
    expect(amountsOf(plan, ['edge-requests', 'edge-concurrency', 'edge-starts'])).toEqual([3334, 1000, 1667])
  })

  it('leaves a million shoppers of one region short of starts, which cannot be raised; 600,000 have room', () => {
    expect(shortIn(spread(planOf(prod)), prod, 'fixed')).toEqual(['edge-starts'])
    const starts = (shoppers: number) => needOf('edge-starts', planOf(prod, { shoppers, spreadSeconds: 300 }), prod)
    expect([starts(600_000), starts(600_001)]).toEqual([1000, 1001])
  })

  it('leaves a million shoppers of two regions nothing short but quotas to ask for', () => {
    const plan = spread(planOf(prod, { busiestShare: 0.5 }))
    expect([shortIn(plan, prod, 'fixed'), shortIn(plan, prod, 'settings')]).toEqual([[], []])
    expect(shortIn(plan, prod, 'quota')).toEqual(['distribution-requests', 'account-concurrency', 'mails-per-day'])
    const asked = { functionConcurrency: 2000, distributionRequestsPerSecond: 570_000, mailsPerDay: 130_000 }
    const granted = { ...prod.quotas, ...asked }
    expect(blockingFindings(checkLimits(plan, prod, granted))).toEqual([])
  })

  it('is the least with which every limit of the gate has room: 210 s for 100,000 shoppers, none for 1,000', () => {
    const plan = planOf(prod, { shoppers: 100_000 })
    expect([proposed(plan), proposed(planOf(dev), dev)]).toEqual([210, 0])
    const isClose = (spreadSeconds: number) =>
      checkLimits({ ...plan, spreadSeconds }, prod, prod.quotas).some(({ state }) => state === 'close')
    expect([isClose(210), isClose(200)]).toEqual([false, true])
    // A stock that is too much is no reason for a spread.
    expect(proposed(planOf(dev, { stock: 240_000 }), dev)).toBe(0)
  })

  it('does not lower what the passes need, which pages ask for while they wait', () => {
    const plan = planOf(prod, { spreadSeconds: 300, waitMinutes: 0, shoppers: 1_000_000 })
    expect(amountsOf(plan, ['edge-requests'])).toEqual([(1_000_000 * 0.05) / 10])
  })
})

describe('needs', () => {
  const count = fc.integer({ min: 1, max: 10_000_000 })
  const pair = fc.tuple(count, count).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
  const seconds = fc.integer({ min: 0, max: maxSpreadSeconds })
  const spreads = fc.tuple(seconds, seconds).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)

  it('never shrink with more shoppers, more stock, an earlier arrival or a shorter spread', () => {
    const opening = fc.tuple(fc.integer({ min: 1, max: 600 }), fc.integer({ min: 0, max: 600 }))
    const kinds = fc.constantFrom<SaleKind>(...saleKinds)
    fc.assert(
      fc.property(kinds, fc.constantFrom(dev, prod), pair, pair, opening, spreads, (kind, settings, ...pairs) => {
        const [shoppers, stock, [openingSeconds, later], spread] = pairs
        const few = { kind, shoppers: shoppers[0], stock: stock[0], openingSeconds: openingSeconds + later }
        const many = { kind, shoppers: shoppers[1], stock: stock[1], openingSeconds }
        const needsOf = (change: Partial<SalePlan>) =>
          limitIds.map((id) => needOf(id, planOf(settings, change), settings))
        const less = needsOf({ ...few, spreadSeconds: spread[1] })
        for (const [at, need] of needsOf({ ...many, spreadSeconds: spread[0] }).entries()) {
          expect(need, limitIds[at]).toBeGreaterThanOrEqual(less[at] ?? Number.NaN)
        }
      }),
      // The third second of an opening of 9 s has fewer clicks than that of one of 10 s.
      { examples: [['goods', dev, [323, 323], [1, 1], [9, 1], [0, 0]]] },
    )
  })

  it('write one sale as fast as its writers, each half a batch of 49 in 100 ms, as long as each has a part of the cap', () => {
    const rateOf = (stock: number, settings = prod) => findingIn('queue-rate', planOf(settings, { stock }), settings)
    const more = { ...prod, consumers: { ...prod.consumers, orders: 50 } }
    expect([1, 199, 500, 1000, 100_000].map((stock) => rateOf(stock)?.limit)).toEqual([490, 490, 1225, 2450, 2450])
    // Ten parts for ten writers: an eleventh would find none.
    expect(rateOf(1000)).toMatchObject({ limit: 2450, owner: 'fixed' })
    expect(rateOf(1100)).toMatchObject({ limit: 2450, owner: 'settings' })
    expect(rateOf(1000, more)).toMatchObject({ limit: 2450, owner: 'fixed' })
    expect(rateOf(100_000, more)).toMatchObject({ limit: 32 * 245, owner: 'fixed' })
    expect(rateOf(490_000)).toMatchObject({ need: 8167, state: 'short' })
    expect(rateOf(490_000)?.advice).toMatch(/Raise consumers\.orders .* let it take 200 s/)
  })

  it('write the sales by the consumers that they share, each with the parts of its own cap', () => {
    const rate = (kind: SaleKind) => (sales: number) => writesPerSale({ kind, stock: 1000, sales }, prod)
    expect([1, 2, 5, 10, 20].map(rate('goods'))).toEqual([2450, 1225, 490, 490, 245])
    // The budget of red packets is one part.
    expect([1, 2, 10, 20].map(rate('red-packet'))).toEqual([490, 490, 490, 245])
  })

  it('count an environment for each ten calls of a second, however short they are', () => {
    expect([environmentsFor(1000, 0.001), environmentsFor(1000, 0.3)]).toEqual([100, 300])
  })
})

describe('sales that are separate', () => {
  /** 240,000 orders in a minute: 19,200 commands a second, more than one database takes. */
  const large = planOf(dev, { shoppers: 1000, stock: 240_000 })
  const found = (change: Partial<SalePlan>) => findingIn('stock-commands', { ...large, ...change }, dev)

  it('use as many databases as they have shards, so one with a single shard is too much even with twelve', () => {
    for (const databases of [1, 2, 12]) expect(found({ databases })).toMatchObject({ need: 19_200, state: 'short' })
    expect(found({})?.advice).toContain('2 shards of each sale (--databases 2 --shards 2)')
    expect(found({ shards: 2, databases: 2 })).toMatchObject({ need: 9600, state: 'ok' })
    expect(found({ shards: 3, databases: 4 })).toMatchObject({ need: 6400, state: 'ok' })
  })

  it('divide the load as far as there is a database for each, and the advice counts those of all sales', () => {
    const needOfSales = (sales: number, databases: number) => found({ sales, databases })?.need
    expect([needOfSales(2, 2), needOfSales(3, 2), needOfSales(4, 4), needOfSales(4, 1)]).toEqual([
      ...[9600, 12_800, 4800, 19_200],
    ])
    expect(found({ sales: 5 })?.advice).toContain('(--databases 3 --shards 1)')
    expect(found({ sales: 5, databases: 3 })?.state).toBe('ok')
    const three = { sales: 3, stock: 3 * 240_000, shards: 2 }
    expect(found({ ...three, databases: 2 })?.advice).toContain('--databases 6')
    expect(found({ ...three, databases: 6 })?.state).toBe('ok')
  })

  it('get no advice that one shop cannot follow: it lists at most 64 databases', () => {
    expect(found({ stock: 64 * 125_000 })?.advice).toContain('--databases 64')
    expect(found({ stock: 64 * 125_000 + 1 })?.advice).toContain('It needs 65 databases, and one shop lists at most 64')
    const packets = found({ kind: 'red-packet', databases: 12 })
    expect(packets?.advice).toContain('The packets of a sale are in one database')
  })

  it('leave the gate a database of its own on fixed plans, and once there are several', () => {
    const gateOf = (databases: number, settings: StageSettings) =>
      findingIn('redis-commands', planOf(prod, { databases }), settings)
    const shared = gateOf(1, dev)
    expect([shared?.name, shared?.need]).toEqual(['Redis commands/s', 79_314])
    for (const alone of [gateOf(2, dev), gateOf(1, prod), gateOf(2, prod)]) {
      expect([alone?.name, alone?.need]).toEqual(["Redis commands/s, gate's database", 79_234])
    }
  })
})

describe('a finding', () => {
  const plan = planOf(dev)
  const edgeAt = (limit: number) =>
    findingIn('edge-requests', plan, dev, { ...dev.quotas, edgeRequestsPerSecond: limit })

  it('is short above the limit, close above four fifths of it, and otherwise fine', () => {
    expect(edgeAt(397)?.need).toBe(397)
    expect([396, 397, 496, 497].map((limit) => edgeAt(limit)?.state)).toEqual(['short', 'close', 'close', 'ok'])
  })

  it('says what to request and where, with a fifth to spare', () => {
    expect(edgeAt(1)?.advice).toMatch(/ask for 500, then set quotas\.edgeRequestsPerSecond in infra\/settings\/dev\.ts/)
    expect(edgeAt(10_000)?.advice).toBeUndefined()
    expect([amountToRequest(50_000, 'crowd'), amountToRequest(899, 'stock')]).toEqual([63_000, 900])
  })

  it('may use up what follows the stock, which is no forecast', () => {
    expect(findingIn('seller-concurrency', planOf(prod))).toMatchObject({ share: 1, state: 'ok' })
  })

  it('that is accepted stays short and stops nothing', () => {
    const quotas = { ...dev.quotas, edgeRequestsPerSecond: 1 }
    const stops = (accepted: LimitId[]) => blockingFindings(checkLimits(plan, dev, quotas, accepted)).length
    expect([stops([]), stops(['flood']), stops(['edge-requests'])]).toEqual([1, 1, 0])
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
    mailsPerSecond: atMost(1000),
    mailsPerDay: atMost(5_000_000),
  })
  const anyPlan = fc.record({
    kind: fc.constantFrom<SaleKind>(...saleKinds),
    shoppers: atMost(5_000_000),
    stock: atMost(100_000),
    openingSeconds: atMost(60),
  })
  const raise = [
    anyPlan,
    fc.constantFrom(dev, prod),
    anyQuotas,
    fc.constantFrom(...quotaNames),
    atMost(500_000),
  ] as const

  it('never worsens the share of a limit', () => {
    fc.assert(
      fc.property(...raise, (change, settings, quotas, raised, by) => {
        const plan = planOf(settings, change)
        const before = checkLimits(plan, settings, quotas)
        const after = checkLimits(plan, settings, { ...quotas, [raised]: quotas[raised] + by })
        for (const [at, { id, share }] of after.entries()) {
          expect(id).toBe(before[at]?.id)
          expect(share, id).toBeLessThanOrEqual(before[at]?.share ?? 0)
        }
      }),
      { numRuns: 200 },
    )
  })

  // One largest number is found by calculating dozens of plans.
  it('never lowers the load that a stage can take', () => {
    fc.assert(
      fc.property(...raise, (change, settings, quotas, raised, by) => {
        const plan = planOf(settings, change)
        const more = { ...quotas, [raised]: quotas[raised] + by }
        const most = findMaxCrowd(plan, settings, quotas).shoppers
        expect(findMaxCrowd(plan, settings, more).shoppers).toBeGreaterThanOrEqual(most)
      }),
      { numRuns: 25 },
    )
  })
})

describe('the largest number of shoppers for a stage', () => {
  it('is the last one for which nothing is short, with the limit that the next one breaks', () => {
    const { shoppers, breaksFirst } = findMaxCrowd(planOf(prod), prod, prod.quotas)
    const obstacles = (more: number) =>
      blockingFindings(checkLimits(planOf(prod, { shoppers: shoppers + more }), prod, prod.quotas)).map(({ id }) => id)
    expect([obstacles(0), obstacles(1)]).toEqual([[], [breaksFirst]])
    // The home region has 444 of 1,000 left for the gate: 888 cold requests in the first second,
    // which has 40 % of the shoppers.
    expect([shoppers, breaksFirst]).toEqual([2241, 'account-concurrency'])
  })

  it('is 0 when the stock alone exceeds a limit', () => {
    expect(findMaxCrowd(planOf(prod, { stock: 1_000_000 }), prod, prod.quotas).shoppers).toBe(0)
  })
})

describe('the settings of a stage', () => {
  it.each([dev, prod, prodSelling(['red-packet'])])(
    '$name can take its own forecast, of each kind it sells, except for raised quotas',
    (settings) => {
      for (const kind of settings.sells) expect(shortIn(planOf(settings, { kind }), settings, 'settings')).toEqual([])
    },
  )

  it('of dev need no raised quota, and those of prod six for a million shoppers at once', () => {
    expect(checkLimits(planOf(dev), dev, dev.quotas).filter(({ state }) => state !== 'ok')).toEqual([])
    expect(shortIn(planOf(prod), prod, 'quota')).toEqual([
      ...['distribution-requests', 'edge-requests', 'edge-concurrency', 'account-concurrency', 'redis-commands'],
      'mails-per-day',
    ])
    expect(shortIn(planOf(prod), prod, 'fixed')).toEqual(['edge-starts'])
  })

  it('of prod reserve 556 together, and 90 more for the wallets of red packets, of the 900 that an account can reserve', () => {
    expect(totalReserved(prod)).toBe(556)
    const ofBoth = totalReserved(prodSelling(['goods', 'red-packet']))
    expect(ofBoth).toBe(556 + 90)
    expect(prod.quotas.functionConcurrency - ofBoth).toBeGreaterThanOrEqual(minUnreserved)
  })

  it('of prod have one seller for every kind, and readers for the kinds that it sells', () => {
    const of = (...sells: SaleKind[]) => {
      const { reserve, orders, wallet } = prodSelling(sells).functions
      return [reserve.reserved, reserve.provisioned, orders.reserved, wallet.reserved]
    }
    expect(of('goods')).toEqual([300, 50, 60, 10])
    expect(of('coupon')).toEqual([300, 50, 60, 10])
    expect(of('red-packet')).toEqual([300, 50, 10, 100])
    expect(of('goods', 'red-packet')).toEqual([300, 50, 60, 100])
  })

  it('lack only the readers of a kind that the stage does not sell, which the advice is to add', () => {
    const packets = planOf(prod, { kind: 'red-packet' })
    expect(shortIn(packets, prod, 'settings')).toEqual(['reader-concurrency'])
    expect(findingIn('reader-concurrency', packets)?.advice).toMatch(/^Add 'red-packet' to what prod sells/)
    const more = planOf(prod, { kind: 'red-packet', stock: 100_000 })
    const slow = { ...prod, functions: { ...prod.functions, reserve: { memoryMb: 1024, reserved: 10 } } }
    expect(findingIn('seller-concurrency', more, slow)?.advice).toMatch(/^Set functions\.reserve\.reserved to 300/)
  })

  it('are refused, all problems at once, when a consumer has less than its queue may start, or shares a pool with the gate', () => {
    const { reserved: _, ...unreserved } = prod.functions.control
    const wrong: StageSettings = {
      ...prod,
      alarmEmail: '',
      functions: { ...prod.functions, control: unreserved, 'write-orders': { memoryMb: 1769, reserved: 9 } },
    }
    expect(() => refuseBadSettings(wrong)).toThrow(
      'infra/settings/prod.ts: functions.write-orders.reserved is 9, but its queues may start 10; functions.control.reserved is missing: it would share a pool with the gate; alarmEmail is missing: alarms would have no recipient',
    )
    for (const settings of [dev, prod]) expect(() => refuseBadSettings(settings)).not.toThrow()
  })

  it('let the table accept no more writes than Redis sells orders, and no fewer than a new one accepts', () => {
    const writes = (stock: number) => tableWritesFor({ stock }, 2)
    expect([writes(1000), writes(1700), writes(2000), writes(1_000_000)]).toEqual([4000, 5950, 7000, 7000])
  })
})

describe('the quotas of the account', () => {
  const readAccount = (answer: Parameters<typeof awsOf>[0], settings: StageSettings) => readBy(awsOf(answer), settings)
  const lambdaOf = (amount: number) => ({ AccountLimit: { ConcurrentExecutions: amount } })
  const listed = {
    Quotas: [
      { QuotaName: 'Data transfer rate per distribution', Value: 150 },
      { QuotaName: 'Requests per second per distribution', Value: 300_000 },
    ],
  }
  const regionIn = (args: readonly string[]) => args[args.indexOf('--region') + 1] ?? ''
  const sending = (most: number) => ({ SendQuota: { MaxSendRate: 80, Max24HourSend: most } })
  const account = async (...args: readonly string[]) => {
    if (args[0] === 'lambda') return lambdaOf(regionIn(args) === 'sa-east-1' ? 50 : 2000)
    return args[0] === 'sesv2' ? sending(200_000) : listed
  }

  it('are those of the home region, the lowest of the regions of the gate, and those of CloudFront and SES', async () => {
    const { quotas } = await readAccount(account, prod)
    expect(quotas).toEqual({
      ...prod.quotas,
      functionConcurrency: 2000,
      edgeConcurrency: 50,
      distributionRequestsPerSecond: 300_000,
      mailsPerSecond: 80,
      mailsPerDay: 200_000,
    })
    const unlimited = await readAccount(async (...args) => (args[0] === 'sesv2' ? sending(-1) : account(...args)), prod)
    expect(unlimited.quotas.mailsPerDay).toBe(Number.MAX_SAFE_INTEGER)
  })

  it('are the documented defaults where they cannot be read, each with the reason', async () => {
    const { quotas, readings } = await readAccount(async () => {
      throw new AwsCliError('no credentials')
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
      if (regionIn(args) === 'ap-south-1') throw new AwsCliError('the region is switched off')
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
