/** Generates the OpenAPI 3.1 description of the HTTP API from the table of operations, when the site is built. */
import { edgeApi } from '../../core/api/edge.ts'
import type { FullOperation } from '../../core/api/operation.ts'
import { type OperationName, operations } from '../../core/api/operations.ts'
import { clockHeader } from '../../core/gate/cors.ts'
import { passHeader } from '../../core/gate/pass.ts'
import { mergedOf } from '../../core/lib/fold.ts'
import { outcomes, type ProblemCode } from '../../core/outcome.ts'
import { deliveryRequest } from '../../core/people/delivery.ts'
import { roles } from '../../core/roles.ts'
import { site } from '../../options/registry/site.ts'
import { answerExamples, bodyExamples, problemExample } from './examples.ts'
import { countdownSchema, type JsonSchema, jsonSchemaOf, pointerSchema } from './json-schema.ts'
import { type Access, type AnswerHeader, answerHeaders, requestHeaders, tags } from './operation-text.ts'
import { texts } from './texts.ts'

type Members = Readonly<Record<string, unknown>>
type Media = Readonly<Record<string, Members>>
type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: JsonSchema
  description?: string
}
type Reference = { $ref: string }
export type Response = { description: string; headers?: Members; content?: Media }

export type DescribedOperation = {
  operationId: string
  tags: readonly string[]
  summary: string
  description?: string
  security: readonly Members[]
  parameters?: readonly Parameter[]
  requestBody?: { required: boolean; content: Media }
  responses: Readonly<Record<string, Response | Reference>>
}

export type OpenApi = {
  openapi: string
  info: Members
  servers: readonly Members[]
  tags: readonly { name: string; description: string }[]
  paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  webhooks: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
  components: { schemas: Readonly<Record<string, JsonSchema>>; responses: Readonly<Record<string, Response>> } & Members
}

/** Names of answer schemas, by operation. */
const answerNames: Partial<Record<OperationName, string>> = {
  buy: 'Reservation',
  claim: 'ClaimedPacket',
  getOrder: 'Order',
  listOrders: 'OrderPage',
  getWallet: 'Wallet',
  getDelivery: 'Delivery',
  getContact: 'Contact',
  redeem: 'Redemption',
  getSale: 'Sale',
  getLive: 'LiveNumbers',
  getSeries: 'SaleSeries',
  refund: 'Refunded',
  listAllOrders: 'OrderList',
  findOrders: 'FoundOrders',
  getBrand: 'BrandRecord',
  block: 'Block',
}
const bodyNames: Partial<Record<OperationName, string>> = {
  buy: 'Purchase',
  claim: 'Claim',
  putDelivery: 'DeliveryRequest',
  createSale: 'SaleDefinition',
  editSale: 'SaleEdit',
}

/** Fields that a definition may omit, because `withDerivedFields` of `core/sale/sale.ts` derives them. */
const derivedFields = ['startsAt', 'endsAt', 'stock', 'price', 'limitPerShopper', 'maxPerOrder']

const schemes = {
  session: {
    ...{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    description: 'The session token: ES256, with `sub`, `exp`, the issuer and the audience of the shop.',
  },
  cookie: { type: 'apiKey', in: 'cookie', name: 'sluice_session', description: 'The same token, of a browser.' },
  shopKey: { type: 'http', scheme: 'bearer', description: 'A shop key, for tills and web shops.' },
  signature: {
    ...{ type: 'apiKey', in: 'header', name: 'webhook-signature' },
    description: 'A signature by Standard Webhooks, with `webhook-id` and `webhook-timestamp`.',
  },
} as const

const securityOf: Readonly<Record<Access, readonly Members[]>> = {
  public: [],
  session: [{ session: [] }, { cookie: [] }],
  shopKey: [{ shopKey: [] }],
  signature: [{ signature: [] }],
}

/** Returns the path as OpenAPI writes it. */
export const pathOf = ({ path }: { path: string }): string => path.replace(/:(\w+)/g, '{$1}')

export function describeApi(version: string): OpenApi {
  const named = new Map<string, string>()
  const schemas: Record<string, JsonSchema> = {}
  const name = (title: string, schema: JsonSchema) => {
    const text = JSON.stringify(schema)
    if (!named.has(text)) named.set(text, title)
    schemas[title] = schema
  }
  for (const key of keysOf(answerNames)) name(answerNames[key] ?? key, jsonSchemaOf(operations[key].answer, 'output'))
  for (const key of keysOf(bodyNames)) name(bodyNames[key] ?? key, bodySchema(key))
  name('Problem', problemSchema)
  name('Pointer', pointerSchema)
  name('Countdown', countdownSchema)

  /** Replaces named parts by references, except the part with the name `self`. */
  const refer = (part: unknown, self?: string): unknown => {
    if (Array.isArray(part)) return part.map((one) => refer(one))
    if (typeof part !== 'object' || part === null) return part
    const title = named.get(JSON.stringify(part))
    if (title !== undefined && title !== self) return { $ref: `#/components/schemas/${title}` }
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, refer(value)]))
  }

  const responses = responsesOfProblems()
  const paths: Record<string, Record<string, DescribedOperation>> = {}
  for (const key of keysOf(operations)) {
    const at = pathOf(operations[key])
    paths[at] = { ...paths[at], [operations[key].method.toLowerCase()]: refer(describe(key)) as DescribedOperation }
  }
  return {
    openapi: '3.1.0',
    info: {
      ...{ title: 'Flash sale API', version, license: { name: 'MIT', identifier: 'MIT' } },
      summary: 'Buy what is scarce, and run its sale.',
      description:
        'Times are epoch milliseconds. Money is a whole number of minor units with an ISO 4217 code. A refusal is a problem (RFC 9457) with a stable `code`. A path that is not described here is refused with `not-found`, and another method of a path with `method-not-allowed` and `Allow`. Answers may have more members than are named here.',
    },
    servers: [{ url: '/', description: 'The address of the shop.' }],
    tags: Object.entries({ ...tags, ...mergedOf(site, 'tags') }).map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...publicPaths() },
    webhooks: mergedOf(site, 'webhooks'),
    components: {
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([title, schema]) => [title, refer(schema, title) as JsonSchema]),
      ),
      responses: refer(responses) as Readonly<Record<string, Response>>,
      headers: answerHeaders,
      examples: Object.fromEntries(allCodes.map((code) => [code, { value: problemExample(code) }])),
      securitySchemes: schemes,
    },
  }
}

