/**
 * Claims of a split stock, by many requests of few shoppers at once, through the real script. A
 * scheduler runs one command at a time in a random order, loses replies, ends requests between two
 * shards, and lets a command arrive long after its request has ended. Meanwhile packets of a second
 * window come, and held-back ones are released.
 */
import { describe, expect, it } from 'vitest'
import { packetsOfShard } from '../../../core/packets/packet-shards.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { openRandom, type Random, seedOf } from '../../../proof/simulation/engine/random.ts'
import type { Command, SplitStocks } from '../../../redis/command.ts'
import { RedisUnavailable } from '../../../redis/errors.ts'
import { claim, type Tapped } from '../../../redis/packets/claim.ts'
import { unholdPackets } from '../../../redis/packets/packets.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { addStock } from '../../../redis/stock/add-stock.ts'
import { inSample } from '../../whole-plays.ts'
import { useRedis } from '../test-store.ts'
import { aRain, aTap } from './rain.ts'
import { amountOf, claimedIn, listsOf, loadShard, openSplitRain, splitOver } from './split-rain.ts'

const redis = useRedis()
const seed = Number(process.env.SEED ?? 20261121)
const sales = inSample(20, 60)

/** A command that waits to be run. */
type Waiting = { command: Command; answer: PromiseWithResolvers<unknown> }

/** Packets that were in a list all the time since the request began. */
type Request = { seen: Set<number> }

function schedulerOf(random: Random, shardCount: number) {
  const waiting: Waiting[] = []
  const late: Command[] = []
  const running = new Set<Request>()

  /** Of all requests only the claims that are run take a packet out of a list. */
  async function run(command: Command): Promise<unknown> {
    const reply = await redis.exec(command)
    if (Array.isArray(reply) && reply[0] === 1) {
      const packet = Number(String(reply[1]).split(' ')[1])
      for (const { seen } of running) seen.delete(packet)
    }
    return reply
  }

  const stocks: SplitStocks = {
    shardCount: async () => shardCount,
    exec(command) {
      const answer = Promise.withResolvers<unknown>()
      waiting.push({ command, answer })
      return answer.promise
    },
  }

  const lost = () => new RedisUnavailable('no reply')

  /** Runs one command that waits, or one that is late; false when there is none. */
  async function step(): Promise<boolean> {
    if (late.length > 0 && (waiting.length === 0 || random.chance(0.1))) {
      const [command] = late.splice(random.whole(0, late.length - 1), 1)
      if (command !== undefined) await run(command)
      return true
    }
    const [next] = waiting.length === 0 ? [] : waiting.splice(random.whole(0, waiting.length - 1), 1)
    if (next === undefined) return false
    const { command, answer } = next
    const fate = random.weighted(
      new Map([
        ['run', 12],
        ['lost', 1],
        ['late', 1],
        ['gone', 1],
      ] as const),
    )
    if (fate === 'run') answer.resolve(await run(command))
    if (fate === 'lost') await run(command)
    if (fate === 'late') late.push(command)
    if (fate !== 'run') answer.reject(lost())
    return true
  }

  return { stocks, running, step }
}

/** The answers of a shopper that name a packet. */
function packetOf(tapped: Tapped): number | undefined {
  return tapped.kind === 'claimed' || tapped.kind === 'repeat' ? tapped.message.packet : undefined
}

