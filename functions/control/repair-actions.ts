/**
 * Repairs on request. Each writes an audit entry, also when it is interrupted, because it may have changed something by then.
 */
import type { Redriven } from '../../core/api/control-answers.ts'
import type { AuditAction } from '../../core/audit.ts'
import type { SaleId } from '../../core/ids.ts'
import { refusalText } from '../../core/refusals.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { rotatePassKeys } from '../gate/pass-keys.ts'
import type { BeforeRedrive, ShopContext } from '../lib/shop/shop.ts'
import type { RepairPorts } from '../recovery/ports.ts'
import { type ReconciledSale, reconcileSale } from '../recovery/reconcile-sale.ts'
import { holdAgeMs } from '../recovery/stock/compare-holds.ts'
import { redriveRecorder } from '../recovery/stock/held-back.ts'
import type { MovePorts } from '../recovery/stock/move-shards.ts'
import { moveAndRecover } from '../recovery/stock/recover.ts'
import type { Recovered } from '../recovery/stock/recover-shards.ts'
import type { Actor, Facts } from '../sales/audit.ts'
import { addAuditEntry } from '../table/audit.ts'

export type Redrive = {
  /**
   * Sends dead letters to their queues again, until none of those present at the start is left or `deadline` (epoch ms) is
   * reached.
   * @throws when SQS does not answer; moved messages stay moved
   */
  redrive: (deadline: number, before: BeforeRedrive) => Promise<Redriven>
}

/** Time limit of a redrive, in a function with a timeout of 30 s. */
const redriveTimeLimitMs = 20_000

/** Time limit for cancelling overdue orders when a marketer asks for a comparison, ms. */
const reconcileTimeLimitMs = 15_000

/** Recovers a sale. The recovery itself saves the audit entry of a success; a refused recovery changes nothing. */
export function recoverSale(
  ports: MovePorts & Pick<ShopContext, 'table' | 'clock' | 'log'>,
  actor: Actor,
  saleId: SaleId,
): Promise<Recovered> {
  const work = () => moveAndRecover(ports, actor, saleId)
  return audited(ports, { ...actor, what: 'recover', saleId }, work, (done) =>
    done.kind === 'unfinished' ? { outcome: done.kind, detail: refusalText(done) } : undefined,
  )
}

/** Compares every hold, however young, and corrects the differences. */
export function reconcileNow(ports: RepairPorts, actor: Actor, sale: Sale): Promise<ReconciledSale> {
  const options = { minAgeMs: 0, holdAgeMs, full: true }
  const work = () => reconcileSale({ ...ports, ...options, deadline: ports.clock() + reconcileTimeLimitMs }, sale)
  return audited(ports, { ...actor, what: 'reconcile', saleId: sale.saleId }, work, (kept) => ({
    ...kept,
    holds: kept.holds ?? null,
  }))
}

export function redriveDeadLetters(ports: { deadLetters: Redrive } & RepairPorts, actor: Actor): Promise<Redriven> {
  const work = () => ports.deadLetters.redrive(ports.clock() + redriveTimeLimitMs, redriveRecorder(ports))
  return audited(ports, { ...actor, what: 'redrive', saleId: null }, work, (redriven) => ({ ...redriven }))
}

/** Voids every pass issued so far. Resolves with the time (epoch ms) from which the gate has other keys. */
export function voidPasses(ports: RepairPorts, actor: Actor): Promise<{ rotatedAt: number }> {
  const work = async () => {
    await rotatePassKeys(ports)
    return { rotatedAt: ports.clock() }
  }
  return audited(ports, { ...actor, what: 'rotate-pass-keys', saleId: null }, work, () => ({}))
}

/** Runs `work` and writes its audit entry. `after` returns the facts of the entry, undefined for no entry. */
async function audited<T>(
  { table, clock, log }: Pick<ShopContext, 'table' | 'clock' | 'log'>,
  about: Actor & { what: AuditAction; saleId: SaleId | null },
  work: () => Promise<T>,
  after: (done: T) => Facts | undefined,
): Promise<T> {
  const add = (facts: Facts) => addAuditEntry(table, { ...about, when: clock(), before: null, after: facts })
  let done: T
  try {
    done = await work()
  } catch (error) {
    // Report the failure itself, even if it also prevents the audit entry.
    await add({ outcome: 'failed' }).catch(() => log.error('no audit entry written', { ...about }))
    throw error
  }
  const facts = after(done)
  if (facts !== undefined) await add(facts)
  return done
}
