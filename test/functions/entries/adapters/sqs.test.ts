/** Checks requests to SQS on the wire, and the handling of its answers; `test/contract` uses real queues. */
import dns from 'node:dns'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { SendMessageBatchCommand, SQSServiceException } from '@aws-sdk/client-sqs'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { jsonMessage, sendBatch } from '../../../../functions/entries/adapters/send.sqs.ts'
import { connectSqs, type SqsAccess } from '../../../../functions/entries/adapters/sqs.ts'
import { errorFacts } from '../../../../functions/lib/telemetry.ts'
import { listen } from '../../../../local/listen.ts'

const access: SqsAccess = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'a-secret',
}

type Answer = { status: number; body: string } | 'lost' | 'never'
type Seen = { url: string; headers: IncomingHttpHeaders; body: string }

const taken = { status: 200, body: '{"Successful":[{"Id":"0","MessageId":"1"}]}' }

/** The answer in the client's form, with its status. */
const takenAnswer = { ...JSON.parse(taken.body), $metadata: expect.objectContaining({ httpStatusCode: 200 }) }

/** The error as SQS writes it. */
const refusal = (status: number, type: string) => ({
  status,
  body: JSON.stringify({ __type: `com.amazonaws.sqs#${type}`, message: `about ${type}` }),
})

/** A service that gives these answers one after the other, and keeps the last. */
async function startService(...answers: readonly Answer[]) {
  const requests: Seen[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const answer = answers[Math.min(requests.length, answers.length - 1)]
    requests.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() })
    if (answer === 'lost') request.socket.destroy()
    else if (answer !== undefined && answer !== 'never') response.writeHead(answer.status).end(answer.body)
    server.emit('seen')
  })
  const listening = await listen(server, 0)
  onTestFinished(() => listening.stop())
  const queueUrl = `${listening.url}/123456789012/orders`
  const send = (more: Partial<SqsAccess> = {}) =>
    connectSqs({ ...access, ...more })(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries: [] }))
  return {
    ...listening,
    requests,
    queueUrl,
    send,
    seen: () => once(server, 'seen'),
    /** Closes every connection. */
    drop: () => server.closeAllConnections(),
  }
}

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Repetitions come at once. */
const withoutPause = () => vi.spyOn(Math, 'random').mockReturnValue(0)

const fakeTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })

