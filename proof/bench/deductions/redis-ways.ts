/** The ways that count in Redis: single commands, the scripts of the sources, and reserve.lua. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { reserve, reserveCall } from '../../../redis/buy/reserve.ts'
import { type Commander, command } from '../../../redis/command.ts'
import { defineScript } from '../../../redis/script.ts'
import { readStock, removeStock } from '../../../redis/stock/stock.ts'
import { warmStock } from '../../../redis/stock/warm.ts'
import { benchPurchase, benchSaleId, openBenchSale } from '../bench-sale.ts'
import { isWonByS5, s1, s2, s4, s5, s7, s9 } from './literals.ts'
import type { DrawnRound, PlayedRound } from './round.ts'

/** One request; `number` is its place in the round. */
type Request = { number: number; shopper: number; units: number }

export type RedisWay = {
  fill: (redis: Commander, stock: number) => Promise<void>
  /** True when the caller has the units. */
  take: (redis: Commander, request: Request) => Promise<boolean>
  left: (redis: Commander) => Promise<number>
}

/** Runs a round: every client sends its next request after the reply to the last one. */
export async function playOnRedis(
  clients: readonly Commander[],
  way: RedisWay,
  { stock, shoppers, quantities }: DrawnRound,
): Promise<PlayedRound> {
  const [first] = clients
  if (first === undefined) throw new Error('a round needs a client')
  await way.fill(first, stock)
  const won = new Uint8Array(quantities.length)
  let next = 0
  const send = async (redis: Commander) => {
    for (let at = next++; at < quantities.length; at = next++) {
      const request = { number: at, shopper: shoppers[at] ?? 0, units: quantities[at] ?? 0 }
      if (await way.take(redis, request)) won[at] = 1
    }
  }
  const startedAt = performance.now()
  await Promise.all(clients.map(send))
  const wallMs = performance.now() - startedAt
  return { won, left: await way.left(first), wallMs }
}

const key = 'bench:{deducting}'
const saleId = benchSaleId('bench-deductions')

const counter = (take: RedisWay['take']): RedisWay => ({
  fill: async (redis, stock) => {
    await command(redis, ['DEL', `${key}:buyers`])
    await command(redis, ['SET', key, String(stock)])
  },
  take,
  left: leftOfCounter,
})

async function leftOfCounter(redis: Commander): Promise<number> {
  return Number(await command(redis, ['GET', key]))
}

/** Reads the stock, decides in this process, and writes the new value. */
async function getAndSet(redis: Commander, units: number): Promise<boolean> {
  const left = await leftOfCounter(redis)
  if (left < units) return false
  await command(redis, ['SET', key, String(left - units)])
  return true
}

export const getThenSet = counter((redis, { units }) => getAndSet(redis, units))

const lockKey = `${key}:lock`
const lockLifeMs = 10_000
const lockRetryMs = 50
const unlock = defineScript(
  'unlock',
  "if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end return redis.call('DEL', KEYS[1])",
)

/** K3 to K5, except that a client retries until it gets the lock. */
export const underLockKey = counter(async (redis, { units }) => {
  const id = randomUUID()
  while ((await command(redis, ['SET', lockKey, id, 'NX', 'PX', String(lockLifeMs)])) === null) {
    await sleep(lockRetryMs)
  }
  try {
    return await getAndSet(redis, units)
  } finally {
    await unlock.call(redis, [lockKey], [id])
  }
})

/** S7: decrements first; below zero means sold out. */
export const decrby = counter(async (redis, { units }) => Number(await s7(redis, key, units)) >= 0)

const bookedHash = (source: string, total: string, booked: string): RedisWay => {
  const script = defineScript('booked', source)
  return {
    async fill(redis, stock) {
      await command(redis, ['DEL', key])
      await command(redis, ['HSET', key, total, String(stock), booked, '0'])
    },
    take: async (redis, { units }) => (await script.call(redis, [key], [String(units)])) !== 0,
    left: async (redis) =>
      Number(await command(redis, ['HGET', key, total])) - Number(await command(redis, ['HGET', key, booked])),
  }
}
export const scriptS1 = bookedHash(s1('<='), 'total', 'ordered')
export const scriptS2 = bookedHash(s2, 'Total', 'Booked')

const s4Script = defineScript('s4', s4)
export const scriptS4 = counter(async (redis) => Number(await s4Script.call(redis, [key], [])) >= 1)

const s5Script = defineScript('s5', s5)
/** Reads the reply as the script defines it: the units left, and 0 is a win. */
export const scriptS5 = counter(
  async (redis, { units }) => Number(await s5Script.call(redis, [key], [String(units)])) >= 0,
)
/** Reads the reply as its caller does: 0 is a loss. */
export const scriptS5AsRead = counter(async (redis, { units }) =>
  isWonByS5(await s5Script.call(redis, [key], [String(units)])),
)

export const twoStepsOfS9 = counter(async (redis, { shopper }) => (await s9(redis, key, String(shopper))) === 1)

/** Reserves as the deployed function does, with shopper, limit, order and message. */
export const reserveLua = (limitPerShopper: number): RedisWay => ({
  async fill(redis, stock) {
    await removeStock(redis, saleId)
    await warmStock(redis, openBenchSale(saleId, { stock, limitPerShopper, maxPerOrder: limitPerShopper }))
  },
  take: async (redis, request) => (await reserve(redis, purchaseOf(request))).kind === 'reserved',
  left: async (redis) => (await readStock(redis, saleId))?.available ?? Number.NaN,
})

const minimalScript = defineScript(
  'minimal',
  `local left = redis.call('GET', KEYS[1])
  if not left then return {10} end
  local wanted = tonumber(ARGV[3])
  if wanted < 1 then return {15} end
  if left == '-1' then return -1 end
  if tonumber(left) < wanted then return -1 - left end
  return redis.call('DECRBY', KEYS[1], wanted)`,
)

/**
 * The smallest script that deducts: S5 with a check of the sign, so that it accepts the same requests as reserve.lua.
 * It gets the same keys and arguments.
 */
export const smallestScript = counter(async (redis, request) => {
  const { keys, args } = reserveCall(purchaseOf(request))
  return Number(await minimalScript.call(redis, [key, ...keys.slice(1)], args)) >= 0
})

function purchaseOf({ number, shopper, units: quantity }: Request) {
  return { ...benchPurchase(saleId, shopper, number), quantity }
}
