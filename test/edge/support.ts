/** Real CloudFront origin-request events, real keys and tokens, and a small in-memory store for the gate. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { admissionsLeft } from '../../core/gate/admission.ts'
import type { PassKeys } from '../../core/gate/pass.ts'
import { buildSaleFilter } from '../../core/gate/sale-filter.ts'
import { parseSaleId, parseShopperId, type SaleId, type ShopperId } from '../../core/ids.ts'
import { listMember } from '../../core/sale/invited.ts'
import { defaultThrottle } from '../../core/sale/sale.ts'
import type { EdgeEvent, EdgeHeaders, EdgeRequest, EdgeResponse } from '../../edge/cloudfront.ts'
import { configHeader, encodeConfig } from '../../edge/config.ts'
import { createGate } from '../../edge/gate.ts'
import type { LeaseRequest as AdmissionAsk, GateFacts, GateStore, Lease } from '../../edge/memory/gate-store.ts'
import { issuePass } from '../../edge/memory/passes.ts'
import { checkExchange } from '../../proof/described-api.ts'
import { customersVersion } from '../../redis/gate/shared-lists.ts'

export const issuer = 'https://id.example'
export const audience = 'sluice-shop'
export const shopOrigin = 'https://shop.example'
export const startToken = 'Zm9ydHktdHdvLXJhbmRvbS1ieXRlcy1oZXJlIQ'
export const saleId = saleIdOf('phone-42')

/** The tests' clock starts at a whole second, far from the current date, so that no test depends on it. */
export const startOfTests = 2_000_000_000_000

export function saleIdOf(text: string): SaleId {
  const parsed = parseSaleId(text)
  if (parsed === undefined) throw new Error(`${text} is not a sale id`)
  return parsed
}

export function shopperIdOf(text: string): ShopperId {
  const parsed = parseShopperId(text)
  if (parsed === undefined) throw new Error(`${text} is not a shopper id`)
  return parsed
}

export const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
export const publicJwk = keys.publicKey.export({ format: 'jwk' })

export type TestTokenOptions = { claims?: JWTPayload; algorithm?: string; key?: KeyObject | Uint8Array }

/** A valid token at `now`, unless `claims` (undefined removes one) or the key say otherwise. */
export function tokenAt(now: number, { claims = {}, algorithm = 'ES256', key }: TestTokenOptions = {}) {
  const seconds = Math.floor(now / 1000)
  const usual = { sub: 'ann', iss: issuer, aud: audience, iat: seconds, exp: seconds + 600 }
  return new SignJWT({ ...usual, ...claims }).setProtectedHeader({ alg: algorithm }).sign(key ?? keys.privateKey)
}

/** The pass of a shopper as from `at` (epoch ms). */
export function passOf(keys: PassKeys, at: number, shopper = 'ann'): string {
  const pass = issuePass(shopperIdOf(shopper), keys, at)
  if (pass === undefined) throw new Error('the test has no key for this pass')
  return pass
}

/** The settings of the gate, the secret ones first. */
export const config = {
  gateUrl: 'https://gate.example',
  readerToken: 'reader-secret',
  writerToken: 'writer-secret',
  publicKeys: [publicJwk],
  challengeKeys: ['the secret that signs challenges'],
  issuer,
  audience,
  origins: [shopOrigin, 'https://www.shop.example'],
  challengeCost: 20,
}

/** The origin's header with the settings; `change` replaces some, undefined removes one. */
export const gateSettings = (change: Record<string, unknown> = {}): Record<string, string> => ({
  [configHeader]: encodeConfig({ ...config, ...change }),
})
export const settings = gateSettings()

/** Makes filters of sale ids the same in every run. */
export const filterKey = new TextEncoder().encode('12345678')

export type EventParts = {
  method?: string
  uri?: string
  querystring?: string
  headers?: Record<string, string | string[]>
  body?: string | Buffer | undefined
  truncated?: boolean
  clientIp?: string
  settings?: Record<string, string>
  domain?: string
}

/** CloudFront's domain name of the distribution. */
export const distributionDomain = 'd111111abcdef8.cloudfront.net'

