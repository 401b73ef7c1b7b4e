/** A sale that draws, from its settings to units that come back, over the real stores and a clock that the test moves. */

import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { passKeysKey } from '../../../../core/gate/edge-entry.ts'
import { passDays, passKeysText } from '../../../../core/gate/pass.ts'
import type { SaleId, ShopperId } from '../../../../core/ids.ts'
import type { optionSettings } from '../../../../core/options.ts'
import type { Sale } from '../../../../core/sale/sale.ts'
import type { SettingName } from '../../../../core/sale/settings.ts'
import { issuePass } from '../../../../edge/memory/passes.ts'
import { createApp, forShoppers } from '../../../../functions/lib/http/app.ts'
import { onWire, onWireAt } from '../../../../proof/simulation/dynamodb/wire.ts'
import { forwardedRequest } from '../../../../proof/simulation/parts/requests.ts'
import { readGate } from '../../../../redis/gate/gate.ts'
import { readMembers } from '../../../../redis/gate/members.ts'
import { openPreGate } from '../../../../test/edge/pre-gate-visits.ts'
import { saleIdOf, shopperIdOf } from '../../../../test/redis/support.ts'
import { useRedis } from '../../../../test/redis/test-store.ts'
import { inSample } from '../../../../test/whole-plays.ts'
import { behindUrl } from '../../../../test/world/function-url.ts'
import { testTelemetry } from '../../../../test/world/telemetry.ts'
import { type World, world } from '../../../../test/world/world.ts'
import { verifyRound } from '../../core/beacon.ts'
import { checkDraw, stepsFile } from '../../core/check-draw.ts'
import type { fields } from '../../core/fields.ts'
import { readRules, rulesFile } from '../../core/rules.ts'
import { advanceDraws, delistingMs, graceMs } from '../../functions/advance-draws.ts'
import { type DrawFiles, listDelayMs } from '../../functions/draw-of-sale.ts'
import { type EntryPorts, entryRoutes } from '../../functions/entries/handlers.ts'
import { drawEntryKey } from '../../functions/keys.ts'
import { allOffers, listedDraws } from '../../functions/table.ts'
import { reportDraw } from '../../static/lib/draw-report.ts'
import { functions } from '../../system/functions.ts'
import { beaconOfTest } from './beacon-of-test.ts'
import { playDraw } from './draw-play.ts'

const server = useRedis()
const phone = saleIdOf('phone')
const minute = 60_000
const hour = 60 * minute
/** When a world begins. */
const noon = Date.UTC(2026, 10, 20, 12)

type OfOtherOption = Exclude<keyof typeof optionSettings, keyof typeof fields.settings>

