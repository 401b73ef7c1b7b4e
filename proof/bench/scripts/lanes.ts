/**
 * What `bench -- scripts` runs in turns: two baselines, each reading two counters and raising one,
 * and the three most frequent answers of reserve.lua.
 *
 * `counting` gets the keys and arguments of reserve.lua and replies in the same form: the ratio to
 * it is the cost of the checks and records. `bare` gets one key and one number and replies with a
 * number, too little for any script that identifies its shopper; the ratio to it also includes
 * passing the request itself.
 */
import { createHash } from 'node:crypto'
import { parseSaleId } from '../../../core/ids.ts'
import { runnable } from '../../../local/upstash/strict-keys.ts'
import reserveSource from '../../../redis/buy/reserve.lua'
import { reserveCall } from '../../../redis/buy/reserve.ts'
import { shopperPrefix, stockKeys } from '../../../redis/keys.ts'
import { benchNow, benchPurchase, made, openGoods } from '../open-window.ts'
import type { Lane, ScriptCall } from './lane-time.ts'

const counting = `local stock = redis.call('HMGET', KEYS[1], 'total', 'booked')
local remaining = stock[1] - stock[2] - ARGV[3]
if remaining < 0 then return {17, remaining} end
redis.call('HINCRBY', KEYS[1], 'booked', ARGV[3])
return {1, remaining}`

const bare = `local stock = redis.call('HMGET', KEYS[1], 'total', 'booked')
if stock[2] + ARGV[1] > tonumber(stock[1]) then return 0 end
redis.call('HINCRBY', KEYS[1], 'booked', ARGV[1])
return ARGV[1] + 0`

export type ScriptLaneName =
  | 'bare'
  | 'counting'
  | 'accept'
  | 'repeat'
  | 'sold-out'
  | 'returning'
  | 'after cancelling'
  | 'after cancelling most'

/** Returning shoppers in the lanes about cancelling; the record of each is long. */
const returning = 400

/** The lanes of a sale with one unit for each of `buyers`, in the order in which they must run. */
export function lanesOf(buyers: number): Lane<ScriptLaneName>[] {
  const purchases = Array.from({ length: 2 * buyers }, (_, shopper) => claimOf(shopper))
  const [first, late] = [purchases.slice(0, buyers), purchases.slice(buyers)]
  const { stock, outbox } = stockKeys(saleId)
  const counters = ['total', String(buyers), 'booked', '0']
  const reserve = { source: runnable(reserveSource, 'none') }
  return [
    {
      name: 'bare',
      source: bare,
      before: [['HSET', bareKey, ...counters]],
      calls: first.map(() => ({ keys: [bareKey], args: ['1'] })),
      code: '1',
    },
    {
      name: 'counting',
      source: counting,
      before: [['HSET', countingKey, ...counters]],
      calls: first.map(({ keys, args }) => ({ keys: [countingKey, ...keys.slice(1)], args })),
      code: '1',
    },
    {
      ...reserve,
      name: 'accept',
      before: [
        ['DEL', stock, outbox],
        ['HSET', stock, ...stockOfSale(buyers)],
      ],
      calls: first,
      code: '1',
    },
    { ...reserve, name: 'repeat', before: [], calls: first, code: '2' },
    { ...reserve, name: 'sold-out', before: [], calls: late, code: '17' },
    ...(
      [
        ['returning', 0, '1'],
        ['after cancelling', 29, '1'],
        ['after cancelling most', 30, '16'],
      ] as const
    ).map(([name, ended, code]) => ({
      ...reserve,
      name,
      before: [
        ['DEL', stock, outbox],
        ['HSET', stock, ...stockOfSale(buyers)],
        ...first.slice(0, returning).map(({ args }) => ['HSET', stock, `${shopperPrefix}${args[0]}`, endedOf(ended)]),
      ],
      calls: first.slice(0, returning),
      code,
    })),
  ]
}

/** An empty stock of `units`, for `acceptedLane`. */
export function emptyStock(units: number): string[][] {
  const { stock, outbox } = stockKeys(saleId)
  return [
    ['DEL', stock, outbox],
    ['HSET', stock, ...stockOfSale(units)],
  ]
}

/** `count` further buyers of a stock of which `sold` have bought. */
export function acceptedLane(sold: number, count: number): Lane<'accept'> {
  return {
    name: 'accept',
    source: runnable(reserveSource, 'none'),
    // As if the orders of the buyers before were in the table.
    before: [['DEL', stockKeys(saleId).outbox]],
    calls: Array.from({ length: count }, (_, at) => claimOf(sold + at)),
    code: '1',
  }
}

/**
 * The record of a shopper whose last request is an hour old and who has cancelled `count` orders.
 */
function endedOf(count: number): string {
  const before = benchNow - 3_600_000
  const ended = Array.from({ length: count }, (_, order) => [
    claimOf(1_000_000 + order).args[1],
    { units: 0, at: before },
  ])
  return JSON.stringify({ orders: Object.fromEntries(ended), tries: [before] })
}

const saleId = made(parseSaleId('bench-scripts'))
/** The key of the stock to which `acceptedLane` adds buyers. */
export const { stock: stockKey } = stockKeys(saleId)
const fields = openGoods(2)

/** The fields of a stock of `units`. */
function stockOfSale(units: number): string[] {
  return ['total', String(units), 'booked', '0', ...fields]
}

const bareKey = 'bench:{bare}'
const countingKey = 'bench:{counting}'

/** All keys that a run writes. */
export const laneKeys = [bareKey, countingKey, ...Object.values(stockKeys(saleId))]

function claimOf(shopper: number): ScriptCall {
  const hash = createHash('sha256').update(String(shopper)).digest('hex')
  const letters = [...hash.slice(0, 26)].map((digit) => 'abcdefghijklmnop'[Number.parseInt(digit, 16)])
  return reserveCall({ ...benchPurchase(saleId, shopper, letters.join('')), quantity: 1 })
}
