/**
 * The banker of a split stock: moves units to the shards that need them, by the plan of
 * core/stock/rights-plan.ts. Every step is saved in the bank before it is carried out, and repeated until
 * it is settled, so any number of bankers may work at once, and a crash loses nothing.
 */

import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { changePool, isFree, lend, refuseChange, settle } from '../../core/stock/rights.ts'
import { confirmedShort, lendable, planTransfer } from '../../core/stock/rights-plan.ts'
import type { Commander } from '../../redis/command.ts'
import { shardsOf } from '../../redis/shards.ts'
import { addStock, type NumberedChange, type StockChange } from '../../redis/stock/add-stock.ts'
import { isBeingChecked, type StockFacts } from '../../redis/stock/stock.ts'
import { clearWish, noteScarce } from '../../redis/stock/wishes.ts'
import type { StockPorts } from '../shop/shop.ts'
import { saveBank } from '../table/stock/banks.ts'
import { promising, rememberWishes } from './seen-wishes.ts'
import { lookAt, type SplitLook, unitsIn } from './split-look.ts'

/** What the banker found: the stock at rest, or that another round may find more. */
export type Round = { look: SplitLook; isAtRest: boolean; isSoldOut: boolean }

export type Banker = (sale: Pick<Sale, 'saleId' | 'maxPerOrder'>) => Promise<Round | undefined>

/**
 * A banker, who does one round at each call: carries out what is under way, or starts what the shards
 * need. `isSoldOut` when it is sure that no unit is left anywhere. Undefined for a sale without a
 * bank. Throws when the table is unavailable.
 */
export function createBanker(ports: StockPorts): Banker {
  const { table, clock } = ports
  const wishes = rememberWishes()

  return async ({ saleId, maxPerOrder }) => {
    const look = await lookAt(ports, saleId)
    if (look === undefined) return undefined
    const moving = { look, isAtRest: false, isSoldOut: false }
    if (await carryOut(ports, saleId, look)) return moving
    const asked = look.facts.map((shard, at) => wishes.see(saleId, at, shard, clock()))
    const readings = look.readings.map((reading, at) => promising(reading, asked[at]))
    let { bank } = look
    const short: number[] = []
    const ended: number[] = []
    for (const [shard, wish] of asked.entries()) {
      if (wish === undefined && hasWish(look.facts[shard])) ended.push(shard)
      if (readings[shard] === undefined) continue
      const units = wish?.state === 'new' ? wish.units : 0
      const plan = planTransfer({ bank, readings }, { shard, units }, maxPerOrder)
      if (plan.kind === 'save') bank = plan.bank
      if (plan.kind === 'short') short.push(shard)
      if (plan.kind !== 'enough' || wish?.state !== 'new') continue
      wish.state = 'served'
      ended.push(shard)
    }
    await clearWishes(ports, saleId, ended)
    if (bank === look.bank) {
      const left = await confirmEnd(ports, saleId, look, short)
      return { look, isAtRest: true, isSoldOut: left !== undefined && left <= 0 }
    }
    if ((await saveBank(table, saleId, look.bank.revision, bank)) === 'saved') {
      await carryOut(ports, saleId, { ...look, bank })
    }
    return moving
  }
}

function hasWish(shard: StockFacts | Error | undefined): boolean {
  return shard !== undefined && !(shard instanceof Error) && shard.wish !== undefined
}

/**
 * Clears wishes that were served or have ended: otherwise the next banker would move units for them
 * again. A wish that comes meanwhile is lost, and its shopper asks again.
 */
async function clearWishes(ports: StockPorts, saleId: SaleId, ended: readonly number[]): Promise<void> {
  if (ended.length === 0) return
  const shards = await shardsOf(ports.stock, saleId)
  const cleared = ended.flatMap((at) => shards[at] ?? []).map((shard) => clearWish(shard, saleId))
  // The next round tries again.
  await Promise.allSettled(cleared)
}

/**
 * How many units are left in the whole stock, when that is sure and no shard has any. Shards where
 * more are wanted get a note of it, so that these shoppers need not wait.
 */
