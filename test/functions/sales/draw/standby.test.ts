/** A sale to the first who come with a standby list, from sold out to units that come back, over the real stores and a clock that the test moves. */
import { beforeEach, describe, expect, it } from 'vitest'
import { verifyRound } from '../../../../core/draw/beacon.ts'
import { checkDraw } from '../../../../core/draw/check-draw.ts'
import { lineTextsOf, readLine, stepLine } from '../../../../core/draw/signed-line.ts'
import type { OrderId } from '../../../../core/ids.ts'
import { changeOrder } from '../../../../functions/orders/change-order.ts'
import { tick } from '../../../../functions/repair/tick.ts'
import { settleMs } from '../../../../functions/sales/draw/entries.ts'
import { entriesApp } from '../../../../functions/sales/draw/entries-http.ts'
import { tendDraws } from '../../../../functions/sales/draw/tend-draws.ts'
import { graceMs, unlistedMs } from '../../../../functions/sales/draw/tend-offers.ts'
import { listedDraws, unlistDraw } from '../../../../functions/table/draw/draws.ts'
import { allOffers } from '../../../../functions/table/draw/offers.ts'
import { requestOf } from '../../../../proof/simulation/parts/requests.ts'
import { readMembers } from '../../../../redis/gate/members.ts'
import { saleIdOf, shopperIdOf } from '../../../redis/support.ts'
import { useRedis } from '../../../redis/test-store.ts'
import { inSample, playsWhole } from '../../../whole-plays.ts'
import { behindUrl } from '../../../world/function-url.ts'
import { testTelemetry } from '../../../world/telemetry.ts'
import { type World, world } from '../../../world/world.ts'
import { beaconOfTest } from './beacon-of-test.ts'
import { drawFilesIn } from './draw-files.ts'
import { playStandby } from './standby-play.ts'

const server = useRedis()
const phone = saleIdOf('phone')
const second = 1000
const minute = 60 * second
const joinSeconds = 600
const claimSeconds = 300

let rig: World
let published: Map<string, Uint8Array>
/** When the sale had sold out. */
let from: number

beforeEach(async () => {
  rig = await world({ redis: server })
  published = new Map()
})

const standby = { joinSeconds, claimSeconds }
const terms = (changes: object = {}) => ({
  ...{ stock: 3, limitPerShopper: 1, maxPerOrder: 1, standby, paymentWindowSeconds: 300 },
  ...{ startsAt: rig.clock.now, endsAt: rig.clock.now + 240 * minute },
  ...changes,
})

const filesOf = () => drawFilesIn(published)
const beacon = beaconOfTest(() => rig.clock.now)
const drawn = () => tendDraws({ ...rig.ports, filesOf, beacon }, rig.clock.now)

/** A second of the tick and of the draws passes. */
async function passSecond(): Promise<void> {
  await tick(rig.ports, rig.clock.now + second)
  await drawn()
}

async function entry(method: string, shopper: number, body?: unknown) {
  const asked = behindUrl(testTelemetry(), entriesApp({ ...rig.ports, filesOf }))
  return asked(requestOf(shopperIdOf(shopper), method, '/api/entries/phone', body))
}
const join = (shopper: number, body: object = {}) => entry('PUT', shopper, body)
const seen = async (shopper: number) => (await entry('GET', shopper)).body

/** Opens the sale and sells all of it to shoppers 1 to 3. */
async function sellOut(changes: object = {}): Promise<OrderId[]> {
  expect(await rig.create(terms(changes))).toMatchObject({ status: 201 })
  expect(await rig.act('start', { now: true })).toMatchObject({ status: 200 })
  const orders = await rig.sell(3)
  await passSecond()
  await passSecond()
  from = (await sale())?.standbyFrom ?? 0
  return orders
}

const sale = async () => (await rig.ask('GET', '/sales/phone')).body

