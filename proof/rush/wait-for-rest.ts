/** Waits after the rush until nothing is in progress, then reads the public state. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ControlApiError, type ControlClient, SystemUnavailable } from '../../cli/control-client.ts'
import type { Live } from '../../core/api/control-answers.ts'
import type { System } from '../bench/system.ts'
import { readPublicPointer } from './open-sale.ts'
import type { RushOptions } from './options.ts'
import { clickUntilDone, type WinRequest } from './shopper.ts'

type Patience = Pick<RushOptions, 'settleMs' | 'startStep'> & Partial<Pick<RushOptions, 'kind'>>

/**
 * Waits until every part answers, nothing is in progress, and every order is written or every claim credited. While the
 * outbox has messages, it runs `reconcile` every second. Returns the last numbers, or undefined when the system never
 * answered.
 */
export async function waitForRest(
  system: System,
  control: ControlClient,
  saleId: string,
  { settleMs, startStep, kind }: Patience,
): Promise<Live | undefined> {
  const [name, done] = kind === 'red-packet' ? ['credits', 'credited'] : ['orders', 'written']
  const deadline = performance.now() + settleMs
  const step = startStep(name, 1)
  let live: Live | undefined
  for (let round = 1; performance.now() < deadline; round += 1) {
    live = await tryGetLive(control, saleId)
    const booked = live?.stock?.booked ?? 0
    const waiting = live === undefined || live.unavailable.length > 0 ? 1 : (live.outbox ?? 1) + queueLength(live)
    const settled = waiting === 0 && live?.orders.sold === booked
    step.to(settled ? 1 : 0, `${live?.orders.sold ?? '?'} of ${booked} ${done}`)
    if (settled) break
    // The queue drains by itself; the outbox needs `reconcile`.
    if ((live?.outbox ?? 0) > 0 && round % 4 === 0) await system.reconcile()
    await sleep(250)
  }
  step.end()
  return live
}

/** Counts messages in the queue in any state; NaN while it does not answer. */
export const queueLength = ({ queue }: Live) =>
  queue === null ? Number.NaN : queue.visible + queue.inFlight + queue.delayed

/** Reads the live numbers; undefined while a part is unavailable. */
export async function tryGetLive(control: ControlClient, saleId: string): Promise<Live | undefined> {
  try {
    return await control.getLive({ saleId })
  } catch (error) {
    if (error instanceof SystemUnavailable) return undefined
    if (error instanceof ControlApiError && error.problem.code === 'unavailable') return undefined
    throw error
  }
}

/** Limit for the public state to catch up with the sale, also on a busy machine. */
const maxWaitMs = 60_000

/**
 * Sends the click of one more shopper after the rush; returns the units left in its answer, or NaN when that is not
 * "sold out".
 */
export async function readRefusedLeft<Win>(system: System, request: WinRequest<Win>): Promise<number> {
  const session = await system.signIn('latecomer')
  const ending = await clickUntilDone(
    { shopperId: 'latecomer', ...session, key: 'late' },
    { ...request, onTry: () => {}, random: () => 0, patienceMs: maxWaitMs },
  )
  return ending.kind === 'refused' && ending.code === 'sold-out' ? (ending.remaining ?? Number.NaN) : Number.NaN
}

/** Reads the units left in the public pointer, once they equal `available` or after `maxWaitMs`. */
export async function shownLeft(url: string, saleId: string, available: number | undefined): Promise<number> {
  const deadline = performance.now() + maxWaitMs
  for (;;) {
    const { remaining } = await readPublicPointer(url, saleId)
    if (remaining === available || performance.now() > deadline) return remaining
    await sleep(100)
  }
}
