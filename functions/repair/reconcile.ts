/**
 * The scheduled repair, as a table of steps. It settles authorisations, retries refunds and dead letters,
 * publishes the block list and the catalogue to the gate again, reconciles current sales, recovers sales that
 * Redis lost, and archives old ones. Running it often, late or twice does no harm (I5, I6).
 *
 * Quick work and work that closes a sale come first, each with a time limit. The comparison of holds comes last,
 * because one large sale may need all the time there is.
 */

import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { isInvitedOnly, type Sale } from '../../core/sale/sale.ts'
import { isArchivable, isOver, isSelling, isToCome } from '../../core/sale/sale-life.ts'
import { slotOf } from '../../core/stock/hash-slot.ts'
import { compareBlocklist, compareInvited } from '../gate/compare-lists.ts'
import { logFailure, unlessItFails } from '../lib/log-failure.ts'
import type { DeadLetterRetry } from '../lib/shop/shop.ts'
import { endingWithin, type ReconcileOptions, type RepairPorts, type Run } from '../recovery/ports.ts'
import { compareCounts, dispatchAndRepair, reconcileSale } from '../recovery/reconcile-sale.ts'
import { notingRedrives } from '../recovery/stock/held-back.ts'
import { recover, recoveryPatienceMs } from '../recovery/stock/recover.ts'
import { replenishAdmissions } from '../sales/admissions.ts'
import { balanceShards } from '../sales/balance-shards.ts'
import { type Balancer, createBalancer } from '../sales/balancer.ts'
import { finishDeletion } from '../sales/effects.ts'
import { isPublishedToGate } from '../sales/published-state.ts'
import { publishCatalogue } from '../sales/publishing/catalogue.ts'
import { maxOnIndex } from '../sales/publishing/pages.ts'
import type { SettleSale } from '../sales/scheduled-option.ts'
import { settling } from '../sales/scheduled-options.ts'
import { moveOnIfDue } from '../sales/window-steps.ts'
import { noProgress, type ReconcileProgress, readProgress, saveProgress } from '../table/sale/reconcile-progress.ts'
import { currentSaleIds, findCurrentSales } from '../table/sale/sale-lists.ts'
import { markArchived, removeMarked } from './archive.ts'
import { askForRefundsAgain, closePagesAgain, settleAgain } from './jobs/retry-due.ts'
import { type Due, dueNow, isCareful, minuteOf, progressAt } from './rotation.ts'

/**
 * `repaired`: sales of which Redis or the gate was out of date. `recovered`: sales rebuilt from the table. `restored`
 * and `released`: orders whose hold was corrected. `refunds`: refunds asked for again.
 */
const nothing = {
  resent: 0,
  waiting: 0,
  oldestAgeMs: 0,
  repaired: 0,
  recovered: 0,
  restored: 0,
  released: 0,
  refunds: 0,
}
export type Reconciled = typeof nothing

/**
 * A sale and how thoroughly it is looked at in this round. `stock` says whether Redis was found to have it; a
 * `lost` one is tried to be recovered once. `due` is absent for a draft.
 */
type Turn = { sale: Sale; due?: Due<SaleId>; full: boolean; stock: 'not-looked' | 'there' | 'lost' | 'tried' }

/** What a run knows: the sales as they were listed, and what was corrected so far. */
type Look = {
  startedAt: number
  turns: readonly Turn[]
  /** Each sale is looked at alone. */
  isCareful: boolean
  found: Reconciled
  balancer: Balancer
  /** Those that have left the list of the gate. */
  removed: Set<SaleId>
  /** Notes that the sales up to that one were looked at. */
  reached: (turn: Turn) => Promise<void>
  /** Notes that the run was not cut off. */
  end: () => Promise<void>
  settle: SettleSale
}

/** Its failure is logged and stops nothing else. */
type ShopStep = {
  part: string
  withinMs?: number
  /** In one of so many minutes. */
  everyMinutes?: number
  work: (run: Run, found: Reconciled) => Promise<unknown>
}

