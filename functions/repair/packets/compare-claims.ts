/**
 * Compares the claims of a sale in Redis with those in the table, and ends the holding back of
 * packets when its time has come.
 */
import type { ClaimMessage } from '../../../core/packets/claim.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { type PacketList, packetListsOf } from '../../sales/load-packets.ts'
import type { CountsCompared } from '../findings.ts'
import type { RepairPorts, Run } from '../ports.ts'
import { type Settled, settleHeldBack } from '../stock/held-back.ts'
import { claimDrift, creditMissing, readCredited } from './claim-drift.ts'
import { claimsOnTheWay, releaseHeldPackets } from './held-packets.ts'

/**
 * Compares what was claimed with what was credited. While claims are on their way the counts may
 * differ for a moment. So each claim is compared only while packets are held back, and when `full`
 * asks for it.
 * @throws when a part is unavailable
 */
export async function compareClaims(run: Run, sale: Sale): Promise<CountsCompared> {
  const { minAgeMs, full, meter, log } = run
  const { saleId } = sale
  const settled = await settleAll(run, sale)
  const drift = await claimDrift(run, saleId)
  if (drift !== null) meter.count('Drift', Math.abs(drift))
  if (!full && settled.size === 0 && (drift === null || drift === 0)) {
    return { drift, holds: undefined, released: 0, isBroken: false }
  }
  const listed = await readCredited(run, saleId)
  const found = listed && (await creditMissing(run, sale, listed, { ageMs: minAgeMs }))
  if (listed === undefined || found === undefined) {
    meter.count('ReconcileFailed')
    log.error('no time was left to compare every claim', { saleId })
    return { drift, holds: undefined, released: 0, isBroken: false }
  }
  const isBroken = found.isForgetful
  if (!isBroken) {
    for (const [list, ended] of settled) await releaseHeldPackets(run, { sale, list, listed }, ended)
  }
  const holds = { restored: found.credited + found.restored, released: 0, lost: 0, overdue: 0 }
  return { drift, holds, released: 0, isBroken }
}

/** By shard, what is to become of the packets that it holds back. */
async function settleAll(
  ports: RepairPorts,
  sale: Sale,
): Promise<ReadonlyMap<PacketList, Settled<readonly ClaimMessage[]>>> {
  const { saleId } = sale
  const settled = new Map<PacketList, Settled<readonly ClaimMessage[]>>()
  for (const list of await packetListsOf(ports.stock, sale)) {
    const found = await settleHeldBack(ports, list.shard, saleId, claimsOnTheWay(ports, saleId))
    if (found !== undefined) settled.set(list, found)
  }
  return settled
}
