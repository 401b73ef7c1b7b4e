/**
 * `POST /api/sales/{saleId}/packets`: parses the request, claims a packet and builds the answer.
 */
import { purchaseApi } from '../../core/api/purchase.ts'
import { walletLookup } from '../../core/buy/lookup.ts'
import { outcomes, type ProblemFacts, problem } from '../../core/outcome.ts'
import { type ClaimMessage, packetIdOf } from '../../core/packets/claim.ts'
import type { Tapped } from '../../redis/packets/claim.ts'
import { answerOf, type HttpAnswer, problemAnswer, unavailable } from '../lib/http/answer.ts'
import { createApp, forShoppers, on } from '../lib/http/app.ts'
import { type ClaimPorts, claimPacket } from './claim.ts'
import { clickOf, shutSentences } from './click-http.ts'

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
