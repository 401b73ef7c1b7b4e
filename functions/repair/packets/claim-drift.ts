/**
 * Keeps the claims of a sale of red packets true. What a shopper was handed out in Redis must come
 * to their wallet, so a claim that stayed in the outbox, or whose message was lost, is credited
 * here as its consumer would have done. A claim that the table knows and Redis does not is one that
 * Redis lost. It gets its packet out of those that are held back, and where the packet is not among
 * them the sale is to be recovered.
 */

import type { SaleId, ShopperId } from '../../../core/ids.ts'
import { slicesOf } from '../../../core/lib/slices.ts'
import type { ClaimMessage } from '../../../core/packets/claim.ts'
import { budgetOf } from '../../../core/packets/packets.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { outboxSize } from '../../../redis/orders/outbox.ts'
import {
  acknowledgeClaims,
  claimPages,
  claimsPerPage,
  pendingClaimPages,
  restoreAllClaims,
} from '../../../redis/packets/stored-claims.ts'
import { onlyShard } from '../../../redis/shards.ts'
import { readStock } from '../../../redis/stock/stock.ts'
import { rejectToDlq } from '../../lib/queue-consumer.ts'
import { creditClaims } from '../../packets/credit.ts'
import { type CreditedClaim, creditedClaimPages, refusedSentences } from '../../table/packets/claim-ledger.ts'
import { saleTotals } from '../../table/sale/sale-orders.ts'
import type { OutboxResent } from '../orders/resend-outbox.ts'
import type { RepairPorts, Timed } from '../ports.ts'
import { driftOf } from '../stock/drift.ts'

/** Claims credited between two looks at the clock. */
const pageSize = 330

/**
 * Credits the claims in the outbox that are older than `ageMs`, beginning no transaction once the time has ended.
 * @throws when the stock is unavailable
 */
export async function creditOutbox(ports: Timed, sale: Sale, ageMs: number): Promise<OutboxResent> {
  const { saleId } = sale
  const sum: OutboxResent = { resent: 0, waiting: 0, oldestAgeMs: 0, givenUp: 0 }
  const now = ports.clock()
  for await (const page of pendingClaimPages(await onlyShard(ports.stock, saleId), saleId, claimsPerPage)) {
    sum.waiting += page.length
    sum.oldestAgeMs = Math.max(sum.oldestAgeMs, ...page.map(({ claimedAt }) => now - claimedAt))
    const due = page.filter(({ claimedAt }) => now - claimedAt >= ageMs)
    const { credited, done } = await credit(ports, sale, due)
    await acknowledgeClaims(ports.stock, saleId, done)
    sum.resent += credited
    sum.waiting -= done.length
    sum.givenUp += done.length - credited
  }
  return sum
}

/**
 * Claimed − credited, or null while claims are on their way, and where there is no stock or nothing
 * in the table.
 */
export async function claimDrift(
  { stock, claimQueue, table, log }: RepairPorts,
  saleId: SaleId,
): Promise<number | null> {
  const before = await readStock(stock, saleId)
  const waiting = await outboxSize(stock, saleId)
  if (before === undefined || before.frozen) return null
  const queue = await claimQueue.depth().catch(() => {
    log.warn('the queue of claims does not answer; Redis and the table are not compared', { saleId })
    return undefined
  })
  const totals = await saleTotals(table, saleId)
  if (queue === undefined || totals === undefined) return null
  const drift = driftOf(before, totals, { outbox: waiting, queue })
  const after = await readStock(stock, saleId)
  return after?.booked === before.booked ? drift : null
}

export type CreditedByShopper = ReadonlyMap<ShopperId, CreditedClaim>

/** What the table knows of the sale's claims; undefined when there was no time for all. */
export async function readCredited(
  { table, clock, deadline }: Timed,
  saleId: SaleId,
): Promise<CreditedByShopper | undefined> {
  const found = new Map<ShopperId, CreditedClaim>()
  for await (const page of creditedClaimPages(table, saleId)) {
    for (const claim of page) found.set(claim.shopperId, claim)
    if (clock() >= deadline) return undefined
  }
  return found
}