/** A change of each setting of a sale whose rules are published. */
const changes: Readonly<Record<Exclude<SettingName, OfOtherOption>, object | ((sale: Sale) => object)>> = {
  title: { title: 'Another' },
  saleId: { saleId: 'another' },
  description: { description: 'Another one.' },
  pictures: { pictures: [{ src: '/assets/other.svg', alt: 'Another' }] },
  'translations.en.title': { translations: { en: { title: 'Another' } } },
  'translations.en.description': { translations: { en: { description: 'Another' } } },
  'translations.zh-CN.title': { translations: { 'zh-CN': { title: '手机' } } },
  'translations.zh-CN.description': { translations: { 'zh-CN': { description: '手机' } } },
  'packets.count': { packets: { count: 2, totalAmount: 10 } },
  'packets.totalAmount': { packets: { count: 2, totalAmount: 11 } },
  price: { price: 1 },
  listPrice: { listPrice: 1_000_000 },
  stock: { stock: 3 },
  currency: { currency: 'EUR' },
  shards: { shards: 2 },
  startsAt: ({ startsAt }) => ({ startsAt: startsAt + 1 }),
  endsAt: ({ endsAt }) => ({ endsAt: endsAt - 1 }),
  timeZone: { timeZone: 'Europe/Berlin' },
  'draw.opensAt': ({ draw }) => ({ draw: { ...draw, opensAt: 0 } }),
  'draw.closesAt': ({ draw }) => ({ draw: { ...draw, closesAt: (draw?.closesAt ?? 0) - 1 } }),
  'draw.commitSeconds': ({ draw }) => ({ draw: { ...draw, commitSeconds: 61 } }),
  'draw.claimSeconds': ({ draw }) => ({ draw: { ...draw, claimSeconds: 86_399 } }),
  'coupons.validFrom': { coupons: { validFrom: 1 } },
  'coupons.validUntil': { coupons: { validUntil: 1 } },
  limitPerShopper: { limitPerShopper: 2 },
  maxPerOrder: { maxPerOrder: 2 },
  paymentWindowSeconds: { paymentWindowSeconds: 60 },
  paymentGraceSeconds: { paymentGraceSeconds: 60 },
  'delivery.countries': { delivery: { countries: ['DE'] } },
  'delivery.costs': { delivery: { countries: ['DE'], costs: { DE: 5 } } },
  'delivery.freeAbove': { delivery: { countries: ['DE'], costs: { DE: 5 }, freeAbove: 9 } },
  checkoutUrl: { checkoutUrl: 'https://shop.example/pay' },
  supportRefundLimit: { supportRefundLimit: 1 },
  'earlyAccess.minutes': { earlyAccess: { minutes: 1, minLevel: 1 } },
  'earlyAccess.minLevel': { earlyAccess: { minutes: 1, minLevel: 2 } },
  admissionRatio: { admissionRatio: 2 },
  minLevel: { minLevel: 1 },
  challenge: { challenge: 'pow' },
  requirePass: { requirePass: 'off' },
  spreadSeconds: { spreadSeconds: 5 },
  admitPerSecond: { admitPerSecond: 5 },
  allowedOrigins: { allowedOrigins: ['https://news.example'] },
  'throttle.perShopper': { throttle: { perShopper: { limit: 9, windowSeconds: 60 } } },
  'throttle.perIp': { throttle: { perIp: { limit: 900, windowSeconds: 60 } } },
}

const texts = 'says the same of the sale in other words'
const speed = 'is for how many clicks the shop takes at once'
const robots = 'keeps robots out, and a winner in'
/** The settings that stay free, and why. */
const freeOnceDrawn: ReadonlyMap<string, string> = new Map([
  ...['title', 'description', 'pictures'].map((name) => [name, texts] as const),
  ...['en', 'zh-CN'].flatMap((one) =>
    ['title', 'description'].map((of) => [`translations.${one}.${of}`, texts] as const),
  ),
  ['listPrice', 'is only shown beside the price'],
  ['timeZone', 'shows the same times'],
  ['supportRefundLimit', 'binds staff, and no shopper'],
  ...['admissionRatio', 'admitPerSecond'].map((name) => [name, speed] as const),
  ...['challenge', 'requirePass', 'throttle.perShopper', 'throttle.perIp'].map((name) => [name, robots] as const),
  ['allowedOrigins', 'is a further way to the same sale'],
])

/** Fields that could change in a sale without a draw. */
const bound = new Set([
  ...['price', 'currency', 'startsAt', 'endsAt', 'draw', 'paymentWindowSeconds', 'paymentGraceSeconds'],
  ...['delivery', 'checkoutUrl', 'minLevel', 'spreadSeconds'],
])

let rig: World
/** The files in the public folder of the draw. */
let published: Map<string, Uint8Array>
/** Fails the writes of files from now on, all but so many. */
let writesLeft: number
/** Runs after each write of a file. */
let afterWrite: () => Promise<void>
let isBeaconLate: boolean
let now0: number

beforeEach(async () => {
  rig = await world({ redis: server })
  published = new Map()
  writesLeft = Number.POSITIVE_INFINITY
  afterWrite = async () => undefined
  isBeaconLate = false
  now0 = rig.clock.now
})

