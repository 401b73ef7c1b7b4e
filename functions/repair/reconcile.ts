/**
 * The scheduled repair, as a table of steps. It settles authorisations, retries refunds, payouts and dead letters,
 * publishes the block list and the catalogue to the gate again, reconciles every current sale, recovers sales that
 * Redis lost, and archives old ones. Running it often, late or twice does no harm (I5, I6).
 *
 * Quick work and work that closes a sale come first, each with a time limit. The comparison of holds comes last,
 * because one large sale may need all the time there is.
 */

import type { Sale } from '../../core/sale/sale.ts'
import { replenishAdmissions } from '../sales/admissions.ts'
import { finishDeletion } from '../sales/effects.ts'
import { gateInStep } from '../sales/in-step.ts'
import { type Banker, createBanker } from '../sales/lending.ts'
import { publishCatalogue } from '../sales/publishing/catalogue.ts'
import type { DeadLetterRetry } from '../shop/queues.ts'
import { currentSales } from '../table/sale/sales.ts'
import { isArchivable, markArchived, removeMarked } from './archive.ts'
import { logFailure, unlessItFails } from './failures.ts'
import { compareBlocklist } from './gate/compare-blocklist.ts'
import { compareEarlyList, hasEarlyList } from './gate/compare-early-list.ts'
import { askForRefundsAgain, payAgain, settleAgain } from './orders/retry-due.ts'
import { endingWithin, type ReconcileOptions, type RepairPorts, type Run } from './ports.ts'
import { compareCounts, dispatchAndRepair, isOver, reconcileSale } from './reconcile-sale.ts'
import { minuteOf, rotated } from './rotation.ts'
import { notingRedrives } from './stock/held-back.ts'
import { recover, recoveryPatienceMs } from './stock/recover.ts'
import { tendShards } from './stock/tend-shards.ts'
import { type NoteStock, stockNotes } from './tend-events.ts'
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
 * A sale and how thoroughly it is looked at this minute. `stock` says whether Redis was found to have it; a
 * `lost` one is tried to be recovered once.
 */
type Turn = { sale: Sale; full: boolean; stock: 'not-looked' | 'there' | 'lost' | 'tried' }

/** What a run knows: the sales as they were listed, and what was corrected so far. */
type Look = {
  startedAt: number
  turns: readonly Turn[]
  found: Reconciled
  banker: Banker
  noteStock: NoteStock
}

/** Its failure is logged and stops nothing else. */
type ShopStep = {
  part: string
  withinMs?: number
  /** In one of so many minutes. */
  everyMinutes?: number
  work: (run: Run, found: Reconciled) => Promise<unknown>
}

/** `each` is done for one sale after the other. The failure of a part is logged and stops nothing else. */
type SaleStep = {
  part: string
  of: (look: Look, run: Run) => readonly Turn[] | Promise<readonly Turn[]>
  each: Readonly<Record<string, (run: Run, turn: Turn, look: Look) => Promise<unknown>>>
  /** What it may take of the time that is left; all of it without. */
  share?: (look: Look) => number
}

/** A message that dies again takes about as long to do so. */
const retryMinutes = 10

/**
 * A dead letter of an order or claim is a 202 without its order; one of a timer leaves an unpaid
 * order in place.
 */
const deadLetters = (queue: string, of: (ports: RepairPorts) => DeadLetterRetry): ShopStep => ({
  part: `dead letters of ${queue}`,
  everyMinutes: retryMinutes,
  withinMs: 2000,
  async work(run) {
    const retried = await of(run).retry(run.deadline, notingRedrives(run))
    if (retried.moved > 0) run.log.warn('dead letters sent again', { queue, ...retried })
  },
})

/** What belongs to no single sale. A run has 25 s. */
const shopSteps: readonly ShopStep[] = [
  { part: 'authorisations', withinMs: 3000, work: settleAgain },
  { part: 'refunds', withinMs: 3000, work: countRefunds },
  // Payouts may wait for the provider's balance for a day, so refunds do not wait for them.
  { part: 'payouts', withinMs: 3000, work: (run) => payAgain(run) },
  deadLetters('orders', ({ deadOrders }) => deadOrders),
  deadLetters('deadlines', ({ deadTimers }) => deadTimers),
  deadLetters('claims', ({ deadClaims }) => deadClaims),
  { part: 'block list', work: rightBlocklist },
  { part: 'catalogue', work: publishAndFinishDeletions },
]

/** The part of the time that sales to be rebuilt may wait for the queue, while others wait for them. */
const recoveringShare = 0.6

