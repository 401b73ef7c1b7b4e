/** The switch that pauses every sale, and the one that takes it back: one call each, which may be repeated. */

import type { PausedSales, ResumedSales } from '../../core/api/control-answers.ts'
import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import type { Actor } from '../sales/audit.ts'
import type { Shop } from '../shop/shop.ts'
import { currentSales } from '../table/sale/sales.ts'
import { actOnAll, type ControlPorts, type Outcome } from './control.ts'

/** Sales changed at once: the call has 30 seconds for all of them. */
const together = 8

/**
 * Pauses every sale that is started: the open ones, and those that would open by themselves, also between two of
 * their windows.
 */
export async function pauseEverySale(
  ports: ControlPorts & Pick<Shop, 'log'>,
  actor: Actor,
): Promise<PausedSales> {
  const { done, failed } = await toEach(ports, actor, 'pause', ({ flag, epoch }) => {
    return flag === 'on' || (flag === 'off' && epoch > 0)
  })
  return { paused: done, failed }
}

/** Resumes every sale that `pauseEverySale` paused and that was not resumed or ended since. */
export async function resumeEverySale(
  ports: ControlPorts & Pick<Shop, 'log'>,
  actor: Actor,
): Promise<ResumedSales> {
  const { done, failed } = await toEach(ports, actor, 'resume', ({ flag, pausedWithAll }) => {
    return flag === 'paused' && pausedWithAll === true
  })
  return { resumed: done, failed }
}

async function toEach(
  ports: ControlPorts & Pick<Shop, 'log'>,
  actor: Actor,
  action: 'pause' | 'resume',
  concerns: (sale: Sale) => boolean,
): Promise<{ done: SaleId[]; failed: SaleId[] }> {
  const now = ports.clock()
  const sales = (await currentSales(ports.table)).filter((sale) => concerns(sale) && !hasEnded(sale, now))
  const result: { done: SaleId[]; failed: SaleId[] } = { done: [], failed: [] }
  for (const some of slicesOf(sales, together)) {
    await Promise.all(
      some.map(async ({ saleId }) =>
        result[(await succeeds(ports, actor, saleId, action)) ? 'done' : 'failed'].push(saleId),
      ),
    )
  }
  return result
}

async function succeeds(
  ports: ControlPorts & Pick<Shop, 'log'>,
  actor: Actor,
  saleId: SaleId,
  action: 'pause' | 'resume',
): Promise<boolean> {
  try {
    return isDone(await actOnAll(ports, actor, saleId, action))
  } catch (error) {
    // The other sales must be changed all the same.
    ports.log.error('a sale was not changed with all others', { saleId, action, error: String(error) })
    return false
  }
}

/** A sale that ended meanwhile sells nothing either way. */
function isDone(outcome: Outcome): boolean {
  return outcome.kind === 'done' || (outcome.kind === 'refused' && outcome.reason === 'ended')
}