/** Sells out, and ranks these shoppers. */
async function ranked(shoppers: readonly number[], changes: object = {}): Promise<OrderId[]> {
  const orders = await sellOut(changes)
  rig.clock.now = from + minute
  for (const shopper of shoppers) expect(await join(shopper)).toMatchObject({ status: 200 })
  for (const ms of [settleMs, 2 * minute]) {
    rig.clock.now = from + minute + joinSeconds * second + ms
    await drawn()
  }
  await drawn()
  return orders
}

const steps = () => {
  const rules = JSON.parse(Buffer.from(published.get('draw.json') ?? []).toString())
  return lineTextsOf(published.get('allocation.txt')).map((line) => readLine(stepLine, line, rules.keys)?.payload)
}
const openOffers = async () =>
  (await allOffers(rig.table, phone)).filter(({ endedAt, boughtAt }) => endedAt === undefined && boughtAt === undefined)
const shopperOf = (id: string) => [4, 5, 6, 7].find((one) => shopperIdOf(one) === id) ?? 0
const unpaid = (order: OrderId) => changeOrder(rig.ports, order, { kind: 'payment-window-over' })

/** The shopper of each rank. */
async function byRank(shoppers: readonly number[]): Promise<number[]> {
  const ranks = await Promise.all(shoppers.map(async (one) => [(await seen(one)).place.rank, one] as const))
  return ranks.toSorted(([a], [b]) => a - b).map(([, one]) => one)
}

