/**
 * Reads the beacon over the HTTP API of drand's relays (https://docs.drand.love/developer/http-api). It queries all mirrors
 * at once and takes the first answer that verifies, so a lying or hanging mirror does no harm while another one is right.
 */
import * as z from 'zod/mini'
import { readJson } from '../../../core/lib/parse.ts'
import { userAgent } from '../../../core/lib/user-agent.ts'
import { type Beacon, verifyRound } from '../core/beacon.ts'
import { type BeaconChain, timeOfRound } from '../core/rules.ts'

/** The relays of quicknet, which different operators run. */
export const drandMirrors = [
  'https://api.drand.sh',
  'https://api2.drand.sh',
  'https://api3.drand.sh',
  'https://drand.cloudflare.com',
]

/** `clock` gives epoch ms; `timeoutMs` is the timeout of one mirror. `shopUrl` identifies the shop to a relay. */
export type DrandAccess = {
  chain: BeaconChain
  mirrors: readonly string[]
  clock: () => number
  timeoutMs: number
  shopUrl?: string | undefined
}

/** A round is about 200 bytes. */
const maxBytes = 1024

const publishedRound = z.object({ signature: z.string('must be a string') }, 'must be an object')

export function drandBeacon({ chain, mirrors, clock, timeoutMs, shopUrl }: DrandAccess): Beacon {
  const headers = { accept: 'application/json', 'user-agent': userAgent(shopUrl) }
  const ask = async (mirror: string, round: number, ended: AbortSignal) => {
    const signal = AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)])
    try {
      const response = await fetch(`${mirror}/${chain.hash}/public/${round}`, { headers, redirect: 'error', signal })
      const json = await bytesOf(response)
      if (response.status !== 200) throw new Error(`status ${response.status}`)
      const read = readJson(publishedRound, json)
      if (!read.ok) throw new Error(read.detail)
      const verified = verifyRound(chain, round, read.value.signature)
      if (verified === undefined) throw new Error(`signature does not verify for round ${round}`)
      return verified
    } catch (cause) {
      const { message, cause: reason } = cause as Error
      throw new Error(`${mirror}: ${reason instanceof Error ? reason.message : message}`, { cause })
    }
  }
  return {
    async round(round) {
      const due = timeOfRound(chain, round)
      // An early request could leave a "not found" in the mirrors' caches.
      if (clock() < due) return { kind: 'late', reasons: [`due at ${new Date(due).toISOString()}`] }
      const ended = new AbortController()
      try {
        const first = await Promise.any(mirrors.map((mirror) => ask(mirror, round, ended.signal)))
        return { kind: 'published', ...first }
      } catch (error) {
        return { kind: 'late', reasons: (error as AggregateError).errors.map(({ message }) => message) }
      } finally {
        ended.abort()
      }
    },
  }
}

/** Reads the body. @throws when it is longer than a round can be */
async function bytesOf(response: Response): Promise<Uint8Array> {
  const bytes: number[] = []
  for await (const part of response.body ?? []) {
    bytes.push(...part.subarray(0, maxBytes + 1))
    if (bytes.length > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
  }
  return new Uint8Array(bytes)
}
