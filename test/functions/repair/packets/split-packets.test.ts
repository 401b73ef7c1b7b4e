/** Red packets over three shards, from the control API to the closed budget, through the real scripts (S14, P3, P10). */
import { beforeEach, describe, expect, it } from 'vitest'
import type { ClaimMessage } from '../../../../core/packets/claim.ts'
import { homeShard } from '../../../../core/stock/hash-slot.ts'
import { readLive } from '../../../../functions/control/live.ts'
import { lastCallMs } from '../../../../functions/repair/packets/close-budget.ts'
import { tendPackets } from '../../../../functions/repair/packets/tend-packets.ts'
import { reconcile } from '../../../../functions/repair/reconcile.ts'
import { deliveryMs } from '../../../../functions/repair/stock/held-back.ts'
import { tick } from '../../../../functions/repair/tick.ts'
import { moveOn } from '../../../../functions/sales/move-on.ts'
import { openRandom, type Random, seedOf } from '../../../../proof/simulation/engine/random.ts'
import { RedisUnavailable } from '../../../../redis/errors.ts'
import { placeInKey, stockKeys } from '../../../../redis/keys.ts'
import { claim } from '../../../../redis/packets/claim.ts'
import { readReachable, readShards, readStock } from '../../../../redis/stock/stock.ts'
import { warmStock } from '../../../../redis/stock/warm.ts'
import { claimedIn, splitOver } from '../../../redis/packets/split-rain.ts'
import { raw, shopperIdOf } from '../../../redis/support.ts'
import { useRedis } from '../../../redis/test-store.ts'
import { inSample } from '../../../whole-plays.ts'
import { phone } from '../../../world/stock-record.ts'
import { type World, world } from '../../../world/world.ts'
import { cutOffAt, isCutOff } from '../cut-off.ts'
import { atEachCut } from '../each-cut.ts'
import { count, rainOf, totalAmount } from '../rain.ts'

const server = useRedis()
const shards = 3
const stocks = splitOver(server, shards)
let rig: World
beforeEach(() => restart())

async function restart(): Promise<void> {
  rig = await world({ redis: server, databases: shards })
}

const rain = rainOf(
  () => server,
  () => rig,
  () => stocks,
)
const { tap, tapOnce, deliver, tapAndCredit, reconcileNow, rebuild, money, walletOf, sale } = rain
const open = (changes: object = {}) => rain.open({ shards, ...changes })
const sum = (claims: readonly ClaimMessage[]) => claims.reduce((all, { amount }) => all + amount, 0)
const shardOf = ({ packet }: ClaimMessage) => packet % shards
const hour = 3_600_000
const longestWaitMs = 300_000

/** Shoppers of one home shard, from the `from`-th of them. */
function shoppersOf(home: number, many: number, from = 0): number[] {
  const found: number[] = []
  for (let shopper = 1; found.length < from + many; shopper += 1) {
    if (homeShard(shopperIdOf(shopper), shards) === home) found.push(shopper)
  }
  return found.slice(from)
}

/** The database of shard `at` restarts without a file. */
const lose = (at: number) => raw(server, 'DEL', ...Object.values(stockKeys(phone, at)))

/** The database of shard `at` does not answer; returns what ends that. */
function cutShard(at: number): () => void {
  const { stock } = rig.ports
  const present = { ...rig.ports }
  rig.ports.stock = {
    shardCount: async () => shards,
    exec: (command) => {
      const key = command[0].startsWith('EVAL') ? command[3] : command[1]
      if (placeInKey(key)?.shard === at) throw new RedisUnavailable('down')
      return present.stock.exec(command)
    },
  }
  return () => {
    rig.ports.stock = stock
  }
}

/** The schedule runs now and then meanwhile. */
async function waitMs(milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= longestWaitMs) {
    rig.clock.now += Math.min(longestWaitMs, left)
    await reconcileNow()
  }
}

const tend = async () => tendPackets(rig.ports, await sale(), rig.clock.now)

