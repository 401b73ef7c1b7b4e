/**
 * Records what each function asks of AWS, for the test that compares it with the rights of its role: the processes of
 * functions load this file by `wrapperVariable`. Only the deployed code makes signed requests by Node's client inside of
 * a function: pollers of queues and streams are the platform's work, and use another one.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Handler } from '../local/lambda/invoke.ts'
import type { LoadFunction } from '../local/process/lambda-host.ts'
import { resources } from '../local/resources.ts'
import { queueNames, wakingQueues } from '../system/queues.ts'

/** The variable with the folder of records. */
export const recordVariable = 'SLUICE_RECORD_CALLS'

/** `load`, but what the functions call is written to a file in `folder`, each call once, at once. */
export function wrapLoad(load: LoadFunction, folder = process.env[recordVariable] ?? ''): LoadFunction {
  const running = new AsyncLocalStorage<string>()
  const file = join(folder, `${process.pid}.txt`)
  const known = new Set<string>()
  const keep = (name: string, calls: readonly AwsCall[]) => {
    for (const line of calls.map((call) => `${name} ${call}`)) {
      if (known.has(line)) continue
      known.add(line)
      appendFileSync(file, `${line}\n`)
    }
  }
  subscribe('http.client.request.created', (message) => {
    const { request } = message as { request: ClientRequest }
    const name = running.getStore()
    const authorization = request.getHeader('authorization')
    if (name === undefined || typeof authorization !== 'string' || !authorization.startsWith('AWS4-')) return
    observe(request, authorization, (calls) => keep(name, calls))
  })
  return (name) =>
    running.run(name, async () => {
      const fn = await load(name)
      const handler: Handler = (event, context) => running.run(name, () => fn.handler(event, context))
      return { ...fn, handler }
    })
}

/** Reports the calls of a request when it is sent, and those that follow from its answer. */
function observe(request: ClientRequest, authorization: string, keep: (calls: AwsCall[]) => void): void {
  const { method, path } = request
  const target = request.getHeader('x-amz-target')
  const chunks: Buffer[] = []
  const asked = (): AwsRequest => ({
    authorization,
    method,
    path,
    ...(typeof target === 'string' && { target }),
    body: Buffer.concat(chunks).toString(),
  })
  const { write, end } = request
  const collect = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
  }
  request.write = (...given: unknown[]) => {
    collect(given[0])
    return Reflect.apply(write, request, given)
  }
  request.end = (...given: unknown[]) => {
    collect(given[0])
    keep(callsOf(asked()))
    return Reflect.apply(end, request, given)
  }
  request.prependListener('response', ({ statusCode }: IncomingMessage) => {
    if (statusCode === 404) keep(callsOfMissing(asked()))
  })
}

/**
 * A signed request to AWS, for the rights that it needs: actions of IAM with the resource, in names that no stage has
 * of its own (`table`, `queue/orders`, `site/sales/{id}/current.json`). For DynamoDB the prefix of
 * the partition's key follows, because rights may be limited to it (`dynamodb:LeadingKeys`).
 */
export type AwsRequest = {
  /** With the signature, version 4 or 4A. */
  authorization: string
  method: string
  /** Path and query. */
  path: string
  /** The header `x-amz-target` of JSON protocols, as `DynamoDB_20120810.GetItem`. */
  target?: string
  body: string
}

/** `dynamodb:GetItem table SALE#`: an action, its resource, and what a key begins with. */
type AwsCall = string

class UnknownCall extends Error {
  override name = 'UnknownCall'
}

/**
 * Returns the calls that a request makes.
 * @throws UnknownCall for a request whose rights this file does not know
 */
export function callsOf(request: AwsRequest): AwsCall[] {
  const service = serviceOf(request.authorization)
  const read = services[service]
  if (read === undefined) throw new UnknownCall(`${service} ${request.method} ${request.path}`)
  return [...new Set(read(request))]
}

/**
 * Returns the check that S3 makes when an object is missing: without the right to list the bucket it answers 403
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html).
 */
export function callsOfMissing(request: AwsRequest): AwsCall[] {
  if (serviceOf(request.authorization) !== 's3') return []
  return [`s3:ListBucket ${placeOf(request.path).bucket}`]
}

