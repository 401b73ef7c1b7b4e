/** Defects in each step of grant, recall, end and recovery, which the model must detect. */
import type { VariantUnits } from '../../../core/sale/variants.ts'
import { isNothing, mapParts, plusParts, undivided } from '../../../core/stock/divided-units.ts'
import {
  type Escrow,
  grant,
  isFree,
  isRecall,
  recall,
  reissue,
  type ShardEscrow,
  settle,
  startRecovery,
  type Transfer,
} from '../../../core/stock/escrow.ts'
import { confirmedLeft, type EscrowLook, planTransfer, type ShardReading } from '../../../core/stock/transfer-plan.ts'
import type { Rules, Scenario } from './escrow-scenario.ts'
import { type AppliedTransfer, applyTransfer, emptyShard, freezeShard, openShard } from './shard-model.ts'

/** The rules of each defect, by its name. */
type Mutations = Readonly<Record<string, Partial<Rules>>>

const crowded: Partial<Scenario> = { stock: 40, maxPerOrder: 2, skew: 90, demand: 2, atOnce: 10, cancels: 0.5 }
/** Requests one after another, all for one shard: the recalls are counted against their bound. */
const calm: Partial<Scenario> = {
  ...{ shardCount: 4, stock: 400, dealt: 0.9, maxPerOrder: 1, skew: 100, demand: 1.2 },
  ...{ atOnce: 1, cancels: 0, faults: 0, variants: 1 },
}
/** Nearly every order is cancelled, so that units come back to a shard between two looks at it. */
const refilled: Partial<Scenario> = {
  ...{ stock: 6, maxPerOrder: 4, skew: 0, demand: 20 },
  ...{ atOnce: 30, cancels: 1, faults: 0, variants: 1 },
}

const grantMutations: Mutations = {
  'grants units and leaves them in the pool': {
    planTransfer: (look, demand, max) => {
      const plan = planTransfer(look, demand, max)
      return plan.kind === 'save' ? { ...plan, escrow: { ...plan.escrow, pool: look.escrow.pool } } : plan
    },
  },
  'sends fewer units than it granted': {
    applyTransfer: (stock, { number, delta }) =>
      applyTransfer(stock, { number, delta: mapParts(delta, (units) => (units > 1 ? units - 1 : units)) }),
  },
  'starts a transfer over another one that is under way': {
    planTransfer: (look, demand, max) =>
      planTransfer({ ...look, escrow: mapShards(look.escrow, withoutTransfer) }, demand, max),
  },
  'grants one unit at a time': {
    planTransfer: (look, demand, max) => {
      const plan = planTransfer(look, demand, max)
      const isGrant = plan.kind === 'save' && hasFewer(plan.escrow.pool, look.escrow.pool)
      return isGrant ? { ...plan, escrow: grant(look.escrow, demand.shard, { [undivided]: 1 }) } : plan
    },
  },
  'saves the escrow over a newer one': { savesOver: () => true },
  'applies a repeated grant again': {
    applyTransfer: (stock, transfer) =>
      applyTransfer(isRecall(transfer) ? stock : stock && { ...stock, change: -1 }, transfer),
  },
  'ends a transfer whose call was not answered': { unanswered: { kind: 'repeat', stock: emptyShard } },
  'does not carry out a transfer that a crash cut off': { finishesOthers: false },
  'ends another transfer than the one it carried out': {
    settle: (escrow, shard, number, outcome) =>
      settle(escrow, shard, escrow.shards[shard]?.transfer?.number ?? number, outcome),
  },
}

