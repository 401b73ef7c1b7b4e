/**
 * Rebuilds a sale in Redis out of the table, after Redis lost the sale or went back to an older state of it (P10).
 *
 *   1 fence      nobody can take units any more, and the edge knows
 *   2 drain      what was sent is written, dead letters that may yet succeed as well: now the table knows of everything
 *                that Redis may have forgotten
 *   3 restore    every order of the table gets its units, or its end, back into Redis, and what is held is counted anew
 *   4 reopen     under a new epoch: whoever held the old start token asks for the new one, and finds their own order
 *
 * Every step may be repeated, and only the last lifts the fence: wherever this is cut off, the sale is closed to
 * everybody until it is called again, by a marketer or by `reconcile` (I6).
 *
 * SQS counts its messages about right, so a message may still come after step 2. It finds the cap of the table: either
 * its order is written and gets its hold back by the next comparison (holds.ts), or it is rejected. It cannot oversell.
 */
import type { OrderId, SaleId } from '../../core/ids.ts'
import { holdsUnits } from '../../core/order.ts'
import type { Sale } from '../../core/sale.ts'
import { type LockPorts, withLock } from '../lock.ts'
import type { ListedOrder, SaleOrders } from '../order-life/order-ledger.ts'
import type { Actor } from '../sales/audit.ts'
import { applyEffects, type EffectPorts, tellGate } from '../sales/effects.ts'
import type { SaleBook } from '../sales/sale-book.ts'
import { type SettlePorts, settleIfPossible } from '../sales/settle.ts'
import { relayClaims } from './claims.ts'
import { type DeadMail, type Holdings, messagesIn, type QueueDepth } from './ports.ts'
import { type RebuildPacketsPorts, rebuildPackets } from './rebuild-packets.ts'
import { type RelayPorts, relay } from './relay.ts'
import { type ReopenPorts, reopen } from './reopen.ts'
import { recount } from './tally.ts'
import { isWholeList, unitsOf, type WholeListPorts } from './whole-list.ts'

export type RecoverPorts = LockPorts &
  RelayPorts &
  ReopenPorts &
  EffectPorts &
  SettlePorts &
  RebuildPacketsPorts &
  WholeListPorts & {
    deadOrders: DeadMail
    deadClaims: DeadMail
    sales: Pick<SaleBook, 'find' | 'save'>
    holdings: Pick<Holdings, 'fence' | 'restore' | 'recount' | 'pages' | 'count'>
    saleOrders: SaleOrders
  }

/**
 * `recovered`: the sale stands as the table has it, `units` of it held by `orders`. `unfinished`: it stays fenced until
 * this is called again, `detail` says why. `busy`: somebody else is at it.
 */
export type Recovered =
  | { kind: 'recovered'; sale: Sale; orders: number; units: number }
  | { kind: 'unfinished'; detail: string }
  | { kind: 'refused'; detail: string }
  | { kind: 'no-sale' | 'busy' }

/** How long the queue and the list of orders are waited for, in a function that has thirty seconds. */
export const recoveryPatienceMs = 15_000

const pollMs = 250

/** Who reserved a unit right before the fence is still sending its message: that takes a second at most. */
const sendingMs = 1500

/** Rebuilds the sale under its lock, waiting no longer than until `deadline` (epoch ms). Throws when a part is dark. */
export async function recover(
  ports: RecoverPorts,
  actor: Actor,
  saleId: SaleId,
  deadline: number,
): Promise<Recovered> {
  const done = await withLock(ports, saleId, (signal) => rebuild(ports, actor, saleId, deadline, signal))
  return done.kind === 'busy' ? { kind: 'busy' } : done.value
}

async function rebuild(
  ports: RecoverPorts,
  actor: Actor,
  saleId: SaleId,
  deadline: number,
  signal: AbortSignal,
): Promise<Recovered> {
  const { sales, holdings, meter, log } = ports
  const record = await sales.find(saleId)
  if (record === undefined) return { kind: 'no-sale' }
  const { sale } = record
  if (!sale.warmed || sale.epoch === 0) {
    return { kind: 'refused', detail: 'The sale was never started, so nobody holds anything of it: warm it.' }
  }
  await holdings.fence(saleId)
  signal.throwIfAborted()
  await tellGate(ports, sale)
  const undelivered = await drain(ports, sale, deadline, signal)
  if (undelivered !== undefined) return { kind: 'unfinished', detail: undelivered }
  const restored =
    sale.kind === 'red-packet'
      ? ((await rebuildPackets(ports, sale, deadline, signal)) ?? notListed)
      : await rebuildHolds(ports, saleId, deadline, signal)
  if ('kind' in restored) return restored
  const reopened = await reopen(ports, actor, saleId, signal)
  const present = await settleIfPossible(ports, saleId)
  await applyEffects(ports, present?.record ?? reopened)
  if (present?.unsettled !== undefined) throw present.unsettled
  meter.count('SaleRecovered')
  log.warn('sale rebuilt from the table', { saleId, ...restored })
  return { kind: 'recovered', sale: (present?.record ?? reopened).sale, ...restored }
}