const files: DrawFiles = {
  read: async (path) => published.get(path),
  write: async (path, bytes) => {
    if (writesLeft <= 0) throw new Error('the run was cut off')
    writesLeft -= 1
    published.set(path, bytes)
    await afterWrite()
  },
}

const beacon = () => beaconOfTest(() => rig.clock.now, isBeaconLate)

const draw = () => ({ opensAt: now0, closesAt: now0 + hour, claimSeconds: 7200 })
const terms = (changes: object = {}) => ({
  stock: 2,
  limitPerShopper: 1,
  maxPerOrder: 1,
  draw: draw(),
  startsAt: now0 + hour + 3 * minute,
  endsAt: now0 + 24 * hour,
  ...changes,
})

/** Same as `draw`, before a world exists. */
const atNoon = { opensAt: noon, closesAt: noon + hour, claimSeconds: 7200 }

async function publish(changes: object = {}): Promise<void> {
  expect(await rig.create(terms(changes))).toMatchObject({ status: 201 })
  expect(await rig.act('warm')).toMatchObject({ status: 200 })
  await rig.act('start', { now: false })
  await advance()
}

/** One run of the schedule, which looks once. */
const advance = () => advanceDraws({ ...rig.ports, filesOf: () => files, beacon: beacon() }, rig.clock.now)

async function advanceAt(time: number): Promise<void> {
  rig.clock.now = Math.max(rig.clock.now, time)
  await advance()
}

const entriesOver = (ports: EntryPorts) => createApp(ports, entryRoutes, forShoppers)
const asked = () => behindUrl(testTelemetry(), entriesOver({ ...rig.ports, filesOf: () => files }))
const entry = (method: string, shopper: number, body?: unknown) =>
  asked()(forwardedRequest(shopperIdOf(shopper), method, '/api/entries/phone', body))
const enter = (shopper: number, body: object = {}) => entry('PUT', shopper, body)
const seen = async (shopper: number) => (await entry('GET', shopper)).body

const receipts = async (shoppers: readonly number[]) =>
  (await Promise.all(shoppers.map((one) => seen(one)))).flatMap(({ receipt }) => receipt ?? [])

const check = (known: readonly string[] = []) => checkDraw(files.read, { verifyRound, known: { receipts: known } })

const report = () => reportDraw(files.read, { verifyRound, known: {}, now: rig.clock.now })

const listed = async () => (await readMembers(server, phone)).toSorted()
const holders = async () =>
  (await allOffers(rig.table, phone)).filter(({ endedAt }) => endedAt === undefined).map(({ shopperId }) => shopperId)

const shopperNumber = (shopperId: ShopperId) =>
  Array.from({ length: 40 }, (_, n) => n).find((n) => shopperIdOf(n) === shopperId) ?? -1

/** Brings a draw with this many entries past its round. */
async function decided(count: number, changes: object = {}): Promise<void> {
  await publish(changes)
  rig.clock.now = now0 + minute
  for (let shopper = 1; shopper <= count; shopper += 1) await enter(shopper)
  await advanceAt(now0 + hour + listDelayMs)
  await advanceAt(now0 + hour + 2 * minute)
  await advance()
  rig.clock.now = now0 + hour + 3 * minute
  await rig.reconcile()
}

it('a run without a draw reads no more of the table than the preflight bills, and nothing from Redis', async () => {
  let calls = 0
  const table = onWire(rig.ports.table, (_, send) => {
    calls += 1
    return send()
  })
  const unused = () => expect.unreachable('a store of the stock is used')
  const stock = new Proxy(rig.ports.stock, { get: unused })
  await advanceDraws({ ...rig.ports, table, stock, filesOf: unused, beacon: beacon() }, rig.clock.now + 1000)
  expect(calls).toBe(functions.scheduled.draws.idle.tableReads)
})

