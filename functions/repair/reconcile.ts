/**
 * The scheduled repair. It settles authorisations, retries refunds, payouts and dead letters, publishes the block list and the
 * catalogue to the gate again, reconciles every current sale, recovers sales that Redis lost, and
 * archives old ones. Running it often, late or twice does no harm (I5, I6).
 *
 * Quick work and work that closes a sale come first, each with a time limit. The comparison of
 * holds comes last, because one large sale may need all the time there is.
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { replenishAdmissions } from '../sales/admissions.ts'
import { finishDeletion } from '../sales/effects.ts'
import { gateInStep } from '../sales/in-step.ts'
import { createBanker } from '../sales/lending.ts'
import { publishCatalogue } from '../sales/publishing/catalogue.ts'
import { isArchivable, markArchived, removeMarked } from './archive.ts'
import { logFailure, unlessItFails } from './failures.ts'
import type { CountsCompared, DispatchedAndRepaired, ReconcileOptions } from './findings.ts'
import { compareBlocklist } from './gate/compare-blocklist.ts'
import { compareEarlyList, hasEarlyList } from './gate/compare-early-list.ts'
import {
  askForRefundsAgain,
  authorisationAgeMs,
  payAgain,
  payoutAgeMs,
  refundAgeMs,
  settleAgain,
} from './orders/retry-due.ts'
import type { RepairPorts } from './ports.ts'
import { compareCounts, dispatchAndRepair, isOver, reconcileSale } from './reconcile-sale.ts'
import { minuteOf, rotated } from './rotation.ts'
import { notingRedrives } from './stock/held-back.ts'
import { recover, recoveryPatienceMs } from './stock/recover.ts'
import type { Recovered } from './stock/recovered.ts'
import { tendShards } from './stock/tend-shards.ts'
import { isSelling, moveOnIfDue } from './tick-sale.ts'

/**
 * `repaired`: sales of which Redis or the gate was out of date. `recovered`: sales rebuilt from the
 * table. `restored` and `released`: orders whose hold was corrected. `refunds`: refunds asked for
 * again.
 */
export type Reconciled = {
  resent: number
  waiting: number
  oldestAgeMs: number
  repaired: number
  recovered: number
  restored: number
  released: number
  refunds: number
}

/**
 * Each sale has every hold compared in one of so many minutes, when its counters give no reason to
 * do so at once.
 */
const fullEveryMinutes = 10

/** A message that dies again takes about as long to do so. */
const retryMinutes = 10

/** What asking for refunds, settling authorisations and paying wallets out may take, and each queue's dead letters, of the 25 s there are. */
const refundsMs = 4000
const settlingMs = 4000
const payingMs = 3000
const retryMs = 2000

/**
 * The part of the time that is left which sales to be rebuilt may wait for the queue, while others
 * wait for them.
 */
const recoveringShare = 0.6

/** A sale and how thoroughly it is looked at this minute. */
type Turn = { sale: Sale; options: ReconcileOptions }

/**
 * Reconciles all current sales. The failure of one sale is logged and does not stop the others.
 * Starts no sale after `deadline` (epoch ms). Each minute starts with another sale, so that none is
 * always last.
 */
export async function reconcile(
  ports: RepairPorts,
  options: ReconcileOptions,
  deadline: number,
): Promise<Reconciled> {
  const { sales, clock } = ports
  const sum: Reconciled = { ...nothing }
  const startedAt = clock()
  const minute = minuteOf(startedAt)
  const refundsBy = Math.min(deadline, startedAt + refundsMs)
  const ask = () => askForRefundsAgain(ports, refundAgeMs, refundsBy)
  await unlessItFails(ports, { part: 'authorisations' }, () =>
    settleAgain(ports, authorisationAgeMs, startedAt + settlingMs),
  )
  sum.refunds = (await unlessItFails(ports, { part: 'refunds' }, ask)) ?? 0
  // Payouts may wait for the provider's balance for a day, so refunds do not wait for them.
  await unlessItFails(ports, { part: 'payouts' }, () =>
    payAgain(ports, payoutAgeMs, Math.min(deadline, clock() + payingMs)),
  )
  if (minute % retryMinutes === 0) await retryDeadLetters(ports, deadline)
  await finishDeletions(ports, sum, await publishLists(ports))
  const listed = await sales.list()
  const open = listed.filter(({ archivedAt }) => archivedAt === undefined)
  const turns = open.map((sale, index) => {
    const isWanted = !isOver(sale, startedAt) || isArchivable(sale, startedAt)
    const isTurn = isWanted && (minute + index) % fullEveryMinutes === 0
    return { sale, options: { ...options, full: options.full || isTurn } }
  })
  await keepEarlyLists(ports, inTime(ports, turns, deadline))
  const kept = turns.filter(({ sale }) => sale.warmed || isArchivable(sale, startedAt))
  const drafts = turns.filter(({ sale }) => !sale.warmed && !isOver(sale, startedAt))
  const { lost, there } = await dispatchAndRepairAll(ports, sum, rotated(kept, minute), deadline)
  await mendDrafts(ports, sum, rotated(drafts, minute), deadline)
  const share = there.length === 0 ? 1 : recoveringShare
  await recoverAll(ports, sum, lost, clock() + share * (deadline - clock()))
  await recoverAll(ports, sum, await compareAll(ports, sum, there, deadline), deadline)
  await archiveAll(ports, listed, there, deadline)
  return sum
}

