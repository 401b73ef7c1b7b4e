/**
 * One cold instance of the gate, in a process of its own: loads the bundle, answers one event, and
 * prints the answer and its duration. Its standard input is a `ColdTask` in JSON.
 */
import type { CloudFrontRequestEvent } from 'aws-lambda'

export type ColdTask = { bundle: string; event: CloudFrontRequestEvent }

/** `code` is `forwarded` or the code of a problem. */
export type ColdAnswer = { ms: number; code: string }

const chunks: Buffer[] = []
for await (const chunk of process.stdin) chunks.push(chunk)
const { bundle, event }: ColdTask = JSON.parse(Buffer.concat(chunks).toString())
const { handler } = await import(bundle)
const from = performance.now()
const answer = await handler(event)
const ms = performance.now() - from
const result: ColdAnswer = { ms, code: 'uri' in answer ? 'forwarded' : JSON.parse(answer.body).code }
console.log(JSON.stringify(result))
process.exit(0)
