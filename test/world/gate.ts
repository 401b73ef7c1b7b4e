/**
 * The gate of a world, in front of the functions that shoppers reach: a click passes every check of the edge over the
 * gate's real store, and what is forwarded is answered by the function of its path.
 */
import type { Challenge } from 'altcha-lib'
import * as z from 'zod/mini'
import { edgeApi } from '../../core/api/edge.ts'
import { passHeader } from '../../core/gate/pass.ts'
import type { ShopperId } from '../../core/ids.ts'
import type { EdgeRequest } from '../../edge/cloudfront.ts'
import { createGate } from '../../edge/gate.ts'
import type { GateStore } from '../../edge/memory/gate-store.ts'
import { purchaseApp, type ReservePorts } from '../../functions/buy/reserve.ts'
import { redisAdmissions, redisSoldOutPublisher } from '../../functions/entries/adapters/gate.redis.ts'
import type { HttpAnswer } from '../../functions/lib/http/answer.ts'
import { orderChangesApp } from '../../functions/orders/order-changes-http.ts'
import { startTurnstile } from '../../local/captcha/turnstile.ts'
import { answerTo } from '../../proof/simulation/parts/requests.ts'
import type { Commander } from '../../redis/command.ts'
import { admit } from '../../redis/gate/admit.ts'
import { countDemand, countRefusedTokens } from '../../redis/gate/demand.ts'
import { readGate } from '../../redis/gate/gate.ts'
import { isMember } from '../../redis/gate/members.ts'
import {
  readBlocklist,
  readCustomers,
  readFilter,
  readListVersions,
  readSaleIds,
} from '../../redis/gate/shared-lists.ts'
import { recordChallengeUse } from '../../redis/gate/used-challenges.ts'
import { solve } from '../edge/solve.ts'
import { eventOf, gateSettings, shopOrigin, tokenAt } from '../edge/support.ts'
import type { World } from './world.ts'

/** The store of the gate as in the cloud, without HTTP. */
const storeOver = (redis: Commander): GateStore => ({
  read: (saleId) => readGate(redis, saleId),
  admit: (saleId, ask) => admit(redis, saleId, ask),
  versions: () => readListVersions(redis),
  blocklist: () => readBlocklist(redis),
  filter: () => readFilter(redis),
  customers: (version) => readCustomers(redis, version),
  saleIds: () => readSaleIds(redis),
  firstUse: (saleId, id, use, ttlMs) => recordChallengeUse(redis, saleId, id, { use, ttlMs }),
  isMember: (saleId, shopperId, variant) => isMember(redis, saleId, shopperId, variant),
  countDemand: (saleId, counts) => countDemand(redis, saleId, 'gate', counts),
  countRefusedTokens: (issuerName, counts, now) => countRefusedTokens(redis, issuerName, counts, now),
})

export type Answer = { status: number; body: Record<string, unknown> }

export type Client = { shopperId: ShopperId; level: number }

const isPow = (body: unknown): body is Challenge =>
  typeof body === 'object' && body !== null && 'parameters' in body && 'signature' in body

const widgetToken = z.object({ token: z.string() })

export async function openGateOf(world: World) {
  const { clock, ports, telemetry, gate, redis, queue, stocks } = world
  const turnstile = await startTurnstile({ clock: () => clock.now })
  const { siteKey, secret, verifyUrl } = turnstile
  const settings = gateSettings({ turnstile: { siteKey, secret, verifyUrl } })
  const reports: string[] = []
  const handler = createGate({
    openStore: () => storeOver(gate),
    clock: () => clock.now,
    report: (message, details) => void reports.push(`${message} ${JSON.stringify(details)}`),
  })
  const reserving: ReservePorts = {
    ...{ stock: ports.stock, queue },
    soldOut: redisSoldOutPublisher(gate),
    admissions: redisAdmissions(gate, () => clock.now),
    demand: { count: () => undefined },
    clock: () => clock.now,
    ...telemetry,
  }

  const answerOf = (request: EdgeRequest): Promise<HttpAnswer> => {
    const { method, uri: path, querystring, headers, body } = request
    const asked = {
      ...{ method, path, query: new URLSearchParams(querystring) },
      headers: Object.fromEntries(Object.entries(headers).map(([name, [first]]) => [name, first?.value])),
      body: Buffer.from(body?.data ?? '', 'base64'),
    }
    return path.startsWith('/api/sales/')
      ? answerTo(purchaseApp(reserving), asked)
      : answerTo(orderChangesApp(ports), asked)
  }

  const passes = new Map<string, string>()

  /** Sends a request as a page of the shop does. */
  async function send(
    { shopperId, level }: Client,
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const kept = passes.get(shopperId)
    const answer = await handler(
      eventOf({
        ...{ method, uri: path, settings, body: body && JSON.stringify(body) },
        headers: {
          authorization: `Bearer ${await tokenAt(clock.now, { claims: { sub: shopperId, level } })}`,
          ...{ origin: shopOrigin, 'content-type': 'application/json' },
          ...(kept !== undefined && { [passHeader]: kept }),
          ...headers,
        },
      }),
    )
    if (!('uri' in answer)) return { status: Number(answer.status), body: JSON.parse(answer.body) }
    const { statusCode, body: text } = await answerOf(answer)
    return { status: statusCode, body: JSON.parse(text) }
  }

  async function getPass(client: Client): Promise<void> {
    const { body } = await send(client, 'GET', '/api/pass')
    passes.set(client.shopperId, edgeApi.getPass.answer.parse(body).pass)
  }

  /** Solves a challenge of the sale and returns it, as the page sends it with its click; or returns the refusal. */
  async function solveChallenge(client: Client, saleId: string): Promise<string | Answer> {
    const path = `/api/sales/${saleId}/challenge`
    const issued = await send(client, 'POST', path, {})
    if (issued.status !== 200) return issued
    const challenge = edgeApi.requestChallenge.answer.parse(issued.body)
    if (isPow(issued.body)) return solve(issued.body)
    if (!('turnstile' in challenge)) throw new Error('the gate issued no challenge')
    const { siteKey: sitekey, ...facts } = challenge.turnstile
    const response = await fetch(new URL('token', verifyUrl), {
      method: 'POST',
      body: JSON.stringify({ sitekey, ...facts, hostname: new URL(shopOrigin).hostname, clicked: true }),
    })
    const { token } = widgetToken.parse(await response.json())
    const earned = edgeApi.requestChallenge.answer.parse((await send(client, 'POST', path, { token })).body)
    if (!('ticket' in earned)) throw new Error('the gate gave no ticket')
    return earned.ticket
  }

  return { send, getPass, solveChallenge, reports, redis, stocks, stop: turnstile.stop }
}
