/** Starts a local system for one measurement, opens a sale that admits all its shoppers at once, and signs them in. */
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlClient, controlClient, type ShopperSession } from '../../cli/control-client.ts'
import { type StartStep, startStep } from '../../cli/progress.ts'
import { type Stack, type StackOptions, startStack } from '../../local/stack.ts'
import { type OpenSale, openRushSale } from '../rush/open-sale.ts'
import { type AnsweredReservation, judge, type RushVerdict, type WrittenOrder } from '../rush/verdict.ts'
import { queueLength, tryGetLive, waitForRest } from '../rush/wait-for-rest.ts'
import { openSystem, type System } from './system.ts'

/** A local system without the parts that only checks and experiments need. */
const measuredStack: StackOptions = {
  port: 0,
  demo: false,
  checkScriptKeys: false,
  faults: false,
  lowerPriority: true,
}

/** For the cost of an order: `reconcile` runs once a minute, so it would add to some orders and not to others. */
export const withoutSchedule: StackOptions = { scheduled: false }

/**
 * Starts a system, runs `measure` on it, and always stops it. A signal ends this process and removes its temporary
 * files.
 */
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
export type UnthrottledSale = OpenSale & { control: ControlClient }

/** Opens a sale with the maximum admission rate: the rate limit of a database does not apply to this machine. */
export async function openUnthrottledSale(system: System, stock: number): Promise<UnthrottledSale> {
  const control = await marketerOf(system)
  const product = { kind: 'goods', stock, quantity: 1, admitPerSecond: 1_000_000 } as const
  return { ...(await openRushSale(system.url, control, product)), control }
}

const pollMs = 500

/**
 * Resolves once `count` orders are written, without the help of `reconcile`.
 * @throws when some are missing after `patienceMs`
 */
export async function untilWritten(
  { control, saleId }: UnthrottledSale,
  count: number,
  patienceMs: number,
): Promise<void> {
  for (const deadline = performance.now() + patienceMs; ; await sleep(pollMs)) {
    const sold = (await tryGetLive(control, saleId))?.orders.sold ?? 0
    if (sold >= count) return
    if (performance.now() > deadline) throw new Error(`${sold} of ${count} orders were written`)
  }
}

/**
 * Reads the written orders of the sale.
 * @throws when there are fewer than `accepted`
 */
export async function acceptedOrders(system: System, { saleId }: OpenSale, accepted: number): Promise<WrittenOrder[]> {
  const written = await system.orders(saleId)
  if (written.length < accepted) throw new Error(`${written.length} of ${accepted} orders were written`)
  return written
}

/** The writer finishes after the last request, later on a busy machine. */
const settleMs = 150_000

/**
 * Returns the verdict on a sale of one unit per shopper once it is at rest.
 * @throws when the system does not recover
 */
export async function judgeAtRest(
  system: System,
  { control, saleId }: Pick<UnthrottledSale, 'control' | 'saleId'>,
  facts: { stock: number; shoppers: number; answered: AnsweredReservation[] },
): Promise<RushVerdict> {
  const live = await waitForRest(system, control, saleId, { settleMs, startStep })
  if (live === undefined) throw new Error('the system did not recover: nothing can be checked')
  return judge({
    ...facts,
    quantity: 1,
    snapshot: await system.stockSnapshot(saleId),
    orders: await system.orders(saleId),
    ...{ unseen: [], queued: queueLength(live), deadLetters: live.deadLetters ?? Number.NaN },
    ...{ shownLeft: live.stock?.available ?? Number.NaN, refusedWithLeft: undefined },
  })
}

/** Enough to keep the system busy without exhausting its sockets. */
const signInConcurrency = 32

/**
 * Signs all shoppers in before the sale starts, so that sign-ins are not measured. Returns a session for each of
 * `names`, in order: a token and its pass.
 */
export async function signInAll(
  system: System,
  names: readonly string[],
  startStep: StartStep,
): Promise<ShopperSession[]> {
  const step = startStep('signing in', names.length)
  const sessions: ShopperSession[] = []
  while (sessions.length < names.length) {
    const next = names.slice(sessions.length, sessions.length + signInConcurrency)
    sessions.push(...(await Promise.all(next.map((name) => system.signIn(name)))))
    step.to(sessions.length)
  }
  step.end()
  return sessions
}
