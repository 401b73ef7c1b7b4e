/**
 * One tap, from the request to what may honestly be said about it. A claim repeats safely: whoever asks again is told of
 * the packet they have, so an answer that was lost costs nothing but another tap.
 */
import { call, type Fetch } from '../http.ts'
import { type Refusal, sureRefusal } from '../refusal.ts'
import { type Packet, readTap } from '../wire.ts'

/** `unsure`: nobody can say whether a packet was caught. `offline`: the tap never left the device. */
export type Tapped = { kind: 'won'; packet: Packet } | Refusal | { kind: 'unsure' | 'offline' }

/** `challenge` is the solved one, where the sale asks for it (R5). */
type Tap = { saleId: string; startToken: string; challenge: string | undefined }

/** `online`: false when the device itself has no connection. */
type Ports = { fetch: Fetch; online: () => boolean }

/** Sends the tap's one request (C7, P2). */
export async function tap({ fetch, online }: Ports, { saleId, startToken, challenge }: Tap): Promise<Tapped> {
  const couldLeave = online()
  const reply = await call(fetch, `/api/sales/${saleId}/packets`, {
    body: { startToken, ...(challenge === undefined ? {} : { challenge }) },
  })
  const packet = reply.kind === 'ok' ? readTap(reply.body) : undefined
  if (packet !== undefined) return { kind: 'won', packet }
  if (reply.kind === 'lost' && !couldLeave) return { kind: 'offline' }
  return sureRefusal(reply) ?? { kind: 'unsure' }
}
