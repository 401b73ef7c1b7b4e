/**
 * What Redis holds of a running sale: each value is a number, a word, an id or JSON. `docs/guide/redis.md` shows one of these
 * sales, field by field.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseShopperId, type SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { deriveOrderId } from '../../functions/lib/order-id.ts'
import { reserve } from '../../redis/buy/reserve.ts'
import type { Commander } from '../../redis/command.ts'
import { stockKeys } from '../../redis/keys.ts'
import { claimDue, noteRefused } from '../../redis/orders/outbox.ts'
import { release } from '../../redis/orders/release.ts'
import { pairs } from '../../redis/reply.ts'
import { addStock } from '../../redis/stock/add-stock.ts'
import { freeze, unfreeze } from '../../redis/stock/freeze.ts'
import { releaseHeldBack } from '../../redis/stock/release-held-back.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { noteScarce } from '../../redis/stock/wishes.ts'
import { aSale, aSaleOfVariants, raw, useRedisRig, waitingIn } from './support.ts'

const rig = useRedisRig()
const startsAt = Date.UTC(2026, 10, 27, 12)
const shopperId = (name: string) => {
  const id = parseShopperId(name)
  if (id === undefined) throw new Error(`${name} is no shopper`)
  return id
}

const times = {
  startsAt,
  endsAt: startsAt + 3_600_000,
  startToken: 'q7Xw0mBv2cKz4nTj8sYh1dLr6gPf3aEu9iOk5bWxRtM',
}

/** A request of `name` for one unit, `afterMs` behind the start. */
function wantedBy(sale: Sale, name: string, afterMs: number, { variant, quantity = 1, key = 'k1' } = {} as Asked) {
  const orderId = deriveOrderId(sale.saleId, shopperId(name), key)
  const who = { orderId, saleId: sale.saleId, shopperId: shopperId(name), requestId: `request-of-${name}` }
  return { ...who, quantity, variant, startToken: times.startToken, now: startsAt + afterMs }
}
type Asked = { variant?: string; quantity?: number; key?: string }

/** Ann buys, Bob cancels and buys again, Cid asks for too many; Ann's message is sent again. */
async function sellSome(redis: Commander, sale: Sale, variant?: string) {
  const { saleId } = sale
  const of = variant === undefined ? {} : { variant }
  const ann = wantedBy(sale, 'ann', 350, { ...of, quantity: 2 })
  const bob = wantedBy(sale, 'bob', 420, of)
  for (const purchase of [ann, bob]) expect(await reserve(redis, purchase)).toMatchObject({ kind: 'reserved' })
  await release(redis, saleId, [bob])
  expect(await reserve(redis, wantedBy(sale, 'bob', 9000, { ...of, key: 'k2' }))).toMatchObject({ kind: 'reserved' })
  const tooMany = wantedBy(sale, 'cid', 700, { ...of, quantity: 3 })
  expect(await reserve(redis, tooMany)).toEqual({ kind: 'invalid-request' })
  await claimDue(redis, saleId, [ann.orderId], { now: startsAt + 61_000, minAgeMs: 0 })
}

const fieldsOf = async (redis: Commander, key: string) => pairs(await raw(redis, 'HGETALL', key), key).toSorted()

/** All hashes of the sale. */
async function dumpOf(redis: Commander, saleId: SaleId): Promise<[string, string][]> {
  const keys = await raw(redis, 'KEYS', `stock:{${saleId}:*`)
  if (!Array.isArray(keys)) throw new Error('KEYS answers no list')
  return (await Promise.all(keys.map((key) => fieldsOf(redis, String(key))))).flat()
}

function isPlain(value: string): boolean {
  if (/^-?\d+$/.test(value) || /^[\w-]*$/.test(value)) return true
  const json: unknown = value.startsWith('{') || value.startsWith('[') ? JSON.parse(value) : undefined
  return json !== undefined
}

const opened = async (sale: Sale) => {
  await warmStock(rig.redis, sale)
  return sale
}

