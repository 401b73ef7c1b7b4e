/** After the rush: waiting until nothing is on its way, then asking what the public sees. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type ControlClient, type LiveNumbers, NoAnswer, Refused } from '../../cli/control-client.ts'
import type { System } from '../system.ts'
import { readPointer } from './open-sale.ts'
import type { CrowdOptions } from './options.ts'
import { type Door, shop } from './shopper.ts'

type Patience = Pick<CrowdOptions, 'settleMs' | 'startStep'>

/** How a progress bar names what is waited for: `orders  3 of 10 written`. */
type Words = { step: string; done: string }

/** Waits as `comeToRest` does, and says what for. */
export type Settle = (
  system: System,
  control: ControlClient,
  saleId: string,
  patience: Patience,
) => Promise<LiveNumbers | undefined>

const settleAs =
  (words: Words): Settle =>
  (system, control, saleId, patience) =>
    comeToRest(system, control, saleId, patience, words)

/** Until every order is written. */
export const settle = settleAs({ step: 'orders', done: 'written' })

/** Until every claim is credited. */
export const settleClaims = settleAs({ step: 'credits', done: 'credited' })

/**
 * Waits until every part answers again and nothing is on its way any more; while the outbox holds messages, the
 * repair job runs every second. The last numbers it saw, or undefined when the system never answered.
 */
async function comeToRest(
  system: System,
  control: ControlClient,
  saleId: string,
  { settleMs, startStep }: Patience,
  words: Words,
): Promise<LiveNumbers | undefined> {
  const deadline = performance.now() + settleMs
  const step = startStep(words.step, 1)
  let live: LiveNumbers | undefined
  for (let round = 1; performance.now() < deadline; round += 1) {
    live = await liveIfUp(control, saleId)
    const booked = live?.stock?.booked ?? 0
    const waiting = live === undefined || live.unavailable.length > 0 ? 1 : (live.outbox ?? 1) + queued(live)
    const settled = waiting === 0 && live?.orders.sold === booked
    step.to(settled ? 1 : 0, `${live?.orders.sold ?? '?'} of ${booked} ${words.done}`)
    if (settled) break
    // The queue is at work by itself; the outbox needs the job.
    if ((live?.outbox ?? 0) > 0 && round % 4 === 0) await system.reconcile()
    await sleep(250)
  }
  step.end()
  return live
}

/** Messages in the queue, in whatever state; NaN while it does not answer. */
export const queued = ({ queue }: LiveNumbers) =>
  queue === null ? Number.NaN : queue.visible + queue.inFlight + queue.delayed

/** The live numbers, or undefined while a part they are read from is down. */
async function liveIfUp(control: ControlClient, saleId: string): Promise<LiveNumbers | undefined> {
  try {
    return await control.live(saleId)
  } catch (error) {
    if (error instanceof NoAnswer) return undefined
    if (error instanceof Refused && error.problem.code === 'unavailable') return undefined
    throw error
  }
}

/** What one more shopper, who comes after everybody, is told is left; NaN when that is not "sold out". */
export async function askLate<Prize>(system: System, door: Door<Prize>): Promise<number> {
  const token = await system.token('latecomer')
  const ending = await shop(
    { shopperId: 'latecomer', token, key: 'late' },
    { ...door, onTry: () => {}, random: () => 0, patienceMs: 10_000 },
  )
  return ending.kind === 'refused' && ending.code === 'sold-out'
    ? (ending.remaining ?? Number.NaN)
    : Number.NaN
}

/** What the public pointer says is left: `available` as soon as it has caught up, or what it still says after 5 s. */
export async function shownLeft(url: string, saleId: string, available: number | undefined): Promise<number> {
  const deadline = performance.now() + 5000
  for (;;) {
    const { remaining } = await readPointer(url, saleId)
    if (remaining === available || performance.now() > deadline) return remaining
    await sleep(100)
  }
}
