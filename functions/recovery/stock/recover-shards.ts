/**
 * Rebuilds shards of a split stock from the table, after Redis lost them or was rolled back. The other shards keep
 * selling, and no shopper reads "sold out" meanwhile.
 *
 *   1 start      save the escrow with a new generation of each lost shard; its transfer ends
 *   2 freeze     they reject every request for units
 *   3 restore    messages in flight arrive, no function uses a former database of the shards any
 *                more, and every order of the table gets its units
 *   4 reissue    units that are neither booked nor held back return to the pool
 *   5 unfreeze   and save the escrow without the recovery
 *
 * Every attempt starts at step 1, so of two attempts only the later one finishes (core/stock/escrow.ts). An
 * interrupted attempt leaves the shards frozen, and the next run of `reconcile` starts again.
 */
import type { SaleId } from '../../../core/ids.ts'
import type { Refusal } from '../../../core/refusals.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { allUnits, unitsOfVariant, type VariantUnits } from '../../../core/sale/variants.ts'
import { dividedUnits, mapParts, withParts } from '../../../core/stock/divided-units.ts'
import { finishRecovery, reissue, startRecovery } from '../../../core/stock/escrow.ts'
import { formerPlacementMs } from '../../../core/stock/placement.ts'
import type { Commander } from '../../../redis/command.ts'
import { shardsOf } from '../../../redis/shards.ts'
import { freeze, unfreeze } from '../../../redis/stock/freeze.ts'
import { readShard, readShards } from '../../../redis/stock/stock.ts'
import { readVariants } from '../../../redis/stock/units.ts'
import { publishToGate } from '../../sales/effects.ts'
import { lostShards } from '../../sales/split-stock.ts'
import { findSale } from '../../table/sale/sales.ts'
import { changeEscrow } from '../../table/stock/escrows.ts'
import { resendOutbox } from '../orders/resend-outbox.ts'
import type { RecoveryRun, RepairPorts } from '../ports.ts'
import { maxUnaccounted } from './held-back.ts'
import type { MovedShard } from './move-shards.ts'
import { awaitMessages, rebuildHolds, sendBestEffort } from './rebuild-holds.ts'

/** A lost shard, and the generation under which it is recovered. */
type LostShard = { number: number; shard: Commander; generation: number }

/**
 * Rebuilds the lost shards of `sale` under its lock, or all shards when none is lost; then they hold back only the units that
 * the gate counts as in flight. `heldBack` units are not sold until their messages have arrived or expired.
 * @throws when a part is unavailable
 */
export async function recoverShards(recovery: RecoveryRun): Promise<Recovered> {
  const { sale, signal, clock, sleep, stock, meter, log } = recovery
  const { saleId } = sale
  // An interrupted move may not have reached the gate.
  await publishToGate(recovery, sale)
  const publishedAt = clock()
  const shards = await shardsOf(stock, saleId)
  const lost = await lostShards(recovery, saleId)
  const numbers = lost.length > 0 ? lost : [...shards.keys()]
  const started = await changeEscrow(recovery, saleId, signal, (escrow) =>
    numbers.reduce((next, number) => startRecovery(next, number), escrow),
  )
  const recovering = numbers.flatMap((number): LostShard[] => {
    const shard = shards[number]
    const generation = started.shards[number]?.generation
    return shard === undefined || generation === undefined ? [] : [{ number, shard, generation }]
  })
  await Promise.all(recovering.map(({ shard, generation }) => freeze(shard, saleId, generation)))
  signal.throwIfAborted()
  await awaitMessages(recovery, () => sendBestEffort(recovery, saleId, resendOutbox(recovery, sale, 0)))
  await sleep(Math.max(0, publishedAt + formerPlacementMs - clock()))
  const frozen = recovering.map(({ shard }) => shard)
  const restored = await rebuildHolds(recovery, frozen)
  if ('kind' in restored) return restored
  const maxHeldBack = lost.length > 0 ? Infinity : await maxInFlight(recovery, sale)
  let heldBack = 0
  for (const one of recovering) heldBack += await reopenShard(recovery, one, maxHeldBack)
  meter.count('SaleRecovered')
  log.warn('shards of a sale rebuilt from the table', { saleId, shards: numbers.join(' '), ...restored, heldBack })
  return { kind: 'recovered', sale, ...restored, heldBack, movedShards: [] }
}