describe('a sale that draws', () => {
  const windowAfter = (hours: number) => ({
    ...{ startsAt: noon + (hours + 2) * hour, endsAt: noon + (hours + 3) * hour, stock: 2 },
  })
  it.each<[string, object, string]>([
    ['kind', { kind: 'red-packet', price: 0, packets: { count: 2, totalAmount: 10 } }, 'draw'],
    ['several units for a shopper', { limitPerShopper: 2 }, 'limitPerShopper'],
    ['an unlimited stock', { stock: -1 }, 'stock'],
    ['windows', { windows: [0, 2].map(windowAfter) }, 'windows'],
    ['more units than its list holds', { stock: 20_001 }, 'stock'],
    ['early access', { earlyAccess: { minutes: 5, minLevel: 2 } }, 'earlyAccess'],
    ['a close in the past', { draw: { opensAt: noon - 2, closesAt: noon - 1, claimSeconds: 86_400 } }, 'draw.closesAt'],
    ...['series', 'maxInGroup', 'odds', 'prizeValue'].map((field): [string, object, string] => [
      field,
      { draw: { ...atNoon, [field]: 2 } },
      `draw.${field}`,
    ]),
    ['a standby list', { standby: { joinSeconds: 600, claimSeconds: 900 } }, 'standby'],
  ])('is refused with %s, by the field', async (_, change, field) => {
    expect(await rig.create(terms(change))).toMatchObject({ status: 400, body: { field } })
  })

  it('publishes its rules also when it is started without having been warmed', async () => {
    await rig.create(terms())
    expect(await rig.act('start', { now: false })).toMatchObject({ status: 200 })
    await advance()
    expect([...published.keys()]).toContain('draw.json')
  })

  it('is refused while it would start before its round, and the time is proposed', async () => {
    const early = await rig.create(terms({ startsAt: now0 + hour + minute }))
    const earliest = now0 + hour + 125_000
    expect(early).toMatchObject({ status: 400, body: { field: 'startsAt' } })
    expect(early.body.detail).toContain(String(earliest))
    expect(await rig.create(terms({ startsAt: earliest }))).toMatchObject({ status: 201 })
  })

  it('sells to all once its draw is removed', async () => {
    await rig.create(terms())
    const plain = await rig.ask('PATCH', '/sales/phone', { draw: null })
    expect(plain).toMatchObject({ status: 200 })
    expect(plain.body).not.toHaveProperty('earlyAccess')
    await rig.act('start', { now: false })
    expect((await readGate(server, phone))?.rules).not.toHaveProperty('invitedOnly')
  })

  it.each(Object.entries(changes))(
    'keeps what decides who wins and what a winner gets, and lets the rest change: %s',
    async (name, change) => {
      await rig.create(terms())
      await rig.act('warm')
      const sale = await rig.sale()
      const answer = await rig.ask('PATCH', '/sales/phone', typeof change === 'function' ? change(sale) : change)
      if (freeOnceDrawn.has(name)) return expect(answer).toMatchObject({ status: 200 })
      expect([400, 409]).toContain(answer.status)
      const [field = ''] = name.split('.')
      expect(`${answer.body.field} ${answer.body.detail}`).toContain(field)
      expect(await rig.sale()).toEqual(sale)
      if (bound.has(field)) expect(answer.body).toMatchObject({ reason: 'draw-fixed', field })
    },
  )

  it('may end later, and sells no more units than its rules name', async () => {
    await publish()
    const { endsAt } = await rig.sale()
    expect(await rig.ask('PATCH', '/sales/phone', { endsAt: endsAt + 1 })).toMatchObject({ status: 200 })
    expect(await rig.ask('POST', '/sales/phone/stock', { delta: 5 }, { 'idempotency-key': 'more' })).toMatchObject({
      status: 409,
      body: { reason: 'draw-fixed' },
    })
  })

  it('publishes the level that entering and buying need', async () => {
    await rig.create(terms({ minLevel: 3 }))
    await rig.act('start', { now: false })
    await advance()
    expect(readRules(published.get(rulesFile) ?? new Uint8Array())).toMatchObject({ ok: true, value: { minLevel: 3 } })
  })

  it('sells its units to winners only, and publishes its files for every reader (N3)', async () => {
    await decided(12)
    const all = await receipts(Array.from({ length: 12 }, (_, n) => n + 1))
    expect(all).toHaveLength(12)
    expect(await check(all)).toMatchObject({ faults: [], state: 'drawn' })
    const winners = await holders()
    expect(winners).toHaveLength(2)
    expect(await listed()).toEqual(winners.toSorted())
    const ranks = await Promise.all(Array.from({ length: 12 }, async (_, n) => (await seen(n + 1)).place))
    expect(ranks.map(({ rank }) => rank).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, n) => n + 1))
    const [first = phone] = winners
    const view = await seen(shopperNumber(first as ShopperId))
    expect(view).toMatchObject({ state: 'entered', place: { of: 12 } })
    expect(view.offer.until).toBeGreaterThan(now0 + 3 * hour)
    expect((await rig.ask('GET', '/sales/phone/draw')).body.draw).toMatchObject({
      phase: 'decided',
      entrants: 12,
      waiting: 10,
      offers: { made: 2, bought: 0, open: 2, ended: 0 },
    })
    expect(await rig.ask('GET', '/sales/other/draw')).toMatchObject({ status: 404 })
    // A run once more has no second effect.
    const before = [...published.keys()].map((path) => String(published.get(path)))
    await advance()
    expect([...published.keys()].map((path) => String(published.get(path)))).toEqual(before)
  })
})