/** `each` is done for 20 sales at once, fewer where one `weighs` more. A failure is logged and stops nothing else. */
type SaleStep = {
  part: string
  of: (look: Look, run: Run) => readonly Turn[] | Promise<readonly Turn[]>
  each: Readonly<Record<string, (run: Run, turn: Turn, look: Look) => Promise<unknown>>>
  /** What it may take of the time that is left; all of it without. */
  share?: (look: Look) => number
  weighs?: (turn: Turn) => number
  /** A sale with which this was done, or tried, was looked at. */
  isLook?: true
}

/** A message that dies again takes about as long to do so. */
const retryMinutes = 10

/** A dead letter of an order is a 202 without its order; one of a timer leaves an unpaid order in place. */
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
  {
    part: 'refunds',
    withinMs: 3000,
    work: async (run, found) => {
      found.refunds = await askForRefundsAgain(run)
    },
  },
  { part: 'payment pages', withinMs: 3000, work: closePagesAgain },
  deadLetters('orders', ({ deadOrders }) => deadOrders),
  deadLetters('deadlines', ({ deadTimers }) => deadTimers),
  { part: 'block list', work: rightBlocklist },
  { part: 'catalogue', work: publishAndFinishDeletions },
]

/** The part of the time that sales to be rebuilt may wait for the queue, while others wait for them. */
const recoveringShare = 0.6

/** The part of the time for the quick look at each sale, so that some is left to compare those that were looked at. */
const relayingShare = 0.6

/** Calls to Redis and the table wait for answers, so a run looks at that many sales at once. */
const atOnce = 20

/** A recovery or a whole comparison reads all orders of a sale: few at once, and those of a big sale alone. */
const wholeWeighs = 5
const bigUnits = 50_000
const isBig = ({ stock }: Sale) => stock === -1 || stock > bigUnits
const weightOfWhole = ({ sale }: Turn) => (isBig(sale) ? atOnce : wholeWeighs)

const saleSteps: readonly SaleStep[] = [
  {
    part: 'invited shoppers',
    of: ({ turns, startedAt }) => turns.filter(({ sale }) => isInvitedOnly(sale) && !isOver(sale, startedAt)),
    each: { 'invited shoppers': rightInvited },
  },
  {
    part: 'sales',
    of: ({ turns, startedAt }) => open(turns).filter(({ sale }) => sale.warmed || isArchivable(sale, startedAt)),
    each: { 'outbox and state': relay, admissions: keepAdmitting, edge: tellEdge, 'the shards': keepShards },
    share: () => relayingShare,
  },
  { part: 'drafts', of: driftedDrafts, each: { draft: mendDraft } },
  {
    part: 'lost sales',
    of: lost,
    each: { recovery: rebuild },
    share: ({ turns }) => (turns.some(isThere) ? recoveringShare : 1),
    weighs: weightOfWhole,
  },
  {
    part: 'holds',
    of: ({ turns }) => turns.filter(isThere),
    each: { holds: compare },
    weighs: (turn) => (turn.full ? weightOfWhole(turn) : 1),
    isLook: true,
  },
  { part: 'miscounted sales', of: lost, each: { recovery: rebuild }, weighs: weightOfWhole },
  { part: 'marked sales', of: ({ turns }) => turns.filter(isMarked), each: { removal: removeFromLists } },
  {
    part: 'old sales',
    of: archivable,
    each: { archive: (run, { sale }) => markArchived(run, sale.saleId) },
    weighs: weightOfWhole,
  },
]

/**
 * Each sale has every hold compared in one of so many rounds, when its counters give no reason to
 * do so at once. A round through a shop of up to a thousand warmed sales takes one run.
 */
const fullEveryRounds = 10

/** Orders are written within seconds: one that waits for longer is a trouble of its sale, ms. */
const waitedMs = 120_000

/** Warmed sales that a run begins with, and drafts: more than that, it has no time for, or would cost too much. */
const mostWarmed = 2000
const mostDrafts = 100

