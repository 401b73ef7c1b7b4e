/**
 * The bodies of clicks, which the gate reads and the function reads again: both by the same reader, so no request spends
 * an admission and is refused behind it. Should one be, by whatever is at odds, its admission is free again at once.
 */
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { purchaseApi } from '../../core/api/purchase.ts'
import { maxClickBytes } from '../../core/body-limits.ts'
import { buyRequest } from '../../core/buy/requests.ts'
import { readJson } from '../../core/lib/parse.ts'
import { purchaseApp, type ReservePorts } from '../../functions/buy/reserve.ts'
import { redisAdmissions } from '../../functions/entries/adapters/gate.redis.ts'
import { jsonAnswer } from '../../functions/lib/http/answer.ts'
import { createApp, forShoppers, on } from '../../functions/lib/http/app.ts'
import { answerEvent } from '../../functions/lib/http/function-url.ts'
import { forwardedRequest, type HttpRequest, urlEventOf } from '../../proof/simulation/parts/requests.ts'
import { RedisUnavailable } from '../../redis/errors.ts'
import { admit } from '../../redis/gate/admit.ts'
import { readAdmissions, replenish } from '../../redis/gate/replenish.ts'
import { warmStock } from '../../redis/stock/warm.ts'
import { buyEvent, openGate, refusalOf, saleId, startToken, tokenAt, unthrottled } from '../edge/support.ts'
import { aSale } from '../redis/support.ts'
import { useRedis } from '../redis/test-store.ts'
import { behindUrl } from '../world/function-url.ts'
import { testTelemetry } from '../world/telemetry.ts'
import { memoryQueue } from './fakes/queue.ts'

const path = `/api/sales/${saleId}/orders`
const json = 'application/json'

/** The members of a buy request as text: right ones, wrong ones, and the same name again. */
const members = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('"quantity":1', `"startToken":"${startToken}"`) },
    fc.constantFrom(
      ...['"quantity":"1"', '"quantity":1.0', '"quantity":1e0', '"quantity":1e999', '"quantity":-0', '"quantity":01'],
      ...[
        '"quantity":1001',
        '"quantity":null',
        '"startToken":"short"',
        '"startToken":7',
        '"price":1',
        '"é":1',
        '"":{}',
      ],
      ...[
        '"__proto__":{"quantity":9}',
        '"constructor":1',
        '"variant":"m"',
        '"variant":"\\ud800"',
        '"challenge":"YWJj"',
      ],
    ),
    fc.nat(500).map((depth) => `"deep":${'['.repeat(depth)}${']'.repeat(depth)}`),
    fc.json().map((value) => `"any":${value}`),
  ),
  { maxLength: 5 },
)
const texts = fc.oneof(
  { weight: 6, arbitrary: members.map((some) => `{${some.join(',')}}`) },
  fc.constant(JSON.stringify({ quantity: 1, startToken })),
  fc.json(),
  fc.constantFrom('', 'null', '{', '{}}', '\u2028{}', ' '.repeat(maxClickBytes + 1)),
)
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
const encodings = fc.constantFrom<(text: string) => Buffer>(
  ...[(text: string) => Buffer.from(text), (text: string) => Buffer.from(text)],
  ...[(text: string) => Buffer.from(`\ufeff${text}`), (text: string) => Buffer.from(`\ufeff\ufeff${text}`)],
  ...[(text: string) => Buffer.from(text, 'latin1'), utf16, (text: string) => utf16(text).swap16()],
  ...[(text: string) => Buffer.from(`${text}\ufeff`), (text: string) => Buffer.from(`${' '.repeat(1990)}${text}`)],
)
const encoded = fc.tuple(texts, encodings).map(([text, encode]) => encode(text))
const bytes = fc.uint8Array({ maxLength: 12 }).map((some) => Buffer.from(some))
const broken = fc.tuple(encoded, bytes, fc.nat()).map(([whole, some, at]) => {
  const cut = at % (whole.length + 1)
  return Buffer.concat([whole.subarray(0, cut), some, whole.subarray(cut)])
})
const types = fc.oneof(
  { weight: 5, arbitrary: fc.constant(json) },
  fc.constantFrom(
    'application/json; charset=utf-8',
    'Application/JSON;charset="UTF-8"',
    'application/json; charset=utf-16',
  ),
  fc.constantFrom('text/plain', 'application/json; a=b', 'application/jsonx', ''),
)

/** The decision of a tier about a request, with the `value` if it accepts it. */
type Verdict = { value: unknown } | { status: number; code: unknown; field?: unknown; detail?: unknown }

function refusalIn(status: number, { code, field, detail }: Record<string, unknown>): Verdict {
  // Each tier has its own words for a body of another type or size.
  return code === 'invalid-request' ? { status, code, field, detail } : { status, code }
}