describe('a call of SQS', () => {
  it('is one signed request in the JSON form of the API', async () => {
    const service = await startService(taken)
    expect(await service.send()).toEqual(takenAnswer)
    const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = service.requests
    expect(service.requests).toHaveLength(1)
    expect(url).toBe('/')
    expect(JSON.parse(body)).toEqual({ QueueUrl: service.queueUrl, Entries: [] })
    const signed = 'content-type;host;x-amz-date;x-amz-target;x-amzn-query-mode'
    expect(headers).toMatchObject({
      host: new URL(service.url).host,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessageBatch',
      authorization: expect.stringMatching(
        new RegExp(
          `^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/\\d{8}/eu-west-1/sqs/aws4_request, SignedHeaders=${signed}, Signature=[0-9a-f]{64}$`,
        ),
      ),
    })
    expect(headers).not.toHaveProperty('x-amz-security-token')
  })

  it('carries the session token of a role, and signs it', async () => {
    const service = await startService(taken)
    await service.send({ AWS_SESSION_TOKEN: 'of-the-role' })
    expect(service.requests[0]?.headers).toMatchObject({
      'x-amz-security-token': 'of-the-role',
      authorization: expect.stringContaining('x-amz-date;x-amz-security-token;x-amz-target'),
    })
  })

  it('goes to AWS_ENDPOINT_URL_SQS where it is set, and otherwise to the address of its queue', async () => {
    const queue = await startService(taken)
    const endpoint = await startService(taken)
    await queue.send()
    await queue.send({ AWS_ENDPOINT_URL_SQS: endpoint.url })
    expect([queue.requests.length, endpoint.requests.length]).toEqual([1, 1])
    expect(endpoint.requests[0]?.body).toBe(queue.requests[0]?.body)
  })

  it.each([
    ['a queue that does not exist', 400, 'QueueDoesNotExist'],
    ['a key that may not', 403, 'AccessDeniedException'],
    ['credentials that have expired', 403, 'ExpiredTokenException'],
  ])('is rejected with the type and text of the error, and not repeated, after %s', async (_what, status, type) => {
    const service = await startService(refusal(status, type), taken)
    const error = await service.send().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(SQSServiceException)
    expect(errorFacts(error)).toMatchObject({ error: type, reason: `about ${type}` })
    expect(service.requests).toHaveLength(1)
  })

  it.each<[string, Answer]>([
    ['a fault of the service', refusal(500, 'InternalError')],
    ['a gateway’s page', { status: 502, body: '<html>Bad gateway</html>' }],
    ['an overloaded service', refusal(503, 'ServiceUnavailable')],
    ['too many requests', { status: 429, body: '' }],
    ['a throttled request', refusal(400, 'RequestThrottled')],
    ['a connection that was closed without an answer', 'lost'],
    ['half an answer', { status: 200, body: '{"Failed":' }],
  ])('is repeated once after %s', async (_what, answer) => {
    withoutPause()
    const service = await startService(answer, taken)
    expect(await service.send()).toEqual(takenAnswer)
    expect(service.requests).toHaveLength(2)
    const [first, second] = service.requests.map(({ body }) => body)
    expect(second).toBe(first)
  })

  it.each<[string, Answer, object]>([
    ['faults', refusal(500, 'InternalError'), { name: 'InternalError', $metadata: { httpStatusCode: 500 } }],
    ['pages of a gateway', { status: 502, body: '<html>' }, { name: 'SqsError', message: 'HTTP 502' }],
    ['lost answers', 'lost', { code: 'ECONNRESET' }],
  ])('is rejected after two %s', async (_what, answer, error) => {
    withoutPause()
    const service = await startService(answer)
    await expect(service.send()).rejects.toMatchObject(error)
    expect(service.requests).toHaveLength(2)
  })

  it('is rejected after a second without an answer, and was sent once (I6)', async () => {
    const service = await startService('never')
    fakeTimers()
    const outcome = vi.fn()
    const sent = service.send().catch(outcome)
    await service.seen()
    await vi.advanceTimersByTimeAsync(999)
    expect(outcome).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await sent
    expect(outcome).toHaveBeenCalledWith(expect.objectContaining({ name: 'TimeoutError' }))
    expect(service.requests).toHaveLength(1)
  })

  it('is repeated only within its second', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(1)
    const service = await startService('never', taken)
    fakeTimers()
    const sent = service.send().catch((thrown: unknown) => thrown)
    await service.seen()
    await vi.advanceTimersByTimeAsync(950)
    service.drop()
    expect(await sent).toMatchObject({ code: 'ECONNRESET' })
    expect(service.requests).toHaveLength(1)
  })

  it('has for its repetition what is left of its second', async () => {
    withoutPause()
    const service = await startService('never')
    fakeTimers()
    const outcome = vi.fn()
    const sent = service.send().catch(outcome)
    await service.seen()
    await vi.advanceTimersByTimeAsync(600)
    const again = service.seen()
    service.drop()
    await again
    await vi.advanceTimersByTimeAsync(399)
    expect(outcome).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await sent
    expect(outcome).toHaveBeenCalledWith(expect.objectContaining({ name: 'TimeoutError' }))
    expect(service.requests).toHaveLength(2)
  })

  it('tries another connection when none opens within half a second', async () => {
    withoutPause()
    const service = await startService(taken)
    const endpoint = new URL(service.url)
    endpoint.hostname = 'sqs.example'
    const read = Promise.withResolvers<void>()
    let looks = 0
    const { lookup } = dns
    vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
      // Other tests of this process may still look hosts up.
      if (args[0] !== endpoint.hostname) return Reflect.apply(lookup, dns, args)
      looks += 1
      const found = args.at(-1)
      if (looks === 1) read.resolve()
      else if (typeof found === 'function') found(null, [{ address: '127.0.0.1', family: 4 }])
    })
    fakeTimers()
    const sent = service.send({ AWS_ENDPOINT_URL_SQS: endpoint.href })
    await read.promise
    await vi.advanceTimersByTimeAsync(499)
    expect(service.requests).toHaveLength(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(await sent).toEqual(takenAnswer)
    expect(looks).toBe(2)
  })
})

describe('a batch of messages', () => {
  it('has the error of each message that SQS refused, and no other', async () => {
    const failed = { Failed: [{ Id: '1', SenderFault: false, Code: 'InternalError', Message: 'busy' }] }
    const service = await startService({ status: 200, body: JSON.stringify(failed) })
    const messages = ['a', 'b', 'c'].map(jsonMessage)
    expect(await sendBatch(connectSqs(access), service.queueUrl, messages)).toEqual([
      undefined,
      new Error('SQS refused the message: InternalError'),
      undefined,
    ])
    expect(JSON.parse(service.requests[0]?.body ?? '').Entries).toEqual([
      { Id: '0', MessageBody: '"a"' },
      { Id: '1', MessageBody: '"b"' },
      { Id: '2', MessageBody: '"c"' },
    ])
  })

  it('is rejected when the answer is not in the form of the API', async () => {
    const service = await startService({ status: 200, body: '{"Failed":"all"}' })
    await expect(sendBatch(connectSqs(access), service.queueUrl, [jsonMessage(1)])).rejects.toThrow('Failed')
  })
})
