/**
 * Publishes to the gate whether the red packets of a split stock are sold out, much more often than a tick,
 * because no shard knows it of the others.
 */
import type { Sale } from '../../../core/sale/sale.ts'
import { publishRestocked, publishSoldOut, readGate } from '../../../redis/gate/gate.ts'
import { isBeingChecked, readShards, type StockFacts } from '../../../redis/stock/stock.ts'
import { replenishAdmissions } from '../../sales/admissions.ts'
import type { RepairPorts } from '../ports.ts'
import { isSelling } from '../tick-sale.ts'

const everyMs = 200

/**
 * Looks at the shards of `sale` until `until` (epoch ms); once if the sale gives no packets.
 * @throws when the gate is unavailable
 */
export async function tendPackets(ports: RepairPorts, sale: Sale, until: number): Promise<void> {
  const { clock, sleep } = ports
  for (;;) {
    await publishToGate(ports, sale)
    if (clock() >= until || !isSelling(sale, clock())) return
    await sleep(Math.min(everyMs, until - clock()))
  }
}

/**
 * The shards have no revision in common, so the gate's own revisions count: packets are back with the
 * one after the last that was sold out. A late call of another tick repeats a revision, and changes
 * nothing.
 */
async function publishToGate(ports: RepairPorts, { saleId }: Sale): Promise<void> {
  const { stock, gate, shopfront } = ports
  const known = await readGate(gate, saleId)
  const shards = await readShards(stock, saleId)
  if (known === undefined) return
  if (!known.soldOut && shards.every(isEmpty)) {
    await publishSoldOut(gate, saleId, known.restockedRevision)
  } else if (known.soldOut && shards.some(hasPackets)) {
    await replenishAdmissions(ports, saleId)
    await publishRestocked(gate, saleId, known.soldOutRevision + 1)
  } else {
    return
  }
  await shopfront.refresh(saleId)
}

type Seen = StockFacts | Error | undefined

function hasPackets(shard: Seen): boolean {
  return shard !== undefined && !(shard instanceof Error) && !shard.frozen && shard.available > 0
}

/** A shard without packets, to which none of its units are still to be loaded or released. */
function isEmpty(shard: Seen): boolean {
  if (shard === undefined || shard instanceof Error || shard.frozen || shard.available > 0) return false
  return (shard.packets?.loaded ?? 0) >= shard.total && !isBeingChecked(shard)
}