/** The scope of a credential ends with service and `aws4_request`. */
const serviceOf = (authorization: string): string =>
  /Credential=[^,]*\/([a-z0-9-]+)\/aws4_request/.exec(authorization)?.[1] ?? ''

const services: Readonly<Record<string, (request: AwsRequest) => AwsCall[]>> = {
  dynamodb: ofTable,
  sqs: ofQueue,
  s3: ofBucket,
  ses: ofMail,
  events: ofEventBus,
  secretsmanager: ofSecret,
  'cloudfront-keyvaluestore': ofKeyValueStore,
}

const attribute = z.looseObject({ S: z.string() })
const key = z.looseObject({ pk: attribute })
const keyed = z.object({ Key: z.optional(key), Item: z.optional(key) })
const oneItem = z.pipe(
  keyed,
  z.transform(({ Key, Item }) => [prefixOf((Key ?? Item)?.pk.S ?? '')]),
)
/** A request for each item, by its kind. */
const byKind = z.record(z.string(), keyed)
const batch = <Item extends z.ZodMiniType>(item: Item) => z.object({ RequestItems: z.record(z.string(), item) })
const query = z.object({
  IndexName: z.optional(z.string()),
  KeyConditionExpression: z.string(),
  ExpressionAttributeValues: z.record(z.string(), z.looseObject({ S: z.optional(z.string()) })),
})

/** Actions whose name is their right, and which are about one item. */
const itemActions = new Set(['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'])

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html */
const actionInTransaction: Readonly<Record<string, string>> = {
  Get: 'GetItem',
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
}

function ofTable({ target = '', body }: AwsRequest): AwsCall[] {
  const action = target.slice(target.indexOf('.') + 1)
  const input: unknown = JSON.parse(body)
  const onTable = (right: string, keys: readonly string[]) => keys.map((prefix) => `dynamodb:${right} table ${prefix}`)
  if (itemActions.has(action)) return onTable(action, oneItem.parse(input))
  switch (action) {
    case 'Query': {
      const { IndexName, KeyConditionExpression, ExpressionAttributeValues } = query.parse(input)
      const [, name = ''] = /=\s*(:\w+)/.exec(KeyConditionExpression) ?? []
      const table = IndexName === undefined ? 'table' : `table/index/${IndexName}`
      return [`dynamodb:Query ${table} ${prefixOf(ExpressionAttributeValues[name]?.S ?? '')}`]
    }
    case 'BatchGetItem': {
      const { RequestItems } = batch(z.object({ Keys: z.array(key) })).parse(input)
      const keys = Object.values(RequestItems).flatMap(({ Keys }) => Keys)
      return onTable(
        action,
        keys.map(({ pk }) => prefixOf(pk.S)),
      )
    }
    case 'BatchWriteItem': {
      const { RequestItems } = batch(z.array(byKind)).parse(input)
      const items = Object.values(RequestItems).flatMap((requests) => requests.flatMap(Object.values))
      return onTable(
        action,
        items.flatMap((item) => oneItem.parse(item)),
      )
    }
    case 'TransactGetItems':
    case 'TransactWriteItems': {
      const { TransactItems } = z.object({ TransactItems: z.array(byKind) }).parse(input)
      return TransactItems.flatMap(Object.entries).flatMap(([kind, item]) => {
        const right = actionInTransaction[kind]
        if (right === undefined) throw new UnknownCall(`${action} ${kind}`)
        return onTable(right, oneItem.parse(item))
      })
    }
    default:
      throw new UnknownCall(target)
  }
}

/** `SALE#`, or the whole of a key without ids. */
const prefixOf = (pk: string): string => /^[A-Z-]+#?/.exec(pk)?.[0] ?? pk

/** https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-api-permissions-reference.html */
function ofQueue({ target = '', body }: AwsRequest): AwsCall[] {
  const action = target.slice(target.indexOf('.') + 1).replace(/Batch$/, '')
  const { QueueUrl } = z.object({ QueueUrl: z.string() }).parse(JSON.parse(body))
  const name = QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)
  const isKnown = name in wakingQueues || queueNames.some((queue) => name === queue || name === `${queue}-dlq`)
  if (!isKnown) throw new UnknownCall(QueueUrl)
  return [`sqs:${action} queue/${name}`]
}

