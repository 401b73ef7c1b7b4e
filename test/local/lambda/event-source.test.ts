/** From queue to function: batches, failures, dead letters, and stopping. Against the real queue. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Aws, queueUrl, startAws } from '../../../local/aws/aws.ts'
import { startBatcher, startEventSource } from '../../../local/lambda/event-source.ts'
import { failedMessages } from '../../../local/lambda/invoke.ts'

describe('a partial batch response', () => {
  const ids = ['a', 'b', 'c']
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty object', {}],
    ['a missing list', { batchItemFailures: null }],
    ['an empty list', { batchItemFailures: [] }],
  ])('with %s reports success for all', (_, result) => {
    expect(failedMessages(result, ids)).toEqual(new Set())
  })

  it('keeps back exactly the messages it names', () => {
    const result = { batchItemFailures: [{ itemIdentifier: 'b' }] }
    expect(failedMessages(result, ids)).toEqual(new Set(['b']))
  })

  it.each([
    ['an empty id', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['a null id', { batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: null }] }],
    ['no id', { batchItemFailures: [{}] }],
    ['an unknown id', { batchItemFailures: [{ itemIdentifier: 'a' }, { itemIdentifier: 'x' }] }],
    ['text instead of a list', { batchItemFailures: 'a' }],
  ])('with %s fails the whole batch', (_, result) => {
    expect(failedMessages(result, ids)).toEqual(new Set(ids))
  })
})

describe('the batcher', () => {
  const collect = (limits: { size: number; windowMs: number; concurrency: number }) => {
    const batches: number[][] = []
    const gate = Promise.withResolvers<void>()
    const batcher = startBatcher<number>(limits, async (items) => {
      batches.push(items)
      await gate.promise
    })
    return { batches, batcher, release: gate.resolve }
  }

  it('fills a batch across receives and does not wait when it is full', async () => {
    const { batches, batcher } = collect({ size: 5, windowMs: 60_000, concurrency: 2 })
    batcher.add([1, 2, 3])
    batcher.add([4, 5])
    expect(batches).toEqual([[1, 2, 3, 4, 5]])
  })

  it('sends a small batch when its window is over', async () => {
    const first = Promise.withResolvers<number[]>()
    const batcher = startBatcher<number>({ size: 100, windowMs: 5, concurrency: 1 }, async (items) =>
      first.resolve(items),
    )
    batcher.add([1])
    expect(await first.promise).toEqual([1])
  })

  it('runs no more batches at a time than allowed', async () => {
    const { batches, batcher, release } = collect({ size: 1, windowMs: 60_000, concurrency: 2 })
    batcher.add([1, 2, 3])
    expect(batches).toEqual([[1], [2]])
    release()
    await batcher.idle()
    expect(batches).toEqual([[1], [2], [3]])
  })

  it('is idle at once when nothing waits, and otherwise when all is done', async () => {
    const { batches, batcher, release } = collect({ size: 9, windowMs: 60_000, concurrency: 1 })
    await batcher.idle()
    batcher.add([1])
    const idle = batcher.idle()
    release()
    await idle
    expect(batches).toEqual([[1]])
  })
})

describe('the event source', () => {
  let aws: Aws
  let stop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    aws = await startAws()
  })
  afterEach(async () => {
    await stop?.()
    stop = undefined
  })
  afterAll(() => aws.stop())

  const sqs = async (action: string, body: object, endpoint = aws.endpoint) => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` },
      body: JSON.stringify(body),
    })
    return response.json()
  }
  const waiting = async (url: string) => {
    const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible']
    const { Attributes } = (await sqs('GetQueueAttributes', { QueueUrl: url, AttributeNames: names })) as {
      Attributes: Record<string, string>
    }
    return Number(Attributes[names[0] ?? '']) + Number(Attributes[names[1] ?? ''])
  }
  const until = async (truth: () => boolean | Promise<boolean>) => {
    while (!(await truth())) await sleep(20)
  }

  async function setUp(name: string, handler: (bodies: string[]) => unknown, windowMs = 50) {
    const { queue, deadLetters } = await aws.createQueuePair(name, { visibilitySeconds: 1, maxReceives: 2 })
    const tries: string[][] = []
    const fn = {
      name,
      timeoutMs: 5000,
      invocations: 0,
      handler: async (event: unknown) => {
        const { Records } = event as { Records: { body: string; messageId: string }[] }
        tries.push(Records.map(({ body }) => body))
        const failing = handler(Records.map(({ body }) => body)) as string[]
        const failed = Records.filter(({ body }) => failing.includes(body))
        return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) }
      },
    }
    const failures: unknown[] = []
    const limits = { size: 49, windowMs, concurrency: 2 }
    const source = startEventSource(fn, { queueUrl: queue.url, queueArn: queue.arn, limits }, (failure) =>
      failures.push(failure),
    )
    stop = source.stop
    const send = (bodies: string[]) =>
      Promise.all(bodies.map((MessageBody) => sqs('SendMessage', { QueueUrl: queue.url, MessageBody })))
    return { queue, deadLetters, tries, failures, send }
  }

  it('passes many messages to one invocation and deletes them', async () => {
    // On a busy machine the messages are sent in the course of a second.
    const { queue, tries, send } = await setUp('many', () => [], 500)
    await send(Array.from({ length: 40 }, (_, i) => String(i)))
    await until(async () => tries.flat().length >= 40 && (await waiting(queue.url)) === 0)
    expect(new Set(tries.flat()).size).toBe(40)
    expect(tries.length).toBeLessThan(20)
  })

  it('moves a message that never succeeds to the dead-letter queue, and handles the others (O7)', async () => {
    const { queue, deadLetters, tries, send } = await setUp('poison', (bodies) =>
      bodies.filter((body) => body === 'poison'),
    )
    await send(['a', 'poison', 'b'])
    await until(async () => (await waiting(deadLetters.url)) === 1 && (await waiting(queue.url)) === 0)
    const seen = tries.flat()
    expect(seen.filter((body) => body === 'poison')).toHaveLength(2)
    // On a busy machine a message is delivered again before it is deleted.
    expect(new Set(seen)).toEqual(new Set(['a', 'poison', 'b']))
  })

  it('delivers the messages of a failed invocation again, and reports the failure (O2)', async () => {
    let first = true
    const { queue, tries, failures, send } = await setUp('throws', () => {
      if (!first) return []
      first = false
      throw new Error('once')
    })
    await send(['a'])
    await until(async () => tries.length >= 2 && (await waiting(queue.url)) === 0)
    expect(failures).toHaveLength(1)
  })

  it('reports an unavailable queue once, and receives again when it answers', async () => {
    const seen: string[] = []
    const failures: unknown[] = []
    const later = await startAws()
    await later.stop()
    const { port } = later
    const handler = async (event: unknown) => {
      const { Records } = event as { Records: { body: string }[] }
      seen.push(...Records.map(({ body }) => body))
    }
    const source = startEventSource(
      { name: 'later', timeoutMs: 5000, invocations: 0, handler },
      {
        queueUrl: queueUrl(later.endpoint, 'later'),
        queueArn: 'arn:aws:sqs:us-east-1:000000000000:later',
        limits: { size: 10, windowMs: 0, concurrency: 1 },
      },
      (failure) => failures.push(failure),
    )
    await until(() => failures.length === 1)
    const back = await startAws({ port })
    stop = async () => {
      await source.stop()
      await back.stop()
    }
    const { url } = await back.createQueue('later')
    await sqs('SendMessage', { QueueUrl: url, MessageBody: 'a' }, back.endpoint)
    await until(() => seen.length === 1)
    expect(failures).toHaveLength(1)
  })

  it('finishes running invocations and deletes their messages when it is stopped', async () => {
    const { queue, tries, send } = await setUp('stops', () => [])
    await send(['a'])
    await until(() => tries.length === 1)
    await stop?.()
    stop = undefined
    expect(await waiting(queue.url)).toBe(0)
  })
})
