/** A database that is lost for good during a rush, and the operator who then recovers the sale. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ControlApiError, type ControlClient, SystemUnavailable } from '../../cli/control-client.ts'
import type { Recovery } from '../../core/api/control-answers.ts'
import type { System } from '../bench/system.ts'
import type { CrowdOptions } from './options.ts'
import { liveIfUp } from './wait-for-rest.ts'

/** How long until the operator notices the loss, ms. */
const noticedAfterMs = 5000

/** Another recovery may be at work, or a part may not answer. */
const mostCalls = 10
const callEveryMs = 2000

/** What the recovery answered, `seconds` after the loss. */
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
      if (!mayPass || call === mostCalls) throw error
      await sleep(callEveryMs)
    }
  }
}

/** Longer than the gate remembers that a sale was sold out. */
const gateForgetsMs = 1500

/**
 * Waits until the units of a lost database are for sale, when no earlier order of it can arrive any
 * more. Until then a shopper may read "sold out", and a page shows afterwards that units are left.
 * @throws when they stay held back
 */
export async function waitForHeldBack(
  control: ControlClient,
  saleId: string,
  { settleMs, startStep }: Pick<CrowdOptions, 'settleMs' | 'startStep'>,
): Promise<void> {
  const deadline = performance.now() + settleMs
  const step = startStep('held back', 1)
  for (;;) {
    const stock = (await liveIfUp(control, saleId))?.stock
    step.to(stock?.heldBack === 0 ? 1 : 0, `${stock?.heldBack ?? '?'} held back`)
    if (stock?.heldBack === 0) break
    if (performance.now() > deadline) throw new Error(`units of ${saleId} stay held back`)
    await sleep(1000)
  }
  step.end()
  await sleep(gateForgetsMs)
}
