/**
 * What `bench -- deductions` runs in turns: reserve.lua, and the least that takes the same units.
 *
 * `minimal` is S5's rule with the look at the sign that it lacks, so that both take alike; it gets the keys and
 * arguments that reserve.lua gets and replies in the same form. `bare` is the same with one key and one number, which
 * no script that knows its shopper could live on.
 */
import { createHash } from 'node:crypto'
import { parseOrderId, parseSaleId, parseShopperId } from '../../core/ids.ts'
import { defaultThrottle } from '../../core/sale.ts'
import { runnable } from '../../local/upstash/strict-keys.ts'
import { stockKeys } from '../../redis/keys.ts'
import { type OpenWindow, packTries, packWindow } from '../../redis/packed-window.ts'
import reserveSource from '../../redis/reserve.lua'
import { reserveCall } from '../../redis/reserve.ts'

/** Asked for are 0 to this many units. */
export const mostUnits = 5

const minimal = (units: string) => `local left = redis.call('GET', KEYS[1])
if not left then return {10} end
local wanted = tonumber(${units})
if wanted < 1 then return {15} end
if left == '-1' then return {1, -1} end
if tonumber(left) < wanted then return {17, tonumber(left)} end
return {1, redis.call('DECRBY', KEYS[1], wanted)}`

/**
 * One script with its stock. `refill` puts that many units on the shelf, `forget` is sent between rounds, and `left`
 * finds in the reply to `look` how many units there are.
 */
export type Lane = {
  name: LaneName
  source: string
  refill: (units: number) => string[][]
  forget: string[][]
  call: (shopper: number, quantity: number) => { keys: string[]; args: string[] }
  look: string[]
  left: (found: unknown[]) => number
}
export type LaneName = 'ours' | 'minimal' | 'bare'

const saleId = made(parseSaleId('bench-deductions'))
const startToken = createHash('sha256').update('bench').digest('base64url')
const now = 1_790_000_000_000
const opening: OpenWindow = {
  kind: 'goods',
  flag: 'on',
  epoch: 1,
  startToken,
  startsAt: now - 1,
  endsAt: now + 1,
  version: 1,
  windows: [],
  windowIndex: 0,
}
const packedWindow = `${packWindow(opening)} ${mostUnits} ${mostUnits} ${packTries(defaultThrottle.perShopper)}`
const { stock, buyers, holds, outbox } = stockKeys(saleId)

export const lanes: Lane[] = [
  {
    name: 'ours',
    source: runnable(reserveSource, 'none'),
    refill: (units) => [
      [
        'HSET',
        stock,
        'total',
        String(units),
        'booked',
        '0',
        'stockRevision',
        '0',
        'packedWindow',
        packedWindow,
      ],
    ],
    forget: [['DEL', buyers, holds, outbox]],
    call: purchaseOf,
    look: ['HMGET', stock, 'total', 'booked'],
    left: ([total, booked]) => Number(total) - Number(booked),
  },
  counterLane('minimal', 'ARGV[4]', (key, shopper, quantity) => {
    const { keys, args } = purchaseOf(shopper, quantity)
    return { keys: [key, ...keys.slice(1)], args }
  }),
  counterLane('bare', 'ARGV[1]', (key, _shopper, quantity) => ({ keys: [key], args: [String(quantity)] })),
]

function counterLane(
  name: LaneName,
  units: string,
  call: (key: string, shopper: number, quantity: number) => ReturnType<Lane['call']>,
): Lane {
  const key = `bench:{${name}}`
  return {
    name,
    source: minimal(units),
    refill: (stocked) => [['SET', key, String(stocked)]],
    forget: [],
    call: (shopper, quantity) => call(key, shopper, quantity),
    look: ['MGET', key],
    left: ([left]) => Number(left),
  }
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** A purchase as long as real ones are: ids, token and request id have the lengths they have in a sale. */
function purchaseOf(shopper: number, quantity: number): ReturnType<Lane['call']> {
  const digits = String(shopper).padStart(8, '0')
  const name = Array.from({ length: 26 }, (_, at) => letters[(shopper >> ((at % 6) * 5)) & 31]).join('')
  return reserveCall({
    orderId: made(parseOrderId(`${saleId}-${name}`)),
    saleId,
    shopperId: made(parseShopperId(`shopper-${digits}`)),
    quantity,
    startToken,
    now,
    requestId: `request-${digits.repeat(3)}`,
  })
}

function made<T>(id: T | undefined): T {
  if (id === undefined) throw new Error('the measurement made an id that is none')
  return id
}
