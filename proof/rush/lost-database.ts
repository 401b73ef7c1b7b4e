/** Loses a database for good during a rush, and recovers the sale as an operator would. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ControlApiError, type ControlClient, SystemUnavailable } from '../../cli/control-client.ts'
import type { Recovery } from '../../core/api/control-answers.ts'
import type { System } from '../bench/system.ts'
import type { RushOptions } from './options.ts'
import { tryGetLive } from './wait-for-rest.ts'

/** Time until the operator notices the loss, ms. */
const noticedAfterMs = 5000

/** Retries, because another recovery may be running, or a part may not answer. */
const maxCalls = 10
const callEveryMs = 2000

/** The answer of the recovery, `seconds` after the loss. */
export type LostDatabase = Pick<Recovery, 'movedShards' | 'heldBack'> & { seconds: number }

/** @throws when the sale cannot be recovered */
export async function loseDatabase(
  system: System,
  control: ControlClient,
  saleId: string,
  name: string,
): Promise<LostDatabase> {
  const lostAt = performance.now()
  await system.killDatabase(name)
  await sleep(noticedAfterMs)
  for (let call = 1; ; call += 1) {
    try {
      const { movedShards, heldBack } = await control.recover({ saleId })
      return { movedShards, heldBack, seconds: (performance.now() - lostAt) / 1000 }
    } catch (error) {
      const mayPass = error instanceof SystemUnavailable || error instanceof ControlApiError
      if (!mayPass || call === maxCalls) throw error
      await sleep(callEveryMs)
    }
  }
}

/** Longer than the gate caches that a sale is sold out. */
const gateForgetsMs = 1500

/**
 * Waits until the held-back units of a lost database are for sale again. Until then a shopper may read "sold out"
 * although units are left later.
 * @throws when they stay held back
 */
export async function waitForHeldBack(
  control: ControlClient,
  saleId: string,
  { settleMs, startStep }: Pick<RushOptions, 'settleMs' | 'startStep'>,
): Promise<void> {
  const deadline = performance.now() + settleMs
  const step = startStep('held back', 1)
  for (;;) {
    const stock = (await tryGetLive(control, saleId))?.stock
    step.to(stock?.heldBack === 0 ? 1 : 0, `${stock?.heldBack ?? '?'} held back`)
    if (stock?.heldBack === 0) break
    if (performance.now() > deadline) throw new Error(`units of ${saleId} stay held back`)
    await sleep(1000)
  }
  step.end()
  await sleep(gateForgetsMs)
}
