/** The request of a click of any kind: what the page has seen goes with it, and a pass when one is missing. */
import { seenHeader } from '../../../core/gate/seen-version.ts'
import { call, type Fetch, type Reply, type Request } from '../lib/http.ts'

/** `seen` is the value of the header. */
type ClickRequest = Required<Pick<Request, 'body'>> & Pick<Request, 'headers'> & { seen: string }

/** Gets a pass, which the browser keeps as a cookie. */
export function getPass(fetch: Fetch): Promise<Reply> {
  return call(fetch, '/api/pass')
}

/** Sends the click; sends it once more when only the pass was missing or invalid. */
export async function sendClick(
  fetch: Fetch,
  path: string,
  { body, headers, seen }: ClickRequest,
): Promise<Reply> {
  const send = () => call(fetch, path, { body, headers: { ...headers, [seenHeader]: seen } })
  const reply = await send()
  if (!wantsPass(reply)) return reply
  const pass = await getPass(fetch)
  return pass.kind === 'ok' ? send() : pass
}

function wantsPass(reply: Reply): boolean {
  if (reply.kind !== 'refused') return false
  return reply.problem?.code === 'sign-in-required' && reply.problem.field === 'pass'
}

const leastDelayMs = 5000
const delaySpreadMs = 5000

/**
 * Milliseconds from a lost answer to the look-up of what became of the request; `random` is from 0 up to 1. A throttled
 * function leaves a whole crowd without an answer in the same second, and its look-ups must not take the capacity that
 * winners need.
 */
export function lookUpDelayMs(random: number): number {
  return Math.round(leastDelayMs + random * delaySpreadMs)
}