/** No shopper has two packets, no packet two shoppers, and all the money is in wallets. */
async function expectAllGone(): Promise<void> {
  await rain.handOutTheRest(500)
  expect(await readStock(stocks, phone)).toMatchObject({ booked: count, available: 0, heldBack: 0 })
  const claims = await claimedIn(stocks, await sale())
  expect(new Set(claims.flatMap((some) => [...some.keys()])).size).toBe(count)
  expect(new Set(claims.flatMap((some) => [...some.values()])).size).toBe(count)
  expect(await money()).toMatchObject({ claimed: totalAmount })
  expect(await reconcileNow(true)).toMatchObject({ state: 'in-step', drift: 0 })
}

describe('red packets over several databases', () => {
  it('have a part in each, and a shopper whose home is empty gets one of another shard (S14)', async () => {
    await open()
    const live = await readLive(rig.ports, phone)
    expect(live).toMatchObject({ inStep: true, stock: { total: count, booked: 0, available: count } })
    expect(live?.split).toEqual({
      pool: 0,
      shards: ['main', 'db-2', 'db-3'].map((database) => ({
        ...{ database, state: 'selling', granted: 4, booked: 0, left: 4 },
      })),
    })
    const claims = await tapAndCredit(...shoppersOf(0, count))
    expect(claims.map(shardOf)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
    expect(sum(claims)).toBe(totalAmount)
    const [, , , , , sixth = 0] = shoppersOf(0, 6)
    expect(await tapOnce(sixth)).toMatchObject({ kind: 'repeat', message: { packet: claims[5]?.packet } })
    expect(await tapOnce(shoppersOf(1, 1)[0] ?? 0)).toEqual({ kind: 'sold-out', remaining: 0 })
    await expectAllGone()
  })

  it('are sold out at the gate only when all shards are empty, and not after a new window (G4, G7)', async () => {
    const { now } = rig.clock
    const first = { startsAt: now, endsAt: now + hour, stock: 4, totalAmount: 400 }
    const second = { startsAt: now + 2 * hour, endsAt: now + 3 * hour, stock: 7, totalAmount: 800 }
    const { startsAt, endsAt } = first
    await open({ startsAt, endsAt, packets: undefined, windows: [first, second] })
    const early = await tapAndCredit(...shoppersOf(0, 3))
    await tend()
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    early.push(...(await tapAndCredit(...shoppersOf(1, 1))))
    await tend()
    expect(await rig.facts()).toMatchObject({ soldOut: true })
    // These go round before the second window, and come back for it.
    const patient = shoppersOf(2, 7)
    for (const shopper of patient) expect(await tapOnce(shopper)).toMatchObject({ kind: 'sold-out' })
    rig.clock.now = second.startsAt
    await moveOn(rig.ports, { who: 'reconcile', requestId: 'r' }, phone)
    expect(await readShards(stocks, phone)).toMatchObject([4, 4, 3].map((total) => ({ total })))
    await tend()
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    const late = await tapAndCredit(...patient)
    expect(sum(early)).toBe(400)
    expect(sum([...early, ...late])).toBe(totalAmount)
    await tend()
    expect(await rig.facts()).toMatchObject({ soldOut: true })
    expect(await reconcileNow(true)).toMatchObject({ state: 'in-step', drift: 0 })
  })

  it('are reported to the gate by the tick (G4)', async () => {
    await open()
    await tapAndCredit(...shoppersOf(2, count))
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    await tick(rig.ports, rig.clock.now + 1500)
    expect(await rig.facts()).toMatchObject({ soldOut: true })
    expect(await rig.truth()).toMatchObject({ total: count, booked: count, remaining: 0 })
  })

  it('are reported to the gate by reconcile when the sale does not sell, and no tick looks at it (G4)', async () => {
    await open()
    await tapAndCredit(...shoppersOf(2, count))
    expect(await rig.act('pause')).toMatchObject({ status: 200 })
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    await reconcile(rig.ports, { minAgeMs: 0, holdAgeMs: 900_000, full: false }, rig.clock.now + 25_000)
    expect(await rig.facts()).toMatchObject({ soldOut: true })
  })

  it('return what is left when the sale is over: claimed and returned are the budget, to the cent', async () => {
    await open()
    const claims = await tapAndCredit(...shoppersOf(1, 6))
    rig.clock.now = (await sale()).endsAt + lastCallMs
    await reconcileNow()
    expect(await money()).toEqual({ budget: totalAmount, claimed: sum(claims), closedAt: rig.clock.now })
    expect(await readShards(stocks, phone)).toMatchObject([0, 4, 2].map((booked) => ({ booked, available: 0 })))
  })

  it('are credited from every outbox, also while one database does not answer (O4)', async () => {
    await open()
    const claims = await tap(...shoppersOf(0, 9))
    rig.clock.now += 10_000
    const heal = cutShard(1)
    await expect(reconcileNow()).rejects.toThrow(RedisUnavailable)
    expect(await money()).toMatchObject({ claimed: sum(claims.filter((one) => shardOf(one) !== 1)) })
    heal()
    expect(await reconcileNow()).toMatchObject({ state: 'in-step' })
    expect(await money()).toMatchObject({ claimed: sum(claims) })
    await expectAllGone()
  })

  it('of a shard that does not answer are unavailable, never sold out, while the others give theirs (I6)', async () => {
    await open()
    const heal = cutShard(1)
    const tapCut = async (shopper: number) => {
      const { startToken } = await sale()
      const asked = { saleId: phone, shopperId: shopperIdOf(shopper), startToken: startToken ?? '' }
      return claim(rig.ports.stock, { ...asked, now: rig.clock.now, requestId: 'r' })
    }
    for (const shopper of shoppersOf(2, 8)) expect(await tapCut(shopper)).toMatchObject({ kind: 'claimed' })
    await expect(tapCut(shoppersOf(2, 1, 8)[0] ?? 0)).rejects.toThrow(RedisUnavailable)
    await tend()
    expect(await rig.facts()).toMatchObject({ soldOut: false })
    expect(await readReachable(rig.ports.stock, phone)).toMatchObject({ total: 8, booked: 8 })
    heal()
    rig.clock.now += 10_000
    await reconcileNow()
    await expectAllGone()
  })

  it('come to the shards that answer when a window begins, and to the other one later (R7)', async () => {
    const { now } = rig.clock
    const first = { startsAt: now, endsAt: now + hour, stock: 3, totalAmount: 300 }
    const second = { startsAt: now + hour, endsAt: now + 3 * hour, stock: 6, totalAmount: 900 }
    await open({ startsAt: now, endsAt: first.endsAt, packets: undefined, windows: [first, second] })
    await tapAndCredit(...shoppersOf(0, 3))
    rig.clock.now = second.startsAt
    const heal = cutShard(2)
    const turn = () => moveOn(rig.ports, { who: 'reconcile', requestId: 'r' }, phone)
    await expect(turn()).rejects.toThrow(RedisUnavailable)
    expect(await readShards(stocks, phone)).toMatchObject([
      { total: 3, available: 2 },
      { total: 3, available: 2 },
      { total: 1, available: 0 },
    ])
    heal()
    await turn()
    await reconcileNow()
    expect(await readStock(stocks, phone)).toMatchObject({ total: 9, available: 6 })
    expect(sum(await tapAndCredit(...shoppersOf(2, 6)))).toBe(900)
  })
})

describe('a shard of red packets that is lost', () => {
  /** Claims of all shards; those of shard 1 by the second half are on their way when it is lost. */
  async function loseWithClaimsOnTheWay() {
    await open()
    const known = await tapAndCredit(...shoppersOf(0, 5))
    const late = await tap(...shoppersOf(0, 2, 5))
    expect([...known, ...late].map(shardOf)).toEqual([0, 0, 0, 0, 1, 1, 1])
    rig.claimsQueued.count = 40
    await lose(1)
    return { known, late }
  }

  it('is recovered alone, and its packets that may be on their way are held back (I2, P10)', async () => {
    const { late } = await loseWithClaimsOnTheWay()
    expect(await reconcileNow()).toMatchObject({ state: 'to-recover' })
    expect(await tapOnce(shoppersOf(1, 1)[0] ?? 0)).toMatchObject({ kind: 'unknown-sale' })
    const others = await tapAndCredit(...shoppersOf(2, 2))
    expect(others.map(shardOf)).toEqual([2, 2])
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 1, heldBack: 3 })
    expect(await readShards(stocks, phone)).toMatchObject([
      { frozen: false, booked: 4, heldBack: 0 },
      { frozen: false, booked: 4, heldBack: 3, packets: { loaded: 4, waiting: 0 } },
      { frozen: false, booked: 2, heldBack: 0 },
    ])
    expect(await deliver(late)).toMatchObject({ credited: { length: 2 }, refused: [] })
    await reconcileNow()
    expect((await readShards(stocks, phone))[1]).toMatchObject({ heldBack: 1, booked: 4 })
    await waitMs(deliveryMs)
    expect((await readShards(stocks, phone))[1]).toMatchObject({ heldBack: 0, available: 1 })
    await expectAllGone()
  })

  it('sends shoppers on whom it had sent on before, and finds their packets (P3)', async () => {
    await open()
    // Two claims of shard 0 are lost with it, so two of its packets become free.
    await tapAndCredit(...shoppersOf(0, 2))
    await tap(...shoppersOf(0, 2, 2))
    // Home 0 is empty: one of these is known to the table, one only to its shard.
    const [credited = 0, uncredited = 0] = shoppersOf(0, 2, 4)
    const [one] = await tapAndCredit(credited)
    const [two] = await tap(uncredited)
    expect([one, two].map((claimed) => claimed && shardOf(claimed))).toEqual([1, 1])
    await lose(0)
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 2, heldBack: 2 })
    await waitMs(deliveryMs)
    expect((await readShards(stocks, phone))[0]).toMatchObject({ available: 2 })
    expect(await tapOnce(credited)).toMatchObject({ kind: 'repeat', message: { packet: one?.packet } })
    expect(await tapOnce(uncredited)).toMatchObject({ kind: 'repeat', message: { packet: two?.packet } })
    await expectAllGone()
  })

  it('gives no second packet to a shopper whose claim arrives after the home shard and its own were lost (P3)', async () => {
    await open()
    await tap(...shoppersOf(0, 4))
    const [shopper = 0] = shoppersOf(0, 1, 4)
    const late = await tap(shopper)
    expect(late.map(shardOf)).toEqual([1])
    rig.claimsQueued.count = 40
    for (const at of [0, 1]) await lose(at)
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 0, heldBack: 8 })
    expect(await deliver(late)).toMatchObject({ credited: { length: 1 } })
    await waitMs(deliveryMs)
    expect((await readShards(stocks, phone))[0]).toMatchObject({ available: 4 })
    expect(await tapOnce(shopper)).toMatchObject({ kind: 'repeat', message: { packet: late[0]?.packet } })
    await expectAllGone()
  })

  it('leaves one packet to a shopper who got one of another shard before the first claim arrived (P3)', async () => {
    const { late } = await loseWithClaimsOnTheWay()
    await rebuild()
    // The shopper claims again, and the shard that lost the first claim has nothing to give.
    const [first] = late
    const shopper = shoppersOf(0, 1, 5)[0] ?? 0
    const [again] = await tap(shopper)
    expect([first && shardOf(first), again && shardOf(again)]).toEqual([1, 2])
    expect(await deliver(late)).toMatchObject({ credited: { length: 2 } })
    rig.clock.now += 10_000
    await reconcileNow()
    expect(rig.claimLetters.letters).toMatchObject([{ reason: expect.stringContaining('another packet') }])
    expect(await tapOnce(shopper)).toMatchObject({ kind: 'repeat', message: { packet: first?.packet } })
    expect((await readShards(stocks, phone))[2]).toMatchObject({ booked: 1, heldBack: 1 })
    await waitMs(deliveryMs)
    await expectAllGone()
  })

  it('is recovered once more while another shard still has a claim of its shopper that the table rejects (P10)', async () => {
    const { late } = await loseWithClaimsOnTheWay()
    await rebuild()
    const shopper = shoppersOf(0, 1, 5)[0] ?? 0
    const again = await tap(shopper)
    await deliver(late)
    await lose(1)
    expect(await rebuild()).toMatchObject({ kind: 'recovered' })
    await deliver(again)
    await reconcileNow(true)
    expect(await tapOnce(shopper)).toMatchObject({ kind: 'repeat', message: { packet: late[0]?.packet } })
    await waitMs(deliveryMs)
    await expectAllGone()
  })

  it('is not opened when a late call has warmed it again, and is recovered (P3)', async () => {
    await open()
    await tapAndCredit(...shoppersOf(1, 2))
    await lose(1)
    const present = await sale()
    await warmStock({ exec: server.exec, shard: 1 }, { ...present, epoch: 0, version: 1, flag: 'off', stock: 4 })
    expect(await reconcileNow()).toMatchObject({ state: 'to-recover' })
    expect((await readShards(stocks, phone))[1]).toMatchObject({ epoch: 0 })
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 2, heldBack: 2 })
    await waitMs(deliveryMs)
    await expectAllGone()
  })

  it('is complete after a recovery that was cut off at any call and started again (I5)', async () => {
    for (const where of ['before', 'after'] as const) {
      const calls = await atEachCut(async (call) => {
        await restart()
        const { late } = await loseWithClaimsOnTheWay()
        const cut = cutOffAt(rig.ports, ['stock', 'table'], call, where)
        const first = await rebuild(cut.ports).catch((error: Error) => isCutOff(error))
        if (cut.calls() < call) return false
        expect(first === true || typeof first === 'object', `${where} call ${call}`).toBe(true)
        rig.clock.now += 10_000
        await rebuild()
        await deliver(late)
        await waitMs(deliveryMs)
        await expectAllGone()
        return true
      })
      expect(calls).toBeGreaterThan(10)
    }
  }, 300_000)

  it('can be all shards at once (P10)', async () => {
    await open()
    await tapAndCredit(...shoppersOf(0, 5))
    for (const at of [0, 1, 2]) await lose(at)
    expect(await rebuild()).toMatchObject({ kind: 'recovered', orders: 5, heldBack: count - 5 })
    await waitMs(deliveryMs)
    await expectAllGone()
  })
})

