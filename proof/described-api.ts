/**
 * Compares requests and answers with the description of the API, more strictly than its readers must: no answer
 * has a member, a status or a problem code that is not described.
 */
import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { shapeOf } from '../core/api/control-routes.ts'
import { callsOf, resolve } from '../static/api/calls.ts'
import { describeApi, type OpenApi, type Response } from '../static/api/openapi.ts'

export type Exchange = {
  method: string
  /** Without its query. */
  path: string
  /** The body that was sent, as text; absent or empty without one. */
  sent?: string | undefined
  status: number
  mediaType: string | undefined
  /** The body that was answered, as text. */
  answered: string
}

let described: ReturnType<typeof readersOf> | undefined

/**
 * Nothing is asked of a path that is not under `/api/`.
 * @throws with what is wrong with the exchange
 */
export function checkDescribed(exchange: Exchange): void {
  const { method, path, status } = exchange
  if (!path.startsWith('/api/')) return
  described ??= readersOf(describeApi('test'))
  const faults = described(exchange)
  if (faults.length > 0)
    throw new Error(`${method} ${path} → ${status} is not as the API is described: ${faults.join('; ')}`)
}

/** Says what is wrong with an exchange. Each schema of the description is compiled when it is first needed. */
export function readersOf(api: OpenApi) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'api', ...strictly(api) })
  const calls = callsOf(api).map(({ method, path, operation }) => ({
    ...{ method, operation, shape: shapeOf(path.replace(/\{(\w+)\}/g, ':$1')) },
    at: `api#/paths/${pointerPart(path)}/${method.toLowerCase()}`,
  }))
  const compiled = new Map<string, ValidateFunction>()
  const faultsBy = (at: string, value: unknown): string[] => {
    const read = compiled.get(at) ?? ajv.compile({ $ref: at })
    compiled.set(at, read)
    if (read(value)) return []
    return (read.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
    )
  }

  return ({ method, path, sent, status, mediaType, answered }: Exchange): string[] => {
    const call = calls.find((one) => one.method === method && one.shape.test(path))
    // The gate rejects a request that is not a call.
    if (call === undefined) return [403, 404, 405].includes(status) ? [] : ['the call is not described']
    const { operation, at } = call
    const response = operation.responses[status]
    if (response === undefined) return [`the status ${status} is not described`]
    const place = '$ref' in response ? `api${response.$ref}` : `${at}/responses/${status}`
    const { content } = resolve(api, response) as Response
    if (content === undefined) return answered === '' ? [] : ['no body is described']
    const media = mediaType?.split(';')[0] ?? ''
    if (content[media] === undefined) return [`the media type ${media} is not described`]
    const value: unknown = media.endsWith('json') ? JSON.parse(answered) : answered
    const faults = faultsBy(`${place}/content/${pointerPart(media)}/schema`, value)
    if (status >= 300 || operation.requestBody === undefined || !sent) return faults
    const body = `${at}/requestBody/content/application~1json/schema`
    return [...faults, ...faultsBy(body, JSON.parse(sent)).map((fault) => `what was sent: ${fault}`)]
  }
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
    const isOpen =
      members.type === 'object' && 'properties' in members && !('additionalProperties' in members)
    return isOpen ? { ...members, additionalProperties: false } : members
  }
  return closed(part) as AnySchemaObject
}
