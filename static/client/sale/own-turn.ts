/** The shopper's own turn in the first seconds of a sale (core/gate/spread.ts), known once the start token is. */
import type { Pass } from '../../../core/gate/pass.ts'
import { spreadMs } from '../../../core/gate/spread.ts'
import type { Countdown } from '../../../core/sale/pointer.ts'

/**
 * Answers when the turn comes, ms after the start: 0 for a sale without spread, and where the page
 * cannot know, so that the shop says it. Undefined while the browser works it out; then `onKnown` is
 * called.
 */
export function ownTurn(onKnown: () => void) {
  let asked = ''
  let turnMs: number | undefined

  async function workOut(startToken: string, shopperHash: string, spreadSeconds: number): Promise<void> {
    const mine = asked
    const digest = await hmacHex(startToken, shopperHash)
    if (mine !== asked) return
    turnMs = spreadMs(digest, spreadSeconds)
    onKnown()
  }

  return (countdown: Countdown | undefined, pass: Pass | undefined): number | undefined => {
    const { startToken, spreadSeconds = 0 } = countdown ?? {}
    if (startToken === undefined || spreadSeconds === 0 || pass === undefined) return 0
    const question = `${startToken} ${pass.shopperHash} ${spreadSeconds}`
    if (question === asked) return turnMs
    asked = question
    turnMs = undefined
    void workOut(startToken, pass.shopperHash, spreadSeconds)
    return undefined
  }
}

/** HMAC-SHA256 in hexadecimal digits. */
async function hmacHex(key: string, text: string): Promise<string> {
  const utf8 = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const signing = await crypto.subtle.importKey('raw', utf8.encode(key), algorithm, false, ['sign'])
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', signing, utf8.encode(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
