/** A rain whose split is announced, from its first publication to the seed, over the real stores and a clock that the test moves. */
import { beforeEach, describe, expect, it } from 'vitest'
import { verifyRound } from '../../../../core/draw/beacon.ts'
import { checkRain, type RainCheck } from '../../../../core/packets/check-rain.ts'
import type { ClaimMessage } from '../../../../core/packets/claim.ts'
import { lastCallMs } from '../../../../functions/repair/packets/close-budget.ts'
import type { DrawFiles } from '../../../../functions/sales/draw/keep-draw.ts'
import { tendDraws } from '../../../../functions/sales/draw/tend-draws.ts'
import { listedDraws } from '../../../../functions/table/draw/draws.ts'
import { readReachable } from '../../../../redis/stock/stock.ts'
import { splitOver } from '../../../redis/packets/split-rain.ts'
import { raw } from '../../../redis/support.ts'
import { useRedis } from '../../../redis/test-store.ts'
import { phone } from '../../../world/stock-record.ts'
import { type World, world } from '../../../world/world.ts'
import { count, rainOf, totalAmount } from '../../repair/rain.ts'
import { beaconOfTest } from './beacon-of-test.ts'

const server = useRedis()
const minute = 60_000
const hour = 60 * minute

let rig: World
let shards: number
/** The public folder of the rain. */
let published: Map<string, Uint8Array>
let isBeaconLate: boolean
let writesLeft: number
let startsAt: number

const files: DrawFiles = {
  read: async (path) => published.get(path),
  write: async (path, bytes) => {
    if (writesLeft <= 0) throw new Error('the run was cut off')
    writesLeft -= 1
    published.set(path, bytes)
  },
}

const beacon = () => beaconOfTest(() => rig.clock.now, isBeaconLate)

const stocks = () => (shards === 1 ? server : splitOver(server, shards))
const rain = rainOf(
  () => server,
  () => rig,
  stocks,
)

async function begin(databases = 1): Promise<void> {
  shards = databases
  rig = await world({ redis: server, databases })
  published = new Map()
  isBeaconLate = false
  writesLeft = Number.POSITIVE_INFINITY
  startsAt = rig.clock.now + 3 * hour
}

beforeEach(() => begin())

/** Warms the rain three hours before its start, and starts it to open then. */
async function announce(changes: object = {}): Promise<void> {
  const { price, stock, limitPerShopper, maxPerOrder, ...definition } = rig.definition()
  const times = { startsAt, endsAt: startsAt + hour }
  const asked = {
    ...definition,
    kind: 'red-packet',
    packets: { count, totalAmount },
    shards,
    ...times,
    ...changes,
  }
  expect(await rig.ask('POST', '/sales', asked)).toMatchObject({ status: 201 })
  expect(await rig.act('warm')).toMatchObject({ status: 200 })
  expect(await rig.act('start', { now: false })).toMatchObject({ status: 200 })
  await tend()
}

/** One run of the schedule, which looks once. */
const tend = () => tendDraws({ ...rig.ports, filesOf: () => files, beacon: beacon() }, rig.clock.now)

/** Both schedules, minute by minute, in the last minutes before `time`. */
async function runUntil(time: number): Promise<void> {
  rig.clock.now = Math.max(rig.clock.now, time - 4 * minute)
  while (rig.clock.now < time) {
    rig.clock.now = Math.min(time, rig.clock.now + minute)
    await tend()
    await rig.reconcile()
  }
}

const loaded = async () => (await readReachable(stocks(), phone))?.packets?.loaded ?? 0
const paths = () => [...published.keys()].toSorted()

/** What a reader finds, who has this packet. */
const check = (given?: ClaimMessage): Promise<RainCheck> =>
  checkRain(files.read, { verifyRound, known: { sale: phone, ...(given && { given }) } })

async function expectTrue(claims: readonly ClaimMessage[]): Promise<void> {
  for (const one of claims) {
    expect(await check(one)).toMatchObject({ faults: [], state: 'revealed' })
    expect((await check({ ...one, amount: one.amount + 1 })).faults).toMatchObject([{ fault: 'amount-wrong' }])
  }
}