const recallMutations: Mutations = {
  'recalls one unit at a time': {
    planTransfer: (look, demand, max) => {
      const plan = planTransfer(look, demand, max)
      const from = plan.kind === 'save' ? plan.escrow.shards.findIndex(isForReceiver) : -1
      if (from < 0) return plan
      return { kind: 'save', escrow: recall(look.escrow, [{ shard: from, units: { [undivided]: 1 } }], demand.shard) }
    },
  },
  'recalls units that are booked': {
    applyTransfer: (stock, transfer) => {
      if (stock === undefined || !isRecall(transfer)) return applyTransfer(stock, transfer)
      const applied = applyTransfer({ ...stock, left: stock.total }, transfer)
      if (applied.kind !== 'changed') return applied
      return { ...applied, stock: { ...applied.stock, left: plusParts(stock.left, transfer.delta) } }
    },
  },
  'applies a repeated recall again': {
    applyTransfer: (stock, transfer) =>
      applyTransfer(isRecall(transfer) ? stock && { ...stock, change: -1 } : stock, transfer),
  },
  'does not remember that it refused a recall': {
    applyTransfer: (stock, transfer) => withoutRefusal(applyTransfer(stock, transfer)),
  },
  'takes a refused recall for an applied one': {
    settle: (escrow, shard, number) => settle(escrow, shard, number, 'applied'),
  },
  'takes an applied recall for a refused one': {
    settle: (escrow, shard, number) => settle(escrow, shard, number, 'refused'),
  },
  'returns recalled units and leaves them with their shard': {
    settle: (escrow, shard, number, outcome) => {
      const granted = escrow.shards[shard]?.granted ?? {}
      return changed(settle(escrow, shard, number, outcome), shard, (shardEscrow) => ({ ...shardEscrow, granted }))
    },
  },
  'returns recalled units to the pool and to the receiver': {
    settle: (escrow, shard, number, outcome) => {
      const next = settle(escrow, shard, number, outcome)
      const { receiver, delta = {} } = escrow.shards[shard]?.transfer ?? {}
      const isBoth = next !== escrow && receiver !== undefined && next.pool === escrow.pool && outcome === 'applied'
      return isBoth ? { ...next, pool: plusParts(next.pool, delta, -1) } : next
    },
  },
  'drops recalled units when the receiver has another transfer': {
    settle: (escrow, shard, number, outcome) => {
      const next = settle(escrow, shard, number, outcome)
      return escrow.shards[shard]?.transfer?.receiver === undefined ? next : { ...next, pool: escrow.pool }
    },
  },
  'grants recalled units to a receiver that has another transfer': {
    settle: (escrow, shard, number, outcome) => {
      const receiver = escrow.shards[shard]?.transfer?.receiver
      return receiver === undefined
        ? settle(escrow, shard, number, outcome)
        : settle(changed(escrow, receiver, withoutTransfer), shard, number, outcome)
    },
  },
}

const withoutCollecting: typeof planTransfer = (look, demand, max) => {
  const plan = planTransfer(look, demand, max)
  const collects = plan.kind === 'save' && transfersIn(plan.escrow).some(isCollected)
  return collects ? { kind: 'short' } : plan
}

const endMutations: Mutations = {
  'answers "sold out" for one empty shard': { emptyAnswers: 'sold-out' },
  'does not collect the last units for an order': {
    planTransfer: withoutCollecting,
    confirmedLeft: (_first, { escrow }) => escrow.pool,
  },
  'answers "sold out" after one look': { confirmedLeft: ({ escrow }) => escrow.pool },
  'does not compare the revisions of the shards': {
    confirmedLeft: (first, second) =>
      confirmedLeft(withReadings(first, sameRevision), withReadings(second, sameRevision)),
  },
  'takes units in transit for sold': {
    planTransfer: (look, demand, max) => soonShort(planTransfer(look, demand, max), look),
    confirmedLeft: (first, second) => confirmedLeft(ended(first), ended(second)),
  },
  'takes a shard that cannot be read for an empty one': {
    planTransfer: (look, demand, max) => planTransfer(withReadings(look, orEmpty), demand, max),
    confirmedLeft: (first, second) => confirmedLeft(withReadings(first, orEmpty), withReadings(second, orEmpty)),
  },
}