/** Sales that are looked at before it is noted how far the run has come. */
const noteEvery = 100

/** One of so many minutes: the index of a shop with many sales follows the clock. */
const indexEveryMinutes = 10

/**
 * Reconciles current sales. Begins with no sale after `deadline` (epoch ms): the next run goes on behind the last one
 * that was looked at, so that each has its turn, with any number of sales and however a run ends.
 * @throws when the sales cannot be listed
 */
export async function reconcile(ports: RepairPorts, options: ReconcileOptions, deadline: number): Promise<Reconciled> {
  const run: Run = { ...ports, ...options, deadline }
  const startedAt = run.clock()
  const minute = minuteOf(startedAt)
  const found: Reconciled = { ...nothing }
  for (const { part, withinMs = Infinity, everyMinutes = 1, work } of shopSteps) {
    if (minute % everyMinutes !== 0) continue
    await unlessItFails(run, { part }, () => work(endingWithin(run, withinMs), found))
  }
  const ids = await currentSaleIds(run.table)
  if (ids.warmed.length > maxOnIndex && minute % indexEveryMinutes === 0) {
    await unlessItFails(run, { part: 'index' }, () => run.publisher.index())
  }
  const look = await lookAtSales(run, ids, startedAt, found)
  const parts = look.isCareful ? slicesOf(look.turns, 1) : [look.turns]
  for (const [at, turns] of parts.entries()) {
    if (at > 0 && run.clock() >= run.deadline) {
      noteLeft(run, { part: 'sales', done: at, left: parts.length - at })
      break
    }
    for (const step of saleSteps) await runSaleStep(run, look, turns, step)
  }
  await look.end()
  if (look.removed.size > 0) await unlessItFails(run, { part: 'catalogue' }, () => publishCatalogue(run))
  run.meter.count('OutboxResent', found.resent)
  run.meter.count('OutboxSize', found.waiting)
  run.meter.count('OutboxAge', Math.round(found.oldestAgeMs / 1000))
  return found
}

/** Reads the sales whose turn it is, and notes that a run has begun with them. */
async function lookAtSales(
  run: Run,
  ids: { warmed: readonly SaleId[]; drafts: readonly SaleId[] },
  startedAt: number,
  found: Reconciled,
): Promise<Look> {
  const { table } = run
  const part = 'progress'
  const look = { startedAt, found, balancer: createBalancer(run), removed: new Set<SaleId>() }
  const nothingTo = async () => {}
  if (ids.warmed.length + ids.drafts.length === 0)
    return { ...look, turns: [], isCareful: false, settle: nothingTo, reached: nothingTo, end: nothingTo }
  // Without it every run begins anew, with the first ones.
  const before = (await unlessItFails(run, { part }, () => readProgress(table))) ?? noProgress
  const warmed = dueNow(ids.warmed, before.warmed).slice(0, mostWarmed)
  const drafts = dueNow(ids.drafts, before.drafts).slice(0, mostDrafts)
  const lastDraft = drafts.at(-1)
  const progress: ReconcileProgress = {
    warmed: { ...before.warmed, begun: before.warmed.begun + 1 },
    drafts: lastDraft === undefined ? before.drafts : progressAt(lastDraft),
  }
  const note = async (next: ReconcileProgress['warmed']) => {
    progress.warmed = next
    await unlessItFails(run, { part }, () => saveProgress(table, progress))
  }
  await note(progress.warmed)
  const there = await turnsOf(run, warmed, startedAt)
  const isThere = new Set(there.map(({ sale }) => sale.saleId))
  const ofDrafts = (await turnsOf(run, drafts, startedAt)).filter(({ sale }) => !isThere.has(sale.saleId))
  const noted = [...there, ...ofDrafts].map(({ sale }) => sale).filter(({ warmed }) => warmed)
  return {
    ...look,
    settle: settling(run, noted),
    isCareful: isCareful(before.warmed),
    turns: [...there, ...ofDrafts.map(({ due: _, ...turn }) => turn)],
    reached: async ({ due }) => {
      if (due !== undefined) await note(progressAt(due))
    },
    end: async () => {
      if (progress.warmed.begun > 0) await note({ ...progress.warmed, begun: 0 })
    },
  }
}

