/**
 * Explains error answers of CloudFront, Lambda and WAF between the gate and a function by their usual causes. GETs alone
 * would not show them.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-lambda.html
 */
import { isFromGate, problemCodeOf, type SmokeReply } from './request.ts'

type Cause = { status: number; text?: RegExp; hint: string }

const causes: readonly Cause[] = [
  {
    status: 403,
    text: /InvalidSignature|signature we calculated does not match/i,
    hint: 'CloudFront signed other bytes than it sent: does the gate run on origin-request with the body included, and set x-amz-content-sha256?',
  },
  {
    status: 403,
    text: /Missing ?Authentication ?Token|not signed/i,
    hint: 'CloudFront did not sign: does the origin of this path have its origin access control (sign always)?',
  },
  {
    status: 403,
    text: /AccessDenied|Forbidden|not authorized/i,
    hint: 'The function refused the distribution: it must be allowed lambda:InvokeFunctionUrl and lambda:InvokeFunction with the ARN of this distribution.',
  },
  { status: 403, text: /HTTP request method/i, hint: 'The behaviour of this path does not allow POST.' },
  { status: 403, text: /Request blocked/i, hint: 'The firewall (WAF) blocked it: see its sampled requests.' },
  {
    status: 403,
    hint: 'Neither gate nor function sends this: see the origin access control and the permissions of the function.',
  },
  { status: 429, hint: 'Lambda is throttled: see the concurrency that is reserved, and the quota of the account.' },
  { status: 500, hint: 'The function failed: see its log.' },
  {
    status: 502,
    hint: 'The gate or the function broke: see the log of the gate in the Region next to you, and that of the function.',
  },
  {
    status: 503,
    hint: 'The gate failed or is throttled: see its log in the Region next to you, and the quota of its concurrency there.',
  },
  { status: 504, hint: 'The function did not answer in time: see its log.' },
]

/** Returns the likely cause of an unexpected answer. Most problem documents explain themselves. */
export function hintFor(reply: SmokeReply): string | undefined {
  if (problemCodeOf(reply) !== undefined) return hintForOurs(reply)
  const said = `${reply.headers.get('x-amzn-errortype') ?? ''} ${reply.text}`
  return causes.find(({ status, text }) => status === reply.status && (text?.test(said) ?? true))?.hint
}

function hintForOurs(reply: SmokeReply): string | undefined {
  if (problemCodeOf(reply) !== 'unavailable') return undefined
  return isFromGate(reply)
    ? 'The gate cannot read its flags: are the address and the token of its Redis right?'
    : 'The function cannot reach one of its stores: see its log.'
}
