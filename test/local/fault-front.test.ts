import { createServer, type Server } from 'node:http'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { Redis } from '@upstash/redis'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { queueUrl, startAws } from '../../local/aws.ts'
import { startFaultFront } from '../../local/fault-front.ts'
import type { Breakable } from '../../local/fault-switch.ts'
import { startTestRedis } from './upstash-support.ts'

describe('the second listener of a server in this process', () => {
  let server: Server
  let front: Breakable
  let dice = 0
  const received: string[] = []

  /** The reply to `text`, or the code of the error instead. */
  const ask = async (text: string): Promise<string> => {
    try {
      const response = await fetch(`http://127.0.0.1:${front.port}/`, { method: 'POST', body: text })
      return await response.text()
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      return cause?.code ?? String(error)
    }
  }

  beforeEach(async () => {
    dice = 0
    received.length = 0
    server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      received.push(body)
      response.writeHead(200).end(body.toUpperCase())
    })
    front = await startFaultFront({ server, random: () => dice })
  })
  afterEach(() => front.stop())

  it('passes requests on without a fault', async () => {
    expect(await ask('hello')).toBe('HELLO')
    expect(await ask('x'.repeat(500_000))).toHaveLength(500_000)
  })

  it('resets connections when down, and serves again after the fault', async () => {
    expect(await ask('a')).toBe('A')
    front.set({ mode: 'down' })
    expect(await ask('b')).toBe('ECONNRESET')
    front.set(null)
    expect(await ask('c')).toBe('C')
    expect(received).toEqual(['a', 'c'])
  })

  it('executes the request whose reply is lost (I5), and affects only the given share', async () => {
    front.set({ mode: 'lost-reply', rate: 0.5 })
    expect(await ask('take one')).toBe('ECONNRESET')
    dice = 0.7
    expect(await ask('take two')).toBe('TAKE TWO')
    expect(received).toEqual(['take one', 'take two'])
  })

  it('delays requests when slow', async () => {
    front.set({ mode: 'slow', latencyMs: 50 })
    const reply = ask('late')
    await new Promise((resolve) => setTimeout(resolve, 15))
    expect(received).toEqual([])
    expect(await reply).toBe('LATE')
  })

  it('swallows requests as a black hole, and resets them after the fault', async () => {
    front.set({ mode: 'blackhole' })
    const lost = ask('a')
    const silence = new Promise((resolve) => setTimeout(() => resolve('silence'), 40))
    expect(await Promise.race([lost, silence])).toBe('silence')
    front.set(null)
    expect(await lost).toBe('ECONNRESET')
    expect(received).toEqual([])
    expect(await ask('b')).toBe('B')
  })

  it('has its requests limited, and no others, until the fault ends', async () => {
    const limits: (readonly [number, number | undefined])[] = []
    const limited = await startFaultFront({ server, slowDown: (port, limit) => limits.push([port, limit]) })
    limited.set({ mode: 'limited', commandsPerSecond: 40 })
    limited.set({ mode: 'limited', commandsPerSecond: 4 })
    limited.set(null)
    await limited.stop()
    const { port } = limited
    expect(limits).toEqual([
      [port, 40],
      [port, 4],
      [port, undefined],
    ])
  })

  it('ends the fault after the given time', async () => {
    front.set({ mode: 'down', forMs: 1_000 })
    expect(await ask('a')).toBe('ECONNRESET')
    await vi.waitFor(async () => expect(await ask('b')).toBe('B'), { timeout: 60_000, interval: 50 })
  })
})

describe('the emulators behind a second listener', () => {
  it('run a Redis command once when its reply is lost and the client makes one try (I5)', async () => {
    const parts = await startTestRedis()
    const front = await startFaultFront({ server: parts.proxy.server })
    const redis = new Redis({
      url: `http://127.0.0.1:${front.port}`,
      token: 'secret',
      retry: { retries: 0 },
      enableAutoPipelining: false,
    })
    expect(await redis.incr('n')).toBe(1)
    front.set({ mode: 'lost-reply' })
    await expect(redis.incr('n')).rejects.toThrow('fetch failed')
    expect(await parts.client().get('n')).toBe(2)
    await front.stop()
    await parts.stop()
  })

  it('accept messages and objects, and lose replies after the execution', async () => {
    const aws = await startAws()
    const front = await startFaultFront({ server: aws.server })
    const endpoint = `http://127.0.0.1:${front.port}`
    const settings = {
      endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
      maxAttempts: 1,
    }
    const sqs = new SQSClient(settings)
    const s3 = new S3Client({ ...settings, forcePathStyle: true })
    const direct = new S3Client({ ...settings, endpoint: aws.endpoint, forcePathStyle: true })
    await aws.createQueue('orders')
    aws.createBucket('site')
    const message = new SendMessageCommand({ QueueUrl: queueUrl(endpoint, 'orders'), MessageBody: 'm' })
    expect((await sqs.send(message)).MessageId).toBeDefined()

    front.set({ mode: 'lost-reply' })
    await expect(s3.send(new PutObjectCommand({ Bucket: 'site', Key: 'a', Body: 'there' }))).rejects.toThrow()
    const read = await direct.send(new GetObjectCommand({ Bucket: 'site', Key: 'a' }))
    expect(await read.Body?.transformToString()).toBe('there')

    front.set(null)
    const again = await s3.send(new GetObjectCommand({ Bucket: 'site', Key: 'a' }))
    expect(await again.Body?.transformToString()).toBe('there')
    for (const client of [sqs, s3, direct]) client.destroy()
    await front.stop()
    await aws.stop()
  })
})