/**
 * A dead letter of an order or claim is a 202 without its order; one of a timer leaves an unpaid
 * order in place.
 */
async function retryDeadLetters(ports: RepairPorts, deadline: number): Promise<void> {
  const { deadOrders, deadTimers, deadClaims, clock, log } = ports
  const dead = { orders: deadOrders, deadlines: deadTimers, claims: deadClaims }
  for (const [queue, { retry }] of Object.entries(dead)) {
    const until = Math.min(deadline, clock() + retryMs)
    const retried = await unlessItFails(ports, { part: 'dead letters', queue }, () =>
      retry(until, notingRedrives(ports)),
    )
    if (retried !== undefined && retried.moved > 0) log.warn('dead letters sent again', { queue, ...retried })
  }
}

/**
 * What the gate has to know beside single sales. Resolves with the ids it knows that the list of
 * sales has not.
 */
async function publishLists(ports: RepairPorts): Promise<readonly SaleId[]> {
  const righted = await unlessItFails(ports, { part: 'block list' }, () => compareBlocklist(ports))
  if (righted !== undefined && righted > 0) ports.log.warn('block list put right', { entries: righted })
  return (await unlessItFails(ports, { part: 'catalogue' }, () => publishCatalogue(ports))) ?? []
}

/** The copies of lists for early access, of sales that are not over. */
async function keepEarlyLists(ports: RepairPorts, turns: Iterable<Turn>): Promise<void> {
  for (const { sale, options } of turns) {
    const { saleId } = sale
    if (!hasEarlyList(sale) || isOver(sale, ports.clock())) continue
    const righted = await unlessItFails(ports, { part: 'early access', saleId }, () =>
      compareEarlyList(ports, saleId, options),
    )
    if (righted !== undefined && righted > 0) {
      ports.log.warn('list for early access put right', { saleId, shoppers: righted })
    }
  }
}

/** What a crash left of sales that a marketer has deleted. */
async function finishDeletions(
  ports: RepairPorts,
  sum: Reconciled,
  saleIds: readonly SaleId[],
): Promise<void> {
  for (const saleId of saleIds) {
    const isFinished = await unlessItFails(ports, { saleId }, () => finishDeletion(ports, saleId))
    if (isFinished !== true) continue
    sum.repaired += 1
    ports.log.warn('what was left of a deleted sale was removed', { saleId })
  }
}

/** The sales of which Redis has lost the stock, and the others. */
async function dispatchAndRepairAll(
  ports: RepairPorts,
  sum: Reconciled,
  turns: readonly Turn[],
  deadline: number,
): Promise<{ lost: Sale[]; there: Turn[] }> {
  const { meter, log, clock } = ports
  const banker = createBanker(ports)
  const lost: Sale[] = []
  const there: Turn[] = []
  for (const turn of inTime(ports, turns, deadline)) {
    const { sale, options } = turn
    const { saleId } = sale
    const mended = await unlessItFails(ports, { saleId }, () => dispatchAndRepair(ports, sale, options))
    if (mended === undefined) continue
    addDispatched(sum, mended)
    if (mended.unfinishedChange !== undefined) logFailure(ports, { saleId }, mended.unfinishedChange)
    if (mended.state === 'repaired') log.warn('sale brought in step with the table', { saleId })
    if (mended.state === 'to-recover') {
      lost.push(sale)
      continue
    }
    there.push(turn)
    await unlessItFails(ports, { saleId }, () => keepAdmitting(ports, sale))
    await ports.publisher.edge(saleId)
    // The tick does it for a sale that sells, and a second banker would not know of its promises.
    if (isSelling(sale, clock())) continue
    await unlessItFails(ports, { part: 'the shards', saleId }, () => tendShards(ports, banker, sale, clock()))
  }
  meter.count('OutboxResent', sum.resent)
  meter.count('OutboxSize', sum.waiting)
  meter.count('OutboxAge', Math.round(sum.oldestAgeMs / 1000))
  return { lost, there }
}

/**
 * Looks after the sales that are not warmed. All of them are compared with what the gate knows by
 * one read; only one that differs, or whose turn it is, costs more.
 */
