/** Pauses every sale at once, and resumes them. Both calls are safe to repeat. */
import type { PausedSales, ResumedSales } from '../../core/api/control-answers.ts'
import type { SaleId } from '../../core/ids.ts'
import { slicesOf } from '../../core/lib/slices.ts'
import { hasEnded, type Sale } from '../../core/sale/sale.ts'
import type { ShopContext } from '../lib/shop/shop.ts'
import type { Actor } from '../sales/audit.ts'
import { findCurrentSales, warmedSaleIds } from '../table/sale/sale-lists.ts'
import { act, type ControlPorts } from './control.ts'

/** Sales changed concurrently, and sales per read. */
const changeConcurrency = 8
const readBatchSize = 100

/** The call has 30 s. Sales that it does not reach are reported as failed, and a repeat continues with them. */
const timeLimitMs = 20_000

type Ports = ControlPorts & Pick<ShopContext, 'log'>

/** Pauses every started sale: open ones, and those that would open by themselves, also between two windows. */
export async function pauseEverySale(ports: Ports, actor: Actor): Promise<PausedSales> {
  const { done, failed } = await changeEach(ports, actor, 'pauseWithAll', ({ flag, epoch }) => {
    return flag === 'on' || (flag === 'off' && epoch > 0)
  })
  return { paused: done, failed }
}

/** Resumes every sale that `pauseEverySale` paused, unless it was resumed or has ended since. */
export async function resumeEverySale(ports: Ports, actor: Actor): Promise<ResumedSales> {
  const { done, failed } = await changeEach(ports, actor, 'resumeWithAll', ({ flag, pausedWithAll }) => {
    return flag === 'paused' && pausedWithAll === true
  })
  return { resumed: done, failed }
}

async function changeEach(
  ports: Ports,
  actor: Actor,
  action: 'pauseWithAll' | 'resumeWithAll',
  concerns: (sale: Sale) => boolean,
): Promise<{ done: SaleId[]; failed: SaleId[] }> {
  const { table, clock } = ports
  const until = clock() + timeLimitMs
  const result: { done: SaleId[]; failed: SaleId[] } = { done: [], failed: [] }
  // Open sales first, and the next to open.
  const now = clock()
  const [started, toStart] = await Promise.all([warmedSaleIds(table, 'before', now), warmedSaleIds(table, 'from', now)])
  for (const ids of slicesOf([...new Set([...started, ...toStart])], readBatchSize)) {
    const found = new Map((await findCurrentSales(table, ids)).map((sale) => [sale.saleId, sale]))
    const sales = ids.flatMap((saleId) => found.get(saleId) ?? [])
    const matching = sales.filter((sale) => concerns(sale) && !hasEnded(sale, now))
    for (const some of slicesOf(matching, changeConcurrency)) {
      const hasTime = clock() < until
      const change = async ({ saleId }: Sale) => {
        const isChanged = hasTime && (await succeeds(ports, actor, saleId, action))
        result[isChanged ? 'done' : 'failed'].push(saleId)
      }
      await Promise.all(some.map(change))
    }
  }
  return result
}

async function succeeds(
  ports: Ports,
  actor: Actor,
  saleId: SaleId,
  action: 'pauseWithAll' | 'resumeWithAll',
): Promise<boolean> {
  try {
    const outcome = await act(ports, actor, saleId, action)
    // An ended sale sells nothing either way.
    return outcome.kind === 'done' || (outcome.kind === 'refused' && outcome.reason === 'ended')
  } catch (error) {
    // The other sales must be changed all the same.
    ports.log.error('a sale was not changed with all others', { saleId, action, error: String(error) })
    return false
  }
}
