/** Calls SQS with the SDK's client, over connections that stay open. */
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

/** Total time of a call. It is short because the callers have a fallback during an outage. */
const deadlineMs = 1000

/** After this time without a connection another one is tried. */
const connectMs = 500

const maxTries = 2

/** The pause before a retry is random, so that many callers do not retry at once. */
const maxPauseMs = 100

/** Messages in a batch to send, receive or delete, at most. */
export const maxEntries = 10

type SqsCommand<Input extends ServiceInputTypes, Output extends ServiceOutputTypes> = $Command<
  Input,
  Output,
  SQSClientResolvedConfig,
  ServiceInputTypes,
  ServiceOutputTypes
>

/**
 * Sends a command to SQS and resolves with the answer. Retries once within a second when SQS does not answer or is
 * overloaded; the first request may have taken effect.
 * @throws SQSServiceException when SQS refuses the whole call; any other error when it does not answer
 */
export type Sqs = <Input extends ServiceInputTypes, Output extends ServiceOutputTypes>(
  command: SqsCommand<Input, Output>,
) => Promise<unknown>

/** Without AWS_ENDPOINT_URL_SQS requests go to the origin of their queue's address. */
export type SqsAccess = AwsAccess & { AWS_ENDPOINT_URL_SQS?: string | undefined }

/** Steps of the client that this transport replaces with cheaper ones, or that have no effect. */
const replacedSteps = [
  ...['retryMiddleware', 'httpAuthSchemeMiddleware', 'httpSigningMiddleware'],
  ...['contentLengthMiddleware', 'getUserAgentMiddleware', 'loggerMiddleware'],
]

/** `limitMs` limits a whole call with its retry. */
export function connectSqs({ AWS_ENDPOINT_URL_SQS, ...access }: SqsAccess, limitMs = deadlineMs): Sqs {
  const client = new SQSClient({
    region: access.AWS_REGION,
    ...(AWS_ENDPOINT_URL_SQS !== undefined && { endpoint: AWS_ENDPOINT_URL_SQS }),
    requestHandler: openTransport(access, limitMs),
    // The client builds its chain of steps once for each kind of command while no call has its own options.
    cacheMiddleware: true,
    // TLS protects the body, and the consumer rejects an invalid message.
    md5: false,
  })
  for (const step of replacedSteps) client.middlewareStack.remove(step)
  return (command) => client.send(command)
}

/** The SDK logs a warning when its bytes are converted by their own methods, as Buffer.from does. */
const decoder = new TextDecoder()

/**
 * Signs, sends and retries. The SDK's own transport needs more processor time, keeps connections that SQS closed while
 * the function was frozen, and drops answers that arrived in time but are not read yet.
 */
function openTransport(access: AwsAccess, limitMs: number): Pick<SQSClientResolvedConfig['requestHandler'], 'handle'> {
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

/** Resolves with the answer to a request, or to its retry when a retry may succeed. */
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
 * Returns the answer in the SDK's form.
 * @throws SQSServiceException for a refusal without JSON, such as a gateway's, which the SDK would report as a syntax error
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

/** True when a retry may get another answer. */
function isRetryable({ status, body }: Answer): boolean {
  if (status >= 500 || status === 429) return true
  if (status < 300) return !decodeJson(body).ok
  const refused = readJson(refusal, body)
  return refused.ok && /Throttl|SlowDown/.test(refused.value.__type)
}
