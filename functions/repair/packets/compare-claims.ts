/**
 * Compares the claims of a sale in Redis with those in the table, and ends the holding back of
 * packets when its time has come.
 */
import type { ClaimMessage } from '../../../core/packets/claim.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { type PacketList, packetListsOf } from '../../sales/load-packets.ts'
import type { CountsCompared, ReconcileOptions } from '../findings.ts'
import type { RepairPorts } from '../ports.ts'
import { type Settled, settleHeldBack } from '../stock/held-back.ts'
import { claimDrift, creditMissing, readCredited } from './claim-drift.ts'
import { claimsOnTheWay, releaseHeldPackets } from './held-packets.ts'

/**
 * Compares what was claimed with what was credited. While claims are on their way the counts may
 * differ for a moment. So each claim is compared only while packets are held back, and when `full`
 * asks for it.
 * @throws when a part is unavailable
 */
export async function compareClaims(
  ports: RepairPorts,
  sale: Sale,
  { minAgeMs, full }: ReconcileOptions,
  deadline: number,
): Promise<CountsCompared> {
  const { saleId } = sale
  const settled = await settleAll(ports, sale)
  const drift = await claimDrift(ports, saleId)
  if (drift !== null) ports.meter.count('Drift', Math.abs(drift))
  if (!full && settled.size === 0 && (drift === null || drift === 0)) {
    return { drift, holds: undefined, released: 0, isBroken: false }
  }
  const listed = await readCredited(ports, saleId, deadline)
  const found = listed && (await creditMissing(ports, sale, listed, minAgeMs, deadline))
  if (listed === undefined || found === undefined) {
    ports.meter.count('ReconcileFailed')
    ports.log.error('no time was left to compare every claim', { saleId })
    return { drift, holds: undefined, released: 0, isBroken: false }
  }
  const isBroken = found.isForgetful
  if (!isBroken) {
    for (const [list, ended] of settled) await releaseHeldPackets(ports, sale, list, ended, listed)
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
