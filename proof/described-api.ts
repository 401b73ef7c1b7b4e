/**
 * Compares requests and answers with the description of the API, more strictly than its readers must: no request and
 * no answer has a member, a parameter, a header, a status or a problem code that is not described.
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
  /** Its query may follow it. */
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
 * The variable with the folder in which each process writes which problem codes it saw answered: a line
 * `<operation> <code>` each, once. Without it nothing is recorded.
 */
export const answersVariable = 'SLUICE_RECORD_ANSWERS'

let described: ReturnType<typeof readersOf> | undefined
const recorded = new Set<string>()

/** False for pages and their parts, and for the files that options publish. */
export const isOfApi = (path: string): boolean =>
  path.startsWith('/api/') || /^\/sales\/[^/]+\/[^/]+\.json(?:\?|$)/.test(path)

/**
 * Asks nothing of paths that are not of the API.
 * @throws with what is wrong with the exchange
 */
export function checkDescribed(exchange: Exchange): void {
  const { method, path, status } = exchange
  if (!isOfApi(path)) return
  described ??= readersOf(describeApi('test'))
  const { faults, problem } = described(exchange)
  if (faults.length > 0)
    throw new Error(`${method} ${path} → ${status} is not as the API is described: ${faults.join('; ')}`)
  const folder = process.env[answersVariable]
  if (problem === undefined || folder === undefined || recorded.has(problem)) return
  recorded.add(problem)
  appendFileSync(join(folder, `answers-${process.pid}.txt`), `${problem}\n`)
}

let describedEvents: ReturnType<typeof eventReader> | undefined

/**
 * Compares what is posted to a shop's own system, as text, with the description.
 * @throws with what is wrong with the event
 */
export function checkEvent(body: string): void {
  describedEvents ??= eventReader(describeApi('test'))
  const faults = describedEvents(body)
  if (faults.length > 0) throw new Error(`an event is not as the API is described: ${faults.join('; ')}`)
}

type Verdict = {
  faults: string[]
  /** `<operation> <code>`, when the exchange is as described and its answer a problem. */
  problem?: string | undefined
}

/** Where the schema of a body is, below what sends it. */
const sentBody = 'requestBody/content/application~1json/schema'

/**
 * What is wrong with a value by the schema at a place of the description. Each schema is compiled when it is first
 * needed.
 */
function schemasOf(api: OpenApi): (at: string, value: unknown) => string[] {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'api', ...strictly(api) })
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

/** Reads the body of a post to a shop's own system, as text: what of the event is not as it is described. */
export function eventReader(api: OpenApi): (body: string) => string[] {
  const faultsBy = schemasOf(api)
  return (body) => {
    const event = JSON.parse(body)
    if (api.webhooks[event.type] === undefined) return [`the event ${event.type} is not described`]
    return faultsBy(`api#/webhooks/${pointerPart(event.type)}/post/${sentBody}`, event)
  }
}

export function readersOf(api: OpenApi): (exchange: Exchange) => Verdict {
  const faultsBy = schemasOf(api)
  const calls = callsOf(api).map(({ method, path, operation }) => ({
    ...{ method, operation, shape: shapeOf(path.replaceAll('.', '[.]').replace(/\{(\w+)\}/g, ':$1')) },
    at: `api#/paths/${pointerPart(path)}/${method.toLowerCase()}`,
  }))

  return (exchange) => {
    const { method, status, sent } = exchange
    const [path = '', query = ''] = exchange.path.split('?')
    const call = calls.find((one) => one.method === method && one.shape.test(path))
    // A request that is not a call must be refused, by the first check that it fails.
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
    for (const name of headers.filter((one) => ofApi.test(one) && !names.includes(one)))
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

/** Headers that belong to the API, and not to HTTP or to the session. */
const ofApi = /^(?:x-sluice-.*|idempotency-key|retry-after|allow|location)$/

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
      .filter((name) => ofApi.test(name) && !knows('header', name))
      .map((name) => `the header ${name} that was sent is not described`),
  ]
}

const pointerPart = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))

/** The same with every object closed that says nothing of other members. */
function strictly(part: unknown): AnySchemaObject {
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