async function play(number: number): Promise<{ soldOut: number; repeats: number; sentOn: number }> {
  const random = openRandom(seedOf(seed, number))
  const shardCount = random.whole(2, 5)
  const count = random.whole(1, 9)
  const wave = random.whole(0, 6)
  const shoppers = random.whole(1, 14)
  const sale = aRain(Array.from({ length: count }, (_, packet) => amountOf(packet)))
  const direct = splitOver(redis, shardCount)
  const heldBack = new Set(Array.from({ length: count }, (_, packet) => packet).filter(() => random.chance(0.2)))
  await openSplitRain(direct, sale, heldBack)
  const { stocks, running, step } = schedulerOf(random, shardCount)
  const found = new Map<number, number>()
  const tally = { soldOut: 0, repeats: 0, sentOn: 0 }

  async function ask(shopper: number): Promise<void> {
    const request: Request = { seen: new Set((await listsOf(direct, sale)).flat()) }
    running.add(request)
    try {
      const tapped = await claim(stocks, aTap(sale, shopper))
      const packet = packetOf(tapped)
      if (packet !== undefined) {
        expect(found.get(shopper) ?? packet, `shopper ${shopper}`).toBe(packet)
        found.set(shopper, packet)
      }
      if (tapped.kind === 'repeat') tally.repeats += 1
      if (tapped.kind === 'sold-out') {
        tally.soldOut += 1
        expect([...request.seen], 'packets that were there all the time').toEqual([])
        expect(found.get(shopper), 'a shopper with a packet').toBeUndefined()
      }
    } catch (error) {
      if (!(error instanceof RedisUnavailable)) throw error
    } finally {
      running.delete(request)
    }
  }

  // Each shard gets its units and then its packets on its own, beside the requests.
  const chores = choresOf(sale, direct, shardCount, wave, heldBack)
  const asked: Promise<void>[] = []
  for (let steps = 0; steps < 40 + shoppers * 12; steps += 1) {
    if (random.chance(0.25)) asked.push(ask(random.whole(1, shoppers)))
    if (random.chance(0.06)) await chores.splice(random.whole(0, chores.length), 1)[0]?.()
    await step()
    await redis.settled()
  }
  for (const chore of chores) await chore()
  while (await step()) await redis.settled()
  await Promise.all(asked)

  // At rest every shopper asks once more, and gets a packet as long as there is one.
  for (let shopper = 1; shopper <= shoppers; shopper += 1) {
    const tapped = await claim(direct, aTap(sale, shopper))
    const packet = packetOf(tapped)
    if (packet === undefined) {
      expect(tapped).toEqual({ kind: 'sold-out', remaining: 0 })
      expect((await listsOf(direct, sale)).flat()).toEqual([])
      continue
    }
    expect(found.get(shopper) ?? packet, `shopper ${shopper}`).toBe(packet)
    found.set(shopper, packet)
  }
  const claims = await claimedIn(direct, sale)
  const owners = claims.flatMap((some) => [...some.keys()])
  const packets = claims.flatMap((some) => [...some.values()])
  expect(new Set(owners).size, 'shoppers').toBe(owners.length)
  expect(new Set(packets).size, 'packets').toBe(packets.length)
  for (const [at, some] of claims.entries()) {
    expect([...some.values()].filter((packet) => packet % shardCount !== at)).toEqual([])
  }
  expect(packets.length).toBe(Math.min(shoppers, count + wave))
  expect(new Set(packets)).toEqual(new Set(found.values()))
  const homes = claims.map((some) => some.size)
  tally.sentOn = homes.filter((size) => size > 0).length
  return tally
}

/** Units and packets of the second window, shard by shard, and the release of held-back packets. */
function choresOf(
  sale: Sale,
  direct: SplitStocks,
  shardCount: number,
  wave: number,
  heldBack: ReadonlySet<number>,
): (() => Promise<void>)[] {
  const { saleId, currency } = sale
  const upTo = sale.stock + wave
  return Array.from({ length: shardCount }, (_, at) => at).flatMap((at) => {
    const shardAt = async () => {
      const shard = (await shardsOf(direct, saleId))[at]
      if (shard === undefined) throw new Error('no such shard')
      return shard
    }
    const delta = packetsOfShard(upTo, at, shardCount) - packetsOfShard(sale.stock, at, shardCount)
    const bringWave = async () => {
      await addStock(await shardAt(), saleId, { number: 1, delta })
      await loadShard(await shardAt(), sale, [at, shardCount], upTo, undefined)
    }
    const own = [...heldBack].filter((packet) => packet % shardCount === at)
    const release = async () => {
      const packets = own.map((packet) => ({ packet, amount: amountOf(packet) }))
      const done = await unholdPackets(await shardAt(), saleId, {
        since: 4_000,
        mostBooked: 1000,
        packets,
        currency,
      })
      expect(done).toMatchObject({ kind: 'unheld', packets: own.length })
    }
    return own.length > 0 ? [bringWave, release] : [bringWave]
  })
}

describe(`${sales} sales of red packets over several shards, seed ${seed}`, () => {
  it('give no shopper two packets and no packet twice, and answer "sold out" only without packets (P3, S14)', async () => {
    const sum = { soldOut: 0, repeats: 0, sentOn: 0 }
    for (let number = 0; number < sales; number += 1) {
      const tally = await play(number).catch((error: unknown) => {
        throw new Error(`sale ${number} of seed ${seed}`, { cause: error })
      })
      sum.soldOut += tally.soldOut
      sum.repeats += tally.repeats
      sum.sentOn += tally.sentOn
    }
    expect(Math.min(sum.soldOut, sum.repeats, sum.sentOn)).toBeGreaterThan(sales)
  })
})
