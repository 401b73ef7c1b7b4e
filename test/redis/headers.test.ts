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
import { replySlots, reserve } from '../../redis/buy/reserve.ts'
import { connectRedis, type RedisClient } from '../../redis/client.ts'
import { admit } from '../../redis/gate/admit.ts'
import { completeAdmissions } from '../../redis/gate/complete-admissions.ts'
import { countDemand } from '../../redis/gate/demand.ts'
import { publishSoldOut, publishSoldOutVariants, setGate } from '../../redis/gate/gate.ts'
import { replenish } from '../../redis/gate/replenish.ts'
import { listSale, publishFilter, replacePassKeys, setBlocked } from '../../redis/gate/shared-lists.ts'
import { releaseLock, renewLock } from '../../redis/lock.ts'
import { claimDue } from '../../redis/orders/outbox.ts'
import { queuePaymentPage } from '../../redis/orders/payment-queue.ts'
import { release } from '../../redis/orders/release.ts'
import { restore } from '../../redis/orders/restore.ts'
import { countPackets, loadPackets, releaseHeldPackets, retirePackets } from '../../redis/packets/packets.ts'
import { addStock } from '../../redis/stock/add-stock.ts'
import { freeze, unfreeze } from '../../redis/stock/freeze.ts'
import { recount } from '../../redis/stock/recount.ts'
import { releaseHeldBack } from '../../redis/stock/release-held-back.ts'
import { recordShardDemand } from '../../redis/stock/shard-demand.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { aPurchase, aSale, aSaleOfVariants, nothingHeldBack, orderIdOf, shopperIdOf } from './support.ts'

const sale = aSale()
const ofVariants = aSaleOfVariants({ s: 4, m: 6 }, { saleId: sale.saleId })
const orderId = orderIdOf(sale.saleId, 1, 1)