/** An origin-request event as CloudFront sends it with IncludeBody. */
export function eventOf(ask: EventParts): EdgeEvent {
  const { method = 'GET', uri = '/', querystring = '', body, truncated = false } = ask
  const { clientIp = '203.0.113.7' } = ask
  const request: EdgeRequest = {
    clientIp,
    method,
    uri,
    querystring,
    headers: {
      host: [{ key: 'Host', value: 'abc.lambda-url.eu-central-1.on.aws' }],
      'user-agent': [{ key: 'User-Agent', value: 'test' }],
      'x-forwarded-for': [{ key: 'X-Forwarded-For', value: '203.0.113.7' }],
      via: [{ key: 'Via', value: '2.0 x.cloudfront.net (CloudFront)' }],
      ...edgeHeaders(ask.headers ?? {}),
    },
    origin: {
      custom: {
        customHeaders: { ...edgeHeaders(ask.settings ?? settings), ...edgeHeaders({ 'x-kept': 'yes' }) },
        domainName: 'abc.lambda-url.eu-central-1.on.aws',
        keepaliveTimeout: 5,
        path: '',
        port: 443,
        protocol: 'https',
        readTimeout: 30,
        sslProtocols: ['TLSv1.2'],
      },
    },
    body: {
      inputTruncated: truncated,
      action: 'read-only',
      encoding: 'base64',
      data: Buffer.from(body ?? '').toString('base64'),
    },
  }
  const config = {
    distributionDomainName: ask.domain ?? distributionDomain,
    distributionId: 'EDFDVBD6EXAMPLE',
    eventType: 'origin-request',
    requestId: '4TyzHTaYWb1GX1qTfsHhEqV6HUDd_BzoBZnwfnvQc_1oF26ClkoUSEQ==',
  }
  return { Records: [{ cf: { config, request } }] }
}

function edgeHeaders(headers: Record<string, string | string[]>): EdgeHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([key, values]) => [
      key.toLowerCase(),
      [values].flat().map((value) => ({ key, value })),
    ]),
  )
}

type Parts = EventParts & { token?: string; claims?: JWTPayload }

/** A change that our page asks for; any part of the usual request can be replaced. */
async function pageEvent(now: number, usual: EventParts, { token, claims, headers, ...rest }: Parts) {
  const bearer = token ?? (await tokenAt(now, claims === undefined ? {} : { claims }))
  const ofPage = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', origin: shopOrigin }
  return eventOf({ method: 'POST', ...usual, ...rest, headers: { ...ofPage, ...headers } })
}

/** A valid buy request. */
export const buyEvent = (now: number, change: Parts = {}) =>
  pageEvent(now, { uri: `/api/sales/${saleId}/orders`, body: JSON.stringify({ quantity: 1, startToken }) }, change)

export const orderId = `${saleId}-abcdefghijklmnopqrstuvwxyz`

/** A request to pay or cancel an order. */
export const orderChangeEvent = (now: number, change: Parts = {}) =>
  pageEvent(now, { uri: `/api/orders/${orderId}/pay`, body: '{}' }, change)

export const signed = {
  'content-type': 'application/json',
  'webhook-id': 'msg_1',
  'webhook-timestamp': '2000000000',
  'webhook-signature': 'v1,c2lnbmVkIGJ5IHNvbWVib2R5IGVsc2Ugbm90IGJ5IHVzIQ==',
}

/** A webhook of a payment provider; the gate cannot verify its signature. */
export function webhookEvent(change: EventParts = {}) {
  return eventOf({ method: 'POST', uri: '/api/payments/webhook', body: '{"type":"x"}', headers: signed, ...change })
}

/** A call by a marketer's script, with a bearer token and no browser. */
export async function controlEvent(now: number, change: Parts = {}) {
  const { token, claims = { sub: 'mara', roles: ['marketer'] }, headers, ...rest } = change
  const bearer = token ?? (await tokenAt(now, { claims }))
  return eventOf({
    method: 'POST',
    uri: `/api/control/sales/${saleId}/start`,
    ...rest,
    headers: { authorization: `Bearer ${bearer}`, ...headers },
  })
}

/** A request for a challenge. */
export const challengeEvent = (now: number, change: Parts = {}) =>
  buyEvent(now, { uri: `/api/sales/${saleId}/challenge`, body: '{}', ...change })

/** A claim of a red packet. */
export const claimEvent = (now: number, change: Parts = {}) =>
  buyEvent(now, { uri: `/api/sales/${saleId}/packets`, body: JSON.stringify({ startToken }), ...change })

/** A sale that opened a minute before the tests begin and runs for an hour. */
export const openSaleFacts: GateFacts = {
  flag: 'on',
  epoch: 1,
  startToken,
  startsAt: startOfTests - 60_000,
  endsAt: startOfTests + 3_600_000,
  nextStartsAt: null,
  version: 3,
  rules: {
    kind: 'goods',
    throttle: defaultThrottle,
    minLevel: 0,
    challenge: 'off',
    requirePass: 'off',
    spreadSeconds: 0,
  },
  frozen: false,
  databases: ['main'],
  soldOut: false,
  soldOutRevision: -1,
  restockedRevision: 0,
  freezes: 0,
}

/** Facts of a sale with some rules replaced. */
export function ruled(change: Partial<GateFacts['rules']>): Pick<GateFacts, 'rules'> {
  return { rules: { ...openSaleFacts.rules, ...change } }
}

