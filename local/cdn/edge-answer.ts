/** Answers that an edge function generated, within CloudFront's rules for such answers. */
import type { ServerResponse } from 'node:http'
import type { CloudFrontHeaders, CloudFrontResultResponse } from 'aws-lambda'
import { headerKind } from './headers.ts'

/** The largest answer a function on the origin's side may generate, headers included. */
const limitBytes = 1024 * 1024

type Prepared = { status: number; headers: string[]; body: Buffer }

// Frozen answers are the same for everybody: they are turned into bytes once.
const prepared = new WeakMap<CloudFrontResultResponse, Prepared>()

/** Sends the answer. Throws Error, naming the fault, where CloudFront would answer 502 instead. */
export function writeEdgeAnswer(response: ServerResponse, answer: CloudFrontResultResponse): void {
  let ready = prepared.get(answer)
  if (ready === undefined) {
    ready = prepare(answer)
    if (Object.isFrozen(answer)) prepared.set(answer, ready)
  }
  response.writeHead(ready.status, ready.headers)
  response.end(ready.body)
}

function prepare(answer: CloudFrontResultResponse): Prepared {
  const { status, body } = generatedContent(answer)
  const headers = flat(answer.headers ?? {})
  headers.push('content-length', String(body.length), ...generated)
  return { status, headers, body }
}

/** Status and body of a generated answer. Throws Error, naming the fault, where CloudFront would answer 502 instead. */
export function generatedContent(answer: CloudFrontResultResponse): { status: number; body: Buffer } {
  const status = Number(answer.status)
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new Error(`the edge function answered with status ${answer.status}`)
  }
  const body = Buffer.from(answer.body ?? '', answer.bodyEncoding === 'base64' ? 'base64' : 'utf8')
  if (status === 204 && body.length > 0) throw new Error('the edge function answered 204 with a body')
  if (body.length > limitBytes) throw new Error(`the edge function answered with ${body.length} bytes`)
  return { status, body }
}

const generated = ['x-cache', 'LambdaGeneratedResponse from cloudfront', 'x-content-type-options', 'nosniff']

function flat(headers: CloudFrontHeaders): string[] {
  const pairs: string[] = []
  for (const name of Object.keys(headers)) {
    const { kind } = headerKind(name)
    if (kind === 'forbidden') throw new Error(`the edge function answered with the forbidden header ${name}`)
    if (name === 'content-length' || name === 'transfer-encoding') continue
    for (const { key, value } of headers[name] ?? []) pairs.push(key ?? name, value)
  }
  return pairs
}
