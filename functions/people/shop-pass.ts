/** The pass of a new session (core/gate/pass.ts), asked of the gate so that the first click has one. */
import { passHeader, passPattern } from '../../core/gate/pass.ts'
import { errorFacts, type Log } from '../lib/telemetry.ts'

/** The gate answers within some tens of milliseconds, or the page asks by itself. */
const timeoutMs = 1000

/** `shop` is the origin of the shop. Undefined when it gives none now. */
export type GetPass = (shop: string, token: string) => Promise<string | undefined>

export function passOfShop(fetch: typeof globalThis.fetch, log: Log): GetPass {
  return async (shop, token) => {
    try {
      const response = await fetch(`${shop}/api/pass`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(timeoutMs),
      })
      // An unread body would keep the connection.
      await response.arrayBuffer()
      const pass = response.headers.get(passHeader) ?? ''
      return passPattern.test(pass) ? pass : undefined
    } catch (error) {
      // A sign-in is good without a pass.
      log.warn('no pass for a new session', errorFacts(error))
      return undefined
    }
  }
}
