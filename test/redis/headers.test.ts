/**
 * Compares each script's header with the call that its wrapper makes, and with the wrapper's table of
 * codes. `npm run check` compares it with the script's own text.
 */
import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { scriptsIn } from '../../checks/scripts.ts'
import { repository } from '../../checks/tree.ts'
import { type Listening, listen } from '../../local/listen.ts'
import { reserve, reserveCodes } from '../../redis/buy/reserve.ts'
import { connectRedis, type RedisClient } from '../../redis/client.ts'
import { admit, admitCodes } from '../../redis/gate/admit.ts'
import { completeAdmissions, completeAdmissionsCodes } from '../../redis/gate/complete-admissions.ts'
import { countDemand, countDemandCodes } from '../../redis/gate/demand.ts'
import {
  gateCodes,
  publishSoldOut,
  publishSoldOutVariants,
  publishStockCodes,
  publishVariantsCodes,
  setGate,
} from '../../redis/gate/gate.ts'
import { replenish, replenishCodes } from '../../redis/gate/replenish.ts'
import {
  blockCodes,
  listCodes,
  listSale,
  publishCodes,
  publishFilter,
  replacePassKeys,
  replacePassKeysCodes,
  setBlocked,
} from '../../redis/gate/shared-lists.ts'
import { releaseLock, renewCodes, renewLock, unlockCodes } from '../../redis/lock.ts'
import { claimDue, claimDueCodes } from '../../redis/orders/outbox.ts'
import { paymentTurnCodes, takePaymentTurn } from '../../redis/orders/payment-turn.ts'
import { release, releaseCodes } from '../../redis/orders/release.ts'
import { restore, restoreCodes } from '../../redis/orders/restore.ts'
import { claim, claimCodes as tapCodes } from '../../redis/packets/claim.ts'
import {
  clearPackets,
  clearPacketsCodes,
  countPackets,
  loadPackets,
  loadPacketsCodes,
  packetCountsCodes,
  retirePackets,
  retirePacketsCodes,
  unholdPackets,
  unholdPacketsCodes,
} from '../../redis/packets/packets.ts'
import { restoreClaims, restoreClaimsCodes } from '../../redis/packets/stored-claims.ts'
import { addStock, addStockCodes } from '../../redis/stock/add-stock.ts'
import { freeze, freezeCodes } from '../../redis/stock/freeze.ts'
import { recount, recountCodes } from '../../redis/stock/recount.ts'
import { releaseHeldBack, releaseHeldBackCodes } from '../../redis/stock/release-held-back.ts'
import { unfreeze, unfreezeCodes } from '../../redis/stock/unfreeze.ts'
import { warmCodes, warmStock } from '../../redis/stock/warm.ts'
import { wish, wishCodes } from '../../redis/stock/wishes.ts'
import { aPurchase, aSale, aSaleOfVariants, nothingHeldBack, orderIdOf, shopperIdOf } from './support.ts'

const sale = aSale()
const ofVariants = aSaleOfVariants({ s: 4, m: 6 }, { saleId: sale.saleId })
const orderId = orderIdOf(sale.saleId, 1, 1)

