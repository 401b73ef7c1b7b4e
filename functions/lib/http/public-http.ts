/**
 * Calls addresses of other companies. Marketers name them, so they must not lead into the shop's own network: it connects
 * only to public addresses, uses exactly the address that it checked, and follows no redirect.
 */
import { type LookupAddress, lookup as systemLookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { decodeJson } from '../../../core/lib/json.ts'
import { userAgent } from '../../../core/lib/user-agent.ts'

/** The message tells the person who named the address what is wrong with it. */
export class NotReadable extends Error {
  override name = 'NotReadable'
}

/** @throws NotReadable */
export type ReadPublicJson = (url: string) => Promise<unknown>

/**
 * Resolves with the status of the answer, also of a refusal. A receiver may send its status before it does its work, so
 * the answer counts only when it is complete or exceeds the size limit.
 * @throws NotReadable when the answer is late or breaks off
 */
export type PostPublic = (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<number>

const readTimeoutMs = 5000
export const postTimeoutMs = 10_000
const maxBytes = 100_000
const maxAnswerBytes = 64 * 1024

/** A server has several addresses, and some may not answer. Each is tried for this share of the time. */
const addressShare = 1 / 4

type Options = {
  /** Allows http and addresses of the own network. For one machine only. */
  allowsAnyAddress: boolean
  /** The address of this shop, for the operators of other servers. */
  shopUrl?: string | undefined
  /** Resolves names; tests pass their own. */
  lookup?: typeof systemLookup
}

export function publicJson(options: Options): ReadPublicJson {
  const exchange = publicExchange(options)
  return async (url) => {
    const time = timer(readTimeoutMs)
    const response = await exchange(url, { method: 'GET', headers: {} }, time)
    if (response.statusCode !== 200) {
      response.destroy()
      throw new NotReadable(`it answers ${response.statusCode}, and must answer 200 without a redirect`)
    }
    const body = await bodyOf(response, time, maxBytes)
    if (body === undefined) throw new NotReadable(`it answers more than ${maxBytes} bytes`)
    const json = decodeJson(body)
    if (!json.ok) throw new NotReadable('what it answers is not JSON')
    return json.value
  }
}

/** Returns a function that posts to public addresses. `limitMs` limits the whole exchange. */
export function publicPost(options: Options, limitMs = postTimeoutMs): PostPublic {
  const exchange = publicExchange(options)
  return async (url, headers, body) => {
    const length = String(Buffer.byteLength(body))
    const sent = { method: 'POST' as const, headers: { ...headers, 'content-length': length }, body }
    const time = timer(limitMs)
    const response = await exchange(url, sent, time)
    await bodyOf(response, time, maxAnswerBytes)
    return response.statusCode ?? 0
  }
}

/** Limits the whole exchange: otherwise a server that sends a byte now and then keeps the connection. */
type Timer = { signal: AbortSignal; ms: number }
const timer = (ms: number): Timer => ({ signal: AbortSignal.timeout(ms), ms })

type OutgoingRequest = { method: 'GET' | 'POST'; headers: Readonly<Record<string, string>>; body?: string }

function publicExchange({ allowsAnyAddress, shopUrl, lookup = systemLookup }: Options) {
  const isAllowed = (address: string) => allowsAnyAddress || isPublic(address)

  /** The connection uses the address that this function checked; no name is resolved twice. */
  const checkedLookup: LookupFunction = (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found: readonly LookupAddress[]) => {
      if (error !== null) return done(error, [])
      const [first] = found
      if (first === undefined || !found.every(({ address }) => isAllowed(address))) {
        return done(new NotReadable('its name leads to an address that is not public'), [])
      }
      return options.all ? done(null, [...found]) : done(null, first.address, first.family)
    })
  }

  return async (text: string, sent: OutgoingRequest, time: Timer): Promise<IncomingMessage> => {
    const url = new URL(text)
    if (url.protocol !== 'https:' && !(allowsAnyAddress && url.protocol === 'http:')) {
      throw new NotReadable('it is not an https address')
    }
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    if (isIP(host) !== 0 && !isAllowed(host)) throw new NotReadable('it is not a public address')
    const headers = { accept: 'application/json', 'user-agent': userAgent(shopUrl), ...sent.headers }
    return send(url, { ...sent, headers }, checkedLookup, time)
  }
}

/** The IPv6 addresses of the public internet (RFC 4291, 2.4). `range()` does not know all other uses. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/** True for an address of the public internet (RFC 6890). */
function isPublic(text: string): boolean {
  const address = ipaddr.process(text)
  const isGlobal = address.kind() === 'ipv4' || address.match(globalUnicast)
  return isGlobal && address.range() === 'unicast'
}

function send(
  url: URL,
  { method, headers, body }: OutgoingRequest,
  lookup: LookupFunction,
  time: Timer,
): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const autoSelectFamilyAttemptTimeout = Math.ceil(time.ms * addressShare)
  const options = { method, lookup, signal: time.signal, agent: false, headers, autoSelectFamilyAttemptTimeout }
  const sent = request(url, options)
  sent.once('response', resolve)
  // Not once: a response that breaks off is an error as well.
  sent.on('error', (error) => reject(notReadable(error, time)))
  sent.end(body)
  return promise
}

/** Reads the whole answer. Ends the connection and resolves with undefined after more than `limitBytes`. */
async function bodyOf(response: IncomingMessage, time: Timer, limitBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += chunk.length
      if (bytes > limitBytes) return undefined
      chunks.push(chunk)
    }
  } catch (error) {
    throw notReadable(error, time)
  }
  return Buffer.concat(chunks)
}

function notReadable(error: unknown, { signal, ms }: Timer): NotReadable {
  if (error instanceof NotReadable) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  const what = signal.aborted ? `it does not answer within ${ms / 1000} s` : `it cannot be reached (${code})`
  return new NotReadable(what, { cause: error })
}