const saleSteps: readonly SaleStep[] = [
  {
    part: 'early access',
    of: ({ turns, startedAt }) => turns.filter(({ sale }) => hasEarlyList(sale) && !isOver(sale, startedAt)),
    each: { 'early access': rightEarlyList },
  },
  {
    part: 'sales',
    of: ({ turns, startedAt }) =>
      open(turns).filter(({ sale }) => sale.warmed || isArchivable(sale, startedAt)),
    each: { 'outbox and state': relay, admissions: keepAdmitting, edge: tellEdge, 'the shards': keepShards },
  },
  { part: 'drafts', of: driftedDrafts, each: { draft: mendDraft } },
  {
    part: 'lost sales',
    of: lost,
    each: { recovery: rebuild },
    share: ({ turns }) => (turns.some(isThere) ? recoveringShare : 1),
  },
  { part: 'holds', of: ({ turns }) => turns.filter(isThere), each: { holds: compare } },
  { part: 'miscounted sales', of: lost, each: { recovery: rebuild } },
  { part: 'marked sales', of: ({ turns }) => turns.filter(isMarked), each: { removal: removeFromLists } },
  { part: 'old sales', of: archivable, each: { archive: mark } },
]

/**
 * Each sale has every hold compared in one of so many minutes, when its counters give no reason to
 * do so at once.
 */
const fullEveryMinutes = 10

/**
 * Reconciles all current sales. Begins with no sale after `deadline` (epoch ms). Each minute starts with another
 * sale, so that none is always last.
 * @throws when the sales cannot be listed
 */
export async function reconcile(
  ports: RepairPorts,
  options: ReconcileOptions,
  deadline: number,
): Promise<Reconciled> {
  const run: Run = { ...ports, ...options, deadline }
  const startedAt = run.clock()
  const minute = minuteOf(startedAt)
  const found: Reconciled = { ...nothing }
  for (const { part, withinMs = Infinity, everyMinutes = 1, work } of shopSteps) {
    if (minute % everyMinutes !== 0) continue
    await unlessItFails(run, { part }, () => work(endingWithin(run, withinMs), found))
  }
  const turns = (await currentSales(run.table)).map((sale, index): Turn => {
    const isWanted = !isOver(sale, startedAt) || isArchivable(sale, startedAt)
    const isTurn = isWanted && (minute + index) % fullEveryMinutes === 0
    return { sale, full: run.full || isTurn, stock: 'not-looked' }
  })
  const noted = turns.map(({ sale }) => sale).filter(({ warmed }) => warmed)
  const look: Look = {
    ...{ startedAt, turns: rotated(turns, minute), found },
    ...{ banker: createBanker(run), noteStock: stockNotes(run, noted) },
  }
  for (const step of saleSteps) await runSaleStep(run, look, step)
  run.meter.count('OutboxResent', found.resent)
  run.meter.count('OutboxSize', found.waiting)
  run.meter.count('OutboxAge', Math.round(found.oldestAgeMs / 1000))
  return found
}

