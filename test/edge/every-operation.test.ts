/**
 * Every refusal of CloudFront's function and the gate, for each operation of the API, is as the API is described.
 * `test/answers.txt` keeps which of them were answered.
 */
import { describe, expect, it } from 'vitest'
import { pathFor } from '../../core/api/operation.ts'
import { type OperationName, operations } from '../../core/api/operations.ts'
import { passDays, passKeysText } from '../../core/gate/pass.ts'
import type { ProblemCode } from '../../core/outcome.ts'
import { sessionCookie } from '../../core/people/session.ts'
import { refreshCookie } from '../../core/people/sign-in-paths.ts'
import { checkExchange } from '../../proof/described-api.ts'
import { bodyExamples } from '../../static/api/examples.ts'
import { texts } from '../../static/api/texts.ts'
import { someParts } from '../functions/control/every-call.ts'
import { emptyLocation } from '../local/key-values.ts'
import { customerToken, textOf } from './customer-tokens.ts'
import { openPreGate } from './pre-gate-visits.ts'
import {
  type EventParts,
  eventOf,
  openGate,
  openSaleFacts,
  ruled,
  saleId,
  shopOrigin,
  signed,
  startOfTests,
  startToken,
  tokenAt,
} from './support.ts'

const { visit } = await openPreGate(emptyLocation())
const customers = await textOf()
const passKeys = passKeysText(new Map(passDays(startOfTests).map((day) => [day, `key of ${day}`])))

type Gate = ReturnType<typeof openGate>
type Ask = Required<Pick<EventParts, 'method' | 'uri'>> &
  EventParts & { headers: Record<string, string>; name: OperationName }

const bodies: Partial<Record<OperationName, unknown>> = {
  ...bodyExamples,
  buy: { quantity: 1, startToken },
  claim: { startToken },
}

const shopKey = `till.${'a'.repeat(43)}`

/** No part of a path has this letter. */
const noParts = { saleId: '~', orderId: '~', uploadId: '~', kind: 'ip', value: '~', name: '~', code: '~' }

/** A request that the gate lets through, or answers itself. */
async function goodAsk(name: OperationName): Promise<Ask> {
  const { body, method, roles = [] } = operations[name]
  const { access = 'session' } = texts[name]
  const session =
    name === 'openCustomerSession'
      ? await customerToken(startOfTests)
      : await tokenAt(startOfTests, { claims: { roles: roles.slice(0, 1) } })
  const headers = {
    origin: shopOrigin,
    ...(body && { 'content-type': 'application/json' }),
    ...(access === 'session' && { authorization: `Bearer ${session}` }),
    ...(access === 'shopKey' && { authorization: `Bearer ${shopKey}` }),
    ...(access === 'signature' && signed),
    ...(name === 'refreshSession' && { cookie: `${refreshCookie}=r` }),
  }
  const uri = pathFor(operations[name], { ...someParts, code: 'ABCDEFGHJKMNPQRSTVWX' })
  return { name, method, uri, headers, ...(body && { body: JSON.stringify(bodies[name] ?? {}) }) }
}

const kindFor = (name: OperationName) => (name === 'claim' ? 'red-packet' : 'goods')

function gateFor(name: OperationName): Gate {
  const gate = openGate(ruled({ kind: kindFor(name), challenge: name === 'requestChallenge' ? 'pow' : 'off' }))
  gate.store.setCustomers(customers)
  gate.store.setPassKeys(passKeys)
  return gate
}

