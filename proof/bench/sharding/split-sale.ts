/**
 * A whole sale over shards that lend to each other, by the same rules that the functions follow.
 * Requests come one after another, so every message is counted and nothing waits.
 */
import { dividedUnits, isNothing, plusParts, undivided } from '../../../core/stock/divided-units.ts'
import { type Bank, openBank, settle } from '../../../core/stock/rights.ts'
import { applyTransfer, emptyShard, type ShardStock } from '../../../core/stock/rights-shard.ts'
import { type BankLook, confirmedLeft, planTransfer, runningLow } from '../../../core/stock/transfer-plan.ts'
import { drawHome, type HomeShares } from './naive.ts'

/** A shopper wants 1 to `maxPerOrder` units. */
type SplitSale = { stock: number; homes: HomeShares; maxPerOrder: number; random: () => number }

/**
 * `falseEnds` are the shoppers who read "sold out" although there were enough units. `messages` are
 * the calls of shards: grants, lends, and grants that follow a lend.
 */
export type SplitResult = { sold: number; falseEnds: number; messages: number }

/** Sells until nothing is left, or until a shopper wrongly reads so. */
export function sellSplit({ stock, homes, maxPerOrder, random }: SplitSale): SplitResult {
  let bank = openBank(dividedUnits({ delta: stock }), homes.length)
  const stocks: ShardStock[] = homes.map(() => emptyShard)
  const result = { sold: 0, falseEnds: 0, messages: 0 }
  const look = (): BankLook => ({ bank, readings: [...stocks] })

  const carryOut = (shard: number) => {
    const transfer = bank.shards[shard]?.transfer
    if (transfer === undefined) return
    const applied = applyTransfer(stocks[shard], transfer)
    if (!('stock' in applied)) throw new Error('a shard of the measurement is lost')
    stocks[shard] = applied.stock
    result.messages += 1
    bank = settle(bank, shard, transfer.number, applied.kind === 'below-booked' ? 'refused' : 'applied')
    if (transfer.borrower !== undefined) carryOut(transfer.borrower)
  }

  const save = (next: Bank) => {
    bank = next
    for (const [shard, { transfer }] of next.shards.entries()) if (transfer !== undefined) carryOut(shard)
  }

  /** True once the shard has the units; false when too few are left. */
  const obtain = (shard: number, units: number): boolean => {
    for (;;) {
      const plan = planTransfer(look(), { shard, units: dividedUnits({ delta: units }) }, maxPerOrder)
      if (plan.kind === 'enough') return true
      if (plan.kind === 'save') save(plan.bank)
      else if (undivided in confirmedLeft(look(), look())) return false
    }
  }

  for (let shard = 0; shard < homes.length; shard += 1) {
    const plan = planTransfer(look(), { shard, units: {} }, maxPerOrder)
    if (plan.kind === 'save') save(plan.bank)
  }
  for (;;) {
    const shard = drawHome(homes, random)
    const units = 1 + Math.floor(random() * maxPerOrder)
    const own = stocks[shard] ?? emptyShard
    if ((own.left[undivided] ?? 0) < units && !obtain(shard, units)) {
      const left = stock - result.sold
      if (left >= units) result.falseEnds += 1
      if (left === 0 || left >= units) return result
      continue
    }
    const stocked = stocks[shard] ?? emptyShard
    const rest = plusParts(stocked.left, dividedUnits({ delta: units }), -1)
    stocks[shard] = { ...stocked, left: rest }
    result.sold += units
    if (isNothing(runningLow(rest, bank, maxPerOrder))) continue
    const plan = planTransfer(look(), { shard, units: {} }, maxPerOrder)
    if (plan.kind === 'save') save(plan.bank)
  }
}
