/**
 * Routes that exist on this machine only: `/local/`, and the log-in page of the local issuer. Requests from other
 * machines are rejected.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import { type Identity, issuer, signInClaims } from '../cli/identity.ts'
import { passCookieText, passLifeSeconds } from '../core/gate/pass.ts'
import { decodeJson } from '../core/lib/json.ts'
import { parse } from '../core/lib/parse.ts'
import { defaultSessionSeconds, sessionCookieTexts } from '../core/people/session.ts'
import { captchaBehaviour, type LocalTurnstile } from './captcha/turnstile.ts'
import { readBody } from './cdn/body.ts'
import { type Fault, faultRequest } from './faults/faults.ts'
import type { StackHealth } from './health.ts'
import type { LocalIssuer } from './issuer/routes.ts'
import { problemReply, type RouteReply } from './listen.ts'
import type { LocalMailbox } from './mail/mailbox.ts'
import type { LocalPaymentProvider } from './payment/provider.ts'
import type { StartedPart } from './seams.ts'

export type LocalParts = SignInParts & {
  health(): Promise<StackHealth>
  setFault(fault: Fault | null): Promise<void>
  /** The names of the stock's databases. */
  databases: readonly string[]
  runSchedule(name: string, payload: unknown): Promise<unknown>
  payments: Pick<LocalPaymentProvider, 'routes'>
  turnstile: Pick<LocalTurnstile, 'behave'>
  mailbox: Pick<LocalMailbox, 'routes'>
  ofOptions: readonly Pick<StartedPart, 'routes'>[]
  issuer: LocalIssuer
}

const bodyLimitBytes = 16 * 1024
const schedulePath = /^\/local\/schedules\/([a-z-]{1,40})$/

/** Returns the handler of `/local/*` and the log-in; it rejects requests from another machine or another site's page. */
export function localRoutes(parts: LocalParts) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const isAllowed = isLoopback(request) && isOwnOrigin(request)
    if (isAllowed && (await parts.payments.routes(request, response))) return
    if (isAllowed && (await parts.mailbox.routes(request, response))) return
    for (const part of parts.ofOptions) if (isAllowed && (await part.routes(request, response))) return
    if (isAllowed && (await parts.issuer.routes(request, response))) return
    const reply = isAllowed ? await route(parts, request) : forbidden
    const body = reply.body === undefined ? '' : JSON.stringify(reply.body)
    response.writeHead(reply.status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      ...reply.headers,
    })
    response.end(body)
  }
}

const forbidden = problemReply('origin-not-allowed', 'These routes answer this machine only.')

async function route(parts: LocalParts, request: IncomingMessage): Promise<RouteReply> {
  const path = (request.url ?? '').split('?')[0] ?? ''
  const call = `${request.method} ${path}`
  if (call === 'GET /local/health') {
    const health = await parts.health()
    return { status: health.ok ? 200 : 503, body: health }
  }
  if (call === 'DELETE /local/faults') {
    await parts.setFault(null)
    return done
  }
  const schedule = schedulePath.exec(path)?.[1]
  if (!posts.has(path) && schedule === undefined) {
    return problemReply('not-found', 'There is no such local route.')
  }
  if (request.method !== 'POST') return problemReply('method-not-allowed', 'Use POST.')
  const body = await readJson(request)
  if (!body.ok) return body.reply
  if (path === '/local/sign-in') return signIn(parts, body.value)
  if (path === '/local/faults') return setFault(parts, body.value)
  if (path === '/local/captcha') return setCaptchaBehaviour(parts, body.value)
  return runSchedule(parts, schedule ?? '', body.value)
}

const posts: ReadonlySet<string> = new Set(['/local/sign-in', '/local/faults', '/local/captcha'])

const done: RouteReply = { status: 204, body: undefined }

async function setFault(parts: LocalParts, body: unknown): Promise<RouteReply> {
  const fault = parse(z.nullable(faultRequest), body)
  if (!fault.ok) return problemReply('invalid-request', fault.detail, { field: fault.field })
  const database = fault.value?.database
  if (database !== undefined && !parts.databases.includes(database)) {
    const detail = `database must be one of ${parts.databases.join(', ')}`
    return problemReply('invalid-request', detail, { field: 'database' })
  }
  await parts.setFault(fault.value)
  return done
}

function setCaptchaBehaviour(parts: LocalParts, body: unknown): RouteReply {
  const orders = parse(captchaBehaviour, body)
  if (!orders.ok) return problemReply('invalid-request', orders.detail, { field: orders.field })
  parts.turnstile.behave(orders.value)
  return done
}

/** The functions that a schedule invokes in the cloud. */
const schedules: ReadonlySet<string> = new Set(['reconcile', 'canary'])

async function runSchedule(parts: LocalParts, name: string, payload: unknown): Promise<RouteReply> {
  if (!schedules.has(name)) return problemReply('not-found', 'There is no such schedule.')
  const result = await parts.runSchedule(name, payload)
  return { status: 200, body: result ?? null }
}

type Json = { ok: true; value: unknown } | { ok: false; reply: RouteReply }

/** Reads the JSON body; its value is undefined when there is none. */
async function readJson(request: IncomingMessage): Promise<Json> {
  const bytes = await readBody(request, bodyLimitBytes)
  if (bytes.length === 0) return { ok: true, value: undefined }
  if (bytes.length > bodyLimitBytes) return { ok: false, reply: problemReply('too-large', 'Send at most 16 kB.') }
  // A form of another site can post without CORS, but never with this content type.
  if (!/^application\/json\b/.test(request.headers['content-type'] ?? '')) {
    return { ok: false, reply: problemReply('unsupported-media-type', 'Send application/json.') }
  }
  const json = decodeJson(bytes)
  return json.ok ? json : { ok: false, reply: problemReply('invalid-request', json.detail, { field: json.field }) }
}

const addresses = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const hosts = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

/**
 * True for a request from this machine. Checks the Host header too, so that another web page cannot reach these routes
 * through a name that resolves to 127.0.0.1.
 */
function isLoopback(request: IncomingMessage): boolean {
  return addresses.has(request.socket.remoteAddress ?? '') && hosts.test(request.headers.host ?? '')
}

/** True for a request that no page of another site can send: same origin, or not from a browser. */
function isOwnOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers
  return origin === undefined || origin === `http://${host}`
}

/**
 * A shortcut to a session, for tools and tests: every name is accepted. Shoppers use the local issuer (issuer/).
 * `getPass` requests the pass of a new session from the shop; undefined when there is none.
 */
type SignInParts = { identity: Identity; getPass(token: string): Promise<string | undefined> }

/**
 * Answers `POST /local/sign-in {shopperId, level?, roles?}` with a token, a pass if the shop issues one, and the
 * cookies of both, which saves the page a request.
 */
async function signIn({ identity, getPass }: SignInParts, body: unknown): Promise<RouteReply> {
  const who = parse(signInClaims, body)
  if (!who.ok) return problemReply('invalid-request', who.detail, { field: who.field })
  const { shopperId } = who.value
  const token = await identity.token(who.value, { expiresInSeconds: defaultSessionSeconds, issuer })
  const pass = await getPass(token)
  return {
    status: 200,
    body: { token, shopperId, expiresInSeconds: defaultSessionSeconds, ...(pass !== undefined && { pass }) },
    headers: {
      'set-cookie': [
        ...sessionCookieTexts(token, shopperId, defaultSessionSeconds),
        ...(pass === undefined ? [] : [passCookieText(pass, passLifeSeconds)]),
      ],
    },
  }
}