const without = (headers: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

/** The refused request, and what the gate has learned before it. */
const causes: Readonly<Record<string, (ask: Ask, gate: Gate) => Ask>> = {
  'a query with other letters': (ask) => ({ ...ask, querystring: 'a=<' }),
  'no credential': (ask) => ({
    ...ask,
    headers: without(ask.headers, 'authorization', 'cookie'),
  }),
  'no signature': (ask) => ({ ...ask, headers: without(ask.headers, 'webhook-signature') }),
  'a credential of another issuer': (ask) => ({
    ...ask,
    headers: { ...ask.headers, authorization: `Bearer ${ask.headers.authorization?.slice(7)}x` },
  }),
  'a blocked address': (ask, { store }) => {
    store.block('ip 203.0.113.7/32')
    return ask
  },
  'a blocked shopper': (ask, { store }) => {
    store.block('shopper ann', 'shop-key till')
    return ask
  },
  'a page of another site': (ask) => ({ ...ask, headers: { ...ask.headers, origin: 'https://other.example' } }),
  'a cookie and no page': (ask) => ({
    ...ask,
    headers: {
      ...without(ask.headers, 'origin', 'authorization'),
      cookie: `${sessionCookie}=${ask.headers.authorization?.slice(7)}; ${refreshCookie}=r`,
    },
  }),
  'a cookie and a page of another site': (ask) => ({
    ...ask,
    headers: {
      ...without(ask.headers, 'authorization'),
      ...{
        origin: 'https://other.example',
        cookie: `${sessionCookie}=${ask.headers.authorization?.slice(7)}`,
      },
    },
  }),
  'a longer body': (ask) => ({
    ...ask,
    body: 'x'.repeat(1_000_000),
    headers: { ...ask.headers, 'content-length': '1000000', 'content-type': 'application/json' },
  }),
  'a body of another type': (ask) => ({
    ...ask,
    body: '{}',
    headers: { ...ask.headers, 'content-length': '2', 'content-type': 'text/plain' },
  }),
  'an id of another shape': (ask) => ({
    ...ask,
    uri: pathFor(operations[ask.name], noParts),
  }),
  'settings that cannot be used': (ask) => ({ ...ask, settings: {} }),
  'a store without an answer': (ask, { store }) => {
    store.goDown()
    return ask
  },
}

const names = Object.keys(operations) as OperationName[]
const withRoles = names.filter((name) => operations[name].roles !== undefined)
const thatMayAnswer = (code: ProblemCode) => names.filter((name) => operations[name].problems.includes(code))

/** The status of the answer, of CloudFront's function or else of the gate; undefined when the request passes. */
async function answerTo(ask: Ask, gate: Gate): Promise<number | undefined> {
  const early = await visit(ask)
  const answer = early === undefined ? await gate.handler(eventOf(ask)) : undefined
  if (answer !== undefined) return 'uri' in answer ? undefined : Number(answer.status)
  const { method, uri: path } = ask
  const { statusCode: status = 0, headers = {}, body } = early ?? {}
  checkExchange({
    ...{ method, path, status, headers: Object.keys(headers) },
    ...{ mediaType: headers['content-type']?.value, answered: body?.data ?? '' },
  })
  return status
}

describe.each(names)('the gate, asked for %s', (name) => {
  it('lets a good request through', async () => {
    const status = await answerTo(await goodAsk(name), gateFor(name))
    expect(status ?? 200).toBeLessThan(400)
  })

  it('refuses each bad one as is described', async () => {
    const refused: number[] = []
    for (const [what, change] of Object.entries(causes)) {
      const gate = gateFor(name)
      const status = await answerTo(change(await goodAsk(name), gate), gate)
      if (status !== undefined && status >= 400) refused.push(status)
      expect(status ?? 0, what).not.toBe(500)
    }
    expect(refused).not.toEqual([])
  })
})

describe('the gate', () => {
  it.each(withRoles)('refuses %s to a shopper without a role', async (name) => {
    const gate = gateFor(name)
    const ask = await goodAsk(name)
    const token = await tokenAt(startOfTests)
    const headers = { ...ask.headers, authorization: `Bearer ${token}` }
    expect(await answerTo({ ...ask, headers }, gate)).toBe(403)
  })

  it.each(thatMayAnswer('challenge-required'))(
    'refuses %s with a challenge that was not solved, and without one',
    async (name) => {
      for (const challenge of ['bm90IHNvbHZlZA==', undefined]) {
        const gate = gateFor(name)
        gate.store.list(saleId, { ...openSaleFacts, ...ruled({ kind: kindFor(name), challenge: 'pow' }) })
        const body = JSON.stringify({ ...(bodies[name] as object), challenge })
        expect(await answerTo({ ...(await goodAsk(name)), body }, gate)).toBe(403)
      }
    },
  )

  it.each(thatMayAnswer('level-too-low'))(
    'refuses %s below the level of the sale, and for a sale that does not exist',
    async (name) => {
      const ask = await goodAsk(name)
      const high = openGate(ruled({ kind: kindFor(name), minLevel: 9 }))
      expect(await answerTo(ask, high)).toBe(403)
      const uri = pathFor(operations[name], { saleId: 'no-such' })
      const gate = gateFor(name)
      gate.store.publishFilter()
      expect(await answerTo({ ...ask, uri }, gate)).toBe(404)
    },
  )

  // CloudFront's function answers the clock, without a limit.
  it.each(names.filter((name) => name !== 'getTime'))(
    'refuses %s over its rate limit, if that is described',
    async (name) => {
      const gate = gateFor(name)
      const ask = await goodAsk(name)
      const isLimited = operations[name].problems.includes('too-many-requests')
      // The highest limit is that of all tills and sign-ins behind one address.
      const most = isLimited ? 3000 : 150
      const event = eventOf(ask)
      let status = ''
      for (let count = 0; count <= most && status !== '429'; count += 1) {
        const answer = await gate.handler(structuredClone(event))
        status = 'uri' in answer ? '' : answer.status
      }
      expect(status === '429').toBe(isLimited)
    },
  )
})