describe('a click in a sale that draws, at CloudFront’s function before the gate', () => {
  const keysOf = () => new Map(passDays(rig.clock.now).map((day) => [day, `key-of-day-${day}`]))

  /** The code of its refusal; undefined for a click that goes on to the gate. */
  async function clickOf(shopperId: ShopperId, cookies: readonly string[] = []) {
    const values = new Map([...rig.edgeStore.values, [passKeysKey, passKeysText(keysOf())]])
    const { refusal } = await openPreGate({ get: (key) => values.get(key) }, () => rig.clock.now)
    const headers = {
      ...{ authorization: 'Bearer a.b.c', 'x-sluice-pass': issuePass(shopperId, keysOf(), rig.clock.now) ?? '' },
      'content-type': 'application/json',
      cookie: cookies.map((one) => one.split(';')[0]).join('; '),
    }
    return (await refusal({ method: 'POST', uri: '/api/sales/phone/orders', headers }))?.code
  }
  const cookiesOf = async (shopperId: ShopperId) => (await entry('GET', shopperNumber(shopperId))).cookies ?? []
  const entrants = Array.from({ length: 12 }, (_, n) => shopperIdOf(n + 1))

  it('goes on with the cookie of an offer alone, and a loser’s costs no command of Redis (L6)', async () => {
    await decided(12)
    const winners = await holders()
    const losers = entrants.filter((one) => !winners.includes(one))
    expect(losers).toHaveLength(10)
    for (const winner of winners) {
      const cookies = await cookiesOf(winner)
      expect(cookies).toEqual([
        expect.stringMatching(/^sluice_invited=[\w-]{43}; Max-Age=86400; Path=\/api\/sales\/phone; Secure; HttpOnly;/),
      ])
      expect(await clickOf(winner, cookies)).toBeUndefined()
      expect(await clickOf(winner), 'without the cookie').toBe('level-too-low')
      for (const loser of losers) expect(await clickOf(loser, cookies)).toBe('level-too-low')
    }
    for (const loser of losers) {
      expect(await cookiesOf(loser)).toEqual([])
      expect(await clickOf(loser, [`sluice_invited=${'A'.repeat(43)}`])).toBe('level-too-low')
    }
  })

  it('is left to the gate where pages of other sites may sell the sale', async () => {
    await decided(3, { allowedOrigins: ['https://blog.example'] })
    for (const one of entrants) expect(await clickOf(one)).toBeUndefined()
  })
})

