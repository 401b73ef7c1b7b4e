/**
 * Compares requests and answers with the description of the API, more strictly than clients must: every member,
 * parameter, header, status and problem code has to be described.
 */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { shapeOf } from '../core/api/control-routes.ts'
import { decodeJson } from '../core/lib/json.ts'
import { callsOf, codesOf, resolve } from '../static/api/calls.ts'
import { type DescribedOperation, describeApi, type OpenApi, type Response } from '../static/api/openapi.ts'

export type Exchange = {
  method: string
  /** May include a query. */
  path: string
  /** Names of the headers that were sent, lower case. */
  sentHeaders?: readonly string[]
  /** The body that was sent, as text; absent or empty without one. */
  sent?: string | undefined
  status: number
  /** Names of the headers that were answered, lower case. */
  headers?: readonly string[]
  mediaType: string | undefined
  /** The body that was answered, as text. */
  answered: string
}

/**
 * The environment variable with a folder, in which each process records the problem codes that it saw: a line
 * `<operation> <code>` for each. Without it nothing is recorded.
 */
export const answersVariable = 'SLUICE_RECORD_ANSWERS'

let described: ReturnType<typeof createExchangeChecker> | undefined
const recorded = new Set<string>()

/** True for paths of the API; false for pages, their parts, and the files that options publish. */
export const isApiPath = (path: string): boolean =>
  path.startsWith('/api/') || /^\/sales\/[^/]+\/[^/]+\.json(?:\?|$)/.test(path)

/**
 * Checks one exchange; ignores paths outside the API.
 * @throws with the differences
 */
export function checkExchange(exchange: Exchange): void {
  const { method, path, status } = exchange
  if (!isApiPath(path)) return
  described ??= createExchangeChecker(describeApi('test'))
  const { faults, problem } = described(exchange)
  if (faults.length > 0)
    throw new Error(`${method} ${path} → ${status} is not as the API is described: ${faults.join('; ')}`)
  const folder = process.env[answersVariable]
  if (problem === undefined || folder === undefined || recorded.has(problem)) return
  recorded.add(problem)
  appendFileSync(join(folder, `answers-${process.pid}.txt`), `${problem}\n`)
}

let describedEvents: ReturnType<typeof createEventChecker> | undefined

/**
 * Checks an event that is posted to a shop's own system, as text.
 * @throws with the differences
 */
export function checkEvent(body: string): void {
  describedEvents ??= createEventChecker(describeApi('test'))
  const faults = describedEvents(body)
  if (faults.length > 0) throw new Error(`an event is not as the API is described: ${faults.join('; ')}`)
}

type Verdict = {
  faults: string[]
  /** `<operation> <code>`, when the exchange is as described and the answer is a problem. */
  problem?: string | undefined
}

/** The path from an operation to the schema of its body. */
const sentBody = 'requestBody/content/application~1json/schema'

/**
 * Returns a function that validates a value against the schema at a place of the description. Each schema is compiled
 * on first use.
 */
function schemasOf(api: OpenApi): (at: string, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'api', ...closeObjects(api) })
  const compiled = new Map<string, ValidateFunction>()
  return (at, value) => {
    const read = compiled.get(at) ?? ajv.compile({ $ref: at })
    compiled.set(at, read)
    if (read(value)) return []
    return (read.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    )
  }
}

/** Returns a function that lists the differences between the body of an event and its description. */
export function createEventChecker(api: OpenApi): (body: string) => string[] {
  const faultsBy = schemasOf(api)
  return (body) => {
    const event = JSON.parse(body)
    if (api.webhooks[event.type] === undefined) return [`the event ${event.type} is not described`]
    return faultsBy(`api#/webhooks/${pointerPart(event.type)}/post/${sentBody}`, event)
  }
}

