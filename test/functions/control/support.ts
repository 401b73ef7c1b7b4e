/** The Redis side of `control` in memory: the stock by the rules of its scripts, and what the gate believes. */

import { admissionsLeft } from '../../../core/admission.ts'
import type { SaleId } from '../../../core/ids.ts'
import type { Gate, Stock } from '../../../functions/sales/ports.ts'
import type { AdmissionsReader, GateSnapshot, StockSnapshot } from '../../../functions/sales/snapshots.ts'
import { type GateFactsToWrite, gateFactsOf } from '../../../redis/gate.ts'
import { frozenWindow } from '../../../redis/packed-window.ts'
import type { StockTruth } from '../../../redis/replenish.ts'
import { type StockDefinition, stockDefinition } from '../../../redis/stock-definition.ts'
import { outage, type Switchable } from '../../../simulation/memory/outage.ts'
import {
  bookedOn,
  emptyRecord,
  type MemoryStock,
  memoryStock,
  type StockRecord,
} from '../../contract/fakes/stock.ts'

/** `stock` is the same Redis as buyers use; `records` shows it with its counters, `lose` is a restart without a file. */
export type MemoryRedis = Stock &
  Switchable & {
    stock: MemoryStock
    readonly records: ReadonlyMap<SaleId, StockRecord & { booked: number }>
    read: (saleId: SaleId) => Promise<StockSnapshot | undefined>
    lose: () => void
    log: string[]
  }

/** The stock by the rules of warm.lua and add-stock.lua. Every change of it is a line in `log`. */
export function memoryRedis(log: string[], stock: MemoryStock = memoryStock()): MemoryRedis {
  const { records, pass, goDown, comeUp } = stock
  const refused = new Set<number>()
  return {
    goDown,
    comeUp,
    stock,
    log,
    get records() {
      return new Map([...records].map(([saleId, shelf]) => [saleId, { ...shelf, booked: bookedOn(shelf) }]))
    },
    lose: () => records.clear(),
    async read(saleId) {
      pass()
      const shelf = records.get(saleId)
      return shelf === undefined ? undefined : factsOf(shelf)
    },
    async warm(sale) {
      pass()
      log.push('stock')
      const { lastChange = 0, ...definition } = sale
      const there = records.get(sale.saleId)
      if (there === undefined) {
        const fresh = { ...emptyRecord(), sale: definition, total: sale.stock, change: lastChange }
        records.set(sale.saleId, fresh)
      } else if (sale.version >= versionOf(there)) there.sale = definition
    },
    async flip(sale) {
      pass()
      log.push('stock')
      const there = records.get(sale.saleId)
      if (there === undefined) return { kind: 'unknown-sale' }
      const version = versionOf(there)
      if (sale.version < version) return { kind: 'superseded', version }
      there.sale = sale
      return { kind: 'applied', version: sale.version }
    },
    async add(saleId, { number, delta }) {
      pass()
      const there = records.get(saleId)
      if (there === undefined || there.frozen) return { kind: 'unknown-sale' }
      const { total, stockRevision } = there
      const booked = bookedOn(there)
      if (refused.has(number)) return { kind: 'below-booked', total, booked }
      if (number <= there.change) return { kind: 'repeat', total, booked, stockRevision }
      if (total === -1) return { kind: 'unlimited' }
      there.change = number
      if (delta < 0 && total + delta < booked) {
        refused.add(number)
        return { kind: 'below-booked', total, booked }
      }
      there.total += delta
      there.stockRevision += delta > 0 ? 1 : 0
      return { kind: 'changed', total: there.total, booked, stockRevision: there.stockRevision }
    },
    async remove(saleId) {
      pass()
      records.delete(saleId)
    },
  }
}

const versionOf = ({ sale }: StockRecord) => sale?.version ?? 0

function factsOf(shelf: StockRecord): StockSnapshot {
  const { total, stockRevision, frozen, sale } = shelf
  const booked = bookedOn(shelf)
  const available = total === -1 ? -1 : Math.max(0, total - booked)
  const flag = sale?.flag ?? ('closed' as const)
  const epoch = sale?.epoch ?? 0
  const definition = sale === undefined ? noDefinition : stockDefinition(sale, { frozen })
  const { heldBack, heldSince, quietSince, resentAt } = shelf
  const held = { heldBack, heldSince, quietSince, resentAt }
  const version = versionOf(shelf)
  return { total, booked, stockRevision, available, frozen, flag, epoch, version, definition, ...held }
}