describe('a sale with a standby list', () => {
  it.each([
    ['kind', { kind: 'coupon', price: 0 }, 'standby'],
    ['several units for a shopper', { limitPerShopper: 2 }, 'limitPerShopper'],
    ['an unlimited stock', { stock: -1 }, 'stock'],
    ['a list of its own', { earlyAccess: { minutes: 5, list: 'on' } }, 'earlyAccess.list'],
    ['a split stock', { shards: 2 }, 'shards'],
    ['ranks that it does not have', { standby: { joinSeconds, claimSeconds, rank: 'drawn' } }, 'standby.rank'],
    ['a time to join below a minute', { standby: { joinSeconds: 59, claimSeconds } }, 'standby.joinSeconds'],
  ])('is refused with %s, by the field', async (_, change, field) => {
    expect(await rig.create(terms(change))).toMatchObject({ status: 400, body: { field } })
  })

  it('sells to all until it has sold out, then by offer alone', async () => {
    await rig.create(terms())
    await rig.act('start', { now: true })
    await rig.buy(1)
    await passSecond()
    expect((await rig.facts())?.rules.earlyAccess).toBeUndefined()
    await rig.buy(2)
    await rig.buy(3)
    await rig.deliver()
    await passSecond()
    await passSecond()
    expect((await rig.facts())?.rules.earlyAccess).toEqual({ list: 'only' })
    expect(await listedDraws(rig.table)).toEqual([phone])
    expect(await rig.act('start', { now: true })).toMatchObject({ status: 200 })
  })

  it('lists its draw again where the run that began the list was cut off before that', async () => {
    await rig.create(terms())
    await rig.act('start', { now: true })
    await rig.sell(3)
    for (let looks = 0; looks < 2; looks += 1) await tick(rig.ports, rig.clock.now + second)
    expect((await sale()).standbyFrom).toBeDefined()
    await unlistDraw(rig.table, phone)
    await tick(rig.ports, rig.clock.now + second)
    expect(await listedDraws(rig.table)).toEqual([phone])
  })

  it('begins no list that would have its ranks after the end', async () => {
    await sellOut({ endsAt: rig.clock.now + 13 * minute })
    expect((await sale()).standbyFrom).toBeUndefined()
    expect((await rig.facts())?.rules.earlyAccess).toBeUndefined()
  })

  it('opens its list a minute after it sold out, not for shoppers who have ordered', async () => {
    await sellOut()
    expect(await join(4)).toMatchObject({ status: 409, body: { reason: 'entries-not-open' } })
    rig.clock.now = from + minute
    expect(await join(4)).toMatchObject({
      status: 200,
      body: { state: 'entered', receipt: expect.any(String) },
    })
    expect(await join(1)).toMatchObject({ status: 409, body: { reason: 'has-ordered' } })
    rig.clock.now = from + minute + joinSeconds * second
    expect(await join(5)).toMatchObject({ status: 409, body: { reason: 'entries-closed' } })
  })

  it('offers a unit that comes back to the next rank within a second, who alone can buy it', async () => {
    const [order] = await ranked([4, 5])
    if (order === undefined) throw new Error('no order')
    const [first = 0, second_ = 0] = await byRank([4, 5])
    expect(await openOffers()).toEqual([])
    await unpaid(order)
    const backAt = rig.clock.now
    await passSecond()
    const offers = await openOffers()
    expect(offers.map(({ shopperId }) => shopperOf(shopperId))).toEqual([first])
    expect((offers[0]?.at ?? 0) - backAt).toBeLessThanOrEqual(second)
    expect(await readMembers(server, phone)).toEqual([shopperIdOf(first)])
    expect(await seen(first)).toMatchObject({ offer: { until: expect.any(Number) } })
    expect(await seen(second_)).not.toHaveProperty('offer')
    expect(steps().at(-1)).toMatchObject({ events: [{ variant: 1, units: 1 }], offers: 1 })
    await rig.buy(first)
    await rig.deliver()
    await passSecond()
    expect(await openOffers()).toEqual([])
    expect((await checkDraw(filesOf().read, { verifyRound })).faults).toEqual([])
  })

  it('offers a unit within a second also while the order of another offer is not written, and each once (I1)', async () => {
    const [first, another] = await ranked([4, 5, 6])
    if (first === undefined || another === undefined) throw new Error('no order')
    await unpaid(first)
    await passSecond()
    const [offer] = await openOffers()
    // The queue is slow: the stock has the order, the table has not.
    await rig.buy(shopperOf(offer?.shopperId ?? ''))
    await unpaid(another)
    rig.clock.now += second
    await passSecond()
    expect((await allOffers(rig.table, phone)).map(({ endedAt }) => endedAt)).toEqual([undefined, undefined])
    for (let n = 0; n < 5; n += 1) await passSecond()
    await rig.deliver()
    for (let n = 0; n < 5; n += 1) await passSecond()
    expect(steps().map((step) => step?.offers)).toEqual([0, 1, 1])
    expect((await checkDraw(filesOf().read, { verifyRound })).faults).toEqual([])
  })

  it('offers a unit within a second also while the holder of another offer, whose order has ended, buys again (I1)', async () => {
    const [first, another] = await ranked([4, 5, 6])
    if (first === undefined || another === undefined) throw new Error('no order')
    await unpaid(first)
    await passSecond()
    const [offer] = await openOffers()
    const holder = shopperOf(offer?.shopperId ?? '')
    const bought = await rig.buy(holder)
    await rig.deliver()
    await passSecond()
    await changeOrder(rig.ports, bought, { kind: 'cancelled-by-shopper' })
    // The list has the holder until the next look, and the queue is slow.
    await rig.buy(holder, { order: 2 })
    await unpaid(another)
    rig.clock.now += second
    await passSecond()
    expect(steps().map((step) => step?.offers)).toEqual([0, 1, 1])
    await rig.deliver()
    for (let n = 0; n < 15; n += 1) await passSecond()
    expect(steps().map((step) => step?.offers)).toEqual([0, 1, 1])
    expect((await checkDraw(filesOf().read, { verifyRound })).faults).toEqual([])
  })

  it('offers a unit within a second also where the sale of another one hides it: as many are left as before (I1)', async () => {
    const [first, another] = await ranked([4, 5, 6])
    if (first === undefined || another === undefined) throw new Error('no order')
    await unpaid(first)
    let bought = false
    const looks: number[] = []
    // One run of the schedule, which remembers what it saw; in between, one unit is sold and another comes back.
    const sleep = async () => {
      looks.push((await openOffers()).length)
      if (!bought) {
        await rig.buy(shopperOf((await openOffers())[0]?.shopperId ?? ''))
        await rig.deliver()
        await unpaid(another)
      }
      bought = true
      rig.clock.now += second
    }
    await tendDraws({ ...rig.ports, filesOf, beacon, sleep }, rig.clock.now + 5 * second)
    expect(steps().map((step) => step?.offers)).toEqual([0, 1, 1])
    expect(looks.slice(0, 2)).toEqual([1, 1])
    expect(await allOffers(rig.table, phone)).toHaveLength(2)
  })

  it('offers a unit once, though orders and stock move between two looks', async () => {
    const [first, another] = await ranked([4, 5, 6])
    if (first === undefined || another === undefined) throw new Error('no order')
    await unpaid(first)
    for (let n = 0; n < 5; n += 1) await passSecond()
    expect(await openOffers()).toHaveLength(1)
    await unpaid(another)
    for (let n = 0; n < 5; n += 1) await passSecond()
    expect(await openOffers()).toHaveLength(2)
    expect(steps().map((step) => step?.offers)).toEqual([0, 1, 1])
  })

  it('gives an offer that ends to the next rank, with its reason', async () => {
    const [order] = await ranked([4, 5])
    if (order === undefined) throw new Error('no order')
    const [, next = 0] = await byRank([4, 5])
    await unpaid(order)
    await passSecond()
    const [offer] = await openOffers()
    rig.clock.now = (offer?.until ?? 0) + graceMs
    await drawn()
    rig.clock.now += unlistedMs
    await drawn()
    expect((await openOffers()).map(({ shopperId }) => shopperOf(shopperId))).toEqual([next])
    expect(steps().at(-1)).toMatchObject({ events: [{ reason: 'unclaimed' }], offers: 1 })
  })

  it('offers a unit again 8 s after its shopper has left the list, also when leaving took long', async () => {
    const [order] = await ranked([4, 5])
    if (order === undefined) throw new Error('no order')
    const [first = 0, next = 0] = await byRank([4, 5])
    await unpaid(order)
    await passSecond()
    const [offer] = await openOffers()
    rig.clock.now = (offer?.until ?? 0) + graceMs
    const gate: typeof rig.ports.gate = {
      exec(command) {
        if (command[0] === 'SREM') rig.clock.now += 10 * second
        return rig.ports.gate.exec(command)
      },
    }
    await tendDraws({ ...rig.ports, gate, filesOf, beacon }, rig.clock.now)
    const holders = async () => (await openOffers()).map(({ shopperId }) => shopperOf(shopperId))
    rig.clock.now += unlistedMs - 1
    await drawn()
    expect(await holders()).toEqual([first])
    rig.clock.now += 1
    await drawn()
    expect(await holders()).toEqual([next])
  })

  it('ranks by joining where the sale says so: who joined before a head comes before those behind it', async () => {
    const [order] = await sellOut({ standby: { ...standby, rank: 'joined' } })
    rig.clock.now = from + minute
    const joined = [6, 4, 7, 5]
    for (const shopper of joined) {
      await drawn()
      rig.clock.now += 10 * second
      expect(await join(shopper)).toMatchObject({ status: 200 })
    }
    for (const ms of [settleMs, 2 * minute]) {
      rig.clock.now = from + minute + joinSeconds * second + ms
      await drawn()
    }
    expect(await byRank([4, 5, 6, 7])).toEqual(joined)
    if (order === undefined) throw new Error('no order')
    await unpaid(order)
    await passSecond()
    await passSecond()
    expect((await openOffers()).map(({ shopperId }) => shopperOf(shopperId))).toEqual([6])
    const { faults, rules } = await checkDraw(filesOf().read, { verifyRound })
    expect(faults).toEqual([])
    expect(rules?.ranks).toBe('joined')
  })

  it('lets all buy again once no shopper waits', async () => {
    const [order, another] = await ranked([4])
    if (order === undefined || another === undefined) throw new Error('no order')
    await unpaid(order)
    await passSecond()
    await rig.buy(4)
    await rig.deliver()
    await passSecond()
    await passSecond()
    expect((await sale()).standbyOver).toBe(true)
    expect((await rig.facts())?.rules.earlyAccess).toBeUndefined()
    await drawn()
    expect(await listedDraws(rig.table)).toEqual([])
    await unpaid(another)
    await rig.buy(7)
  })

  it('lets all buy again when no shopper joined', async () => {
    await ranked([])
    await passSecond()
    expect((await sale()).standbyOver).toBe(true)
  })

  it('offers units that the shop adds, and lets none be removed meanwhile', async () => {
    await ranked([4, 5])
    const change = (delta: number) =>
      rig.ask('POST', '/sales/phone/stock', { delta }, { 'idempotency-key': `k${delta}`.padEnd(16, '0') })
    expect(await change(-1)).toMatchObject({ status: 409, body: { reason: 'draw-fixed' } })
    expect(await change(2)).toMatchObject({ status: 200 })
    await passSecond()
    expect(await openOffers()).toHaveLength(2)
  })

  it('has no other shopper on its list', async () => {
    await rig.create(terms())
    expect(await rig.ask('PUT', '/sales/phone/early', { shoppers: [shopperIdOf(9)] })).toMatchObject({
      status: 409,
      body: { reason: 'list-drawn' },
    })
  })

  it('offers a variant to the next rank that chose it', async () => {
    const variants = [
      { id: 'red', name: 'Red', stock: 2 },
      { id: 'blue', name: 'Blue', stock: 1 },
    ]
    expect(await rig.create(terms({ stock: 3, variants }))).toMatchObject({ status: 201 })
    await rig.act('start', { now: true })
    const [red] = [await rig.buy(1, { basket: { red: 1 } }), await rig.buy(2, { basket: { red: 1 } })]
    const blue = await rig.buy(3, { basket: { blue: 1 } })
    await rig.deliver()
    await passSecond()
    await passSecond()
    from = (await sale()).standbyFrom ?? 0
    rig.clock.now = from + minute
    await join(4, { choices: ['blue'] })
    await join(5, { choices: ['red'] })
    for (const ms of [settleMs, 2 * minute]) {
      rig.clock.now = from + minute + joinSeconds * second + ms
      await drawn()
    }
    await drawn()
    await unpaid(blue)
    await passSecond()
    expect(await openOffers()).toMatchObject([{ shopperId: shopperIdOf(4), variant: 'blue' }])
    await unpaid(red)
    await passSecond()
    expect(await openOffers()).toHaveLength(2)
    expect(await readMembers(server, phone)).toContain(`${shopperIdOf(5)} red*1`)
    expect((await checkDraw(filesOf().read, { verifyRound })).faults).toEqual([])
  })
})

describe('a standby list of a sale of which four in ten orders are not paid', () => {
  const sales = Number(process.env.STANDBY_SALES ?? inSample(12, 200))
  const from = Number(process.env.FC_SEED ?? 1)
  it(
    `offers each unit within a second to the next rank, and honours no offer that has ended, in ${sales} sales from seed ${from} (I1, I3)`,
    async () => {
      const broken: string[] = []
      const sums = { orders: 0, unpaid: 0, offers: 0, back: 0 }
      for (let seed = from; seed < from + sales; seed += 1) {
        const { idleMs, ...played } = await playStandby(server, seed)
        broken.push(...played.broken.map((what) => `seed ${seed}: ${what}`))
        for (const ms of idleMs) if (ms > second) broken.push(`seed ${seed}: a unit was idle for ${ms} ms`)
        for (const name of ['orders', 'unpaid', 'offers'] as const) sums[name] += played[name]
        sums.back += idleMs.length
      }
      if (playsWhole()) console.log(`${sales} standby sales from seed ${from}:`, sums)
      expect(broken).toEqual([])
      expect(sums.back, JSON.stringify(sums)).toBeGreaterThan(0)
    },
    900_000 + 1000 * sales,
  )
})