describe('an entry', () => {
  it('is refused before the opening and after the close, with the time', async () => {
    await publish({ draw: { ...draw(), opensAt: now0 + minute } })
    expect(await enter(1)).toMatchObject({
      status: 409,
      body: { reason: 'entries-not-open', values: { at: now0 + minute } },
    })
    rig.clock.now = now0 + hour
    expect(await enter(1)).toMatchObject({ status: 409, body: { reason: 'entries-closed' } })
    expect(await entry('DELETE', 1)).toMatchObject({ status: 200, body: { state: 'none' } })
  })

  it('has the same receipt when it is sent again, and leaves once (I5)', async () => {
    await publish()
    const first = await enter(1)
    expect(first).toMatchObject({ status: 200, body: { state: 'entered' } })
    expect((await enter(1)).body).toEqual(first.body)
    const left = await entry('DELETE', 1)
    expect(left.body).toMatchObject({ state: 'left' })
    expect((await entry('DELETE', 1)).body).toEqual(left.body)
    expect(await seen(2)).toEqual({ state: 'none' })
    await enter(2)
    rig.clock.now = now0 + hour
    expect(await entry('DELETE', 2)).toMatchObject({ status: 409, body: { reason: 'entries-closed' } })
  })

  it.each([
    ['variant', { variant: 'red' }],
    ['choices', { choices: ['red'] }],
    ['group', { group: 'friends' }],
    ['level', { level: 3 }],
  ])('names the field %s that is wrong', async (field, body) => {
    await publish()
    expect(await enter(1, body)).toMatchObject({ status: 400, body: { field } })
  })

  it('changes at most twenty times', async () => {
    await publish()
    for (let n = 0; n < 20; n += 1) await (n % 2 === 0 ? enter(1) : entry('DELETE', 1))
    expect(await enter(1)).toMatchObject({ status: 409, body: { reason: 'changes-used' } })
  })

  it('is not found for a sale without a draw, and before its rules', async () => {
    await rig.create(terms())
    expect(await enter(1)).toMatchObject({ status: 404 })
  })

  it('has no receipt when it is written too late for the list', async () => {
    await publish()
    rig.clock.now = now0 + hour - 1
    const slow = onWireAt(rig.ports.table, /^put /, (send) => {
      rig.clock.now += listDelayMs
      return send()
    })
    const respond = behindUrl(testTelemetry(), entriesOver({ ...rig.ports, table: slow, filesOf: () => files }))
    expect((await respond(forwardedRequest('late', 'PUT', '/api/entries/phone', {}))).status).toBe(503)
    const read = await asked()(forwardedRequest('late', 'GET', '/api/entries/phone'))
    expect(read.body.receipt).toBeUndefined()
  })
})

