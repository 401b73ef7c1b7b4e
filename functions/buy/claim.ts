/**
 * `POST /api/sales/{saleId}/packets` claims a red packet: one script takes it, then the claim message is
 * dispatched. Once the script has succeeded the packet is the shopper's, and no later failure may change the
 * answer.
 */

import { purchaseApi } from '../../core/api/purchase.ts'
import { walletLookup } from '../../core/buy/lookup.ts'
import { outcomes, type ProblemFacts, problem } from '../../core/outcome.ts'
import { type ClaimMessage, packetIdOf } from '../../core/packets/claim.ts'
import { claim, type Tap, type Tapped } from '../../redis/packets/claim.ts'
import { answerOf, type HttpAnswer, problemAnswer, unavailable } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import type { Shop } from '../lib/shop/shop.ts'
import type { MetricName } from '../lib/telemetry.ts'
import { clickOf, shutSentences } from './click-http.ts'
import { type CompletePorts, countingDemand, dispatchDecided, type Queue, reportToGate } from './complete-admission.ts'

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

const routes = [
  on(purchaseApi.claim, async (ports: ClaimPorts, call) => {
    const { startToken } = call.body
    return answerOfClaim(await claimPacket(ports, { ...clickOf(call), startToken }), ports.clock())
  }),
]

/** Answers claims of red packets. */
export const claimApp = (ports: ClaimPorts) => createApp(ports, routes, forShoppers)

function answerOfClaim(tapped: Tapped, now: number): HttpAnswer {
  switch (tapped.kind) {
    case 'claimed':
      return packetAnswer(tapped, { remaining: tapped.remaining })
    case 'repeat':
      return packetAnswer(tapped, { repeat: true })
    // The gate knows the sale, so missing stock was lost and is being recovered (P10).
    case 'unknown-sale':
    case 'unavailable':
      return unavailable(Math.random)
    default:
      return problemAnswer(problem(tapped.kind, sentences[tapped.kind], factsOf(tapped, now)))
  }
}

function packetAnswer(
  { kind, message }: { kind: 'claimed' | 'repeat'; message: ClaimMessage },
  more: { remaining?: number; repeat?: true },
): HttpAnswer {
  const { saleId, packet, amount, currency } = message
  return answerOf(
    { ...purchaseApi.claim, status: outcomes[kind].status },
    {
      packetId: packetIdOf(saleId, packet),
      amount,
      currency,
      ...more,
    },
  )
}

const sentences = { ...shutSentences, 'sold-out': 'Every red packet has been claimed.' } as const

function factsOf(refusal: Tapped, now: number): ProblemFacts {
  const lookup = walletLookup
  if (refusal.kind === 'sold-out') return { remaining: refusal.remaining, lookup }
  if (refusal.kind === 'ended' || refusal.kind === 'stale-page') return { lookup }
  return refusal.kind === 'not-started' ? { now } : {}
}