describe('a buy request', () => {
  it('is taken by the gate and by the function, with one value, or refused by both for one fault (S2)', async () => {
    const { handler, time } = openGate(unthrottled)
    const answer = async (_: unknown, { body }: { body: unknown }) => jsonAnswer(202, body)
    const app = createApp({}, [on(purchaseApi.buy, answer)], forShoppers)
    const token = await tokenAt(time.now)
    const atGate = async (body: Buffer, type: string): Promise<Verdict> => {
      const answered = await handler(await buyEvent(time.now, { token, body, headers: { 'content-type': type } }))
      // The start token and the variant are of the sale, which the function does not know.
      const isTaken = 'uri' in answered || ['stale-page', 'sold-out'].includes(String(refusalOf(answered).code))
      if (!isTaken) return refusalIn(refusalOf(answered).status, refusalOf(answered).body)
      const read = readJson(buyRequest, body)
      return { value: read.ok ? read.value : 'unread' }
    }
    const atFunction = async (body: Buffer, type: string): Promise<Verdict> => {
      const request = forwardedRequest('ann', 'POST', path, body, { 'content-type': type })
      const { statusCode, body: text } = await answerEvent(app, urlEventOf(request))
      return statusCode === 202 ? { value: JSON.parse(text) } : refusalIn(statusCode, JSON.parse(text))
    }
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.oneof(encoded, encoded, broken, bytes), types, async (body, type) => {
        // So that no throttle of the shopper decides.
        time.now += 200
        const verdict = await atGate(body, type)
        expect(await atFunction(body, type)).toEqual(verdict)
        seen.add(
          'value' in verdict
            ? `taken${body[0] === 0xef ? ' with a byte order mark' : ''}`
            : `${verdict.status} ${verdict.detail}`,
        )
      }),
      { numRuns: 1500 },
    )
    const kinds = ['taken', 'taken with a byte order mark', '400 body must be JSON', '400 body must be UTF-8']
    expect([...seen]).toEqual(expect.arrayContaining([...kinds, '413 undefined', '415 undefined']))
  })
})

describe('a click that takes nothing', () => {
  const redis = useRedis()
  const sale = aSale({ saleId, stock: 1, startToken })
  const good = JSON.stringify({ quantity: 1, startToken })
  const second = 1_800_000_000
  let now = 0
  let ports: ReservePorts
  let telemetry: ReturnType<typeof testTelemetry>

  beforeEach(async () => {
    now = second * 1000
    await warmStock(redis, { ...sale, startsAt: now - 1000, endsAt: now + 3_600_000 })
    await replenish(redis, saleId, { asOf: now, total: 1, booked: 0, stockRevision: 0, epoch: 1, ratio: 1.2 })
    telemetry = testTelemetry()
    ports = {
      ...{ stock: redis, queue: memoryQueue(), clock: () => now, demand: { count: () => undefined }, ...telemetry },
      soldOut: { publish: async () => undefined },
      admissions: redisAdmissions(redis, () => now),
    }
  })

  /** Passes the gate of a sale with one unit, whose two admissions are all that can be out. */
  async function admitted(request: HttpRequest, through = ports) {
    now += 1000
    const lease = await admit(redis, saleId, { now, waiting: 1 })
    if (lease.kind !== 'granted') throw new Error(`the gate grants ${lease.kind}`)
    const headers = { ...request.headers, 'x-admission': String(lease.second) }
    return behindUrl(telemetry, purchaseApp(through))({ ...request, headers })
  }
  const out = async () => (await readAdmissions(redis, saleId))?.out
  const click = (body: string | Buffer, headers = {}, at = path, method = 'POST', who = 'ann') =>
    forwardedRequest(who, method, at, body, headers)

  const gone = () => Promise.reject(new RedisUnavailable('gone'))
  const unplaced = () => ({ ...ports, stock: { exec: redis.exec, shardCount: gone } })
  const refused: [status: number, request: HttpRequest, through?: () => ReservePorts][] = [
    ...['', '{', '[]', 'null', '{"quantity":1}', good.replace('1', '"1"'), good.replace('}', ',"price":1}')].map(
      (body): [number, HttpRequest] => [400, click(body)],
    ),
    [400, click(Buffer.from(good.replace('}', ',"é":1}'), 'latin1'))],
    [400, click(Buffer.from(good, 'utf16le'))],
    [400, click(good, { 'idempotency-key': 'a b' })],
    [400, click(good.replace('1', '9'))],
    [401, click(good, {}, path, 'POST', '')],
    [404, click(good, {}, `${path}/more`)],
    [405, click(good, {}, path, 'DELETE')],
    [409, click(good.replace(startToken, 'y'.repeat(43)))],
    [409, click(JSON.stringify({ startToken }), {}, path.replace('orders', 'packets'))],
    [413, click(good + ' '.repeat(maxClickBytes))],
    [415, click(good, { 'content-type': 'text/plain' })],
    [503, click(good), unplaced],
  ]

  it('frees its admission, 1,000 of every kind in a row, and an honest shopper wins at once after them (G5)', async () => {
    for (let tried = 0; tried < 1000; tried += 1) {
      const [status, request, through] = refused[tried % refused.length] ?? []
      if (request === undefined) throw new Error('there is no such request')
      const answer = await admitted(request, through?.())
      expect([answer.status, await out()], answer.text).toEqual([status, 0])
    }
    expect(await admitted(click(good, {}, path, 'POST', 'honest'))).toMatchObject({ status: 202 })
    expect(await out(), 'until the writer reports it').toBe(1)
  })
})