async function mendDrafts(
  ports: RepairPorts,
  sum: Reconciled,
  drafts: readonly Turn[],
  deadline: number,
): Promise<void> {
  const { readGates, log } = ports
  const saleIds = drafts.map(({ sale }) => sale.saleId)
  const told = await unlessItFails(ports, { part: 'drafts' }, () => readGates(saleIds))
  if (told === undefined) return
  const isDue = ({ sale, options }: Turn) =>
    options.full || !gateInStep(sale, told.get(sale.saleId), undefined)
  for (const { sale, options } of inTime(ports, drafts.filter(isDue), deadline)) {
    const { saleId } = sale
    const kept = await unlessItFails(ports, { saleId }, () => reconcileSale(ports, sale, options, deadline))
    if (kept?.state !== 'repaired') continue
    sum.repaired += 1
    log.warn('sale brought in step with the table', { saleId })
  }
}

/** The gate admits as many requests as the units allow now (G7). */
async function keepAdmitting(ports: RepairPorts, sale: Sale): Promise<void> {
  if (isOver(sale, ports.clock())) return
  const present = await moveOnIfDue(ports, sale)
  if (present !== undefined) await replenishAdmissions(ports, sale.saleId, present)
}

/** Resolves with the sales whose counters nothing explains. */
async function compareAll(
  ports: RepairPorts,
  sum: Reconciled,
  turns: readonly Turn[],
  deadline: number,
): Promise<Sale[]> {
  const broken: Sale[] = []
  for (const { sale, options } of inTime(ports, turns, deadline)) {
    const { saleId } = sale
    const compared = await unlessItFails(ports, { saleId }, () =>
      compareCounts(ports, sale, options, deadline),
    )
    if (compared === undefined) continue
    addCompared(sum, compared)
    if (compared.isBroken) broken.push(sale)
  }
  return broken
}

/**
 * Goes on with the sales that are marked, and marks those that were compared and found to agree.
 */
async function archiveAll(
  ports: RepairPorts,
  listed: readonly Sale[],
  turns: readonly Turn[],
  deadline: number,
): Promise<void> {
  const marked = listed.filter(({ archivedAt }) => archivedAt !== undefined)
  for (const sale of inTime(ports, marked, deadline)) {
    await unlessItFails(ports, { saleId: sale.saleId }, () => removeMarked(ports, sale))
  }
  const due = turns.filter(({ sale, options }) => {
    return options.full && isArchivable(sale, ports.clock())
  })
  for (const { sale } of inTime(ports, due, deadline)) {
    await unlessItFails(ports, { saleId: sale.saleId }, () => markArchived(ports, sale.saleId, deadline))
  }
}

async function recoverAll(
  ports: RepairPorts,
  sum: Reconciled,
  sales: readonly Sale[],
  deadline: number,
): Promise<void> {
  for (const { saleId } of inTime(ports, sales, deadline)) {
    const recovered = await unlessItFails(ports, { saleId }, () => rebuild(ports, saleId, deadline))
    sum.recovered += recovered?.kind === 'recovered' ? 1 : 0
  }
}

const nothing: Reconciled = {
  resent: 0,
  waiting: 0,
  oldestAgeMs: 0,
  repaired: 0,
  recovered: 0,
  restored: 0,
  released: 0,
  refunds: 0,
}

/** Yields items until `deadline`, and logs how many are left then. */
function* inTime<T>({ clock, meter, log }: RepairPorts, items: readonly T[], deadline: number): Generator<T> {
  for (const [done, item] of items.entries()) {
    if (clock() >= deadline) {
      meter.count('ReconcileFailed')
      log.error('no time was left to look after every sale', { done, left: items.length - done })
      return
    }
    yield item
  }
}

function addDispatched(
  sum: Reconciled,
  { resent, waiting, oldestAgeMs, state }: DispatchedAndRepaired,
): void {
  sum.resent += resent
  sum.waiting += waiting
  sum.oldestAgeMs = Math.max(sum.oldestAgeMs, oldestAgeMs)
  sum.repaired += state === 'repaired' ? 1 : 0
}

function addCompared(sum: Reconciled, { holds, released }: CountsCompared): void {
  sum.restored += holds?.restored ?? 0
  sum.released += released + (holds?.released ?? 0) + (holds?.lost ?? 0)
}

async function rebuild(ports: RepairPorts, saleId: SaleId, deadline: number): Promise<Recovered> {
  const { clock, newId, meter, log } = ports
  const actor = { who: 'reconcile', requestId: newId() }
  const until = Math.min(deadline, clock() + recoveryPatienceMs)
  const recovered = await recover(ports, actor, saleId, until)
  if (recovered.kind === 'unfinished') {
    meter.count('ReconcileFailed')
    log.error('sale not yet rebuilt', { saleId, reason: recovered.reason })
  }
  return recovered
}