/** Returns an upper bound of the units in flight that no shard has booked, in a sale without a lost shard. */
async function maxInFlight(ports: RepairPorts, sale: Sale): Promise<number> {
  const facts = await readShards(ports.stock, sale.saleId)
  const booked = facts.map((shard) => (shard === undefined || shard instanceof Error ? 0 : shard.booked))
  return maxUnaccounted(
    ports,
    sale,
    booked.reduce((sum, units) => sum + units, 0),
  )
}

/**
 * Steps 4 and 5 for one shard; resolves with the units that it holds back until no earlier message can exist any more
 * (held-back.ts): at most `maxHeldBack` of those that are not booked. How many orders of a lost shard are in flight is unknown,
 * so all its units may be theirs. A sale that was never started has none.
 */
async function reopenShard(
  recovery: RecoveryRun,
  { number, shard, generation }: LostShard,
  maxHeldBack: number,
): Promise<number> {
  const { table, clock, signal } = recovery
  const { saleId, epoch } = recovery.sale
  const booked = await bookedIn(shard, recovery.sale)
  const escrow = await changeEscrow(recovery, saleId, signal, (before) => {
    const granted = before.shards[number]?.granted ?? {}
    const kept = mapParts(booked, (units, id) => (epoch === 0 ? units : Math.max(unitsOfVariant(granted, id), units)))
    return reissue(before, number, generation, kept)
  })
  const total = escrow.shards[number]?.granted ?? {}
  const heldBack = Math.min(allUnits(total) - allUnits(booked), maxHeldBack)
  for (;;) {
    signal.throwIfAborted()
    const record = await findSale(table, saleId)
    if (record === undefined) throw new Error(`${saleId} was deleted though it was warmed`)
    const warm = withParts({ ...record.sale, lastChange: generation, generation }, total)
    const done = await unfreeze(shard, warm, 0, { units: heldBack, since: clock() })
    if (done.kind === 'superseded') continue
    if (done.kind === 'unknown-sale') throw lostAgain(saleId)
    break
  }
  await changeEscrow(recovery, saleId, signal, (before) => finishRecovery(before, number, generation))
  return heldBack
}

/** Returns the units that a frozen shard's orders hold. A lost shard has forgotten its variants, but not their booked units. */
async function bookedIn(shard: Commander, { saleId, variants }: Sale): Promise<VariantUnits> {
  const counted = await readShard(shard, saleId)
  if (counted === undefined) throw lostAgain(saleId)
  if (variants === undefined) return dividedUnits({ delta: counted.booked })
  const found = await readVariants(
    shard,
    saleId,
    variants.map(({ id }) => id),
  )
  return Object.fromEntries(Object.entries(found.variants).map(([id, { total, left }]) => [id, total - left]))
}

const lostAgain = (saleId: SaleId) => new Error(`Redis lost a frozen shard of ${saleId} again`)

/**
 * `recovered`: Redis agrees with the table. `orders` hold `units`; `heldBack` more are not sold until their messages
 * have arrived or expired. `movedShards` are in other databases now. `unfinished`: the sale stays frozen until the next
 * call, `detail` says why. `busy`: another recovery runs.
 */
export type Recovered =
  | {
      kind: 'recovered'
      sale: Sale
      orders: number
      units: number
      heldBack: number
      movedShards: readonly MovedShard[]
    }
  | ({ kind: 'unfinished' } & Refusal)
  | ({ kind: 'refused' } & Refusal)
  | { kind: 'no-sale' | 'busy' }
