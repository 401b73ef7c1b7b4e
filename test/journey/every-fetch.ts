/** Compares what this process asks the shop, and what it is answered, with the description of the API. */
import { checkDescribed } from '../../proof/described-api.ts'

const original = globalThis.fetch

/** From now on; again does nothing more. */
export function checkEveryFetch(): void {
  globalThis.fetch = checked
}

async function checked(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const answer = await original(input, init)
  if (typeof input !== 'string' && !(input instanceof URL)) return answer
  const { pathname: path } = new URL(input)
  const mediaType = answer.headers.get('content-type') ?? undefined
  // The distribution itself answers 502 and 504, in plain text.
  if (!path.startsWith('/api/') || (answer.status >= 500 && !/json/.test(mediaType ?? ''))) return answer
  const answered = await answer.clone().text().catch(cutOff)
  const sent = typeof init.body === 'string' ? init.body : undefined
  if (answered !== undefined) {
    const { method = 'GET' } = init
    checkDescribed({ method, path, sent, status: answer.status, mediaType, answered })
  }
  return answer
}

/** Who reads the answer itself finds the same. */
const cutOff = () => undefined
