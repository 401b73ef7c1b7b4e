/**
 * What `bench -- deductions` runs in turns: reserve.lua, and smaller scripts that take the same
 * units.
 *
 * `minimal` is the rule of S5 plus the check of the sign that it lacks, so that both take the same;
 * it gets the keys and arguments of reserve.lua and replies in the same form. `bare` is the same
 * with one key and one number, too little for any script that identifies its shopper.
 */
import { createHash } from 'node:crypto'
import { parseOrderId, parseSaleId, parseShopperId } from '../../core/ids.ts'
import { defaultThrottle } from '../../core/sale.ts'
import { runnable } from '../../local/upstash/strict-keys.ts'
import { stockKeys } from '../../redis/keys.ts'
import { type OpenWindow, packTries, packWindow, unpackWindow } from '../../redis/packed-window.ts'
import reserveSource from '../../redis/reserve.lua'
import { reserveCall } from '../../redis/reserve.ts'

/** Requests ask for 0 to this many units. */
export const mostUnits = 5

const minimal = (units: string) => `local left = redis.call('GET', KEYS[1])
if not left then return {10} end
local wanted = tonumber(${units})
if wanted < 1 then return {15} end
if left == '-1' then return {1, -1} end
if tonumber(left) < wanted then return {17, tonumber(left)} end
return {1, redis.call('DECRBY', KEYS[1], wanted)}`

/**
 * One script with its stock. `refill` sets the stock, `forget` is sent between rounds, and `left`
 * reads the remaining units from the reply to `look`.
 */
export type DeductionLane = {
  name: DeductionLaneName
  source: string
  refill: (units: number) => string[][]
  forget: string[][]
  call: (shopper: number, quantity: number) => { keys: string[]; args: string[] }
  look: string[]
  left: (found: unknown[]) => number
}
export type DeductionLaneName = 'ours' | 'minimal' | 'bare'

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
const window = made(unpackWindow(packedWindow))
const tag = 'facts-of-bench'
const { stock, outbox } = stockKeys(saleId)

export const lanes: DeductionLane[] = [
  {
    name: 'ours',
    source: runnable(reserveSource, 'none'),
    refill: (units) => [
      [
        'HSET',
        stock,
        ...['total', String(units), 'left', String(units), 'stockRevision', '0'],
        ...['packedWindow', packedWindow, 'tag', tag],
      ],
    ],
    forget: [['DEL', stock, outbox]],
    call: purchaseOf,
    look: ['HMGET', stock, 'left'],
    left: ([left]) => Number(left),
  },
  counterLane('minimal', 'ARGV[4]', (key, shopper, quantity) => {
    const { keys, args } = purchaseOf(shopper, quantity)
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
    forget: [],
    call: (shopper, quantity) => call(key, shopper, quantity),
    look: ['MGET', key],
    left: ([left]) => Number(left),
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** A buy request of realistic size: ids, token and request id are as long as in a sale. */
function purchaseOf(shopper: number, quantity: number): ReturnType<DeductionLane['call']> {
  const digits = String(shopper).padStart(8, '0')
  const name = Array.from({ length: 26 }, (_, at) => alphabet[(shopper >> ((at % 6) * 5)) & 31]).join('')
  const purchase = {
    orderId: made(parseOrderId(`${saleId}-${name}`)),
    saleId,
    shopperId: made(parseShopperId(`shopper-${digits}`)),
    quantity,
    startToken,
    now,
    requestId: `request-${digits.repeat(3)}`,
  }
  return reserveCall(purchase, { tag, total: 0, stockRevision: 0, window })
}

function made<T>(id: T | undefined): T {
  if (id === undefined) throw new Error('the measurement made an invalid id')
  return id
}