const recoveryMutations: Mutations = {
  'ends a transfer of a shard that was lost since': {
    startRecovery: (escrow, shard) => {
      const transfer = escrow.shards[shard]?.transfer
      const next = startRecovery(escrow, shard)
      return transfer === undefined ? next : changed(next, shard, (shardEscrow) => ({ ...shardEscrow, transfer }))
    },
    reissue: (escrow, shard, generation, kept) => {
      const transfer = escrow.shards[shard]?.transfer
      const next = reissue(escrow, shard, generation, kept)
      return transfer === undefined ? next : changed(next, shard, (shardEscrow) => ({ ...shardEscrow, transfer }))
    },
  },
  'accepts a late grant of an old generation': {
    freezeShard: (stock, generation) => ({ ...freezeShard(stock, generation), change: 0 }),
    openShard: (stock, opening) => openShard(stock, { ...opening, generation: stock?.change ?? 0 }),
  },
  'opens a shard for an attempt that a later one has superseded': {
    openShard: (stock, opening) => openShard(stock, { ...opening, generation: stock?.change ?? 0 }),
  },
  'reissues what is sold': {
    reissue: (escrow, shard, generation, kept) =>
      reissue(
        escrow,
        shard,
        generation,
        mapParts(kept, () => 0),
      ),
  },
  'reissues twice': {
    reissue: (escrow, shard, generation, kept) => {
      const { granted = {}, recovery } = escrow.shards[shard] ?? {}
      if (recovery !== 'reissued') return reissue(escrow, shard, generation, kept)
      const pool = plusParts(plusParts(escrow.pool, granted), kept, -1)
      return { ...escrow, revision: escrow.revision + 1, pool }
    },
  },
  'reissues while orders of the shard are on their way': { waitsForOrders: false },
  'sells units that are held back': { openShard: (stock, opening) => openShard(stock, { ...opening, heldBack: {} }) },
}

/** Two variants of which shoppers want one or several. */
const divided: Partial<Scenario> = { variants: 2, maxPerOrder: 3 }

const variantMutations: Mutations = {
  'recalls units of another variant': {
    applyTransfer: (stock, transfer) => applyTransfer(stock, isRecall(transfer) ? swapped(transfer) : transfer),
  },
  'grants units of another variant than it took from the pool': {
    applyTransfer: (stock, transfer) => applyTransfer(stock, isRecall(transfer) ? transfer : swapped(transfer)),
  },
  'counts a grant for another variant in the escrow': {
    planTransfer: (look, demand, max) => {
      const plan = planTransfer(look, demand, max)
      if (plan.kind !== 'save' || !hasFewer(plan.escrow.pool, look.escrow.pool)) return plan
      const taken = plusParts(look.escrow.pool, plan.escrow.pool, -1)
      return { ...plan, escrow: { ...plan.escrow, pool: plusParts(look.escrow.pool, swappedUnits(taken), -1) } }
    },
  },
  'refuses a recall only if the sum of all variants is too small': {
    applyTransfer: (stock, transfer) => {
      const applied = applyTransfer(stock, transfer)
      if (stock === undefined || applied.kind !== 'below-booked' || stock.refused === transfer.number) return applied
      const left = plusParts(stock.left, transfer.delta)
      if (Object.values(left).reduce((sum, units) => sum + units, 0) < 0) return applied
      const total = plusParts(stock.total, transfer.delta)
      return { kind: 'changed', stock: { ...stock, total, left, change: transfer.number } }
    },
  },
  'adds recalled units to the pool of another variant': {
    settle: (escrow, shard, number, outcome) => {
      const next = settle(escrow, shard, number, outcome)
      const returned = plusParts(next.pool, escrow.pool, -1)
      return isNothing(returned) ? next : { ...next, pool: plusParts(escrow.pool, swappedUnits(returned)) }
    },
  },
  'answers that a variant is sold out after one look': {
    confirmedLeft: (first) => mapParts(first.escrow.pool, (units) => units),
  },
  'takes a variant for sold out while a shard has units of it': {
    planTransfer: withoutCollecting,
    confirmedLeft: (first, second) => ({
      ...mapParts(second.escrow.pool, (units) => units),
      ...confirmedLeft(first, second),
    }),
  },
  'leaves with a recovered shard what it sold of another variant': {
    reissue: (escrow, shard, generation, kept) => reissue(escrow, shard, generation, swappedUnits(kept)),
  },
}