describe('a draw that is advanced', () => {
  it('takes every step that is due until the end of its run, and pauses one to ten seconds between two looks', async () => {
    await publish()
    await enter(1)
    rig.clock.now = now0 + hour - minute
    rig.pauses.length = 0
    const runsOut = now0 + hour + 2 * minute
    await advanceDraws({ ...rig.ports, filesOf: () => files, beacon: beacon() }, runsOut)
    expect(await holders()).toEqual([shopperIdOf(1)])
    expect([Math.min(...rig.pauses), Math.max(...rig.pauses)]).toEqual([1000, 10_000])
    expect(rig.clock.now).toBeLessThanOrEqual(runsOut)
    expect(rig.clock.now).toBeGreaterThan(runsOut - 10_000)
  })

  it('waits for a late round, reports it, and takes no other', async () => {
    await publish()
    await enter(1)
    await advanceAt(now0 + hour + listDelayMs)
    isBeaconLate = true
    await advanceAt(now0 + hour + 4 * minute)
    expect(rig.telemetry.counted('BeaconLate')).toBe(1)
    expect(await holders()).toEqual([])
    isBeaconLate = false
    await advance()
    await advance()
    expect(await holders()).toHaveLength(1)
  })

  it('does not wait for another draw whose files hang, before or after it on the list (N3)', async () => {
    await publish()
    await enter(1)
    const hanging = Promise.withResolvers<undefined>()
    for (const saleId of ['first', 'zebra']) {
      expect(await rig.create({ ...terms(), saleId })).toMatchObject({ status: 201 })
      for (const step of ['warm', 'start']) await rig.ask('POST', `/sales/${saleId}/${step}`, {})
    }
    rig.clock.now = now0 + minute
    const tendWith = (others: DrawFiles) => {
      const filesOf = (saleId: SaleId) => (saleId === phone ? files : others)
      return advanceDraws({ ...rig.ports, filesOf, beacon: beacon() }, rig.clock.now)
    }
    await tendWith({ read: async () => undefined, write: async () => undefined })
    rig.clock.now = now0 + hour + listDelayMs
    const running = tendWith({ read: () => hanging.promise, write: () => hanging.promise })
    await expect.poll(async () => (await report())?.state).toBe('closed')
    hanging.resolve(undefined)
    await running
  })

  it('is void when no run came between the close and its round, and lets no shopper in', async () => {
    await publish()
    await enter(1)
    await advanceAt(now0 + hour + 2 * minute)
    await advance()
    expect(rig.telemetry.counted('ListMissing')).toBeGreaterThan(0)
    expect(await listed()).toEqual([])
    expect(await report()).toMatchObject({ faults: [], state: 'void' })
  })

  it('is void for a reader also if the closing run was interrupted before it signed the list', async () => {
    await publish()
    await enter(1)
    writesLeft = 1
    await advanceAt(now0 + hour + listDelayMs)
    expect(rig.telemetry.counted('DrawFailed')).toBe(1)
    expect(rig.telemetry.lines.at(-1)).toMatchObject({ level: 'warn', message: 'draw not advanced' })
    expect(await report()).toMatchObject({ faults: [], state: 'open' })
    await advanceAt(now0 + hour + 3 * minute)
    expect(await report()).toMatchObject({ faults: [], state: 'void' })
  })

  it('signs the list that another run has written, which may have found other late entries', async () => {
    await publish()
    await enter(1)
    writesLeft = 1
    await advanceAt(now0 + hour + listDelayMs)
    const list = published.get('list.bin')
    await rig.table.client.send(
      new PutCommand({
        TableName: rig.table.name,
        Item: { ...drawEntryKey(phone, 'f'.repeat(64)), shopperId: 'late', changes: 1, variant: 1, receipt: 'none' },
      }),
    )
    writesLeft = Number.POSITIVE_INFINITY
    await advance()
    expect(published.get('list.bin')).toEqual(list)
    expect(await report()).toMatchObject({ faults: [], state: 'closed', signed: { count: 1 } })
  })

  it('is valid for a reader between any two writes of its runs', async () => {
    const seen: string[] = []
    afterWrite = async () => {
      const { faults = [], state = 'not published' } = (await report()) ?? {}
      expect(faults).toEqual([])
      if (seen.at(-1) !== state) seen.push(state)
    }
    await publish()
    await enter(1)
    await advanceAt(now0 + hour / 2)
    await enter(2)
    await advanceAt(now0 + hour + listDelayMs)
    await advanceAt(now0 + hour + 2 * minute)
    await advance()
    expect(seen).toEqual(['open', 'closed', 'drawn'])
  })

  it('ends with its sale', async () => {
    await decided(3)
    await advanceAt(now0 + 25 * hour)
    expect(await listedDraws(rig.table)).toEqual([])
  })
})

