/**
 * Checks the data of a running sale in Redis: each value is a number, a word, an id or JSON. `docs/guide/redis.md` shows one of
 * these sales, field by field; names in JSON have no order.
 */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parseShopperId, type SaleId } from '../../core/ids.ts'
import { claimKey } from '../../core/packets/packet.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { deriveOrderId } from '../../functions/lib/order-id.ts'
import { type ReserveRequest, reserve } from '../../redis/buy/reserve.ts'
import { stockKeys } from '../../redis/keys.ts'
import { claimDue, recordRefused } from '../../redis/orders/outbox.ts'
import { release } from '../../redis/orders/release.ts'
import { loadPackets } from '../../redis/packets/packets.ts'
import { list, pairs } from '../../redis/reply.ts'
import { addStock } from '../../redis/stock/add-stock.ts'
import { freeze, unfreeze } from '../../redis/stock/freeze.ts'
import { releaseHeldBack } from '../../redis/stock/release-held-back.ts'
import { recordShortage } from '../../redis/stock/shard-demand.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { aRain, loadRain, packetsOf } from './packets/rain.ts'
import { aSale, aSaleOfVariants, raw, saleIdOf, useRedisRig, waitingIn } from './support.ts'

const rig = useRedisRig()
const startsAt = Date.UTC(2026, 10, 27, 12)
const startToken = 'q7Xw0mBv2cKz4nTj8sYh1dLr6gPf3aEu9iOk5bWxRtM'
const since = startsAt + 70_000
const opening = { startsAt, endsAt: startsAt + 3_600_000, startToken, version: 3 }

type Asked = { variant?: string | undefined; quantity?: number; key?: string }

/** A request of `name` for one unit, `afterMs` behind the start. */
function wantedBy({ saleId }: Sale, name: string, afterMs: number, { variant, quantity = 1, key = 'k1' }: Asked = {}) {
  const shopperId = parseShopperId(name)
  if (shopperId === undefined) throw new Error(`${name} is no shopper`)
  const wanted = { orderId: deriveOrderId(saleId, shopperId, key), saleId, shopperId, quantity, variant }
  return { ...wanted, startToken, now: startsAt + afterMs, requestId: `request-of-${name}` }
}

/** Ann buys, Bob cancels and buys again, Cid asks for too many; Ann's message is sent again. */
async function sellSome(sale: Sale, variant?: string) {
  const ann = wantedBy(sale, 'ann', 350, { variant, quantity: 2 })
  const bob = wantedBy(sale, 'bob', 420, { variant })
  for (const purchase of [ann, bob]) await reserve(rig.redis, purchase)
  await release(rig.redis, sale.saleId, [bob])
  await reserve(rig.redis, wantedBy(sale, 'bob', 9000, { variant, key: 'k2' }))
  await reserve(rig.redis, wantedBy(sale, 'cid', 700, { variant, quantity: 3 }))
  await claimDue(rig.redis, sale.saleId, [ann.orderId], { now: startsAt + 61_000, minAgeMs: 0 })
}

/** Ann has a packet, and Bob's has come back, because the table rejected his order. */
async function claimSome(sale: Sale) {
  const claimOf = (name: string, afterMs: number): ReserveRequest => ({
    ...wantedBy(sale, name, afterMs, { key: claimKey }),
    isClaim: true,
  })
  for (const claim of [claimOf('ann', 350), claimOf('bob', 420)]) await reserve(rig.redis, claim)
  await release(rig.redis, sale.saleId, [claimOf('bob', 0)])
}

const packetTexts = async ({ saleId }: Pick<Sale, 'saleId'>) =>
  list(await raw(rig.redis, 'LRANGE', stockKeys(saleId).packets, '0', '-1'), 'packets').map(String)

const fieldsOf = async (key: string) => pairs(await raw(rig.redis, 'HGETALL', key), key).toSorted()