/** For each script the wrapper that runs it, and the codes that wrapper knows. */
const wrappers: Record<string, { call(redis: RedisClient): Promise<unknown>; codes: Record<string, number | null> }> = {
  reserve: {
    call: (redis) => reserve(redis, aPurchase(sale, 1, 1, { quantity: 1, variant: 'm' })),
    codes: reserveCodes,
  },
  claim: {
    call: (redis) => claim(redis, { ...aPurchase(sale, 2) }),
    codes: tapCodes,
  },
  'load-packets': {
    call: (redis) =>
      loadPackets(redis, sale.saleId, {
        from: 0,
        to: 0,
        packets: [],
        currency: 'CNY',
        held: [],
        rebuilding: false,
      }),
    codes: loadPacketsCodes,
  },
  'packet-counts': { call: (redis) => countPackets(redis, sale.saleId), codes: packetCountsCodes },
  'clear-packets': { call: (redis) => clearPackets(redis, sale.saleId), codes: clearPacketsCodes },
  'retire-packets': { call: (redis) => retirePackets(redis, sale.saleId, 5_000), codes: retirePacketsCodes },
  'unhold-packets': {
    call: (redis) => unholdPackets(redis, sale.saleId, { since: 0, mostBooked: 0, packets: [], currency: 'CNY' }),
    codes: unholdPacketsCodes,
  },
  'restore-claims': { call: (redis) => restoreClaims(redis, sale.saleId, []), codes: restoreClaimsCodes },
  wish: { call: (redis) => wish(redis, sale.saleId, { quantity: 1, variant: 'm' }, 0), codes: wishCodes },
  warm: { call: (redis) => warmStock(redis, ofVariants), codes: warmCodes },
  'add-stock': {
    call: (redis) => addStock(redis, sale.saleId, { number: 1, delta: 1, units: { m: 1 } }),
    codes: addStockCodes,
  },
  gate: {
    call: (redis) => setGate(redis, { ...sale, nextStartsAt: null, rules: sale, frozen: false }),
    codes: gateCodes,
  },
  release: {
    call: (redis) => release(redis, sale.saleId, [{ orderId, shopperId: shopperIdOf(1) }]),
    codes: releaseCodes,
  },
  restore: {
    call: (redis) => {
      const order = { orderId, shopperId: shopperIdOf(1), quantity: 1, reservedAt: 5_000 }
      return restore(redis, sale.saleId, [order])
    },
    codes: restoreCodes,
  },
  freeze: { call: (redis) => freeze(redis, sale.saleId), codes: freezeCodes },
  recount: {
    call: (redis) => recount(redis, sale.saleId, { units: 1, total: 10, tag: '', variants: { m: 1 } }),
    codes: recountCodes,
  },
  unfreeze: { call: (redis) => unfreeze(redis, ofVariants, 0, nothingHeldBack), codes: unfreezeCodes },
  'release-held-back': {
    call: (redis) =>
      releaseHeldBack(redis, sale.saleId, {
        since: 0,
        keep: 0,
        quietSince: undefined,
        isSettled: true,
        keepOf: {},
      }),
    codes: releaseHeldBackCodes,
  },
  'claim-due': {
    call: (redis) => claimDue(redis, sale.saleId, [orderId], { now: 5_000, minAgeMs: 0 }),
    codes: claimDueCodes,
  },
  unlock: { call: (redis) => releaseLock(redis, sale.saleId, 'request-1'), codes: unlockCodes },
  renew: { call: (redis) => renewLock(redis, sale.saleId, 'request-1', 1_000), codes: renewCodes },
  'count-demand': {
    call: (redis) => countDemand(redis, sale.saleId, 'gate', new Map([['sold-out', 2]])),
    codes: countDemandCodes,
  },
  'publish-stock': { call: (redis) => publishSoldOut(redis, sale.saleId, 1), codes: publishStockCodes },
  'publish-variants': {
    call: (redis) => publishSoldOutVariants(redis, sale.saleId, 1, ['m']),
    codes: publishVariantsCodes,
  },
  'payment-turn': { call: (redis) => takePaymentTurn(redis, 5_000, 20), codes: paymentTurnCodes },
  admit: { call: (redis) => admit(redis, sale.saleId, { now: 5_000, waiting: 1 }), codes: admitCodes },
  'complete-admissions': {
    call: (redis) =>
      completeAdmissions(redis, sale.saleId, {
        seconds: [5],
        seen: { booked: 9, stockRevision: 0 },
        now: 5_000,
      }),
    codes: completeAdmissionsCodes,
  },
  replenish: {
    call: (redis) =>
      replenish(redis, sale.saleId, {
        asOf: 5_000,
        total: 10,
        booked: 0,
        stockRevision: 0,
        epoch: 1,
        ratio: 1.2,
      }),
    codes: replenishCodes,
  },
  block: { call: (redis) => setBlocked(redis, 'shopper ann', true, 5_000), codes: blockCodes },
  'list-sale': { call: (redis) => listSale(redis, sale.saleId, true, 5_000), codes: listCodes },
  'publish-filter': {
    call: (redis) => publishFilter(redis, new Uint8Array(9), 1, 5_000),
    codes: publishCodes,
  },
  'replace-pass-keys': {
    call: (redis) => replacePassKeys(redis, '1 a', '1 a 2 b'),
    codes: replacePassKeysCodes,
  },
}

const scripts = scriptsIn(repository)
const sentCommand = z.array(z.string())
let server: Listening
let redis: RedisClient
let sent: string[][] = []
/** The reply to every command. */
let answer = { status: 400, body: '{"error":"ERR the script is not run here"}' }
beforeAll(async () => {
  const http = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    sent.push(sentCommand.parse(JSON.parse(body)))
    response.writeHead(answer.status).end(answer.body)
  })
  server = await listen(http, 0)
  redis = connectRedis({ url: server.url, token: 'any', timeoutMs: 5_000 })
})
afterAll(() => server.stop())

describe('the header of a script', () => {
  it('has a wrapper, whose codes are those of the header', () => {
    const documented = Object.fromEntries(scripts.map(({ name, codes }) => [name, codes]))
    expect(scripts.length).toBeGreaterThan(20)
    expect(Object.fromEntries(Object.entries(wrappers).map(([name, { codes }]) => [name, codes]))).toEqual(documented)
  })

  it.each(scripts)('names the keys and arguments that the wrapper of $name sends', async ({ name, keys, args }) => {
    sent = []
    await wrappers[name]?.call(redis).catch(() => {})
    const [[command = '', , count = '', ...rest] = []] = sent
    expect([sent.length, command]).toEqual([1, 'EVALSHA'])
    const shapes = keys.map(([shape = '']) => shape.replace('<sale>', sale.saleId))
    expect(rest.slice(0, Number(count))).toEqual(shapes)
    expect(rest.slice(Number(count))).toHaveLength(args.length)
  })
})

it.each(Object.entries(wrappers))('the wrapper of %s refuses a code it does not know', async (_name, { call }) => {
  const usual = answer
  answer = { status: 200, body: '{"result":[999,1,1,1]}' }
  try {
    await expect(call(redis)).rejects.toThrow(/unknown code 999/)
  } finally {
    answer = usual
  }
})