const notListed = {
  kind: 'unfinished',
  detail: 'The list of orders does not agree with the table yet. The sale stays closed; recover it again.',
} as const

const alwaysMoving = {
  kind: 'unfinished',
  detail: 'Units are being given back all the time. The sale stays closed; recover it again.',
} as const

async function rebuildHolds(
  ports: RecoverPorts,
  saleId: SaleId,
  deadline: number,
  signal: AbortSignal,
): Promise<{ orders: number; units: number } | typeof notListed | typeof alwaysMoving> {
  const restored = await restoreAll(ports, saleId, deadline, signal)
  if (restored === undefined) return notListed
  return (await countAnew(ports, saleId, deadline, signal)) ? restored : alwaysMoving
}

/** The way of the sale's promises to the table: what waits in the outbox, on the way, and beside it. */
type Way = { relay: () => Promise<unknown>; depth: () => Promise<QueueDepth>; dead: DeadMail }

function wayOf(ports: RecoverPorts, sale: Sale, deadline: number): Way {
  return sale.kind === 'red-packet'
    ? {
        relay: () => relayClaims(ports, sale, 0, deadline),
        depth: ports.claimQueue.depth,
        dead: ports.deadClaims,
      }
    : { relay: () => relay(ports, sale, 0), depth: ports.queues.orders, dead: ports.deadOrders }
}

/**
 * Undefined once the queue is empty; otherwise what is in the way, for people. What the queue refuses stays in the
 * outbox beside its hold, and none of what follows takes either away.
 *
 * While the table was dark, messages of promised orders became dead letters. They are sent again once the queue is
 * empty, and it has to be empty again; only what is hopeless is not waited for.
 */
async function drain(
  ports: RecoverPorts,
  sale: Sale,
  deadline: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { clock, sleep } = ports
  const way = wayOf(ports, sale, deadline)
  const allSentAt = clock() + sendingMs
  await way.relay()
  for (let quiet = 0; ; ) {
    signal.throwIfAborted()
    let messages = messagesIn(await way.depth())
    // Twice in a row: one count may miss a message that is just changing hands.
    quiet = messages === 0 ? quiet + 1 : 0
    if (quiet >= 2 && clock() >= allSentAt) {
      const { moved, missed } = await way.dead.retry(deadline)
      messages = moved + missed
      if (messages === 0) return undefined
      quiet = 0
    }
    if (clock() >= deadline) {
      return (
        `The queue and its dead letters still hold about ${messages} messages that are not written. The sale ` +
        'stays closed; recover it again once they are, or leave that to the scheduled repair.'
      )
    }
    await sleep(pollMs)
  }
}

/**
 * Puts every listed order into Redis until the list agrees with the table, which it follows with a moment's delay.
 * Undefined when that was not so in time.
 */
async function restoreAll(
  ports: RecoverPorts,
  saleId: SaleId,
  deadline: number,
  signal: AbortSignal,
): Promise<{ orders: number; units: number } | undefined> {
  const { clock, sleep } = ports
  for (;;) {
    const standing = await restoreListed(ports, saleId, deadline, signal)
    if (standing === undefined) return undefined
    if (await isWholeList(ports, saleId, standing, deadline)) {
      return { orders: standing.length, units: unitsOf(standing) }
    }
    if (clock() >= deadline) return undefined
    await sleep(pollMs)
  }
}

/** False when units were given back during every count until `deadline`. */
async function countAnew(
  ports: RecoverPorts,
  saleId: SaleId,
  deadline: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { clock, sleep } = ports
  for (;;) {
    signal.throwIfAborted()
    const { kind } = await recount(ports, saleId)
    if (kind === 'unknown-sale') throw new Error(`Redis lost the fenced stock of ${saleId} again`)
    if (kind !== 'moved') return true
    if (clock() >= deadline) return false
    await sleep(pollMs)
  }
}

/** One walk over the list; resolves with the standing orders it saw, or undefined when there was no time for all. */
async function restoreListed(
  { saleOrders, holdings, clock }: RecoverPorts,
  saleId: SaleId,
  deadline: number,
  signal: AbortSignal,
): Promise<readonly ListedOrder[] | undefined> {
  const standing = new Map<OrderId, ListedOrder>()
  for await (const page of saleOrders.pages(saleId)) {
    signal.throwIfAborted()
    if (clock() >= deadline) return undefined
    const rightful = page.map((order) => ({
      ...order,
      quantity: holdsUnits(order.status) ? order.quantity : 0,
    }))
    if ((await holdings.restore(saleId, rightful)).kind === 'unknown-sale') {
      throw new Error(`Redis lost the fenced stock of ${saleId} again`)
    }
    for (const order of page) if (holdsUnits(order.status)) standing.set(order.orderId, order)
  }
  return [...standing.values()]
}
