/**
 * The tap on a red packet: one script hands a packet out, then the claim is handed on to be credited. Once the script has said
 * yes the packet is the shopper's, and nothing after it may turn the yes into a no.
 */
import { type ClaimMessage, packetIdOf } from '../../core/claim.ts'
import type { ShopperId } from '../../core/ids.ts'
import type { Tap, Tapped } from '../../redis/claim.ts'
import type { MetricName } from '../lib/telemetry.ts'
import { type CompletePorts, publishToGate } from './complete-admission.ts'
import { type DispatchPorts, dispatch } from './dispatch.ts'

/** `admission` is the epoch second in which the gate counts the tap, undefined where it counts none. */
export type WantedPacket = Omit<Tap, 'now'> & { admission: number | undefined }

/** Throws RedisUnavailable when it is unknown whether a packet was handed out; asking again is safe. */
export type Packets = { take: (tap: Tap) => Promise<Tapped> }

type PromisePorts = DispatchPorts<ClaimMessage, ShopperId> & CompletePorts

export type Ports = { packets: Packets; clock: () => number } & PromisePorts

/** What is counted for an answer; `Refused` for all others. */
const counts: Partial<Record<Tapped['kind'], MetricName>> = {
  claimed: 'Claimed',
  'sold-out': 'SoldOut',
  repeat: 'Repeated',
}

/** Throws what the packets throw. The table is not asked: a packet says what it holds, so claims go on while the table is unavailable. */
export async function claimPacket(ports: Ports, { admission, ...wanted }: WantedPacket): Promise<Tapped> {
  const tapped = await ports.packets.take({ ...wanted, now: ports.clock() })
  ports.meter.count(counts[tapped.kind] ?? 'Refused')
  const left = 'booked' in tapped ? tapped : undefined
  await Promise.all([
    tapped.kind === 'claimed' && dispatchClaim(ports, tapped.message),
    publishToGate(ports, { saleId: wanted.saleId, admission, left }),
  ])
  return tapped
}

/** The log names the packet and not who has it. */
function dispatchClaim(ports: Ports, message: ClaimMessage): Promise<void> {
  const { saleId, shopperId, packet, requestId } = message
  const facts = { packetId: packetIdOf(saleId, packet), requestId }
  return dispatch(ports, { message, saleId, id: shopperId, facts })
}