/** What freeze.lua puts in the place of a stock that was lost. */
const noDefinition: StockDefinition = {
  version: '0',
  flag: 'closed',
  epoch: '0',
  startToken: '',
  startsAt: '0',
  endsAt: '0',
  limit: '1',
  max: '1',
  packedWindow: frozenWindow,
}

export type MemoryGate = Gate &
  Switchable & {
    facts: Map<SaleId, GateFactsToWrite>
    read: (saleId: SaleId) => Promise<GateSnapshot | undefined>
    /** Every revision that was published, in order. */
    published: string[]
    /** The newest truth about each stock. */
    truths: Map<SaleId, StockTruth>
    /** Hears that so many units are booked, as complete-admissions.lua does. */
    hear: (saleId: SaleId, booked: number) => void
    /** Admissions without a known outcome. */
    out: Map<SaleId, number>
    admissionsReader: AdmissionsReader
    lose: () => void
  }

/** What the gate believes, by the rules of gate.lua, publish-stock.lua and replenish.lua. Nobody asks it for admissions. */
export function memoryGate(log: string[]): MemoryGate {
  const light = outage('the gate')
  const facts = new Map<SaleId, GateFactsToWrite>()
  const soldOut = new Map<SaleId, number>()
  const restocked = new Map<SaleId, number>()
  const published: string[] = []
  const truths = new Map<SaleId, StockTruth>()
  const out = new Map<SaleId, number>()
  const most = new Map<SaleId, number>()
  const publish = (revisions: Map<SaleId, number>, saleId: SaleId, stockRevision: number) => {
    revisions.set(saleId, Math.max(stockRevision, revisions.get(saleId) ?? -1))
  }
  return {
    ...light,
    facts,
    published,
    truths,
    out,
    hear(saleId, booked) {
      const known = truths.get(saleId)
      if (known?.booked !== undefined && known.booked < booked) truths.set(saleId, { ...known, booked })
      most.set(saleId, Math.max(booked, most.get(saleId) ?? 0))
    },
    admissionsReader: {
      async read(saleId) {
        light.pass()
        const { total, booked, ratio } = truths.get(saleId) ?? {}
        if (total === undefined || ratio === undefined) return undefined
        const told = { booked: booked ?? 0, out: out.get(saleId) ?? 0 }
        return {
          ...told,
          mostBooked: most.get(saleId) ?? 0,
          remaining: admissionsLeft({ total, ...told }, ratio),
          isComplete: booked !== undefined,
        }
      },
    },
    lose() {
      for (const part of [facts, soldOut, restocked, truths, out, most]) part.clear()
    },
    async remove(saleId) {
      light.pass()
      for (const part of [facts, soldOut, restocked, truths, out]) part.delete(saleId)
    },
    async replenish(saleId, truth) {
      light.pass()
      const known = truths.get(saleId)
      if (known !== undefined && truth.asOf < known.asOf) return
      const booked = truth.booked ?? known?.booked
      truths.set(saleId, { ...known, ...truth, booked })
      most.set(saleId, Math.max(booked ?? 0, most.get(saleId) ?? 0))
    },
    async set(sale, { frozen }) {
      light.pass()
      log.push('gate')
      const known = facts.get(sale.saleId)?.version ?? 0
      if (sale.version >= known) facts.set(sale.saleId, gateFactsOf(sale, { frozen }))
    },
    async read(saleId) {
      light.pass()
      const known = facts.get(saleId)
      if (known === undefined) return undefined
      const { saleId: _, ...told } = known
      const [soldOutRevision, restockedRevision] = [soldOut.get(saleId) ?? -1, restocked.get(saleId) ?? 0]
      return { ...told, soldOutRevision, restockedRevision, soldOut: soldOutRevision >= restockedRevision }
    },
    async publishSoldOut(saleId, stockRevision) {
      light.pass()
      published.push(`sold-out ${stockRevision}`)
      publish(soldOut, saleId, stockRevision)
    },
    async publishRestocked(saleId, stockRevision) {
      light.pass()
      published.push(`restocked ${stockRevision}`)
      publish(restocked, saleId, stockRevision)
    },
  }
}