/**
 * Credits claims that Redis has handed out and the table does not know. `listed` was read before, so what is on it
 * and not in Redis was lost there, and is restored. `isForgetful`: a claim cannot be restored, or the table refuses
 * one of Redis. `left` counts what is still to be credited. Undefined when there was no time for all.
 */
export async function creditMissing(
  ports: Timed,
  sale: Sale,
  listed: CreditedByShopper,
  ageMs: number,
): Promise<{ credited: number; restored: number; left: number; isForgetful: boolean } | undefined> {
  const { clock, log, deadline } = ports
  const { saleId } = sale
  const oldest = clock() - ageMs
  const compared = await compareEach(ports, saleId, listed)
  if (compared === undefined) return undefined
  const { missing, lost } = compared
  const back = lost.size === 0 ? nothingLost : await restoreAllClaims(ports.stock, saleId, [...lost.values()])
  const { restored, refused: forgotten } = back ?? { restored: 0, refused: lost.size }
  if (restored > 0) log.warn('claims restored that Redis had lost', { saleId, claims: restored })
  if (forgotten > 0) log.error('Redis has forgotten claims', { saleId, forgotten })
  let credited = 0
  let refused = 0
  let left = missing.size
  const due = [...missing.values()].filter(({ claimedAt }) => claimedAt <= oldest)
  for (const some of slicesOf(due, pageSize)) {
    if (clock() >= deadline) return undefined
    const sum = await credit(ports, sale, some)
    credited += sum.credited
    refused += sum.refused
    left -= sum.done.length
  }
  if (credited > 0) log.warn('claims credited whose message was lost', { saleId, claims: credited })
  return { credited, restored, left, isForgetful: forgotten + refused > 0 }
}

const nothingLost = { restored: 0, refused: 0 }

type Compared = { missing: Map<ShopperId, ClaimMessage>; lost: Map<ShopperId, CreditedClaim> }

/**
 * The claims of Redis that the table does not know, and those of the table that Redis does not have.
 * Undefined when there was no time for all.
 */
async function compareEach(
  { stock, clock, deadline }: Timed,
  saleId: SaleId,
  listed: CreditedByShopper,
): Promise<Compared | undefined> {
  const missing = new Map<ShopperId, ClaimMessage>()
  const lost = new Map(listed)
  for await (const page of claimPages(await onlyShard(stock, saleId), saleId, claimsPerPage)) {
    for (const claim of page) {
      const there = listed.get(claim.shopperId)
      if (there === undefined) missing.set(claim.shopperId, claim)
      else if (there.packet === claim.packet) lost.delete(claim.shopperId)
    }
    if (clock() >= deadline) return undefined
  }
  return { missing, lost }
}

/**
 * `done` need not come again: they are in their wallets now, were before, or are put aside because
 * they never can be.
 */
async function credit(
  ports: Timed,
  sale: Sale,
  due: readonly ClaimMessage[],
): Promise<{ credited: number; refused: number; done: ClaimMessage[] }> {
  const budget = budgetOf(sale)
  const messages = new Map(due.map((message) => [message.shopperId, message]))
  const wanted = due.map((message) => ({ ...message, budget }))
  const sum = await creditClaims(ports, wanted, ports.deadline)
  const ids = [...sum.credited, ...sum.repeats].map(({ shopperId }) => shopperId)
  for (const { claim, reason } of sum.refused) {
    const mail = { messageId: claim.requestId, body: JSON.stringify(messages.get(claim.shopperId)) }
    if (await rejectToDlq({ ...ports, deadLetters: ports.claimLetters }, mail, refusedSentences[reason]))
      ids.push(claim.shopperId)
  }
  const done = ids.flatMap((shopperId) => messages.get(shopperId) ?? [])
  return { credited: sum.credited.length, refused: sum.refused.length, done }
}