async function confirmEnd(
  ports: StockPorts,
  saleId: SaleId,
  look: SplitLook,
  short: readonly number[],
): Promise<number | undefined> {
  if (look.readings.some((reading) => reading === undefined || reading.left > 0)) return undefined
  if (look.bank.pool > 0 && short.length === 0) return undefined
  if (look.facts.some(isChecked)) return undefined
  // Shoppers read the finding for a moment from here, because it may be as old as the beginning of the second look.
  const now = ports.clock()
  const again = await lookAt(ports, saleId)
  const left = again && confirmedShort(look, again)
  if (left === undefined || left <= 0) return left
  const shards = await shardsOf(ports.stock, saleId)
  const wishing = short.flatMap((at) => shards[at] ?? [])
  await Promise.all(wishing.map((shard) => noteScarce(shard, saleId, left, now)))
  return left
}

/** Its units may be for sale again. */
function isChecked(shard: StockFacts | Error | undefined): boolean {
  return shard !== undefined && !(shard instanceof Error) && isBeingChecked(shard)
}

/**
 * Carries out all transfers under way, as far as their shards answer; false when there are none.
 */
async function carryOut(ports: StockPorts, saleId: SaleId, { bank, facts }: SplitLook): Promise<boolean> {
  const shards = await shardsOf(ports.stock, saleId)
  const outcomes = await Promise.all(
    bank.shards.map(async ({ transfer }, at) => {
      const shard = shards[at]
      if (transfer === undefined || shard === undefined || facts[at] instanceof Error) return undefined
      return transferOutcome(shard, saleId, transfer)
    }),
  )
  let next = bank
  for (const [at, outcome] of outcomes.entries()) {
    const transfer = bank.shards[at]?.transfer
    if (outcome !== undefined && transfer !== undefined) next = settle(next, at, transfer.number, outcome)
  }
  if (next === bank) return false
  await saveBank(ports.table, saleId, bank.revision, next)
  return true
}

/** Undefined when the shard did not carry it out: the next round repeats it. */
async function transferOutcome(
  shard: Commander,
  saleId: SaleId,
  transfer: NumberedChange,
): Promise<'applied' | 'refused' | undefined> {
  const change = await addStock(shard, saleId, transfer).catch(() => undefined)
  if (change?.kind === 'changed' || change?.kind === 'repeat') return 'applied'
  return change?.kind === 'below-booked' ? 'refused' : undefined
}

/** The most rounds of one change. Each round collects at least half of what is left, so 30 collect all. */
const mostRounds = 30

/**
 * Adds units to the pool, or takes them away; the shards give up what the pool has too few. Applies
 * a change once, however often it is repeated. `unknown-sale` when that is not possible now.
 * @throws when the table is unavailable
 */
export async function changeSplitStock(
  ports: StockPorts,
  saleId: SaleId,
  change: NumberedChange,
): Promise<StockChange> {
  for (let round = 0; round < mostRounds; round += 1) {
    const look = await lookAt(ports, saleId)
    if (look === undefined) return { kind: 'unknown-sale' }
    const changed = changePool(look.bank, change)
    if (changed.kind === 'repeat') return { kind: 'repeat', ...countersOf(look) }
    if (changed.kind === 'refused') return { kind: 'below-booked', ...countersOf(look) }
    if (changed.kind === 'changed') {
      const saved = await saveBank(ports.table, saleId, look.bank.revision, changed.bank)
      if (saved === 'saved') return { kind: 'changed', ...countersOf({ ...look, bank: changed.bank }) }
      continue
    }
    if (await carryOut(ports, saleId, look)) continue
    if (look.readings.includes(undefined) || !look.bank.shards.every(isFree)) return { kind: 'unknown-sale' }
    const lends = lendable(look)
    const next = lends.length > 0 ? lend(look.bank, lends) : refuseChange(look.bank, change.number)
    await saveBank(ports.table, saleId, look.bank.revision, next)
  }
  return { kind: 'unknown-sale' }
}

function countersOf(look: SplitLook): { total: number; booked: number; stockRevision: number } {
  const { total, available } = unitsIn(look)
  return { total, booked: total - available, stockRevision: look.bank.revision }
}
