import { networkInterfaces } from 'node:os'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { GetQueueAttributesCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Aws, queueUrl, startAws } from '../../../local/aws/aws.ts'
import { acceptsConnections } from '../../../local/ports.ts'
import { newFolder } from '../../folders.ts'
import { localAws } from '../aws-settings.ts'

const clients = (endpoint: string) => ({
  sqs: new SQSClient(localAws(endpoint)),
  s3: new S3Client({ ...localAws(endpoint), forcePathStyle: true }),
})

describe('the local SQS and S3', () => {
  let aws: Aws
  let sqs: SQSClient
  let s3: S3Client
  beforeEach(async () => {
    aws = await startAws()
    ;({ sqs, s3 } = clients(aws.endpoint))
  })
  afterEach(async () => {
    sqs.destroy()
    s3.destroy()
    await aws.stop()
  })

  it('moves a message to its dead-letter queue after its last receive', async () => {
    const { queue, deadLetters } = await aws.createQueuePair('orders', { visibilitySeconds: 0, maxReceives: 2 })
    await sqs.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: 'poison' }))
    const receive = async (url: string) =>
      (await sqs.send(new ReceiveMessageCommand({ QueueUrl: url }))).Messages?.map(({ Body }) => Body) ?? []
    expect(await receive(queue.url)).toEqual(['poison'])
    expect(await receive(queue.url)).toEqual(['poison'])
    expect(await receive(queue.url)).toEqual([])
    expect(await receive(deadLetters.url)).toEqual(['poison'])
  })

  it('accepts queue addresses with any host, so that a proxy may be in front of it', async () => {
    const { name, url } = await aws.createQueue('plain')
    expect(url).toBe(queueUrl(aws.endpoint, name))
    const sent = await sqs.send(
      new SendMessageCommand({ QueueUrl: queueUrl(aws.endpoint, name), MessageBody: 'hello' }),
    )
    expect(sent.MessageId).toBeDefined()
  })

  it('never overwrites an object that the writer required to be new (C6)', async () => {
    aws.createBucket('site')
    const put = (Body: string, conditional: boolean) =>
      s3.send(
        new PutObjectCommand({
          Bucket: 'site',
          Key: 'sales/a/countdown.1.js',
          Body,
          ContentType: 'text/javascript',
          CacheControl: 'public, max-age=31536000, immutable',
          ...(conditional ? { IfNoneMatch: '*' } : {}),
        }),
      )
    await put('first', true)
    await expect(put('second', true)).rejects.toMatchObject({ name: 'PreconditionFailed' })
    const read = await s3.send(new GetObjectCommand({ Bucket: 'site', Key: 'sales/a/countdown.1.js' }))
    expect(await read.Body?.transformToString()).toBe('first')
    expect(read.CacheControl).toBe('public, max-age=31536000, immutable')
    await put('third', false)
  })

  it('lets exactly one of two writers create an object', async () => {
    aws.createBucket('site')
    const put = (Body: string) => s3.send(new PutObjectCommand({ Bucket: 'site', Key: 'one', Body, IfNoneMatch: '*' }))
    const outcomes = await Promise.allSettled([put('a'), put('b')])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('replaces only the object that the writer read, where the writer asks for that', async () => {
    aws.createBucket('site')
    const put = (Body: string, IfMatch?: string) =>
      s3.send(new PutObjectCommand({ Bucket: 'site', Key: 'heads.txt', Body, ...(IfMatch && { IfMatch }) }))
    await expect(put('none', '"0"')).rejects.toMatchObject({ name: 'PreconditionFailed' })
    const first = await put('first')
    const second = await put('second', first.ETag)
    await expect(put('stale', first.ETag)).rejects.toMatchObject({ name: 'PreconditionFailed' })
    await put('third', second.ETag)
    const read = await s3.send(new GetObjectCommand({ Bucket: 'site', Key: 'heads.txt' }))
    expect(await read.Body?.transformToString()).toBe('third')
  })

  it('answers on the loopback interface only', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)
    expect(await acceptsConnections(aws.port)).toBe(true)
    if (outside !== undefined) expect(await acceptsConnections(aws.port, outside.address)).toBe(false)
  })
})

it('the local SQS and S3 with a data folder keep messages and objects, and take changed queue settings', async () => {
  const dataDir = newFolder('aws')
  const before = await startAws({ dataDir })
  const { queue } = await before.createQueuePair('orders', { visibilitySeconds: 30, maxReceives: 3 })
  before.createBucket('site')
  const first = clients(before.endpoint)
  await first.sqs.send(new SendMessageCommand({ QueueUrl: queue.url, MessageBody: 'kept' }))
  await first.s3.send(new PutObjectCommand({ Bucket: 'site', Key: 'a', Body: 'kept' }))
  await before.stop()

  const after = await startAws({ dataDir })
  const again = await after.createQueuePair('orders', { visibilitySeconds: 60, maxReceives: 3 })
  after.createBucket('site')
  const { sqs, s3 } = clients(after.endpoint)
  const received = await sqs.send(new ReceiveMessageCommand({ QueueUrl: again.queue.url }))
  expect(received.Messages?.map(({ Body }) => Body)).toEqual(['kept'])
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: again.queue.url,
      AttributeNames: ['VisibilityTimeout', 'RedrivePolicy'],
    }),
  )
  expect(Attributes?.VisibilityTimeout).toBe('60')
  expect(Attributes?.RedrivePolicy).toContain(again.deadLetters.arn)
  const read = await s3.send(new GetObjectCommand({ Bucket: 'site', Key: 'a' }))
  expect(await read.Body?.transformToString()).toBe('kept')
  await after.stop()
})
