/** A local system started for one measurement, a sale that admits all its shoppers at once, and their sign-in. */
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlClient, controlClient, type ShopperSession } from '../../cli/control-client.ts'
import { type StartStep, startStep } from '../../cli/progress.ts'
import { type Stack, type StackOptions, startStack } from '../../local/stack.ts'
import { type OpenSale, openGoodsSale } from '../rush/open-sale.ts'
import { type AnsweredReservation, judge, type Verdict, type WrittenOrder } from '../rush/verdict.ts'
import { liveIfUp, queued, waitForOrders } from '../rush/wait-for-rest.ts'
import { openSystem, type System } from './system.ts'

/** A local system without what only checks and experiments need. */
const measuredStack: StackOptions = {
  port: 0,
  demo: false,
  checkScriptKeys: false,
  faults: false,
  lowerPriority: true,
}

/** The options of a rush's own system. Fault proxies cost time, so they are there only where something is to fail. */
export const rushedStack = (faults: boolean, databases: number): StackOptions => ({ faults, databases })

/**
 * For costs of an order: `reconcile` runs once a minute, so it would count for some of the orders and not for others.
 */
export const withoutSchedule: StackOptions = { scheduled: false }

/** Starts a system, runs `measure` on it, and always stops it. A signal ends this process with what it keeps on disk. */
export async function withOwnSystem<T>(
  measure: (system: System, stack: Stack) => Promise<T>,
  options: StackOptions = {},
): Promise<T> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
  const stack = await startStack({ ...measuredStack, ...options })
  try {
    const system = await openSystem(`http://127.0.0.1:${stack.port}`, stack.databases)
    try {
      return await measure(system, stack)
    } finally {
      system.close()
    }
  } finally {
    await stack.stop()
  }
}

export async function marketerOf(system: System): Promise<ControlClient> {
  return controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
}

/** A sale that admits all its shoppers at once, and its orders. */
export type SaleForAll = OpenSale & { control: ControlClient }

/** Sets as many admissions in a second as a sale may have: the rate of a database is no limit of this machine. */
export async function openForAll(system: System, stock: number): Promise<SaleForAll> {
  const control = await marketerOf(system)
  const units = { stock, quantity: 1, limitPerShopper: 1, admitPerSecond: 1_000_000 }
  return { ...(await openGoodsSale(system.url, control, units)), control }
}

const pollMs = 500

/**
 * Resolves once `count` orders were written, without the repairs of `reconcile`.
 * @throws when some are missing after `patienceMs`
 */
export async function untilWritten({ control, saleId }: SaleForAll, count: number, patienceMs: number): Promise<void> {
  for (const deadline = performance.now() + patienceMs; ; await sleep(pollMs)) {
    const sold = (await liveIfUp(control, saleId))?.orders.sold ?? 0
    if (sold >= count) return
    if (performance.now() > deadline) throw new Error(`${sold} of ${count} orders were written`)
  }
}

/**
 * The written orders of the sale.
 * @throws when there are fewer than `accepted`
 */
export async function allOrders(system: System, { saleId }: OpenSale, accepted: number): Promise<WrittenOrder[]> {
  const written = await system.orders(saleId)
  if (written.length < accepted) throw new Error(`${written.length} of ${accepted} orders were written`)
  return written
}

/** Orders are still written a little after the last request, and later on a busy machine. */
const settleMs = 150_000

/**
 * The verdict on a sale of one unit for each of the shoppers, once it is at rest.
 * @throws when the system does not recover
 */
export async function judgeAtRest(
  system: System,
  { control, saleId }: Pick<SaleForAll, 'control' | 'saleId'>,
  facts: { stock: number; shoppers: number; answered: AnsweredReservation[] },
): Promise<Verdict> {
  const live = await waitForOrders(system, control, saleId, { settleMs, startStep })
  if (live === undefined) throw new Error('the system did not recover: nothing can be checked')
  return judge({
    ...facts,
    ...{ quantity: 1, limitPerShopper: 1 },
    snapshot: await system.stockSnapshot(saleId),
    orders: await system.orders(saleId),
    ...{ unseen: [], queued: queued(live), deadLetters: live.deadLetters ?? Number.NaN },
    ...{ shownLeft: live.stock?.available ?? Number.NaN, refusedWithLeft: undefined },
  })
}

/** Concurrent sign-ins: enough to keep the system busy without exhausting its sockets. */
const atATime = 32

/**
 * Signs all shoppers in before the sale starts, so that sign-ins are not measured. A session for each of `names`, in
 * their order: a token, and the pass that the sign-in gets with it.
 */
export async function signInAll(
  system: System,
  names: readonly string[],
  startStep: StartStep,
): Promise<ShopperSession[]> {
  const step = startStep('signing in', names.length)
  const sessions: ShopperSession[] = []
  while (sessions.length < names.length) {
    const next = names.slice(sessions.length, sessions.length + atATime)
    sessions.push(...(await Promise.all(next.map((name) => system.signIn(name)))))
    step.to(sessions.length)
  }
  step.end()
  return sessions
}
