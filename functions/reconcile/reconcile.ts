/**
 * The scheduled repair: looks after every sale that is or was on the shelf, rebuilds those that Redis lost, and asks
 * again for money that should have gone back. Running it often, late or twice does no harm (I5, I6).
 */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import { errorFacts, type LogFacts } from '../telemetry.ts'
import { type Recovered, type RecoverPorts, recover, recoveryPatienceMs } from '../upkeep/recover.ts'
import { type AskAgainPorts, askForRefundsAgain, refundAgeMs } from '../upkeep/refunds.ts'
import { isOver, type Kept, keepTrue, type Thoroughness, type UpkeepPorts } from '../upkeep/upkeep.ts'

export type Ports = UpkeepPorts &
  RecoverPorts &
  AskAgainPorts & { sales: { list: () => Promise<readonly Sale[]> } }

/**
 * `repaired` counts the sales that Redis or the gate had not been told everything about, `recovered` those that were
 * rebuilt, `restored` and `released` orders whose hold was put right, `refunds` those asked for again.
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

const minuteMs = 60_000

/** Each sale has every hold compared in one of so many minutes, when its counters give no reason to do so at once. */
const everyHoldMinutes = 10

/**
 * Looks after all sales; one that fails is told and does not keep the others waiting. Begins with no sale after
 * `deadline` (epoch ms), and each minute with another one, so that none is always the last.
 */
export async function reconcile(
  ports: Ports,
  thoroughness: Thoroughness,
  deadline: number,
): Promise<Reconciled> {
  const { sales, clock, meter, log } = ports
  const sum: Reconciled = { ...nothing }
  const startedAt = clock()
  const minute = Math.floor(startedAt / minuteMs)
  const onShelf = (await sales.list()).filter(({ warmed }) => warmed)
  const turns = onShelf.map((sale, index) => ({
    sale,
    everyHold:
      thoroughness.everyHold || ((minute + index) % everyHoldMinutes === 0 && !isOver(sale, startedAt)),
  }))
  const toRecover: Sale[] = []
  for (const { sale, everyHold } of inTime(ports, rotated(turns, minute), deadline)) {
    const kept = await unlessItFails(ports, { saleId: sale.saleId }, () =>
      keepTrue(ports, sale, { ...thoroughness, everyHold }, deadline),
    )
    if (kept === undefined) continue
    add(sum, kept)
    if (kept.state === 'repaired') log.warn('sale brought in step with the table', { saleId: sale.saleId })
    if (kept.state === 'to-recover') toRecover.push(sale)
  }
  meter.count('OutboxResent', sum.resent)
  meter.count('OutboxSize', sum.waiting)
  meter.count('OutboxAge', Math.round(sum.oldestAgeMs / 1000))
  const asked = () => askForRefundsAgain(ports, refundAgeMs, deadline)
  sum.refunds = (await unlessItFails(ports, { part: 'refunds' }, asked)) ?? 0
  // Last, because a sale that is rebuilt may have to wait for the queue.
  for (const sale of inTime(ports, toRecover, deadline)) {
    const { saleId } = sale
    const recovered = await unlessItFails(ports, { saleId }, () => rebuild(ports, saleId, deadline))
    sum.recovered += recovered?.kind === 'recovered' ? 1 : 0
  }
  return sum
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

/** The items whose turn comes before `deadline`; what is left out is told. */
function* inTime<T>({ clock, meter, log }: Ports, items: readonly T[], deadline: number): Generator<T> {
  for (const [done, item] of items.entries()) {
    if (clock() >= deadline) {
      meter.count('ReconcileFailed')
      log.error('no time was left to look after every sale', { done, left: items.length - done })
      return
    }
    yield item
  }
}

function rotated<T>(items: readonly T[], turn: number): T[] {
  const first = items.length === 0 ? 0 : turn % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}

async function unlessItFails<T>(
  { meter, log }: Ports,
  about: LogFacts,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    meter.count('ReconcileFailed')
    log.error('not reconciled', { ...about, ...errorFacts(error) })
    return undefined
  }
}

function add(sum: Reconciled, { resent, waiting, oldestAgeMs, state, holds, released }: Kept): void {
  sum.resent += resent
  sum.waiting += waiting
  sum.oldestAgeMs = Math.max(sum.oldestAgeMs, oldestAgeMs)
  sum.repaired += state === 'repaired' ? 1 : 0
  sum.restored += holds?.restored ?? 0
  sum.released += released + (holds?.released ?? 0) + (holds?.lost ?? 0)
}

async function rebuild(ports: Ports, saleId: SaleId, deadline: number): Promise<Recovered> {
  const { clock, newRequestId, meter, log } = ports
  const actor = { who: 'reconcile', requestId: newRequestId() }
  const until = Math.min(deadline, clock() + recoveryPatienceMs)
  const recovered = await recover(ports, actor, saleId, until)
  if (recovered.kind === 'unfinished') {
    meter.count('ReconcileFailed')
    log.error('sale not yet rebuilt', { saleId, reason: recovered.detail })
  }
  return recovered
}
