/**
 * The tap on a red packet: one script hands a packet out, then the claim is handed on to be credited. Once the script has said
 * yes the packet is the shopper's, and nothing after it may turn the yes into a no.
 */
import { type ClaimMessage, packetIdOf } from '../../core/claim.ts'
import type { ShopperId } from '../../core/ids.ts'
import type { Tap, Tapped } from '../../redis/claim.ts'
import type { Offers } from '../order-life/offer.ts'
import { type HandOnPorts, handOn } from '../promise/hand-on.ts'
import { type TellGatePorts, tellGate } from '../promise/tell-gate.ts'
import type { MetricName } from '../telemetry.ts'

/** `admission` is the epoch second in which the gate counts the tap, undefined where it counts none. */
export type WantedPacket = Omit<Tap, 'now'> & { admission: number | undefined }

/** Throws RedisUnavailable when it is unknown whether a packet was handed out; asking again is safe. */
export type Packets = { take: (tap: Tap) => Promise<Tapped> }

type PromisePorts = HandOnPorts<ClaimMessage, ShopperId> & TellGatePorts

export type Ports = { packets: Packets; offers: Offers; clock: () => number } & PromisePorts

/** What became of a tap; `currency` is that of the amounts of the sale. `no-packets`: there is no such sale of red packets. */
export type Claimed = { kind: 'tapped'; tapped: Tapped; currency: string } | { kind: 'no-packets' }

/** What is counted for an answer; `Refused` for all others. */
const counts: Partial<Record<Tapped['kind'], MetricName>> = {
  claimed: 'Claimed',
  'sold-out': 'SoldOut',
  repeat: 'Repeated',
}

/**
 * Throws what the sale cannot be looked up with, having handed out nothing, and what the packets throw. The sale comes first,
 * because an answer without its currency would be no answer to a shopper whose packet is gone from the shelf.
 */
export async function claimPacket(ports: Ports, wanted: WantedPacket): Promise<Claimed> {
  const { admission, ...rest } = wanted
  const { saleId } = wanted
  const offer = await ports.offers.of(saleId)
  if (offer?.kind !== 'red-packet') {
    ports.meter.count('Refused')
    await tellGate(ports, { saleId, admission, left: undefined })
    return { kind: 'no-packets' }
  }
  const tapped = await ports.packets.take({ ...rest, now: ports.clock() })
  ports.meter.count(counts[tapped.kind] ?? 'Refused')
  const left = 'booked' in tapped ? tapped : undefined
  await Promise.all([
    tapped.kind === 'claimed' && handOnClaim(ports, tapped.message),
    tellGate(ports, { saleId, admission, left }),
  ])
  return { kind: 'tapped', tapped, currency: offer.currency }
}

/** The log names the packet and not who has it. */
function handOnClaim(ports: Ports, message: ClaimMessage): Promise<void> {
  const { saleId, shopperId, packet, requestId } = message
  const facts = { packetId: packetIdOf(saleId, packet), requestId }
  return handOn(ports, { message, saleId, id: shopperId, facts })
}