async function runSaleStep(run: Run, look: Look, { part, of, each, share }: SaleStep): Promise<void> {
  const timed = share === undefined ? run : endingWithin(run, share(look) * (run.deadline - run.clock()))
  const turns = (await unlessItFails(run, { part }, async () => of(look, run))) ?? []
  for (const turn of inTime(timed, turns)) {
    const { saleId } = turn.sale
    for (const [name, work] of Object.entries(each)) {
      await unlessItFails(run, { part: name, saleId }, () => work({ ...timed, full: turn.full }, turn, look))
    }
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

/** Yields items while there is time, and logs how many are left then. */
function* inTime<T>({ clock, deadline, meter, log }: Run, items: readonly T[]): Generator<T> {
  for (const [done, item] of items.entries()) {
    if (clock() >= deadline) {
      meter.count('ReconcileFailed')
      log.error('no time was left to look after every sale', { done, left: items.length - done })
      return
    }
    yield item
  }
}

async function countRefunds(run: Run, found: Reconciled): Promise<void> {
  found.refunds = await askForRefundsAgain(run)
}

async function rightBlocklist(run: Run): Promise<void> {
  const righted = await compareBlocklist(run)
  if (righted > 0) run.log.warn('block list put right', { entries: righted })
}

/** Finishes what a crash left of sales that a marketer has deleted: the gate knows ids that are not listed. */
async function publishAndFinishDeletions(run: Run, found: Reconciled): Promise<void> {
  for (const saleId of await publishCatalogue(run)) {
    const isFinished = await unlessItFails(run, { part: 'deletion', saleId }, () =>
      finishDeletion(run, saleId),
    )
    if (isFinished !== true) continue
    found.repaired += 1
    run.log.warn('what was left of a deleted sale was removed', { saleId })
  }
}

const isMarked = ({ sale }: Turn) => sale.archivedAt !== undefined
const open = (turns: readonly Turn[]) => turns.filter((turn) => !isMarked(turn))
const isThere = ({ stock }: Turn) => stock === 'there'

function lost({ turns }: Look): readonly Turn[] {
  return turns.filter(({ stock }) => stock === 'lost')
}

/** The gate's copy of the list for early access. */
async function rightEarlyList(run: Run, { sale: { saleId } }: Turn): Promise<void> {
  const righted = await compareEarlyList(run, saleId, run)
  if (righted > 0) run.log.warn('list for early access put right', { saleId, shoppers: righted })
}

async function relay(run: Run, turn: Turn, { found }: Look): Promise<void> {
  const { sale } = turn
  const { saleId } = sale
  const done = await dispatchAndRepair(run, sale)
  turn.stock = done.state === 'to-recover' ? 'lost' : 'there'
  found.resent += done.resent
  found.waiting += done.waiting
  found.oldestAgeMs = Math.max(found.oldestAgeMs, done.oldestAgeMs)
  if (done.state === 'repaired') noteRepaired(run, turn, found)
  if (done.unfinishedChange !== undefined)
    logFailure(run, { part: 'stock change', saleId }, done.unfinishedChange)
}

function noteRepaired({ log }: Run, { sale: { saleId } }: Turn, found: Reconciled): void {
  found.repaired += 1
  log.warn('sale brought in step with the table', { saleId })
}

/** The gate admits as many requests as the units allow now (G7). */
async function keepAdmitting(run: Run, turn: Turn): Promise<void> {
  const { sale } = turn
  if (!isThere(turn) || isOver(sale, run.clock())) return
  const present = await moveOnIfDue(run, sale)
  if (present !== undefined) await replenishAdmissions(run, sale.saleId, present)
}

async function tellEdge({ publisher }: Run, turn: Turn): Promise<void> {
  if (isThere(turn)) await publisher.edge(turn.sale.saleId)
}

/** The tick does it for a sale that sells, and a second banker would not know of its promises. */
async function keepShards(run: Run, turn: Turn, { banker }: Look): Promise<void> {
  const now = run.clock()
  if (isThere(turn) && !isSelling(turn.sale, now)) await tendShards(run, banker, turn.sale, now)
}

/**
 * All drafts are compared with what the gate knows by one read; only one that differs, or whose turn it is, costs
 * more.
 */
async function driftedDrafts({ turns, startedAt }: Look, { readGates }: Run): Promise<readonly Turn[]> {
  const drafts = open(turns).filter(({ sale }) => !sale.warmed && !isOver(sale, startedAt))
  const known = await readGates(drafts.map(({ sale }) => sale.saleId))
  return drafts.filter(({ sale, full }) => full || !gateInStep(sale, known.get(sale.saleId), undefined))
}

async function mendDraft(run: Run, turn: Turn, { found, noteStock }: Look): Promise<void> {
  if ((await reconcileSale(run, turn.sale, noteStock)).state === 'repaired') noteRepaired(run, turn, found)
}

async function rebuild(run: Run, turn: Turn, { found }: Look): Promise<void> {
  const { newId, meter, log } = run
  const { saleId } = turn.sale
  turn.stock = 'tried'
  const actor = { who: 'reconcile', requestId: newId() }
  const recovered = await recover(run, actor, saleId, endingWithin(run, recoveryPatienceMs).deadline)
  if (recovered.kind === 'recovered') found.recovered += 1
  if (recovered.kind === 'unfinished') {
    meter.count('ReconcileFailed')
    log.error('sale not yet rebuilt', { saleId, reason: recovered.reason })
  }
}

/** A sale whose counters nothing explains is lost. */
async function compare(run: Run, turn: Turn, { found, noteStock }: Look): Promise<void> {
  const { holds, released, isBroken } = await compareCounts(run, turn.sale, noteStock)
  found.restored += holds?.restored ?? 0
  found.released += released + (holds?.released ?? 0) + (holds?.lost ?? 0)
  if (isBroken) turn.stock = 'lost'
}

/** Goes on with a sale that an earlier run has marked. */
function removeFromLists(run: Run, { sale }: Turn, { noteStock }: Look): Promise<boolean> {
  return removeMarked(run, sale, noteStock)
}

/** Those that were compared whole and found to agree. */
function archivable({ turns }: Look, { clock }: Run): readonly Turn[] {
  return turns.filter((turn) => isThere(turn) && turn.full && isArchivable(turn.sale, clock()))
}

function mark(run: Run, { sale: { saleId } }: Turn): Promise<boolean> {
  return markArchived(run, saleId)
}
