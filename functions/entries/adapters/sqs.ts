/**
 * Calls SQS by its JSON protocol. The SDK's client takes about three times the processor time for
 * the same request, and each order needs one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { readJson } from '../../../core/parse.ts'
import { openPost, type Post } from '../../../redis/post.ts'
import { type AwsAccess, signerOf } from '../../lib/signature.ts'

/** Total time of a call. It is short, because the callers have a fallback during an outage. */
const deadlineMs = 1000

/** After this long without a connection another one is tried. */
const connectMs = 500

const maxTries = 2

/** The pause before a repetition is random, so that many callers do not come again together. */
const maxPauseMs = 100

/** What a batch may contain, of messages to send, to receive or to delete. */
export const maxEntries = 10

type Input = { QueueUrl: string } & Readonly<Record<string, unknown>>

/**
 * Calls an action of SQS, such as `SendMessageBatch`, with its input in the form of the API; resolves
 * with the answer. It is repeated once, within a second, when there was no answer or SQS was
 * overloaded: the first request may have taken effect.
 * @throws SqsError when SQS refused the whole call; any other error when it did not answer
 */
export type Sqs = (action: string, input: Input) => Promise<unknown>

/** Without AWS_ENDPOINT_URL_SQS a request goes to the origin of its queue's address. */
export type SqsAccess = AwsAccess & { AWS_ENDPOINT_URL_SQS?: string | undefined }

export function connectSqs(access: SqsAccess): Sqs {
  const sign = signerOf('sqs', access)
  const posts = new Map<string, Post>()

  function postTo(origin: string): Post {
    const post = posts.get(origin) ?? openPost(origin, connectMs)
    posts.set(origin, post)
    return post
  }

  return async (action, input) => {
    const { origin, host } = new URL(access.AWS_ENDPOINT_URL_SQS ?? input.QueueUrl)
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `AmazonSQS.${action}` }
    const body = JSON.stringify(input)
    const endsAt = performance.now() + deadlineMs
    for (let tries = 1; ; tries += 1) {
      try {
        const signed = await sign(host, headers, body, new Date())
        return readAnswer(await postTo(origin)('/', signed, body, endsAt - performance.now()))
      } catch (error) {
        const pauseMs = Math.random() * maxPauseMs
        const isLast = tries === maxTries || performance.now() + pauseMs >= endsAt
        if (isLast || !mayPass(error)) throw error
        await sleep(pauseMs)
      }
    }
  }
}

/**
 * SQS refused a call as a whole. `name` is its type of the error, such as `QueueDoesNotExist`.
 */
export class SqsError extends Error {
  readonly status: number

  constructor(name: string, message: string, status: number) {
    super(message)
    this.name = name
    this.status = status
  }
}

const refusal = z.object({ __type: z.string(), message: z.optional(z.string()) })

function readAnswer({ status, body }: Awaited<ReturnType<Post>>): unknown {
  if (status < 300) return JSON.parse(body)
  const read = readJson(refusal, body)
  if (!read.ok) throw new SqsError('SqsError', `HTTP ${status}`, status)
  const { __type, message = `HTTP ${status}` } = read.value
  throw new SqsError(__type.slice(__type.indexOf('#') + 1), message, status)
}

/** There was no answer, or one that the same request may not get again. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof SqsError)) return true
  return error.status >= 500 || error.status === 429 || /Throttl|SlowDown/.test(error.name)
}
