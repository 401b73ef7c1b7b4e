/**
 * Credits wallets from messages (P2, P8). SQS may deliver a message twice, late, or beside one that
 * can never succeed; still, a claim is credited once (O6), and a bad message fails alone.
 */

import { readJson } from '../../core/lib/parse.ts'
import { type ClaimMessage, claimMessage } from '../../core/packets/claim.ts'
import { budgetOf } from '../../core/packets/packets.ts'
import type { ClaimName } from '../../redis/packets/stored-claims.ts'
import { type AcknowledgePorts, acknowledgeBatch, type Done } from '../lib/acknowledge.ts'
import type { Offer } from '../lib/offer.ts'
import { type Made, type ParsePorts, parseBatch, rejectAllToDlq } from '../lib/parse-batch.ts'
import type { QueueMessage } from '../lib/queue-consumer.ts'
import type { Shop } from '../lib/shop/shop.ts'
import { refreshSales } from '../sales/publishing/shopfront.ts'
import { type DueClaim, refusedSentences } from '../table/packets/claim-ledger.ts'
import { creditClaims, type RefusedClaim } from './credit.ts'

export type CreditPorts = ParsePorts &
  Pick<Shop, 'table' | 'clock' | 'sleep' | 'shopfront' | 'meter' | 'log'> &
  AcknowledgePorts<ClaimName>

/** A claim, and all its messages. */
type ReceivedClaim = DueClaim & Pick<ClaimMessage, 'admitted'> & { sources: readonly QueueMessage[] }

/**
 * The ids of the messages that must be redelivered; every other message is done. After `deadline`
 * (epoch ms) no transaction begins, and no offer or shopfront is waited for.
 *
 * The shopfront comes last, when the messages have left their outbox: so the batch that empties it
 * publishes the final count.
 */
export async function creditWallets(
  ports: CreditPorts,
  messages: readonly QueueMessage[],
  deadline: number,
): Promise<string[]> {
  const { claims, putAside, comeAgain } = await readMessages(ports, messages, deadline)
  const done = await creditClaims(ports, claims, deadline)
  comeAgain.push(...done.comeAgain.flatMap(({ sources }) => sources.map(({ messageId }) => messageId)))
  const rejected = await rejectAllToDlq(ports, done.refused.flatMap(rejectedMessages))
  comeAgain.push(...rejected.comeAgain)
  await acknowledgeBatch(ports, [
    ...done.credited.map((claim) => ({ ...nameOf(claim), admitted: claim.admitted })),
    // The gate has learned of these before, or they took nothing from the budget.
    ...[...done.repeats, ...putAside, ...rejected.moved.map(({ claim }) => claim)].map(nameOf),
  ])
  await refreshSales(ports, new Set(claims.map(({ saleId }) => saleId)), deadline)
  ports.meter.count('MessagesFailed', comeAgain.length)
  return comeAgain
}

/**
 * Messages of one claim are merged. The key has packet and shopper, because claims may disagree
 * about either.
 */
async function readMessages(
  ports: CreditPorts,
  messages: readonly QueueMessage[],
  deadline: number,
): Promise<{ claims: ReceivedClaim[]; putAside: ClaimMessage[]; comeAgain: string[] }> {
  const reading = { parse: (body: string) => readJson(claimMessage, body), make: dueClaim }
  const { read, ...rest } = await parseBatch(ports, messages, reading, deadline)
  const claims = new Map<string, ReceivedClaim>()
  for (const { source, value } of read) {
    const name = `${value.saleId} ${value.packet} ${value.shopperId}`
    claims.set(name, { ...value, sources: [...(claims.get(name)?.sources ?? []), source] })
  }
  return { claims: [...claims.values()], ...rest }
}

/** The name of a claim in the outbox. */
function nameOf({ saleId, shopperId, packet }: ClaimName & Pick<DueClaim, 'saleId'>): Done<ClaimName> {
  return { saleId, id: { shopperId, packet } }
}

function dueClaim(message: ClaimMessage, offer: Offer): Made<DueClaim & Pick<ClaimMessage, 'admitted'>> {
  return offer.kind === 'red-packet'
    ? { ok: true, value: { ...message, budget: budgetOf(offer) } }
    : { ok: false, detail: `${message.saleId} has no red packets` }
}

function rejectedMessages({
  claim,
  reason,
}: RefusedClaim<ReceivedClaim>): { claim: ReceivedClaim; source: QueueMessage; reason: string }[] {
  return claim.sources.map((source) => ({ claim, source, reason: refusedSentences[reason] }))
}