async function turnsOf({ table, full }: Run, due: readonly Due<SaleId>[], startedAt: number): Promise<Turn[]> {
  const found = await findCurrentSales(
    table,
    due.map(({ id }) => id),
  )
  const byId = new Map(found.map((sale) => [sale.saleId, sale]))
  return due.flatMap((one): Turn[] => {
    const sale = byId.get(one.id)
    if (sale === undefined) return []
    const isOld = isArchivable(sale, startedAt)
    const isTurn = (isOld || !isOver(sale, startedAt)) && (one.round + slotOf(one.id)) % fullEveryRounds === 0
    // A draft has nothing that could be compared.
    return [{ sale, due: one, full: full || isTurn || (isOld && !sale.warmed), stock: 'not-looked' }]
  })
}

async function runSaleStep(run: Run, whole: Look, looked: readonly Turn[], step: SaleStep): Promise<void> {
  const look = { ...whole, turns: looked }
  const { part, of, each, share, weighs = () => 1, isLook } = step
  const timed = share === undefined ? run : endingWithin(run, share(look) * (run.deadline - run.clock()))
  const turns = (await unlessItFails(run, { part }, async () => of(look, run))) ?? []
  const work = async (turn: Turn) => {
    const { saleId } = turn.sale
    for (const [name, of] of Object.entries(each)) {
      const isDone = await unlessItFails(run, { part: name, saleId }, async () => {
        await of({ ...timed, full: turn.full }, turn, look)
        return true
      })
      if (isDone !== true) run.report?.({ saleId, trouble: 'unrepaired', count: 1 })
    }
  }
  let done = 0
  for (const some of isLook ? slicesOf(turns, noteEvery) : [turns]) {
    const begun = await eachInTime(timed, some, weighs, work)
    done += begun
    const last = some[begun - 1]
    if (isLook && last !== undefined) await look.reached(last)
    if (begun < some.length) break
  }
  if (done < turns.length) noteLeft(run, { part, done, left: turns.length - done })
}

function noteLeft({ meter, log }: Run, facts: { part: string; done: number; left: number }): void {
  meter.count('ReconcileFailed')
  log.warn('no time was left to look after every sale', facts)
}

/**
 * Does `work` for the items in their order, for as many at once as weigh no more than 20 together, and begins with none
 * after the deadline. Resolves with how many it has begun with, once all of them are done.
 */
async function eachInTime<T>(
  { clock, deadline }: Run,
  items: readonly T[],
  weighs: (item: T) => number,
  work: (item: T) => Promise<void>,
): Promise<number> {
  const running = new Set<Promise<void>>()
  let weight = 0
  let begun = 0
  for (const item of items) {
    const own = weighs(item)
    while (weight + own > atOnce) await Promise.race(running)
    if (clock() >= deadline) break
    weight += own
    begun += 1
    const one = work(item).finally(() => {
      weight -= own
      running.delete(one)
    })
    running.add(one)
  }
  await Promise.all(running)
  return begun
}

async function rightBlocklist(run: Run): Promise<void> {
  const righted = await compareBlocklist(run)
  if (righted > 0) run.log.warn('block list put right', { entries: righted })
}