/** For each script the wrapper that runs it. */
const wrappers: Record<string, (redis: RedisClient) => Promise<unknown>> = {
  reserve: (redis) => reserve(redis, aPurchase(sale, 1, 1, { quantity: 1, variant: 'm', isClaim: true })),
  'load-packets': (redis) =>
    loadPackets(redis, sale.saleId, { from: 0, to: 0, packets: [], held: [], moves: undefined }),
  'packet-counts': (redis) => countPackets(redis, sale.saleId),
  'retire-packets': (redis) => retirePackets(redis, sale.saleId, 5_000),
  'release-held-packets': (redis) => releaseHeldPackets(redis, sale.saleId, { since: 0, maxBooked: 0, numbers: [] }),
  'shard-demand': (redis) => recordShardDemand(redis, sale.saleId, { quantity: 1, variant: 'm' }, 0),
  warm: (redis) => warmStock(redis, ofVariants),
  'add-stock': (redis) => addStock(redis, sale.saleId, { number: 1, delta: 1, units: { m: 1 } }),
  gate: (redis) => setGate(redis, { ...sale, nextStartsAt: null, rules: sale, frozen: false }),
  release: (redis) => release(redis, sale.saleId, [{ orderId, shopperId: shopperIdOf(1) }]),
  restore: (redis) => {
    const order = { orderId, shopperId: shopperIdOf(1), quantity: 1, reservedAt: 5_000 }
    return restore(redis, sale.saleId, [order])
  },
  freeze: (redis) => freeze(redis, sale.saleId),
  recount: (redis) => recount(redis, sale.saleId, { units: 1, variants: { m: 1 }, frozen: '', moves: 0 }),
  unfreeze: (redis) => unfreeze(redis, ofVariants, 0, nothingHeldBack),
  'release-held-back': (redis) =>
    releaseHeldBack(redis, sale.saleId, { since: 0, keep: 0, quietSince: undefined, isFinal: true, keepOf: {} }),
  'claim-due': (redis) => claimDue(redis, sale.saleId, [orderId], { now: 5_000, minAgeMs: 0 }),
  unlock: (redis) => releaseLock(redis, sale.saleId, 'request-1'),
  renew: (redis) => renewLock(redis, sale.saleId, 'request-1', 1_000),
  'count-demand': (redis) => countDemand(redis, sale.saleId, 'gate', new Map([['sold-out', 2]])),
  'publish-stock': (redis) => publishSoldOut(redis, sale.saleId, 1),
  'publish-variants': (redis) => publishSoldOutVariants(redis, sale.saleId, 1, ['m']),
  'payment-queue': (redis) => queuePaymentPage(redis, 5_000, 20),
  admit: (redis) => admit(redis, sale.saleId, { now: 5_000, waiting: 1 }),
  'complete-admissions': (redis) =>
    completeAdmissions(redis, sale.saleId, { seconds: [5], seen: { booked: 9, stockRevision: 0 }, now: 5_000 }),
  replenish: (redis) =>
    replenish(redis, sale.saleId, { asOf: 5_000, total: 10, booked: 0, stockRevision: 0, epoch: 1, ratio: 1.2 }),
  block: (redis) => setBlocked(redis, 'shopper ann', true, 5_000),
  'list-sale': (redis) => listSale(redis, sale.saleId, true, 5_000),
  'publish-filter': (redis) => publishFilter(redis, new Uint8Array(9), 1, 5_000),
  'replace-pass-keys': (redis) => replacePassKeys(redis, '1 a', '1 a 2 b'),
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
  it('has a wrapper', () => {
    expect(scripts.length).toBeGreaterThan(20)
    expect(Object.keys(wrappers).sort()).toEqual(scripts.map(({ name }) => name).sort())
  })

  it.each(scripts)('has the codes that the wrapper of $name knows', async ({ name, codes }) => {
    const usual = answer
    answer = { status: 200, body: '{"result":[999,1,1,1]}' }
    try {
      const refused = await Promise.resolve(wrappers[name]?.(redis)).catch(String)
      const [, known = ''] = String(refused).split(`${name} replied 999, not `)
      expect(JSON.parse(known)).toEqual(codes)
    } finally {
      answer = usual
    }
  })

  it.each(scripts)('names the keys and arguments that the wrapper of $name sends', async ({ name, keys, args }) => {
    sent = []
    await wrappers[name]?.(redis).catch(() => {})
    const [[command = '', , count = '', ...rest] = []] = sent
    expect([sent.length, command]).toEqual([1, 'EVALSHA'])
    const shapes = keys.map(([shape = '']) => shape.replace('<sale>', sale.saleId))
    expect(rest.slice(0, Number(count))).toEqual(shapes)
    expect(rest.slice(Number(count))).toHaveLength(args.length)
  })
})

/** The names in `list`, which are separated by commas. */
const namesIn = (list = '') => list.split(', ')

describe('the reply of reserve.lua', () => {
  const { header = '', body = '', codes = {} } = scripts.find(({ name }) => name === 'reserve') ?? {}
  const { counters, details } = replySlots

  it('has the slots that its reader names, in the header and in the text', () => {
    const slots = ['code', ...counters, '...']
    expect(namesIn(/ Reply \{([^}]*)\}/.exec(header)?.[1])).toEqual(slots)
    expect(namesIn(/return \{(code[^}]*)\}/.exec(body)?.[1])).toEqual(slots)
  })

  it('adds for each kind what its reader names', () => {
    const documented = [...header.matchAll(/^ +\d+ ([a-z-]+) +\{([^}]*)\}/gm)]
    expect(Object.fromEntries(documented.map(([, kind, names]) => [kind, namesIn(names)]))).toEqual(details)
    const kinds = Object.fromEntries(Object.entries(codes).map(([kind, code]) => [code, kind]))
    const answers = [...body.matchAll(/return answer\((\d+)(.*)\)/g)]
    expect(answers.length).toBeGreaterThan(10)
    for (const [text, code = '', added = ''] of answers) {
      const slots = details[kinds[code] as keyof typeof details] ?? []
      // Commas in brackets separate the arguments of another function.
      expect(added.replaceAll(/\([^)]*\)/g, '').split(','), text).toHaveLength(slots.length + 1)
    }
  })
})
