/**
 * Claims a red packet: one script takes the packet, then the claim message is dispatched. Once the
 * script has succeeded the packet is the shopper's, and no later failure may change the answer.
 */

import { type ClaimMessage, packetIdOf } from '../../core/packets/claim.ts'
import { claim, type Tap, type Tapped } from '../../redis/packets/claim.ts'
import type { Shop } from '../lib/shop/shop.ts'
import type { MetricName } from '../lib/telemetry.ts'
import { type CompletePorts, countingDemand, dispatchDecided, reportToGate } from './complete-admission.ts'
import type { Queue } from './dispatch.ts'

/**
 * `admission` is the epoch second in which the gate counts the request; undefined when it counts
 * none.
 */
export type WantedPacket = Omit<Tap, 'now'> & { admission: number | undefined }

export type ClaimPorts = Pick<Shop, 'stock' | 'clock'> & { queue: Queue<ClaimMessage> } & CompletePorts

/** The metric for each outcome; `Refused` for all others. */
const counts: Partial<Record<Tapped['kind'], MetricName>> = {
  claimed: 'Claimed',
  'sold-out': 'SoldOut',
  repeat: 'Repeated',
}

/**
 * Does not read the table: a packet carries its own amount, so claims continue while the table is
 * unavailable.
 * @throws RedisUnavailable when the outcome is unknown; the call can be repeated
 */
export async function claimPacket(ports: ClaimPorts, { admission, ...wanted }: WantedPacket): Promise<Tapped> {
  const asked = claim(ports.stock, { ...wanted, now: ports.clock() })
  const tapped = await countingDemand(ports, wanted.saleId, asked)
  ports.meter.count(counts[tapped.kind] ?? 'Refused')
  const left = 'booked' in tapped ? tapped : undefined
  const decided = { saleId: wanted.saleId, admission, left }
  if (tapped.kind === 'claimed') {
    const { saleId, packet, requestId } = tapped.message
    // The log names the packet, not the shopper.
    const facts = { packetId: packetIdOf(saleId, packet), requestId }
    await dispatchDecided(ports, tapped.message, decided, facts)
  } else {
    await reportToGate(ports, decided)
  }
  return tapped
}