/** What makes a rare condition frequent enough. */
const scenarios: Readonly<Record<string, Partial<Scenario>>> = {
  ...Object.fromEntries(Object.keys(variantMutations).map((name) => [name, divided])),
  'grants one unit at a time': calm,
  'recalls one unit at a time': calm,
  'grants recalled units to a receiver that has another transfer': crowded,
  'does not compare the revisions of the shards': refilled,
}

export const escrowMutations = Object.entries({
  ...variantMutations,
  ...grantMutations,
  ...recallMutations,
  ...endMutations,
  ...recoveryMutations,
}).map(([name, rules]) => ({ name, rules, scenario: scenarios[name] }))

function mapShards(escrow: Escrow, change: (shardEscrow: ShardEscrow) => ShardEscrow): Escrow {
  return { ...escrow, shards: escrow.shards.map(change) }
}

function withoutTransfer({ transfer: _transfer, ...shardEscrow }: ShardEscrow): ShardEscrow {
  return shardEscrow
}

function changed(escrow: Escrow, shard: number, change: (shardEscrow: ShardEscrow) => ShardEscrow): Escrow {
  const shardEscrow = escrow.shards[shard]
  return shardEscrow === undefined ? escrow : { ...escrow, shards: escrow.shards.with(shard, change(shardEscrow)) }
}

function withoutRefusal(applied: AppliedTransfer): AppliedTransfer {
  if (!('stock' in applied)) return applied
  const { refused: _refused, ...stock } = applied.stock
  return { ...applied, stock }
}

function transfersIn({ shards }: Escrow): Transfer[] {
  return shards.flatMap(({ transfer }) => transfer ?? [])
}

const isCollected = (transfer: Transfer) => isRecall(transfer) && transfer.receiver === undefined

const isForReceiver = ({ transfer }: ShardEscrow) => transfer?.receiver !== undefined

function withReadings(look: EscrowLook, change: (reading: ShardReading) => ShardReading): EscrowLook {
  return { ...look, readings: look.readings.map(change) }
}

const sameRevision = (reading: ShardReading): ShardReading => reading && { ...reading, stockRevision: 0, change: 0 }

const orEmpty = (reading: ShardReading): ShardReading => reading ?? { left: {}, stockRevision: 0, change: 0 }

/** The look of a program that does not know transfers. */
const ended = (look: EscrowLook): EscrowLook => ({ ...look, escrow: mapShards(look.escrow, withoutTransfer) })

function soonShort(
  plan: ReturnType<typeof planTransfer>,
  { escrow, readings }: EscrowLook,
): ReturnType<typeof planTransfer> {
  const isEmpty = readings.every((reading) => reading !== undefined && isNothing(reading.left))
  const isSelling = escrow.shards.every((shardEscrow) => isFree(withoutTransfer(shardEscrow)))
  return plan.kind === 'wait' && isEmpty && isSelling ? { kind: 'short' } : plan
}

function hasFewer(units: VariantUnits, before: VariantUnits): boolean {
  return Object.entries(units).some(([id, some]) => some < (before[id] ?? 0))
}

/** As many units, each of the other of two variants. */
function swappedUnits(units: VariantUnits): VariantUnits {
  const other = new Map([
    ['v1', 'v2'],
    ['v2', 'v1'],
  ])
  return Object.fromEntries(Object.entries(units).map(([id, some]) => [other.get(id) ?? id, some]))
}

const swapped = <Some extends Pick<Transfer, 'delta'>>(transfer: Some): Some => ({
  ...transfer,
  delta: swappedUnits(transfer.delta),
})