/** Returns the schema of a body. A delivery has the general one, because its rules depend on the country. */
function bodySchema(key: OperationName): JsonSchema {
  const { schema } = operations[key].body ?? {}
  // A signed message is verified as text before it is parsed.
  if (schema === undefined) return { type: 'object' }
  const made = jsonSchemaOf(key === 'putDelivery' ? deliveryRequest : schema, 'input')
  if (key !== 'createSale' || !Array.isArray(made.required)) return made
  return { ...made, required: made.required.filter((one) => !derivedFields.includes(one)) }
}

function describe(key: OperationName): DescribedOperation {
  const operation = operations[key]
  const { tag, summary, description, access = 'session' } = texts[key]
  const needed = operation.roles && `Needs ${needs(operation.roles)}.`
  const more = [description, needed].filter((text) => text !== undefined).join(' ')
  const parameters = parametersOf(key, operation)
  const { body } = operation
  return {
    operationId: key,
    tags: [tag],
    summary,
    ...(more && { description: more }),
    security: securityOf[access],
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: !body.optional,
        content: { 'application/json': { schema: bodySchema(key), example: bodyExamples[key] ?? {} } },
      },
    }),
    responses: responsesOf(key, operation),
  }
}

const needs = (held: readonly string[]) =>
  held.length === roles.length ? 'any role of the staff' : `the role ${held.map((role) => `\`${role}\``).join(' or ')}`

function parametersOf(key: OperationName, { params, query }: FullOperation): Parameter[] {
  const ofPath = params && jsonSchemaOf(params, 'input')
  const ofQuery = query && jsonSchemaOf(query, 'input')
  return [
    ...membersOf(ofPath).map(([name, schema]): Parameter => ({ name, in: 'path', required: true, schema })),
    ...membersOf(ofQuery).map(([name, schema]): Parameter => ({ name, in: 'query', schema })),
    ...(texts[key].headers ?? []).map(
      (name): Parameter => ({
        ...{ name, in: 'header', ...requestHeaders[name] },
        // A till must be able to retry after a lost answer.
        ...(name === 'Idempotency-Key' && texts[key].access === 'shopKey' && { required: true }),
      }),
    ),
  ]
}

const membersOf = (schema: JsonSchema | undefined): [string, JsonSchema][] =>
  Object.entries((schema?.properties ?? {}) as Record<string, JsonSchema>)

function responsesOf(key: OperationName, operation: FullOperation): DescribedOperation['responses'] {
  const { status = 200, media = 'application/json', answer } = operation
  const schema = media === 'application/json' ? jsonSchemaOf(answer, 'output') : { type: 'string' }
  const time = key in edgeApi ? [] : ([clockHeader] as const)
  const headers = headersOf([...(texts[key].answers ?? []), ...time])
  const content = { [media]: { schema, ...(media !== 'text/html' && { example: answerExamples[key] }) } }
  const isRedirect = status >= 300
  const success: Response = { description: texts[key].summary, ...headers, ...(!isRedirect && { content }) }
  const statuses = key === 'buy' ? [200, status] : [status]
  return {
    ...Object.fromEntries(statuses.map((one) => [String(one), success])),
    ...Object.fromEntries(
      problemGroups(key).map((group) => [
        String(group.status),
        { $ref: `#/components/responses/${responseName(group)}` },
      ]),
    ),
  }
}