export function createExchangeChecker(api: OpenApi): (exchange: Exchange) => Verdict {
  const faultsBy = schemasOf(api)
  const calls = callsOf(api).map(({ method, path, operation }) => ({
    ...{ method, operation, shape: shapeOf(path.replaceAll('.', '[.]').replace(/\{(\w+)\}/g, ':$1')) },
    at: `api#/paths/${pointerPart(path)}/${method.toLowerCase()}`,
  }))

  return (exchange) => {
    const { method, status, sent } = exchange
    const [path = '', query = ''] = exchange.path.split('?')
    const call = calls.find((one) => one.method === method && one.shape.test(path))
    // A request to an unknown call must be rejected.
    if (call === undefined) return { faults: status < 400 ? ['the call is not described'] : [] }
    const { operation, at } = call
    const faults = [...faultsOfAnswer(exchange, operation, at)]
    if (status < 300) {
      faults.push(...unknownParameters(operation, query, exchange.sentHeaders ?? []))
      if (sent) faults.push(...faultsOfBody(sent, operation, at))
    }
    if (faults.length > 0 || status < 400) return { faults }
    const isJson = exchange.mediaType?.includes('json')
    const code = isJson ? JSON.parse(exchange.answered).code : codesOf(api, operation, status).join()
    return { faults, problem: `${operation.operationId} ${code}` }
  }

  function* faultsOfAnswer(
    { status, headers = [], mediaType, answered }: Exchange,
    operation: DescribedOperation,
    at: string,
  ): Generator<string, void> {
    const response = operation.responses[status]
    if (response === undefined) return yield `the status ${status} is not described: ${answered}`
    const place = '$ref' in response ? `api${response.$ref}` : `${at}/responses/${status}`
    const { content, headers: known = {} } = resolve(api, response) as Response
    const names = Object.keys(known).map((name) => name.toLowerCase())
    for (const name of headers.filter((one) => apiHeaders.test(one) && !names.includes(one)))
      yield `the header ${name} of the answer is not described`
    if (content === undefined) return answered === '' ? undefined : yield 'no body is described'
    const media = mediaType?.split(';')[0] ?? ''
    if ('*/*' in content) return
    if (content[media] === undefined) return yield `the media type ${media} is not described`
    const value: unknown = media.endsWith('json') ? JSON.parse(answered) : answered
    yield* faultsBy(`${place}/content/${pointerPart(media)}/schema`, value)
  }

  function faultsOfBody(sent: string, { requestBody }: DescribedOperation, at: string): string[] {
    if (requestBody === undefined) return ['what was sent: no body is described']
    const json = decodeJson(sent)
    return json.ok ? faultsBy(`${at}/${sentBody}`, json.value).map((fault) => `what was sent: ${fault}`) : [json.detail]
  }
}

/** Headers that belong to the API, as opposed to HTTP or the session. */
const apiHeaders = /^(?:x-sluice-.*|idempotency-key|retry-after|allow|location)$/

function unknownParameters(
  { parameters = [] }: DescribedOperation,
  query: string,
  sentHeaders: readonly string[],
): string[] {
  const knows = (place: string, name: string) =>
    parameters.some((one) => one.in === place && one.name.toLowerCase() === name.toLowerCase())
  return [
    ...[...new URLSearchParams(query).keys()]
      .filter((name) => !knows('query', name))
      .map((name) => `the parameter ${name} of the query is not described`),
    ...sentHeaders
      .filter((name) => apiHeaders.test(name) && !knows('header', name))
      .map((name) => `the header ${name} that was sent is not described`),
  ]
}

const pointerPart = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Returns the schema with `additionalProperties: false` in every object that does not set it. */
function closeObjects(part: unknown): AnySchemaObject {
  const closed = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(closed)
    if (typeof one !== 'object' || one === null) return one
    const members: Record<string, unknown> = Object.fromEntries(
      Object.entries(one).map(([key, value]) => [key, key.startsWith('example') ? value : closed(value)]),
    )
    const isOpen = members.type === 'object' && 'properties' in members && !('additionalProperties' in members)
    return isOpen ? { ...members, additionalProperties: false } : members
  }
  return closed(part) as AnySchemaObject
}
