/**
 * Runs the function that sees the bucket's answers before they are cached, within CloudFront's
 * rules for such functions.
 */
import { STATUS_CODES } from 'node:http'
import type { CloudFrontHeaders, CloudFrontResponseEvent } from 'aws-lambda'
import type { OriginAnswer } from '../origin.ts'
import { generatedContent } from './edge-answer.ts'
import { eventConfig, via } from './edge-event.ts'
import type { ResponseFunction } from './edge-function.ts'
import { illegalResponseHeader, responseHeaderKind } from './headers.ts'

/**
 * The function's version of the bucket's answer for the object `uri`. A body that it does not set
 * stays unchanged.
 * @throws Error with the reason, where CloudFront would answer 502 instead
 */
export async function afterOrigin(
  run: ResponseFunction,
  uri: string,
  answer: OriginAnswer,
): Promise<OriginAnswer> {
  const { headers, readOnly } = seen(answer)
  const result = await run(responseEvent(uri, answer.status, headers))
  const returned = result.headers ?? {}
  const illegal = illegalResponseHeader(returned, readOnly)
  if (illegal !== undefined) throw new Error(`the edge function may not touch the header ${illegal}`)
  const { status, body } = generatedContent(result)
  return { status, headers: joined(returned), body: result.body === undefined ? answer.body : body }
}

/**
 * The event has no body: CloudFront passes none.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/lambda-event-structure.html
 */
function responseEvent(uri: string, status: number, headers: CloudFrontHeaders): CloudFrontResponseEvent {
  const domainName = 'site.s3.local'
  const request = {
    // The shared cache loads on behalf of all viewers, so the event names none of them.
    clientIp: '127.0.0.1',
    method: 'GET',
    querystring: '',
    uri,
    headers: {
      host: [{ key: 'Host', value: domainName }],
      'user-agent': [{ key: 'User-Agent', value: 'Amazon CloudFront' }],
      via: [{ key: 'Via', value: via }],
    },
    origin: { s3: { authMethod: 'none' as const, customHeaders: {}, domainName, path: '' } },
  }
  const response = { status: String(status), statusDescription: STATUS_CODES[status] ?? '', headers }
  return { Records: [{ cf: { config: eventConfig('origin-response'), request, response } }] }
}

/** The bucket's headers as the function sees them, and those that it must return unchanged. */
function seen({ headers }: OriginAnswer): { headers: CloudFrontHeaders; readOnly: string[] } {
  const shown: CloudFrontHeaders = {}
  const readOnly: string[] = []
  for (const [name, given = []] of Object.entries(headers)) {
    const { kind } = responseHeaderKind(name)
    if (kind === 'forbidden') continue
    const values = Array.isArray(given) ? given : [given]
    shown[name] = values.map((value) => ({ key: name, value }))
    if (kind === 'read-only') readOnly.push(...values.flatMap((value) => [name, value]))
  }
  return { headers: shown, readOnly }
}

function joined(headers: CloudFrontHeaders): Record<string, string> {
  const lines = Object.entries(headers).map(([name, values]) => [
    name,
    values.map(({ value }) => value).join(', '),
  ])
  return Object.fromEntries(lines)
}
