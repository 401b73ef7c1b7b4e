/**
 * From messages to money in wallets (P2, P8). SQS may deliver a message twice, late or next to one that can never succeed;
 * whatever happens here, a claim is credited once (O6), and a bad message fails alone.
 */
import { type ClaimMessage, claimMessage } from '../../core/claim.ts'
import type { SaleId } from '../../core/ids.ts'
import { readJson } from '../../core/parse.ts'
import { type Made, parseBatch, putAllAside, type SortPorts } from '../lib/parse-batch.ts'
import type { QueueMessage } from '../lib/queue-message.ts'
import type { Offer } from '../orders/offer.ts'
import { type RefreshPorts, refreshSales } from '../sales/publishing/shopfront.ts'
import { budgetOf, type DueClaim, refusedSentences } from './claim-ledger.ts'
import { type CreditPorts, creditClaims, type RefusedClaim } from './credit.ts'

export type Ports = SortPorts & CreditPorts & RefreshPorts

/** A claim, and all the messages that asked for it. */
type ReceivedClaim = DueClaim & { mails: readonly QueueMessage[] }

/**
 * Ids of the messages in `mail` that have to come again; every other message is done. After `deadline` (epoch ms) no
 * transaction is begun, and neither a sale's offer nor its shopfront is waited for.
 *
 * What is left to claim went down before the messages were sent, so the shopfront need not wait for the table.
 */
export async function creditWallets(
  ports: Ports,
  mail: readonly QueueMessage[],
  deadline: number,
): Promise<string[]> {
  const { claims, comeAgain } = await readMessage(ports, mail, deadline)
  const [done] = await Promise.all([
    creditClaims(ports, claims, deadline),
    refreshSales(ports, newestOf(claims), deadline),
  ])
  comeAgain.push(...done.comeAgain.flatMap(({ mails }) => mails.map(({ messageId }) => messageId)))
  comeAgain.push(...(await putAllAside(ports, done.refused.flatMap(lettersOf))))
  ports.meter.count('MessagesFailed', comeAgain.length)
  return comeAgain
}

/** Messages of one claim make one. Its name has packet and shopper, because claims may be at odds about either. */
async function readMessage(
  ports: Ports,
  mails: readonly QueueMessage[],
  deadline: number,
): Promise<{ claims: ReceivedClaim[]; comeAgain: string[] }> {
  const reading = { parse: (body: string) => readJson(claimMessage, body), make: dueClaim }
  const { read, comeAgain } = await parseBatch(ports, mails, reading, deadline)
  const claims = new Map<string, ReceivedClaim>()
  for (const { mail, value } of read) {
    const name = `${value.saleId} ${value.packet} ${value.shopperId}`
    claims.set(name, { ...value, mails: [...(claims.get(name)?.mails ?? []), mail] })
  }
  return { claims: [...claims.values()], comeAgain }
}

function dueClaim(message: ClaimMessage, offer: Offer): Made<DueClaim> {
  return offer.kind === 'red-packet'
    ? { ok: true, value: { ...message, budget: budgetOf(offer) } }
    : { ok: false, detail: `${message.saleId} has no red packets` }
}

/** The newest claim of each sale, epoch ms. */
function newestOf(claims: readonly DueClaim[]): Map<SaleId, number> {
  const newest = new Map<SaleId, number>()
  for (const { saleId, claimedAt } of claims) newest.set(saleId, Math.max(claimedAt, newest.get(saleId) ?? 0))
  return newest
}

function lettersOf({ claim, reason }: RefusedClaim<ReceivedClaim>): { mail: QueueMessage; reason: string }[] {
  return claim.mails.map((mail) => ({ mail, reason: refusedSentences[reason] }))
}
