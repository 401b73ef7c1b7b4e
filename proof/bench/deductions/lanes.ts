/**
 * What `bench -- deductions` runs in turns: reserve.lua, and smaller scripts that take the same units.
 *
 * `minimal` is the rule of S5 plus the check of the sign that it lacks, so that both take the same;
 * it gets the keys and arguments of reserve.lua and replies in the same form. `bare` is the same
 * with one key and one number, too little for any script that identifies its shopper.
 */
import { parseSaleId } from '../../../core/ids.ts'
import { runnable } from '../../../local/upstash/strict-keys.ts'
import reserveSource from '../../../redis/buy/reserve.lua'
import { reserveCall } from '../../../redis/buy/reserve.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { benchPurchase, made, openGoods } from '../open-window.ts'

/** Requests ask for 0 to this many units. */
export const mostUnits = 5

const minimal = (units: string) => `local left = redis.call('GET', KEYS[1])
if not left then return {10} end
local wanted = tonumber(${units})
if wanted < 1 then return {15} end
if left == '-1' then return -1 end
if tonumber(left) < wanted then return -1 - left end
return redis.call('DECRBY', KEYS[1], wanted)`

/**
 * One way to deduct with its stock, by one script call for each request. `leftAfter` reads from its reply what is left,
 * undefined when it took nothing. `refill` sets the stock and forgets every shopper, and `left` reads the remaining units from the reply
 * to `look`.
 */
export type DeductionLane = {
  name: DeductionLaneName
  source: string
  call: (shopper: number, quantity: number) => { keys: string[]; args: string[] }
  leftAfter: (reply: unknown) => number | undefined
  refill: (units: number) => string[][]
  look: string[]
  left: (found: unknown[]) => number
}
export type DeductionLaneName = 'ours' | 'minimal' | 'bare'

const fields = openGoods(mostUnits)

const saleId = made(parseSaleId('bench-deductions'))
const { stock, outbox } = stockKeys(saleId)

export const lanes: DeductionLane[] = [
  {
    name: 'ours',
    source: runnable(reserveSource, 'none'),
    call: callOf,
    leftAfter: (reply) => {
      const [code, total, booked] = Array.isArray(reply) ? reply : []
      return code === 1 ? Number(total) - Number(booked) : undefined
    },
    // A stock as reserve.lua reads it.
    refill: (units) => [
      ['DEL', stock, outbox],
      ['HSET', stock, 'total', String(units), 'booked', '0', ...fields],
    ],
    look: ['HMGET', stock, 'total', 'booked'],
    left: ([total, booked]) => Number(total) - Number(booked),
  },
  counterLane('minimal', 'ARGV[3]', (key, shopper, quantity) => {
    const { keys, args } = callOf(shopper, quantity)
    return { keys: [key, ...keys.slice(1)], args }
  }),
  counterLane('bare', 'ARGV[1]', (key, _shopper, quantity) => ({ keys: [key], args: [String(quantity)] })),
]

function counterLane(
  name: DeductionLaneName,
  units: string,
  call: (key: string, shopper: number, quantity: number) => ReturnType<DeductionLane['call']>,
): DeductionLane {
  const key = `bench:{${name}}`
  return {
    name,
    source: minimal(units),
    refill: (stocked) => [['SET', key, String(stocked)]],
    call: (shopper, quantity) => call(key, shopper, quantity),
    leftAfter: (reply) => (typeof reply === 'number' && reply >= 0 ? reply : undefined),
    look: ['MGET', key],
    left: ([left]) => Number(left),
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

function callOf(shopper: number, quantity: number): ReturnType<DeductionLane['call']> {
  const letters = Array.from({ length: 26 }, (_, at) => alphabet[(shopper >> ((at % 6) * 5)) & 31]).join('')
  return reserveCall({ ...benchPurchase(saleId, shopper, letters), quantity })
}