/** The problems of an operation with one status. Operations that answer pages answer them as pages. */
type ProblemGroup = {
  status: number
  codes: readonly ProblemCode[]
  isPage: boolean
  /** The answer may carry a new pass. */
  offersPass: boolean
}

const problemGroups = (key: OperationName): ProblemGroup[] => {
  const { problems, media } = operations[key]
  const isPage = media === 'text/html'
  const offersPass = texts[key].answers?.includes(passHeader) === true
  return [...Map.groupBy(problems, (code) => outcomes[code].status)].map(([status, codes]) => ({
    ...{ status, codes: [...new Set(codes)].toSorted(), isPage, offersPass },
  }))
}

const responseName = ({ status, codes, isPage, offersPass }: ProblemGroup): string =>
  [status, ...codes, ...(isPage ? ['page'] : []), ...(offersPass ? ['pass'] : [])].join('-')

/** Returns each problem response once, shared by its operations. */
function responsesOfProblems(): Readonly<Record<string, Response>> {
  const groups = keysOf(operations).flatMap(problemGroups)
  return Object.fromEntries(groups.map((group) => [responseName(group), problemResponse(group)]))
}

const allCodes = [...new Set(Object.values(operations).flatMap(({ problems }) => problems))].toSorted()

function problemResponse({ status, codes, isPage, offersPass }: ProblemGroup): Response {
  // A conflict with a pending write resolves itself, hence 409.
  const waits = [409, 425, 429, 503].includes(status)
  const names: AnswerHeader[] = [
    ...(waits ? (['Retry-After'] as const) : []),
    ...(offersPass ? ([passHeader] as const) : []),
    'x-sluice-gate',
  ]
  return {
    description: codes.map((code) => `\`${code}\`: ${outcomes[code].title}`).join('. '),
    ...headersOf(names),
    content: {
      'application/problem+json': {
        schema: { allOf: [problemSchema, { properties: { code: { enum: codes }, status: { const: status } } }] },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
      ...(isPage && { 'text/html': { schema: { type: 'string' } } }),
    },
  }
}

const headersOf = (names: readonly AnswerHeader[]) =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }

const text = { type: 'string' }
const whole = { type: 'integer' }

/** RFC 9457, with the members of `Problem` (`core/outcome.ts`). */
const problemSchema: JsonSchema = {
  type: 'object',
  properties: {
    type: { ...text, description: 'Names the kind of problem, as `code` does.' },
    title: text,
    status: whole,
    code: { ...text, description: 'Stable: programs decide by it.' },
    detail: { ...text, description: 'What happened and what to do, in a sentence for people.' },
    field: { ...text, description: 'The field that is wrong.' },
    fields: { type: 'array', items: text, description: 'All fields that are wrong.' },
    remaining: { ...whole, description: 'Units that are left.' },
    variant: { ...text, description: 'The variant with too few units.' },
    retryAfterSeconds: { ...whole, description: 'A repeat may succeed after this.' },
    now: { ...whole, description: 'The time of the server, epoch ms.' },
    lookup: { ...text, description: 'The path at which a shopper finds what an earlier request has won.' },
    reason: { ...text, description: 'Why the control API refuses a change. Stable.' },
    values: { type: 'object', description: 'The values of the sentence of that reason.' },
    roles: { type: 'array', items: { enum: roles }, description: 'The caller needs one of these.' },
  },
  required: ['type', 'title', 'status', 'code', 'detail'],
}

/** Describes the objects that every visitor polls. The CDN serves them without a function. */
function publicPaths(): OpenApi['paths'] {
  const saleId = membersOf(jsonSchemaOf(operations.getSale.params ?? operations.getSale.answer, 'input'))
  const parameters = saleId.map(([name, schema]): Parameter => ({ name, in: 'path', required: true, schema }))
  const version: Parameter = { name: 'version', in: 'path', required: true, schema: { type: 'integer', minimum: 0 } }
  const ref = (title: string) => ({ schema: { $ref: `#/components/schemas/${title}` } })
  const read = (operationId: string, summary: string, title: string, more: readonly Parameter[] = []) => ({
    ...{ operationId, tags: ['public'], summary, security: [], parameters: [...parameters, ...more] },
    responses: {
      '200': { description: summary, ...headersOf([clockHeader]), content: { 'application/json': ref(title) } },
      '304': { description: 'It is as the `ETag` in `If-None-Match` says.', ...headersOf([clockHeader]) },
      '404': { description: 'There is no such object.', content: { '*/*': { schema: {} } } },
    },
  })
  return {
    '/sales/{saleId}/current.json': { get: read('getPointer', 'Read the state of a sale', 'Pointer') },
    '/sales/{saleId}/countdown.{version}.json': {
      get: read('getCountdown', 'Read the countdown of a version of a sale', 'Countdown', [version]),
    },
  }
}

const keysOf = <K extends string>(record: Partial<Record<K, unknown>>): K[] => Object.keys(record) as K[]
