/**
 * `POST /api/sales/{saleId}/packets`: parses the request, claims a packet and builds the answer.
 */
import { shopApi } from '../../core/api/shop.ts'
import { walletLookup } from '../../core/buy/lookup.ts'
import { outcomes, type ProblemFacts, problem } from '../../core/outcome.ts'
import { type ClaimMessage, packetIdOf } from '../../core/packets/claim.ts'
import { readClaimRequest } from '../../core/packets/claim-request.ts'
import type { Tapped } from '../../redis/packets/claim.ts'
import { answerOf, type HttpAnswer, invalid, problemAnswer, unavailable } from '../lib/http/answer.ts'
import type { HttpRequest } from '../lib/http/request.ts'
import { type ClaimPorts, claimPacket, type WantedPacket } from './claim.ts'
import { readClick, shutSentences } from './click-http.ts'

/**
 * Answers one claim request.
 * @throws what the ports throw
 */
export async function answerClaim(ports: ClaimPorts, request: HttpRequest): Promise<HttpAnswer> {
  const wanted = readTap(request)
  if ('answer' in wanted) return wanted.answer
  return answerOfClaim(await claimPacket(ports, wanted.packet), ports.clock())
}

function readTap(request: HttpRequest): { packet: WantedPacket } | { answer: HttpAnswer } {
  const read = readClick(request, 'packets')
  if ('answer' in read) return read
  const body = readClaimRequest(request.body)
  if (!body.ok) return { answer: invalid(body.field, body.detail) }
  return { packet: { ...read.click, startToken: body.value.startToken } }
}

function answerOfClaim(tapped: Tapped, now: number): HttpAnswer {
  switch (tapped.kind) {
    case 'claimed':
      // Of a split stock only one shard is known, which says nothing about what is left.
      return packetAnswer(tapped, tapped.remaining === -1 ? {} : { remaining: tapped.remaining })
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
    { ...shopApi.claim, status: outcomes[kind].status },
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