describe('red packets over several databases that are lost again and again', () => {
  const seed = Number(process.env.FC_SEED ?? Date.now() % 1_000_000)

  /** Claims, credits, losses and repairs in a random order; `late` are messages on their way. */
  async function play(random: Random): Promise<void> {
    await restart()
    await open()
    rig.claimsQueued.count = 40
    const late: ClaimMessage[] = []
    const repairNow = async () => {
      rig.clock.now += 10_000
      if ((await reconcileNow()).state === 'to-recover') await rebuild()
    }
    const steps = new Map([
      ['tap', 8],
      ['deliver', 3],
      ['lose', 1],
      ['repair', 2],
      ['wait', 0.5],
    ] as const)
    for (let step = 0; step < 40; step += 1) {
      const what = random.weighted(steps)
      if (what === 'tap') {
        const tapped = await tapOnce(random.whole(1, 16))
        if (tapped.kind === 'claimed') late.push(tapped.message)
      }
      if (what === 'deliver') await deliver(late.splice(0, random.whole(0, 3)))
      if (what === 'lose') await lose(random.whole(0, shards - 1))
      if (what === 'repair') await repairNow()
      if (what === 'wait') {
        // No message lives longer.
        await deliver(late.splice(0))
        rig.clock.now += deliveryMs
        await repairNow()
      }
    }
    await deliver(late)
    for (let turn = 0; turn < 3; turn += 1) await repairNow()
    // Every tenth minute the schedule compares each claim, whether the queue is empty or not.
    await reconcileNow(true)
    await waitMs(deliveryMs)
    for (let shopper = 1; shopper <= 16; shopper += 1) {
      const held = await walletOf(shopper)
      if (held === 0) continue
      expect(await tapOnce(shopper)).toMatchObject({ kind: 'repeat', message: { amount: held } })
    }
    await expectAllGone()
  }

  it(`end with one packet for each shopper and all money in wallets, seed ${seed} (I1, I2, P3, P10)`, async () => {
    for (let number = 0; number < inSample(5, 25); number += 1) {
      await play(openRandom(seedOf(seed, number))).catch((error: unknown) => {
        throw new Error(`play ${number} of seed ${seed}`, { cause: error })
      })
    }
  })
})