describe('a rain that is warmed two hours before its start or earlier', () => {
  it.each([1, 3])(
    'shows every shopper that the amount follows from what was published, over %i databases',
    async (databases) => {
      await begin(databases)
      await announce()
      expect(paths()).toEqual(['rain.json'])
      await runUntil(startsAt - 11 * minute)
      expect([paths(), await loaded()]).toEqual([['rain.json'], 0])
      await runUntil(startsAt - 9 * minute)
      expect([paths(), await loaded()]).toEqual([['beacon.json', 'rain.json'], count])
      await runUntil(startsAt)
      const claims = await rain.tapAndCredit(1, 2, 3, 4, 5)
      await runUntil(startsAt + hour)
      expect(await check()).toMatchObject({ faults: [], state: 'announced' })
      await runUntil(startsAt + hour + lastCallMs + 2 * minute)
      expect(await check()).toMatchObject({ faults: [], isMixed: true, isBeaconVerified: true })
      await expectTrue(claims)
      expect(await listedDraws(rig.table)).toEqual([])
    },
  )

  it('is not changed by runs before the round: nothing is loaded, recovered or published again', async () => {
    await announce()
    rig.clock.now += hour
    const before = new Map(published)
    const { repaired, recovered } = await rig.reconcile()
    expect({ repaired, recovered }).toEqual({ repaired: 0, recovered: 0 })
    expect(await rain.reconcileNow()).toMatchObject({ state: 'in-step' })
    await tend()
    expect(published).toEqual(before)
    expect(await loaded()).toBe(0)
  })

  it('opens on time without a round that is late, says so, and never mixes it in later', async () => {
    await announce()
    isBeaconLate = true
    await runUntil(startsAt - 5 * minute)
    expect(await loaded()).toBe(count)
    isBeaconLate = false
    await runUntil(startsAt)
    const claims = await rain.tapAndCredit(1, 2)
    await runUntil(startsAt + hour + lastCallMs + 2 * minute)
    expect(paths()).toEqual(['rain.json', 'reveal.json'])
    expect(await check()).toMatchObject({ faults: [], isMixed: false })
    await expectTrue(claims)
  })

  it('raises the alarm of a late beacon once the round is a minute late', async () => {
    await announce()
    isBeaconLate = true
    rig.clock.now = startsAt - 10 * minute
    await tend()
    expect(rig.telemetry.counted('BeaconLate')).toBe(0)
    rig.clock.now += minute + 1
    await tend()
    expect(rig.telemetry.counted('BeaconLate')).toBe(1)
  })

  it('is loaded at once when a marketer starts it before the round', async () => {
    await announce()
    expect(await rig.act('start', { now: true })).toMatchObject({ status: 200 })
    expect(await loaded()).toBe(count)
    await rain.tapAndCredit(1)
    startsAt = rig.clock.now
    await runUntil(startsAt + 2 * hour)
    expect((await rain.sale()).endsAt).toBeGreaterThan(rig.clock.now)
    expect(await rain.counts()).toMatchObject({ loaded: count, claims: 1 })
  })

  it('finishes what a run was cut off from: the round is published after the packets are split by it', async () => {
    await announce()
    rig.clock.now = startsAt - 10 * minute
    writesLeft = 0
    await tend()
    expect(paths()).toEqual(['rain.json'])
    writesLeft = Number.POSITIVE_INFINITY
    await runUntil(startsAt)
    const claims = await rain.tapAndCredit(1)
    await runUntil(startsAt + hour + lastCallMs + 2 * minute)
    expect(await check()).toMatchObject({ isMixed: true })
    await expectTrue(claims)
  })

  it('is recovered with the same amounts when Redis loses it, before the round and after it', async () => {
    await announce()
    await rain.loseStock()
    await runUntil(rig.clock.now + 2 * minute)
    expect(await loaded()).toBe(0)
    await runUntil(startsAt - 5 * minute)
    expect(await loaded()).toBe(count)
    await runUntil(startsAt)
    const first = await rain.tapAndCredit(1, 2)
    await rain.loseStock()
    await runUntil(rig.clock.now + minute)
    const rest = await rain.handOutTheRest()
    expect(rest.length).toBeGreaterThan(0)
    await runUntil(startsAt + hour + lastCallMs + 20 * minute)
    expect([...first, ...rest].reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(totalAmount)
    await expectTrue([...first, ...rest])
  })

  it('is announced with all its windows, whose packets come later', async () => {
    const windows = [
      { startsAt, endsAt: startsAt + hour, stock: count, totalAmount },
      { startsAt: startsAt + 2 * hour, endsAt: startsAt + 3 * hour, stock: 5, totalAmount: 50 },
    ]
    await announce({ windows })
    await runUntil(startsAt)
    const first = await rain.tapAndCredit(1, 2)
    await runUntil(startsAt + 2 * hour + minute)
    const second = await rain.tapAndCredit(...Array.from({ length: 12 }, (_, at) => at + 3))
    expect(second.some(({ packet }) => packet >= count)).toBe(true)
    await runUntil(startsAt + 3 * hour + lastCallMs + 2 * minute)
    expect((await check()).rules?.waves).toEqual([
      { count, totalAmount },
      { count: 5, totalAmount: 50 },
    ])
    await expectTrue([...first, ...second])
  })

  it('is split without the round where its rules could not be published in time', async () => {
    writesLeft = 0
    await announce()
    await runUntil(startsAt - 10 * minute)
    writesLeft = Number.POSITIVE_INFINITY
    await runUntil(startsAt)
    expect([paths(), await loaded()]).toEqual([[], count])
    expect(rig.telemetry.counted('DrawFailed')).toBeGreaterThan(0)
  })
})

describe('a rain that is warmed later', () => {
  it('is loaded at once, and nothing is published of its split', async () => {
    startsAt = rig.clock.now + 2 * hour - 1
    await announce()
    expect([paths(), await loaded(), await listedDraws(rig.table)]).toEqual([[], count, []])
  })

  it('keeps the amounts of a seed from before there were rounds', async () => {
    startsAt = rig.clock.now + hour
    await announce()
    const list = () => raw(server, 'LRANGE', `stock:{${phone}:0}:packets`, '0', '-1')
    const before = await list()
    await rain.loseStock()
    await rig.reconcile()
    expect(await list()).toEqual(before)
  })
})
