/**
 * What stands between the gate and a function speaks another language than we do. Each of these answers to a POST has one
 * usual cause, and none of them shows while only GETs are tried.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-lambda.html
 */
import { isFromGate, problemCodeOf, type Reply } from './ask.ts'

type Cause = { status: number; says?: RegExp; hint: string }

const causes: readonly Cause[] = [
  {
    status: 403,
    says: /InvalidSignature|signature we calculated does not match/i,
    hint: 'CloudFront signed other bytes than it sent: does the gate run on origin-request with the body included, and set x-amz-content-sha256?',
  },
  {
    status: 403,
    says: /Missing ?Authentication ?Token|not signed/i,
    hint: 'CloudFront did not sign: does the origin of this path have its origin access control (sign always)?',
  },
  {
    status: 403,
    says: /AccessDenied|Forbidden|not authorized/i,
    hint: 'The function refused the distribution: it must be allowed lambda:InvokeFunctionUrl and lambda:InvokeFunction with the ARN of this distribution.',
  },
  {
    status: 403,
    says: /HTTP request method/i,
    hint: 'The behaviour of this path does not allow POST.',
  },
  {
    status: 403,
    says: /Request blocked/i,
    hint: 'The firewall (WAF) blocked it: see its sampled requests.',
  },
  {
    status: 403,
    hint: 'Neither gate nor function says this: see the origin access control and the permissions of the function.',
  },
  {
    status: 429,
    hint: 'Lambda is throttled: see the concurrency that is reserved, and the quota of the account.',
  },
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

/** Where to look after an answer that is no problem document of ours. A problem document tells its reason by itself. */
export function hintFor(reply: Reply): string | undefined {
  if (problemCodeOf(reply) !== undefined) return hintForOurs(reply)
  const said = `${reply.headers.get('x-amzn-errortype') ?? ''} ${reply.text}`
  return causes.find(({ status, says }) => status === reply.status && (says?.test(said) ?? true))?.hint
}

function hintForOurs(reply: Reply): string | undefined {
  if (problemCodeOf(reply) !== 'unavailable') return undefined
  return isFromGate(reply)
    ? 'The gate cannot read its flags: are the address and the token of its Redis right?'
    : 'The function cannot reach a store of its own: see its log.'
}
