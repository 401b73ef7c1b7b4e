/**
 * The HTTP address that Sluice posts its events to. It answers 2xx only when the event is in the journal, so
 * that Sluice sends again what this program could not keep.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

/** Sluice signs each try anew, so an older one is a repeat by someone else. */
const toleranceSeconds = 300
const mostBytes = 256 * 1024

/**
 * True when a request was signed with `secret` (`whsec_…`) within five minutes of `now` (epoch ms). During a rotation the
 * header has several signatures; one is enough.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {string} body
 * @param {string} secret
 * @param {number} now
 */
export function isSigned(headers, body, secret, now) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  return signatures.split(' ').some((one) => {
    const given = Buffer.from(one.startsWith('v1,') ? one.slice(3) : '', 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

/**
 * `accept` stores an event and resolves when it is on the disk. `health` is what `GET /health` shows.
 * @param {{ secret: string, now: () => number, accept: (id: string, event: import('./order.js').Event) => Promise<void>, health: () => object, log: (line: string) => void }} ports
 */
export function createReceiver({ secret, now, accept, health, log }) {
  return createServer(async (request, response) => {
    /** @param {number} status @param {object} [body] */
    const answer = (status, body) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body && JSON.stringify(body))
    }
    try {
      if (request.method === 'GET' && request.url === '/health') return answer(200, health())
      if (request.method !== 'POST' || request.url !== '/events') return answer(404)
      const body = await textOf(request)
      if (body === undefined) return answer(413)
      if (!isSigned(request.headers, body, secret, now())) return answer(401)
      await accept(String(request.headers['webhook-id']), JSON.parse(body))
      answer(204)
    } catch (failure) {
      log(`An event could not be stored: ${failure instanceof Error ? failure.message : failure}`)
      answer(503)
    }
  })
}

/**
 * The body, or `undefined` when it is too long.
 * @param {import('node:http').IncomingMessage} request
 */
async function textOf(request) {
  const chunks = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