/** A stock that was lost, recovered with units held back, and changed by hand. */
async function throughEverything(redis: Commander, sale: Sale) {
  const { saleId } = sale
  await freeze(redis, saleId)
  for (const [field, value] of await dumpOf(redis, saleId)) expect([field, isPlain(value)]).toEqual([field, true])
  await unfreeze(redis, { ...sale, generation: 0 }, 4, { units: 2, since: startsAt + 70_000 })
  const units = sale.variants === undefined ? undefined : { m: 1 }
  await addStock(redis, saleId, { number: 7, delta: 1, ...(units && { units }) })
  const kept = { since: startsAt + 70_000, keep: 1, quietSince: startsAt + 80_000, isSettled: true }
  await releaseHeldBack(redis, saleId, kept)
  const [waiting] = await waitingIn(redis, saleId)
  if (waiting === undefined) throw new Error('no message waits')
  await noteRefused(redis, saleId, [waiting], startsAt + 90_000)
}

describe('what Redis holds of a running sale', () => {
  const sales: [string, Partial<Sale>, string?][] = [
    ['goods', {}],
    ['goods with variants', {}, 'm'],
    ['coupons', { kind: 'coupon' }],
  ]
  it.each(sales)('is plain: %s (S2, I4)', async (_name, changes, variant) => {
    const all = { ...times, ...changes, stock: 10, version: 3 }
    const sale = await opened(variant === undefined ? aSale(all) : aSaleOfVariants({ s: 4, m: 6 }, all))
    await sellSome(rig.redis, sale, variant)
    await throughEverything(rig.redis, sale)
    const dump = await dumpOf(rig.redis, sale.saleId)
    expect(dump.length).toBeGreaterThan(25)
    expect(dump.filter(([, value]) => !isPlain(value))).toEqual([])
  })

  it('is plain in each shard of a split stock, where shoppers want more than it has (S15)', async () => {
    const sale = aSale({ ...times, stock: 1, version: 3 })
    for (const shard of [0, 1]) {
      const redis = { ...rig.redis, shard }
      await warmStock(redis, sale)
      const stocks = { exec: rig.redis.exec, shardCount: async () => 2 }
      for (const name of ['ann', 'bob', 'cid', 'dan']) await reserve(stocks, wantedBy(sale, name, 100))
      await noteScarce(redis, sale.saleId, { remaining: 0, left: { s: 0, m: 1 } }, startsAt + 200)
      await reserve(stocks, wantedBy(sale, 'eve', 300 + shard))
    }
    const dump = await dumpOf(rig.redis, sale.saleId)
    expect(dump.map(([field]) => field)).toEqual(expect.arrayContaining(['wishes', 'scarce']))
    expect(dump.filter(([, value]) => !isPlain(value))).toEqual([])
  })

  it('is what docs/guide/redis.md shows', async () => {
    const own = { saleId: 'demo-mug' as SaleId, ...times, version: 3 }
    const sale = await opened(aSaleOfVariants({ s: 4, m: 6 }, own))
    await sellSome(rig.redis, sale, 'm')
    const page = readFileSync(new URL('../../docs/guide/redis.md', import.meta.url), 'utf8')
    const blocks = [...page.matchAll(/```text\n> HGETALL (\S+)\n(.*?)\n```/gs)]
    expect(blocks.map(([, key]) => key)).toEqual(Object.values(stockKeys(sale.saleId)).slice(0, 2))
    for (const [, key = '', lines = ''] of blocks) {
      const shown = lines.split('\n').map((line) => [line.split(' ')[0], line.replace(/^\S+ ?/, '')])
      const found = await fieldsOf(rig.redis, key)
      expect(shown.map(read)).toEqual(found.map(read))
    }
  })
})

/** The names in JSON have no order. */
const read = ([field, value = '']: (string | undefined)[]) => [field, /^[{[]/.test(value) ? JSON.parse(value) : value]