/** Finishes what a crash left of sales that a marketer has deleted: the gate knows ids that are not listed. */
async function publishAndFinishDeletions(run: Run, found: Reconciled): Promise<void> {
  for (const saleId of await publishCatalogue(run)) {
    const isFinished = await unlessItFails(run, { part: 'deletion', saleId }, () => finishDeletion(run, saleId))
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

/** The gate's copy of the list of a sale by invitation. */
async function rightInvited(run: Run, { sale: { saleId } }: Turn): Promise<void> {
  const righted = await compareInvited(run, saleId, run)
  if (righted > 0) run.log.warn('list of invited shoppers put right', { saleId, shoppers: righted })
}

async function relay(run: Run, turn: Turn, { found }: Look): Promise<void> {
  const { sale } = turn
  const { saleId } = sale
  const done = await dispatchAndRepair(run, sale)
  turn.stock = done.state === 'to-recover' ? 'lost' : 'there'
  found.resent += done.resent
  found.waiting += done.waiting
  found.oldestAgeMs = Math.max(found.oldestAgeMs, done.oldestAgeMs)
  if (done.oldestAgeMs > waitedMs) run.report?.({ saleId, trouble: 'waiting', count: done.waiting })
  if (done.givenUp > 0) run.report?.({ saleId, trouble: 'given-up', count: done.givenUp })
  if (done.state === 'repaired') noteRepaired(run, turn, found)
  if (done.unfinishedChange !== undefined) logFailure(run, { part: 'stock change', saleId }, done.unfinishedChange)
}

function noteRepaired({ log }: Run, { sale: { saleId } }: Turn, found: Reconciled): void {
  found.repaired += 1
  log.warn('sale brought in step with the table', { saleId })
}

/** The gate admits as many requests as the units allow now (G7). The tick begins with it before the sale opens. */
async function keepAdmitting(run: Run, turn: Turn): Promise<void> {
  const { sale, full } = turn
  if (!isThere(turn) || isOver(sale, run.clock()) || (isToCome(sale, run.clock()) && !full)) return
  const present = await moveOnIfDue(run, sale)
  if (present !== undefined) await replenishAdmissions(run, sale.saleId, present)
}

async function tellEdge({ publisher }: Run, turn: Turn): Promise<void> {
  if (isThere(turn)) await publisher.edge(turn.sale.saleId)
}

/** The tick does it for a sale that sells, and a second balancer does not know what it has promised. */
async function keepShards(run: Run, turn: Turn, { balancer }: Look): Promise<void> {
  const now = run.clock()
  if (isThere(turn) && !isSelling(turn.sale, now)) await balanceShards(run, balancer, turn.sale, now)
}

/** One read compares all drafts with what the gate knows; only one that differs, or whose turn it is, costs more. */
async function driftedDrafts({ turns, startedAt }: Look, { readGates }: Run): Promise<readonly Turn[]> {
  const drafts = open(turns).filter(({ sale }) => !sale.warmed && !isOver(sale, startedAt))
  const known = await readGates(drafts.map(({ sale }) => sale.saleId))
  return drafts.filter(({ sale, full }) => full || !isPublishedToGate(sale, known.get(sale.saleId), undefined))
}

async function mendDraft(run: Run, turn: Turn, { found, settle }: Look): Promise<void> {
  if ((await reconcileSale(run, turn.sale, settle)).state === 'repaired') noteRepaired(run, turn, found)
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
    log.warn('sale not yet rebuilt', { saleId, reason: recovered.reason })
    run.report?.({ saleId, trouble: 'rebuilding', count: 1 })
  }
}

/** A sale whose counters nothing explains is lost. */
async function compare(run: Run, turn: Turn, { found, settle }: Look): Promise<void> {
  const { drift, holds, released, isBroken } = await compareCounts(run, turn.sale, settle)
  if (drift) run.report?.({ saleId: turn.sale.saleId, trouble: 'drift', count: Math.abs(drift) })
  found.restored += holds?.restored ?? 0
  found.released += released + (holds?.released ?? 0)
  if (isBroken) turn.stock = 'lost'
}

/** Goes on with a sale that an earlier run has marked. */
async function removeFromLists(run: Run, { sale }: Turn, { settle, removed }: Look): Promise<void> {
  if (await removeMarked(run, sale, settle)) removed.add(sale.saleId)
}

/** Those that were compared whole and found to agree. */
function archivable({ turns }: Look, { clock }: Run): readonly Turn[] {
  return turns.filter((turn) => isThere(turn) && turn.full && isArchivable(turn.sale, clock()))
}
