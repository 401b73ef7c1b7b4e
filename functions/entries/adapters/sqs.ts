/** Calls SQS by the SDK's client, over connections that stay open. */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type $Command,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  SQSClient,
  type SQSClientResolvedConfig,
  SQSServiceException,
} from '@aws-sdk/client-sqs'
import * as z from 'zod/mini'
import { decodeJson } from '../../../core/lib/json.ts'
import { readJson } from '../../../core/lib/parse.ts'
import { openPost, type Post } from '../../../redis/post.ts'
import { type AwsAccess, signerOf } from '../../lib/signature.ts'

/** Total time of a call. It is short, because the callers have a fallback during an outage. */
const deadlineMs = 1000

/** After this long without a connection another one is tried. */
const connectMs = 500

const maxTries = 2

/** The pause before a repetition is random, so that many callers do not come again together. */
const maxPauseMs = 100

/** The most messages in a batch to send, to receive or to delete. */
export const maxEntries = 10

type SqsCommand<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = $Command<
  Input,
  Output,
  SQSClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>

/**
 * Sends a command to SQS and resolves with the answer. It is repeated once, within a second, when
 * there was no answer or SQS was overloaded: the first request may have taken effect.
 * @throws SQSServiceException when SQS refused the whole call; any other error when it did not answer
 */
export type Sqs = <Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
  command: SqsCommand<Input, Output>,
) => Promise<unknown>

/** Without AWS_ENDPOINT_URL_SQS a request goes to the origin of its queue's address. */
export type SqsAccess = AwsAccess & { AWS_ENDPOINT_URL_SQS?: string | undefined }

/** Steps of the client that the transport takes here, with less processor time, or that have no effect. */
const replacedSteps = [
  ...['retryMiddleware', 'httpAuthSchemeMiddleware', 'httpSigningMiddleware'],
  ...['contentLengthMiddleware', 'getUserAgentMiddleware', 'loggerMiddleware'],
]

/** A call may take `limitMs` in all. */
export function connectSqs({ AWS_ENDPOINT_URL_SQS, ...access }: SqsAccess, limitMs = deadlineMs): Sqs {
  const client = new SQSClient({
    region: access.AWS_REGION,
    ...(AWS_ENDPOINT_URL_SQS !== undefined && { endpoint: AWS_ENDPOINT_URL_SQS }),
    requestHandler: openTransport(access, limitMs),
    // The client puts its steps together once for each kind of command, as long as no call has options of its own.
    cacheMiddleware: true,
    // TLS already protects a body on its way, and a message that is invalid is rejected by its consumer.
    md5: false,
  })
  for (const step of replacedSteps) client.middlewareStack.remove(step)
  return (command) => client.send(command)
}

type Transport = SQSClientResolvedConfig['requestHandler']

/** The SDK's bytes warn, in the log, when one of their own methods makes them a string, as Buffer.from does. */
const decoder = new TextDecoder()

/**
 * Signs, sends and repeats. The SDK's own transport needs more processor time, keeps connections that SQS closed while
 * the function was frozen, and gives up answers that came in time but are not read yet.
 */
function openTransport(access: AwsAccess, limitMs: number): Pick<Transport, 'handle'> {
  const sign = signerOf('sqs', access)
  const posts = new Map<string, Post>()

  function postTo(origin: string): Post {
    const post = posts.get(origin) ?? openPost(origin, connectMs)
    posts.set(origin, post)
    return post
  }

  return {
    async handle({ protocol, hostname, port, path, headers, body }) {
      const post = postTo(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`)
      const text = decoder.decode(body)
      const { host = hostname } = headers
      const send = async (withinMs: number) => post(path, await sign(host, headers, text, new Date()), text, withinMs)
      return { response: toSdkResponse(await withOneRetry(send, limitMs)) }
    },
  }
}

type Answer = Awaited<ReturnType<Post>>

/** The answer to a request, or to its repetition when it may pass then. */
async function withOneRetry(send: (withinMs: number) => Promise<Answer>, limitMs: number): Promise<Answer> {
  const endsAt = performance.now() + limitMs
  for (let tries = 1; ; tries += 1) {
    const answer = send(endsAt - performance.now())
    const mayRetry = await answer.then(isRetryable, () => true)
    const pauseMs = Math.random() * maxPauseMs
    if (!mayRetry || tries === maxTries || performance.now() + pauseMs >= endsAt) return answer
    await sleep(pauseMs)
  }
}

/**
 * The answer in the SDK's form.
 * @throws SQSServiceException for a refusal without JSON, as of a gateway, which the SDK would report as a
 * mistake in the text
 */
function toSdkResponse({ status, body }: Answer) {
  if (status >= 300 && !body.startsWith('{')) {
    throw new SQSServiceException({
      name: 'SqsError',
      message: `HTTP ${status}`,
      $fault: status < 500 ? 'client' : 'server',
      $metadata: { httpStatusCode: status },
    })
  }
  return { statusCode: status, headers: {}, body: Buffer.from(body) }
}

const refusal = z.object({ __type: z.string() })

/** The same request may get another answer. */
function isRetryable({ status, body }: Answer): boolean {
  if (status >= 500 || status === 429) return true
  if (status < 300) return !decodeJson(body).ok
  const refused = readJson(refusal, body)
  return refused.ok && /Throttl|SlowDown/.test(refused.value.__type)
}