async function expectPlain(saleId: SaleId, ...fields: string[]) {
  const keys = list(await raw(rig.redis, 'KEYS', `stock:{${saleId}:*`), 'keys').map(String)
  const packets = (await packetTexts({ saleId })).map((text) => ['packets', text] as const)
  const hashes = keys.filter((key) => key !== stockKeys(saleId).packets)
  const dump = [...packets, ...(await Promise.all(hashes.map(fieldsOf))).flat()]
  expect(dump.map(([field]) => field)).toEqual(expect.arrayContaining(['total', 'flag', ...fields]))
  const isPlain = (value: string) => /^[\w-]*$/.test(value) || (/^[{[]/.test(value) && JSON.parse(value) !== null)
  expect(dump.filter(([, value]) => !isPlain(value))).toEqual([])
}

it.each<[string, Partial<Sale>, string?]>([
  ['goods', {}],
  ['goods with variants', {}, 'm'],
  ['coupons', { kind: 'coupon' }],
])('Redis holds plain data of %s: sold, frozen, recovered and changed (S2, I4)', async (_name, changes, variant) => {
  const all = { ...opening, ...changes, stock: 10 }
  const sale = variant === undefined ? aSale(all) : aSaleOfVariants({ s: 4, m: 6 }, all)
  await warmStock(rig.redis, sale)
  await sellSome(sale, variant)
  const { saleId } = sale
  await freeze(rig.redis, saleId)
  await expectPlain(saleId, 'frozen', 'moves', 'shopper:ann')
  await unfreeze(rig.redis, sale, 4, { units: 2, since })
  await addStock(rig.redis, saleId, { number: 7, delta: 1, ...(variant && { units: { [variant]: 1 } }) })
  await releaseHeldBack(rig.redis, saleId, { since, keep: 1, quietSince: since + 10_000, isFinal: true })
  await recordRefused(rig.redis, saleId, await waitingIn(rig.redis, saleId), since + 20_000)
  await expectPlain(saleId, 'heldBack', 'heldSince', 'quietSince', 'heldFinal', 'resentAt')
})

it('Redis holds plain data of each shard of a split stock, where shoppers want more than it has (S15)', async () => {
  const sale = aSale({ ...opening, stock: 1 })
  const stocks = { exec: rig.redis.exec, shardCount: async () => 2 }
  for (const shard of [0, 1]) {
    await warmStock({ ...rig.redis, shard }, sale)
    await recordShortage({ ...rig.redis, shard }, sale.saleId, { remaining: 0, left: { s: 0, m: 1 } }, startsAt)
  }
  for (const name of ['ann', 'bob', 'cid', 'dan', 'eve']) await reserve(stocks, wantedBy(sale, name, 2000))
  await expectPlain(sale.saleId, 'demand', 'demands', 'shortage')
})

it('Redis holds plain data of red packets: claimed, returned, frozen, recovered and held back (P1, P2, I4)', async () => {
  const amounts = [1221, 5, 700, 74]
  const sale = aRain(amounts, opening)
  const { saleId } = sale
  await loadRain(rig.redis, sale, amounts)
  await claimSome(sale)
  await expectPlain(saleId, 'packets', 'loaded', 'shopper:ann')
  await freeze(rig.redis, saleId)
  const [, held, ...packets] = packetsOf(amounts)
  await loadPackets(rig.redis, saleId, { from: 0, to: 4, packets, held: held ? [held] : [], moves: 0 })
  await unfreeze(rig.redis, sale, 4, { units: 1, since })
  await expectPlain(saleId, 'packets', 'heldBack', '1')
})

it('Redis holds what docs/guide/redis.md shows', async () => {
  const sale = aSaleOfVariants({ s: 4, m: 6 }, { ...opening, saleId: saleIdOf('demo-mug') })
  await warmStock(rig.redis, sale)
  await sellSome(sale, 'm')
  const amounts = [1221, 5, 700]
  const rain = aRain(amounts, { ...opening, saleId: saleIdOf('demo-rain') })
  await loadRain(rig.redis, rain, amounts)
  await claimSome(rain)
  const page = readFileSync(new URL('../../docs/guide/redis.md', import.meta.url), 'utf8')
  const blocks = [...page.matchAll(/> HGETALL (\S+)\n(.*?)\n(?:```|\n)/gs)]
  const { stock, outbox } = stockKeys(sale.saleId)
  expect(blocks.map(([, key]) => key)).toEqual([stock, outbox, stockKeys(rain.saleId).stock])
  const read = ([field, value = '']: (string | undefined)[]) => [field, /^[{[]/.test(value) ? JSON.parse(value) : value]
  for (const [, key = '', lines = ''] of blocks) {
    const shown = lines.split('\n').map((line) => read([line.split(' ')[0], line.replace(/^\S+ ?/, '')]))
    expect(shown).toEqual((await fieldsOf(key)).map(read))
  }
  const [, packets = ''] = /> LRANGE stock:{demo-rain:0}:packets 0 -1\n(.*?)\n```/s.exec(page) ?? []
  expect(packets.split('\n').map((text) => JSON.parse(text))).toEqual(
    (await packetTexts(rain)).map((text) => JSON.parse(text)),
  )
})
