/**
 * Compares the claims of a sale in Redis with those in the table, and ends the holding back of
 * packets when its time has come.
 */
import type { Sale } from '../../../core/sale/sale.ts'
import { onlyShard } from '../../../redis/shards.ts'
import type { CountsCompared } from '../findings.ts'
import type { Run } from '../ports.ts'
import { settleHeldBack } from '../stock/held-back.ts'
import { claimDrift, creditMissing, readCredited } from './claim-drift.ts'
import { claimsOnTheWay, releaseHeldPackets } from './recover-packets.ts'

/**
 * Compares what was claimed with what was credited. While claims are on their way the counts may differ for a moment.
 * So each claim is compared only while packets are held back, and when `full` asks for it.
 * @throws when a part is unavailable
 */
export async function compareClaims(run: Run, sale: Sale): Promise<CountsCompared> {
  const { minAgeMs, full, meter, log } = run
  const { saleId } = sale
  const shard = await onlyShard(run.stock, saleId)
  const settled = await settleHeldBack(run, shard, saleId, claimsOnTheWay(run, saleId))
  const drift = await claimDrift(run, saleId)
  if (drift !== null) meter.count('Drift', Math.abs(drift))
  if (!full && settled === undefined && (drift === null || drift === 0)) {
    return { drift, holds: undefined, released: 0, isBroken: false }
  }
  const listed = await readCredited(run, saleId)
  const found = listed && (await creditMissing(run, sale, listed, minAgeMs))
  if (listed === undefined || found === undefined) {
    meter.count('ReconcileFailed')
    log.warn('no time was left to compare every claim', { saleId })
    return { drift, holds: undefined, released: 0, isBroken: false }
  }
  const isBroken = found.isForgetful
  if (!isBroken && settled !== undefined) await releaseHeldPackets(run, { sale, listed }, settled)
  const holds = { restored: found.credited + found.restored, released: 0, lost: 0, overdue: 0 }
  return { drift, holds, released: 0, isBroken }
}