const bucketNames: Readonly<Record<string, string>> = { [resources.bucket]: 'site', [resources.uploads]: 'uploads' }
const objectActions: Readonly<Record<string, string>> = {
  GET: 's3:GetObject',
  HEAD: 's3:GetObject',
  PUT: 's3:PutObject',
  DELETE: 's3:DeleteObject',
}

function ofBucket({ method, path }: AwsRequest): AwsCall[] {
  const { bucket, object } = placeOf(path)
  const action = objectActions[method]
  if (action === undefined || object === '') throw new UnknownCall(`s3 ${method} ${path}`)
  return [`${action} ${bucket}/${object}`]
}

/** The names of what is one per sale, per picture or per version have `{id}` for what differs. */
const objectNames: readonly (readonly [RegExp, string])[] = [
  [/^sales\/[^/]+\//, 'sales/{id}/'],
  [/^(sales\/\{id\}\/[^/]+)\/.*$/, '$1/{id}'],
  [/\/countdown\.[^/.]+\./, '/countdown.{id}.'],
  [/^pictures\/[^/.]+\./, 'pictures/{id}.'],
  [/^uploads\/[^/]+\//, 'uploads/{id}/'],
  [/^brand\/[^/.]+\./, 'brand/{id}.'],
]

function placeOf(path: string): { bucket: string; object: string } {
  const [, name = '', ...rest] = decodeURIComponent(path.replace(/\?.*/, '')).split('/')
  const bucket = bucketNames[name]
  if (bucket === undefined) throw new UnknownCall(`s3 ${path}`)
  const object = objectNames.reduce((text, [ids, written]) => text.replace(ids, written), rest.join('/'))
  return { bucket, object }
}

/** Its own identity, and the configuration set if the request names one. */
function ofMail({ method, path, body }: AwsRequest): AwsCall[] {
  if (`${method} ${path.replace(/^.*\/v2\//, '')}` !== 'POST email/outbound-emails')
    throw new UnknownCall(`ses ${method} ${path}`)
  const { ConfigurationSetName } = z.object({ ConfigurationSetName: z.optional(z.string()) }).parse(JSON.parse(body))
  return ['ses:SendEmail identity', ...(ConfigurationSetName === undefined ? [] : ['ses:SendEmail configuration-set'])]
}

/** Several events may name the same bus. */
function ofEventBus({ target = '', body }: AwsRequest): AwsCall[] {
  if (target !== 'AWSEvents.PutEvents') throw new UnknownCall(target)
  const { Entries } = z.object({ Entries: z.array(z.object({ EventBusName: z.string() })) }).parse(JSON.parse(body))
  return Entries.map(() => 'events:PutEvents event-bus')
}

/** In an ARN the name of a secret ends with six characters of Secrets Manager. */
function ofSecret({ target = '', body }: AwsRequest): AwsCall[] {
  const { SecretId } = z.object({ SecretId: z.string() }).parse(JSON.parse(body))
  if (target !== 'secretsmanager.GetSecretValue' || SecretId !== resources.redisSecret)
    throw new UnknownCall(`${target} ${SecretId}`)
  return ['secretsmanager:GetSecretValue secret/redis-suffix']
}

const keyValueActions: Readonly<Record<string, string>> = {
  'GET ': 'DescribeKeyValueStore',
  'GET keys': 'ListKeys',
  'POST keys': 'UpdateKeys',
  'GET key': 'GetKey',
  'PUT key': 'PutKey',
  'DELETE key': 'DeleteKey',
}

/** `/key-value-stores/<arn>[/keys[/<key>]]`, with the ARN as one part. */
function ofKeyValueStore({ method, path }: AwsRequest): AwsCall[] {
  const [, , , keys, one] = path.replace(/\?.*/, '').split('/')
  const action = keyValueActions[`${method} ${one === undefined ? (keys ?? '') : 'key'}`]
  if (action === undefined) throw new UnknownCall(`cloudfront-keyvaluestore ${method} ${path}`)
  return [`cloudfront-keyvaluestore:${action} key-value-store`]
}