describe('a unit that comes back', () => {
  it('goes to the next rank when an offer is over, later than its page says', async () => {
    await decided(5, { stock: 1 })
    const [winner = ''] = await holders()
    const { offer } = await seen(shopperNumber(winner as ShopperId))
    await advanceAt(offer.until)
    expect(await listed()).toEqual([winner])
    expect((await seen(shopperNumber(winner as ShopperId))).offer).toBeUndefined()
    await advanceAt(offer.until + graceMs)
    expect(await listed(), 'the gate may still let the shopper in').toEqual([])
    expect(await holders()).toEqual([winner])
    await advanceAt(offer.until + graceMs + delistingMs)
    const [second = ''] = await holders()
    expect(second).not.toBe(winner)
    expect(await listed()).toEqual([second])
    expect((await seen(shopperNumber(second as ShopperId))).place.rank).toBe(2)
    expect((await check()).faults).toEqual([])
  })

  it('comes back once if the write of its step arrives while the next run reads the draw (I5, I7)', async () => {
    await decided(5, { stock: 1 })
    const [winner = ''] = await holders()
    const { offer } = await seen(shopperNumber(winner as ShopperId))
    await advanceAt(offer.until + graceMs)
    const before = published.get(stepsFile) ?? Buffer.of()
    afterWrite = () => Promise.reject(new Error('no answer'))
    await advanceAt(offer.until + graceMs + delistingMs)
    afterWrite = async () => undefined
    const late = published.get(stepsFile) ?? Buffer.of()
    expect(late.length).toBeGreaterThan(before.length)
    published.set(stepsFile, before)
    const { read } = files
    files.read = async (path) => {
      const bytes = await read(path)
      if (path === stepsFile) published.set(path, late)
      return bytes
    }
    await advance()
    files.read = read
    expect((await check()).faults).toEqual([])
    expect(await holders()).toHaveLength(1)
  })
})

describe('a draw with variants', () => {
  const variants = [
    { id: 'red', name: 'Red', stock: 1 },
    { id: 'blue', name: 'Blue', stock: 1 },
    { id: 'gold', name: 'Gold', stock: 0 },
  ]

  it.each([
    ['no variant', {}],
    ['a variant that the sale does not have', { variant: 'green' }],
  ])('takes no entry with %s, and names the field', async (_, body) => {
    await publish({ variants, stock: 2 })
    const refused = await enter(1, body)
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid-request', field: 'variant' } })
    expect(await seen(1)).toEqual({ state: 'none' })
  })

  it('publishes the units of each variant, and keeps the variant that an entrant changes to', async () => {
    await publish({ variants, stock: 2 })
    expect((await check()).rules?.variants).toEqual(variants.map(({ id, stock: units }) => ({ id, units })))
    const first = await enter(1, { variant: 'red' })
    expect(first.body.variant).toBe('red')
    const changed = await enter(1, { variant: 'blue' })
    expect(changed.body.variant).toBe('blue')
    expect((await enter(1, { variant: 'blue' })).body.receipt).toBe(changed.body.receipt)
    expect((await entry('DELETE', 1)).body.variant).toBeUndefined()
    await enter(1, { variant: 'gold' })
    await advanceAt(now0 + hour + listDelayMs)
    expect(await check([first.body.receipt, changed.body.receipt])).toMatchObject({ faults: [], state: 'closed' })
  })
})

describe('a sale that draws, under faults', () => {
  const sales = inSample(8, 250)
  const from = Number(process.env.FC_SEED ?? 1)
  it(`gives each unit to the next rank once, and honours no offer that has ended, in ${sales} sales from seed ${from} (I1, I3, I5)`, async () => {
    const broken: string[] = []
    let returned = 0
    for (let seed = from; seed < from + sales; seed += 1) {
      const played = await playDraw(server, seed)
      returned += played.returned
      broken.push(...played.broken.map((what) => `seed ${seed}: ${what}`))
      // A click that the gate let through may take so long to the stock.
      for (const ms of played.idleMs) expect(ms, `seed ${seed}`).toBeGreaterThanOrEqual(delistingMs)
    }
    expect(broken).toEqual([])
    expect(returned, 'units that came back').toBeGreaterThan(0)
  }, 900_000)
})
