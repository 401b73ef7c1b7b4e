/**
 * One claim, from the request to its result. A claim may be repeated: the answer is the packet that
 * the shopper has, so a lost answer costs one more tap.
 */

import type { ClaimedPacket } from '../../../core/api/shop.ts'
import { sendClick } from '../buy/click-request.ts'
import { type ClickRefusal, sureRefusal } from '../buy/refusal.ts'
import type { Fetch } from '../lib/http.ts'
import { readTap } from '../lib/wire.ts'

/** `unsure`: it is unknown whether a packet was claimed. `offline`: nothing was sent. */
export type Tapped = { kind: 'won'; packet: ClaimedPacket } | ClickRefusal | { kind: 'unsure' | 'offline' }

/**
 * `seen` is what the page has seen of the sale; `challenge` is the solved one, where the sale asks for
 * it (R5).
 */
type Tap = { saleId: string; startToken: string; seen: string; challenge: string | undefined }

/** `online`: false when the device itself has no connection. */
type Ports = { fetch: Fetch; online: () => boolean }

/** Sends the tap's one request (C7, P2). */
export async function tap(
  { fetch, online }: Ports,
  { saleId, startToken, seen, challenge }: Tap,
): Promise<Tapped> {
  const couldLeave = online()
  const reply = await sendClick(fetch, `/api/sales/${saleId}/packets`, {
    seen,
    body: { startToken, challenge },
  })
  const packet = reply.kind === 'ok' ? readTap(reply.body) : undefined
  if (packet !== undefined) return { kind: 'won', packet }
  if (reply.kind === 'lost' && !couldLeave) return { kind: 'offline' }
  return sureRefusal(reply) ?? { kind: 'unsure' }
}
