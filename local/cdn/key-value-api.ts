/**
 * Emulates the API of a key-value store: the SDK calls of our adapter, in REST-JSON
 * (https://docs.aws.amazon.com/cloudfront/latest/APIReference/API_Operations_Amazon_CloudFront_KeyValueStore.html).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as z from 'zod/mini'
import { type Listening, listen } from '../listen.ts'
import { readBody } from './body.ts'
import { type KeyValueStore, StoreRefusal } from './key-value-store.ts'

/** The SDK puts the account id in front of the endpoint's host name. */
const account = '000000000000'

export const keyValueStoreArn = `arn:aws:cloudfront::${account}:key-value-store/00000000-0000-4000-8000-000000000000`

/** Fits an update with the maximum of keys and bytes, with room for escapes. */
const bodyLimitBytes = 1024 * 1024

const statusOf = { ConflictException: 409, ValidationException: 400, ServiceQuotaExceededException: 402 }

const updateKeys = z.object({
  Puts: z._default(z.array(z.object({ Key: z.string(), Value: z.string() })), []),
  Deletes: z._default(z.array(z.object({ Key: z.string() })), []),
})

type Reply = { status: number; body: unknown; headers?: Record<string, string> }

const refusal = (status: number, type: string, message: string): Reply => ({
  status,
  body: { Message: message },
  headers: { 'x-amzn-errortype': type },
})

/** Serves `store` under `keyValueStoreArn` on a free port, for any host name that ends with `localhost`. */
export async function startKeyValueApi(store: KeyValueStore): Promise<Listening> {
  const server = createServer((request, response) => {
    answer(store, request)
      .catch((error: unknown) => refusal(500, 'InternalServerException', String(error)))
      .then((reply) => send(response, reply))
  })
  const listening = await listen(server, 0)
  return { ...listening, url: `http://localhost:${listening.port}` }
}

async function answer(store: KeyValueStore, request: IncomingMessage): Promise<Reply> {
  if (!request.headers.authorization?.startsWith('AWS4-ECDSA-P256-SHA256 ')) {
    return refusal(403, 'AccessDeniedException', 'The request has no signature of version 4A.')
  }
  const [, root = '', arn = '', keys, key] = (request.url ?? '').split('/').map(decodeURIComponent)
  const call = `${request.method} ${root}${keys === undefined ? '' : '/keys'}${key === undefined ? '' : '/key'}`
  if (arn !== keyValueStoreArn) return refusal(404, 'ResourceNotFoundException', `There is no ${arn}.`)
  switch (call) {
    case 'GET key-value-stores':
      return described(store)
    case 'GET key-value-stores/keys/key':
      return read(store, key ?? '')
    case 'POST key-value-stores/keys':
      return update(store, String(request.headers['if-match']), await readBody(request, bodyLimitBytes))
    default:
      return refusal(400, 'ValidationException', `${call} is not emulated.`)
  }
}

function described(store: KeyValueStore): Reply {
  const { createdAt, changedAt } = store.facts()
  const times = { Created: createdAt / 1000, LastModified: changedAt / 1000 }
  return changed(store, { KvsARN: keyValueStoreArn, Status: 'READY', ...times })
}

function read(store: KeyValueStore, key: string): Reply {
  const value = store.get(key)
  if (value === undefined) return refusal(404, 'ResourceNotFoundException', 'There is no such key.')
  return changed(store, { Key: key, Value: value })
}

function update(store: KeyValueStore, ifMatch: string, body: Buffer): Reply {
  const asked = updateKeys.safeParse(JSON.parse(body.toString()))
  if (!asked.success) return refusal(400, 'ValidationException', z.prettifyError(asked.error))
  const puts = asked.data.Puts.map(({ Key: key, Value: value }) => ({ key, value }))
  try {
    store.update(ifMatch, { puts, deletes: asked.data.Deletes.map(({ Key }) => Key) })
  } catch (error) {
    if (error instanceof StoreRefusal) return refusal(statusOf[error.kind], error.kind, error.message)
    throw error
  }
  return changed(store, {})
}

/** Returns an answer with the size of the store. */
function changed(store: KeyValueStore, fields: object): Reply {
  const { etag, itemCount, bytes } = store.facts()
  return { status: 200, body: { ...fields, ItemCount: itemCount, TotalSizeInBytes: bytes }, headers: { etag } }
}

function send(response: ServerResponse, { status, body, headers }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
