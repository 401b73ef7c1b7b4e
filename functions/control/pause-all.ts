/** The switch that pauses every sale: one call in an emergency, which may be repeated. */
import type { PausedSales } from '../../core/api/control.ts'
import type { SaleId } from '../../core/ids.ts'
import { hasEnded } from '../../core/sale.ts'
import { slicesOf } from '../../core/slices.ts'
import type { Telemetry } from '../lib/telemetry.ts'
import type { Actor } from '../sales/audit.ts'
import { act, type ControlPorts, type Outcome } from './control.ts'

type PauseAllPorts = ControlPorts & Pick<Telemetry, 'log'>

/** Sales paused at once: the call has 30 seconds for all of them. */
const together = 8

/** Pauses every sale that is started: the open ones, and those that would open by themselves. */
export async function pauseEverySale(ports: PauseAllPorts, actor: Actor): Promise<PausedSales> {
  const now = ports.clock()
  const sales = await ports.sales.list()
  const started = sales.filter((sale) => sale.flag === 'on' && !hasEnded(sale, now))
  const done: PausedSales = { paused: [], failed: [] }
  for (const some of slicesOf(started, together)) {
    await Promise.all(
      some.map(async ({ saleId }) =>
        done[(await pauses(ports, actor, saleId)) ? 'paused' : 'failed'].push(saleId),
      ),
    )
  }
  return done
}

async function pauses(ports: PauseAllPorts, actor: Actor, saleId: SaleId): Promise<boolean> {
  try {
    return isPaused(await act(ports, actor, saleId, 'pause'))
  } catch (error) {
    // The other sales must be paused all the same.
    ports.log.error('a sale was not paused', { saleId, error: String(error) })
    return false
  }
}

/** A sale that ended meanwhile sells nothing either. */
function isPaused(outcome: Outcome): boolean {
  return outcome.kind === 'done' || (outcome.kind === 'refused' && outcome.reason === 'ended')
}