/** Facts of a sale with some limits replaced. */
export function throttled(change: Partial<GateFacts['rules']['throttle']>): Pick<GateFacts, 'rules'> {
  return ruled({ throttle: { ...defaultThrottle, ...change } })
}

/** For tests of other rules: limits that are never reached. */
export const unthrottled = throttled({
  perShopper: { limit: 1000, windowSeconds: 60 },
  perIp: { limit: 1_000_000, windowSeconds: 60 },
})

/**
 * The units of a sale that were published to the store, and its admissions in a second; a sale without is unlimited.
 */
type Units = { total: number; booked: number; ratio: number; rate: number }
const unlimited: Units = { total: -1, booked: 0, ratio: 1, rate: Number.POSITIVE_INFINITY }

/**
 * A store that counts its requests, can fail, and can hold its answers back. A sale is unlimited
 * until it is replenished.
 */
export function fakeStore(sales: Record<string, GateFacts>) {
  const reads: string[] = []
  const asks: AdmissionAsk[] = []
  const listReads: string[] = []
  const units: Record<string, Units> = {}
  /** Granted admissions, by sale and second. */
  const buckets: Record<string, Map<number, number>> = {}
  const blocklist = new Set<string>()
  const versions = { blocklist: 0, sales: 0, filter: 0 }
  let passKeys = ''
  let customers: string | undefined
  let latestListVersion = 0
  const uses = new Map<string, string>()
  const members = new Set<string>()
  const memberReads: string[] = []
  /** The counts that were sent, in their order. */
  const demand: [SaleId, Record<string, number>][] = []
  const refusedTokens: [issuerName: string, Record<string, number>][] = []
  let filter: Uint8Array | undefined
  let outage: Error | undefined
  let gate: Promise<void> = Promise.resolve()

  /** The answer as of the time of the request, however long it is held back. */
  async function answering<T>(answer: () => T): Promise<T> {
    const held = outage ?? { value: answer() }
    await gate
    if (held instanceof Error) throw held
    return held.value
  }

  function handedOut(saleId: SaleId): number {
    return [...(buckets[saleId]?.values() ?? [])].reduce((sum, count) => sum + count, 0)
  }

  /** Leases like admit.lua, with all of a second's rate at its start. */
  function lease(saleId: SaleId, { now, waiting, returned }: AdmissionAsk): Lease {
    const known = units[saleId] ?? (sales[saleId] && unlimited)
    if (known === undefined) return { kind: 'unknown' }
    buckets[saleId] ??= new Map()
    const bucket = buckets[saleId]
    const held = bucket.get(returned?.second ?? 0) ?? 0
    if (returned !== undefined && held >= returned.count) bucket.set(returned.second, held - returned.count)
    const left = admissionsLeft({ ...known, out: handedOut(saleId) }, known.ratio)
    if (known.total > 0 && known.booked >= known.total) return { kind: 'sold-out' }
    if (left === 0) return { kind: 'none' }
    const second = Math.max(Math.floor(now / 1000), ...bucket.keys())
    const remaining = left === -1 ? Number.POSITIVE_INFINITY : left
    const allowed = known.rate - (bucket.get(second) ?? 0)
    if (allowed <= 0) return { kind: 'throttled' }
    const ahead = Math.ceil(Math.min(remaining, known.rate) / 256)
    const count = Math.min(remaining, allowed, 50, Math.max(ahead, waiting))
    bucket.set(second, (bucket.get(second) ?? 0) + count)
    return { kind: 'granted', count, second }
  }

  function change(listVersion: keyof typeof versions): void {
    latestListVersion += 1
    versions[listVersion] = latestListVersion
  }

  const store: GateStore = {
    read(id) {
      reads.push(id)
      return answering(() => sales[id])
    },
    admit(id, ask) {
      asks.push(ask)
      return answering(() => lease(id, ask))
    },
    versions() {
      listReads.push('versions')
      return answering(() => ({
        ...versions,
        passKeys,
        customers: customers === undefined ? '' : customersVersion(customers),
      }))
    },
    blocklist() {
      listReads.push('blocklist')
      return answering(() => [...blocklist])
    },
    filter() {
      listReads.push('filter')
      return answering(() => filter)
    },
    customers(version) {
      listReads.push('customers')
      return answering(() =>
        customers !== undefined && customersVersion(customers) === version ? customers : undefined,
      )
    },
    saleIds() {
      listReads.push('sales')
      return answering(() => Object.keys(sales).map(saleIdOf))
    },
    firstUse: (id, challengeId, use) =>
      answering(() => {
        const key = `${id} ${challengeId}`
        if (!uses.has(key)) uses.set(key, use)
        return uses.get(key) === use
      }),
    isMember(id, shopperId, variant) {
      memberReads.push(shopperId)
      const asked = [shopperId, listMember(shopperId, variant)]
      return answering(() => asked.some((member) => members.has(`${id} ${member}`)))
    },
    countDemand: (id, counts) => answering(() => void demand.push([id, Object.fromEntries(counts)])),
    countRefusedTokens: (name, counts) => answering(() => void refusedTokens.push([name, Object.fromEntries(counts)])),
  }

  return {
    ...store,
    demand,
    refusedTokens,
    sales,
    reads,
    asks,
    listReads,
    memberReads,
    handedOut,
    /** Puts members on the list of a sale. */
    invite(id: SaleId, ...shopperIds: string[]) {
      for (const shopperId of shopperIds) members.add(`${id} ${shopperId}`)
    },
    /** Publishes the units of a sale; granted admissions stay granted. */
    replenish(id: SaleId, total: number, { booked = 0, ratio = 1, rate = Number.POSITIVE_INFINITY } = {}) {
      units[id] = { total, booked, ratio, rate }
    },
    setPassKeys(text: string) {
      passKeys = text
    },
    setCustomers(text: string) {
      customers = text
    },
    block(...fields: string[]) {
      for (const field of fields) blocklist.add(field)
      change('blocklist')
    },
    unblock(field: string) {
      blocklist.delete(field)
      change('blocklist')
    },
    /** Publishes a sale on the list, before any filter contains it. */
    list(id: SaleId, facts: GateFacts = openSaleFacts) {
      sales[id] = facts
      change('sales')
    },
    publishFilter() {
      filter = buildSaleFilter(Object.keys(sales).map(saleIdOf), filterKey)
      change('filter')
    },
    /** The store loses everything except the sales themselves. */
    loseLists() {
      filter = undefined
      blocklist.clear()
      customers = undefined
      Object.assign(versions, { blocklist: 0, sales: 0, filter: 0 })
    },
    goDown: (error = new Error('the store is unavailable')) => {
      outage = error
    },
    comeUp: () => {
      outage = undefined
    },
    /** Holds all answers back until the returned function is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
  }
}

export type FakeStore = ReturnType<typeof fakeStore>

/** The gate over an in-memory store and a manual clock. */
export function openGate(facts: Partial<GateFacts> = {}) {
  return openInstance(fakeStore({ [saleId]: { ...openSaleFacts, ...facts } }), { now: startOfTests })
}

/** One more instance of the gate over a store, with a memory of its own. */
export function openInstance(store: FakeStore, time: { now: number }) {
  const reports: { message: string; details: Record<string, unknown> }[] = []
  const gate = createGate({
    openStore: () => store,
    clock: () => time.now,
    report: (message, details) => reports.push({ message, details }),
  })
  /** Checks that its own answers are as the API is described. */
  const handler: typeof gate = async (event) => {
    const answer = await gate(event)
    const { method, uri } = event?.Records?.[0]?.cf?.request ?? {}
    if ('uri' in answer || method === undefined || uri === undefined) return answer
    const { status, headers, body: answered } = answer
    const mediaType = headers['content-type']?.[0]?.value
    checkExchange({
      ...{ method, path: uri.replaceAll('?', '%3F'), status: Number(status) },
      ...{ headers: Object.keys(headers), mediaType, answered },
    })
    return answer
  }
  /** Sends one kind of request as of now; any part of it can be replaced. */
  const sender =
    <T>(eventOf: (now: number, change?: T) => EdgeEvent | Promise<EdgeEvent>) =>
    async (change?: T) =>
      handler(await eventOf(time.now, change))
  return {
    ...{ handler, store, reports, time },
    buy: sender(buyEvent),
    claim: sender(claimEvent),
    fetchChallenge: sender(challengeEvent),
    changeOrder: sender(orderChangeEvent),
    control: sender(controlEvent),
  }
}

/**
 * The refusal in an answer as a plain value.
 * @throws when the request was admitted
 */
export function refusalOf(answer: EdgeRequest | EdgeResponse) {
  if ('uri' in answer) throw new Error('the request was let through')
  const headers = Object.fromEntries(Object.entries(answer.headers).map(([k, v]) => [k, v[0]?.value]))
  const body: Record<string, unknown> = JSON.parse(answer.body)
  return { status: Number(answer.status), headers, body, code: body.code }
}

/**
 * The forwarded request.
 * @throws with the name of the refusal, when there is none
 */
export function forwardedOf(answer: EdgeRequest | EdgeResponse): EdgeRequest {
  if (!('uri' in answer)) throw new Error(`refused: ${answer.body}`)
  return answer
}

/** The header's values in the request to the origin. */
export function sent(request: EdgeRequest, name: string): string[] {
  return (request.headers[name] ?? []).map(({ value }) => value)
}
