/**
 * Rebuilds shards of a sale of red packets from the table and the seed, after Redis lost them or went
 * back to an older state of them. The other shards give packets meanwhile, and no shopper reads "sold
 * out".
 *
 *   1 freeze     the lost shards reject every request for packets
 *   2 arrive     claims that were on their way are credited
 *   3 load       the claims and packets of these shards; packets without a claim are held back
 *   4 unfreeze   them
 *
 * A run that is cut off leaves the shards frozen, and the next run of `reconcile` begins again.
 */

import { freeze } from '../../../redis/stock/freeze.ts'
import { readShard } from '../../../redis/stock/stock.ts'
import { unfreeze } from '../../../redis/stock/unfreeze.ts'
import { asWarmed } from '../../sales/effects.ts'
import { tryFinishStockChange } from '../../sales/finish-stock-change.ts'
import { type PacketList, packetListsOf } from '../../sales/load-packets.ts'
import { lostPacketShards, partOf } from '../../sales/packet-shards.ts'
import type { SaleRecord } from '../../table/sale/sale-item.ts'
import { findSale } from '../../table/sale/sales.ts'
import type { RecoveryRun } from '../ports.ts'
import { arrive, notListed, sendWhatAnswers } from '../stock/rebuild-holds.ts'
import type { Recovered } from '../stock/recovered.ts'
import { creditOutbox } from './claim-drift.ts'
import { recoverPackets } from './recover-packets.ts'

/**
 * Rebuilds the lost shards of the sale, or all shards when none is lost. Under the sale's lock.
 * @throws when a part is unavailable
 */
export async function recoverPacketShards(recovery: RecoveryRun, record: SaleRecord): Promise<Recovered> {
  const { sale, stock, signal, meter, log } = recovery
  const { saleId } = sale
  const lost = await lostPacketShards(recovery, record)
  const lists = lost.length > 0 ? lost : await packetListsOf(stock, sale)
  await Promise.all(lists.map(({ shard }) => freeze(shard, saleId)))
  signal.throwIfAborted()
  await arrive(recovery, () => sendWhatAnswers(recovery, saleId, creditOutbox(recovery, sale, { ageMs: 0 })))
  const restored = await recoverPackets(recovery, lists)
  if (restored === undefined) return notListed
  let heldBack = 0
  for (const list of lists) heldBack += await open(recovery, list)
  const present = await tryFinishStockChange(recovery, saleId)
  if (present?.unfinishedChange !== undefined) throw present.unfinishedChange
  meter.count('SaleRecovered')
  const shards = lists.map(({ number }) => number).join(' ')
  log.warn('shards of a sale rebuilt from the table', { saleId, shards, ...restored, heldBack })
  return { kind: 'recovered', sale: present?.record.sale ?? sale, ...restored, heldBack, movedShards: [] }
}

/** Unfreezes one shard; resolves with the packets that it holds back. */
async function open(
  { table, clock, signal, sale: { saleId } }: RecoveryRun,
  { shard, number, shardCount }: PacketList,
): Promise<number> {
  for (;;) {
    signal.throwIfAborted()
    const record = await findSale(table, saleId)
    if (record === undefined) throw new Error(`${saleId} was deleted though it was started`)
    const warm = partOf(asWarmed(record), number, shardCount)
    // Which packets are held back was decided when they were loaded.
    const { kind } = await unfreeze(shard, warm, 0, { units: undefined, since: clock() })
    if (kind === 'superseded') continue
    if (kind === 'unknown-sale') throw new Error(`Redis lost a frozen shard of ${saleId} again`)
    return (await readShard(shard, saleId))?.heldBack ?? 0
  }
}
