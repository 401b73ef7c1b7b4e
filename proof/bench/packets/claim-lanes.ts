/**
 * What `bench -- packets` runs in turns: claim.lua, and the smallest script that hands out a
 * packet: is the shopper in the hash, take a packet, put the shopper into the hash and the claim
 * into a list. The minimal script gets the keys and arguments of claim.lua and replies in the same
 * form.
 */
import { parseSaleId } from '../../../core/ids.ts'
import { runnable } from '../../../local/upstash/strict-keys.ts'
import { stockKeys } from '../../../redis/keys.ts'
import claimSource from '../../../redis/packets/claim.lua'
import { claimCall } from '../../../redis/packets/claim.ts'
import { benchNow, benchShopper, benchToken, made, packedRain } from '../open-window.ts'
import type { Lane, ScriptCall } from '../scripts/lane-time.ts'

export type ClaimLaneName = 'minimal' | 'claim' | 'repeat' | 'sold-out'

const minimal = `if redis.call('HEXISTS', KEYS[3], ARGV[1]) == 1 then return {2} end
local packet = redis.call('RPOP', KEYS[2])
if not packet then return {17} end
redis.call('HSET', KEYS[3], ARGV[1], packet)
redis.call('LPUSH', KEYS[4], packet .. ' ' .. ARGV[1])
return {1, packet}`

const saleId = made(parseSaleId('bench-packets'))
const { stock, packets, claims, outbox } = stockKeys(saleId)
const minimalKeys = [stock, packets, claims, outbox].map((key) => `bench:${key}`)

/** All keys that a run writes. */
export const claimLaneKeys = [stock, packets, claims, outbox, ...minimalKeys]

/**
 * The lanes of a sale with a packet for each of `shoppers`, in the order in which they must run.
 */
export function claimLanes(shoppers: number): Lane<ClaimLaneName>[] {
  const taps = Array.from({ length: 2 * shoppers }, (_, shopper) => tapOf(shopper))
  const [first, late] = [taps.slice(0, shoppers), taps.slice(shoppers)]
  const ours = { source: runnable(claimSource, 'none') }
  const load = (key: string) => pushes(key, shoppers)
  const window = ['packedWindow', packedRain]
  return [
    {
      name: 'minimal',
      source: minimal,
      before: [['DEL', ...minimalKeys], ...load(minimalKeys[1] ?? '')],
      calls: first.map(({ args }) => ({ keys: minimalKeys, args })),
      code: '1',
    },
    {
      ...ours,
      name: 'claim',
      before: [
        ['DEL', stock, packets, claims, outbox],
        ['HSET', stock, 'total', String(shoppers), 'booked', '0', 'stockRevision', '0', ...window],
        ...load(packets),
      ],
      calls: first,
      code: '1',
    },
    { ...ours, name: 'repeat', before: [], calls: first, code: '2' },
    { ...ours, name: 'sold-out', before: [], calls: late, code: '17' },
  ]
}

function pushes(key: string, count: number): string[][] {
  const chunk = 1000
  return Array.from({ length: Math.ceil(count / chunk) }, (_, at) => {
    const numbers = Array.from({ length: Math.min(chunk, count - at * chunk) }, (_, index) => at * chunk + index)
    return ['LPUSH', key, ...numbers.map((number) => `${number + 1} ${number} ${100 + (number % 900)} CNY`)]
  })
}

/** A claim of realistic size. */
const tapOf = (shopper: number): ScriptCall =>
  claimCall({
    saleId,
    shopperId: benchShopper(shopper),
    startToken: benchToken,
    now: benchNow,
    requestId: `request-${String(shopper).padStart(24, '0')}`,
  })
