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
import { openPost, type Post } from '../../../redis/post.ts'

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
export type SqsAccess = { AWS_REGION: string; AWS_ENDPOINT_URL_SQS?: string | undefined }

/** The SDK itself finds the credentials in the environment. A call may take `limitMs` in all. */
export function connectSqs({ AWS_REGION, AWS_ENDPOINT_URL_SQS }: SqsAccess, limitMs = deadlineMs): Sqs {
  const client = new SQSClient({
    region: AWS_REGION,
    ...(AWS_ENDPOINT_URL_SQS !== undefined && { endpoint: AWS_ENDPOINT_URL_SQS }),
    // A repetition gets what is left of the second, which only the caller of the client knows.
    maxAttempts: 1,
    requestHandler: openTransport(),
    // TLS already protects a body on its way, and a message that is invalid is rejected by its consumer.
    md5: false,
  })
  return async (command) => {
    const endsAt = performance.now() + limitMs
    for (let tries = 1; ; tries += 1) {
      try {
        return await client.send(command, { requestTimeout: endsAt - performance.now() })
      } catch (error) {
        const pauseMs = Math.random() * maxPauseMs
        const isLast = tries === maxTries || performance.now() + pauseMs >= endsAt
        if (isLast || !mayPass(error)) throw error
        await sleep(pauseMs)
      }
    }
  }
}

type Transport = SQSClientResolvedConfig['requestHandler']

/** The SDK's bytes warn, in the log, when one of their own methods makes them a string, as Buffer.from does. */
const decoder = new TextDecoder()

/**
 * The SDK's own transport needs more processor time, keeps connections that SQS closed while the
 * function was frozen, and gives up answers that came in time but are not read yet.
 */
function openTransport(): Pick<Transport, 'handle'> {
  const posts = new Map<string, Post>()

  function postTo(origin: string): Post {
    const post = posts.get(origin) ?? openPost(origin, connectMs)
    posts.set(origin, post)
    return post
  }

  return {
    async handle(
      { protocol, hostname, port, path, headers, body },
      options: { requestTimeout?: number } = {},
    ) {
      const post = postTo(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`)
      const { requestTimeout = deadlineMs } = options
      const text = decoder.decode(body)
      return { response: readable(await post(path, headers, text, requestTimeout)) }
    },
  }
}

/**
 * The answer in the SDK's form.
 * @throws SQSServiceException for a refusal without JSON, as of a gateway, which the SDK would report as a
 * mistake in the text
 */
function readable({ status, body }: Awaited<ReturnType<Post>>) {
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

/** There was no answer, or one that the same request may not get again. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof SQSServiceException)) return true
  const { httpStatusCode: status = 0 } = error.$metadata
  return status >= 500 || status === 429 || /Throttl|SlowDown/.test(error.name)
}
