/**
 * Serves operations of `core/api` with Hono. The description of an operation reads and checks its requests, once. A
 * handler receives the values that were read, and returns the answer or the problem that rejects the request.
 */
import type { Context, MiddlewareHandler } from 'hono'
import { HonoBase } from 'hono/hono-base'
import { TrieRouter } from 'hono/router/trie-router'
import type * as z from 'zod/mini'
import type { AnswerOf, Operation } from '../../../core/api/operation.ts'
import { parseShopperId, type ShopperId } from '../../../core/ids.ts'
import { decodeText, isJsonType, notUtf8 } from '../../../core/lib/json.ts'
import { type Parsed, parse, readJson } from '../../../core/lib/parse.ts'
import { problem } from '../../../core/outcome.ts'
import type { Role } from '../../../core/roles.ts'
import {
  answerOf,
  type HttpAnswer,
  invalid,
  methodNotAllowed,
  notFound,
  problemAnswer,
  roleRequired,
} from './answer.ts'
import { type RequestStandIn, responseOf } from './stand-ins.ts'

/** The middleware of an app sets the caller, and the roles that staff holds. */
type Env = { Variables: { caller: unknown; held: readonly Role[] | undefined } }
/** An app of Hono. It reads only the members of a request that the stand-in has. */
export type HttpApp = { fetch(request: RequestStandIn): Response | Promise<Response> }
export type Middleware = MiddlewareHandler<Env>

/**
 * A request as its handler receives it. `role` is the caller's most powerful role that allows the operation. Without a
 * schema `query` contains all parameters, and `body` is the text.
 */
export type Call<O extends Operation, Who> = {
  caller: Who
  role: O extends { roles: readonly Role[] } ? Role : undefined
  params: O extends { params: infer S extends z.core.$ZodType } ? z.output<S> : unknown
  query: O extends { query: infer S extends z.core.$ZodType } ? z.output<S> : URLSearchParams
  body: O extends { body: { schema: infer S extends z.core.$ZodType } } ? z.output<S> : string
  headers: Readonly<Record<string, string | undefined>>
}

/** An operation and the function that answers it. */
export type Route<Ports> = { operation: Operation; respond: (ports: Ports, c: Context<Env>) => Promise<Response> }

/** Routes the calls of `operation` to `answer`, after its description has accepted them. */
export function on<O extends Operation, Ports, Who = Caller>(
  operation: O,
  answer: (ports: Ports, call: Call<O, Who>) => Promise<AnswerOf<O> | HttpAnswer>,
): Route<Ports> {
  return {
    operation,
    respond: async (ports, c) => {
      const read = await readCall<O, Who>(operation, c)
      if (!('call' in read)) return responseOf(read)
      const answered = await answer(ports, read.call)
      return responseOf(isHttpAnswer(answered) ? answered : answerOf(operation, answered))
    },
  }
}

/** Binds `routes` to ports of their own. */
export const withPorts = <Ports>(routes: readonly Route<Ports>[], ports: Ports): Route<unknown>[] =>
  routes.map(({ operation, respond }) => ({ operation, respond: (_, c) => respond(ports, c) }))

/** Serves `routes`; answers 404 or 405 with Allow otherwise. `middleware` sees every request first. Rethrows errors. */
export function createApp<Ports>(ports: Ports, routes: readonly Route<Ports>[], ...middleware: Middleware[]): HttpApp {
  // Matches paths exactly: Hono's other routers ignore a trailing slash, or refuse some of these routes.
  const app = new HonoBase<Env>({ router: new TrieRouter(), getPath: undecodedPath })
  app.notFound(() => responseOf(notFound()))
  app.onError((error) => {
    throw error
  })
  for (const handler of middleware) app.use(handler)
  for (const { operation, respond } of routes) app.on(operation.method, operation.path, (c) => respond(ports, c))
  for (const [path, ofPath] of Map.groupBy(routes, ({ operation }) => operation.path))
    app.all(path, () => responseOf(methodNotAllowed(ofPath.map(({ operation }) => operation.method))))
  return app
}

/** Combines apps by the prefix of their paths. The first matching app answers. */
export function composeApps(apps: Readonly<Record<string, HttpApp>>): HttpApp {
  const prefixes = Object.entries(apps)
  return {
    fetch(request) {
      const path = undecodedPath(request)
      const [, app] = prefixes.find(([prefix]) => prefix === '/' || `${path}/`.startsWith(`${prefix}/`)) ?? []
      return app === undefined ? responseOf(notFound()) : app.fetch(request)
    },
  }
}

/**
 * The caller. The gate verified the token and set these headers, after it deleted a client's headers of the same names.
 * The function URL accepts only requests that the distribution signed. A request without these headers did not pass the
 * gate and is answered 401.
 */
export type Caller = { shopperId: ShopperId; roles: readonly string[]; requestId: string }

/** Returns undefined when the gate's headers are missing or malformed. */
export function readCaller(headers: Readonly<Record<string, string | undefined>>): Caller | undefined {
  const shopperId = parseShopperId(headers['x-shopper-id'])
  if (shopperId === undefined) return undefined
  const roles = (headers['x-shopper-roles'] ?? '').split(',').filter((role) => role !== '')
  return { shopperId, roles, requestId: (headers['x-request-id'] ?? '').slice(0, 128) }
}

export function signInRequired(): HttpAnswer {
  return problemAnswer(problem('sign-in-required', 'Sign in and try again.'))
}

/** Rejects callers without the gate's headers. */
export const forShoppers: Middleware = async (c, next) => {
  const caller = readCaller(c.req.header())
  if (caller === undefined) return responseOf(signInRequired())
  c.set('caller', caller)
  return next()
}

/** Encodes the path again: Hono decodes its parameters, and the schemas must see them as they were sent. */
function undecodedPath(request: Pick<Request, 'url'>): string {
  return new URL(request.url).pathname.replaceAll('%', '%25')
}

async function readCall<O extends Operation, Who>(
  operation: O,
  c: Context<Env>,
): Promise<{ call: Call<O, Who> } | HttpAnswer> {
  const { roles } = operation
  const role = roles?.find((one) => c.get('held')?.includes(one))
  if (roles !== undefined && role === undefined) return roleRequired(roles)
  const { searchParams } = new URL(c.req.url)
  const params = readPart(operation.params, c.req.param(), undefined)
  if (!params.ok) return faultAnswer(params)
  const query = readPart(operation.query, queryValues(searchParams), searchParams)
  if (!query.ok) return faultAnswer(query)
  const body = await readBody(operation.body, c)
  if ('statusCode' in body) return body
  const headers = c.req.header()
  const call = { caller: c.get('caller'), role, headers, params: params.value, query: query.value, body: body.value }
  // The schemas above are those of `O`.
  return { call: call as Call<O, Who> }
}

function readPart(schema: z.core.$ZodType | undefined, input: unknown, whole: unknown): Parsed<unknown> {
  return schema === undefined ? { ok: true, value: whole } : parse(schema, input)
}

/** Returns one value per name, or all values of a repeated name, which no schema of a text accepts. */
function queryValues(search: URLSearchParams): Record<string, string | string[] | undefined> {
  return Object.fromEntries(
    [...new Set(search.keys())].map((name) => {
      const values = search.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )
}

async function readBody(wanted: Operation['body'], { req }: Context<Env>): Promise<{ value: unknown } | HttpAnswer> {
  if (wanted === undefined) return { value: '' }
  const { maxBytes, schema, optional = false } = wanted
  // Hono's text drops a byte order mark, which a signature covers, and replaces bytes that are not UTF-8.
  const bytes = new Uint8Array(await req.arrayBuffer())
  if (bytes.length > maxBytes) return problemAnswer(problem('too-large', `This request has at most ${maxBytes} bytes.`))
  const isAbsent = bytes.length === 0
  if (!isAbsent && !isJsonType(req.header('content-type') ?? ''))
    return problemAnswer(problem('unsupported-media-type', 'Send application/json.'))
  if (schema === undefined) {
    const text = decodeText(bytes)
    return text === undefined ? invalid('body', notUtf8) : { value: text }
  }
  const read = readJson(schema, isAbsent && optional ? '{}' : bytes)
  return read.ok ? read : faultAnswer(read)
}

function faultAnswer({ field, detail, fields }: Exclude<Parsed<unknown>, { ok: true }>): HttpAnswer {
  return invalid(field, detail, fields)
}

/** No answer of an operation has a member `statusCode`. */
function isHttpAnswer(value: unknown): value is HttpAnswer {
  return typeof value === 'object' && value !== null && 'statusCode' in value
}
