/** Sales, caps and audit in memory; every call makes all of its changes or none. */
import type { SaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import { isBehind } from '../../core/sale-place.ts'
import { sumOfUnits, type VariantUnits } from '../../core/variants.ts'
import type { AuditReader } from '../../functions/control/routes.ts'
import type {
  AuditEntry,
  CapChange,
  SaleBook,
  SaleList,
  SaleRecord,
} from '../../functions/sales/sale-book.ts'
import { outage, type Switchable } from './outage.ts'

/** `budget` is set for red packets, `variants` are the units left of each variant. */
type MemoryCap = {
  remaining: number | undefined
  sold: number
  budget?: number
  variants?: VariantUnits
}

export type MemorySales = SaleBook &
  AuditReader &
  Switchable & { audit: AuditEntry[]; caps: Map<SaleId, MemoryCap> }

export function memorySaleBook(): MemorySales {
  const light = outage('DynamoDB')
  const records = new Map<SaleId, SaleRecord>()
  const deleted = new Map<SaleId, Sale>()
  const caps: MemorySales['caps'] = new Map()
  const audit: AuditEntry[] = []

  const changeCap = (saleId: SaleId, change: CapChange) => {
    if (change.kind === 'open') {
      const { stock, budget, units: variants } = change
      const money = budget === undefined ? {} : { budget }
      const remaining = stock === -1 ? undefined : stock
      caps.set(saleId, { remaining, sold: 0, ...money, ...(variants && { variants }) })
      return
    }
    const cap = caps.get(saleId)
    if (cap?.remaining !== undefined) cap.remaining += change.delta
    if (cap?.variants !== undefined) cap.variants = sumOfUnits([cap.variants, change.units ?? {}])
  }

  const refuses = (saleId: SaleId, change: CapChange | undefined) => {
    const cap = caps.get(saleId)
    if (change?.kind !== 'add') return change?.kind === 'open' && cap !== undefined
    const units = Object.entries(change.units ?? {})
    if (units.some(([id, some]) => (cap?.variants?.[id] ?? -1) + Math.min(0, some) < 0)) return true
    return cap?.remaining === undefined || cap.remaining + Math.min(0, change.delta) < 0
  }

  return {
    ...light,
    audit,
    caps,
    ...saleReads(records, deleted, light.pass),
    async create(sale, entry) {
      light.pass()
      if (records.has(sale.saleId) || deleted.has(sale.saleId)) return 'conflict'
      records.set(sale.saleId, { sale, revision: 1, finishedStockChanges: [] })
      audit.push(entry)
      return 'saved'
    },
    async save(seen, next, also) {
      light.pass()
      const { saleId } = next.sale
      if (records.get(saleId)?.revision !== seen) return 'conflict'
      if (refuses(saleId, also.cap)) return 'conflict'
      records.set(saleId, { ...next, revision: seen + 1 })
      if (also.audit !== undefined) audit.push(also.audit)
      if (also.cap !== undefined) changeCap(saleId, also.cap)
      return 'saved'
    },
    async remove({ sale, revision }, entry) {
      light.pass()
      if (records.get(sale.saleId)?.revision !== revision) return 'conflict'
      records.delete(sale.saleId)
      caps.delete(sale.saleId)
      deleted.set(sale.saleId, sale)
      audit.push(entry)
      return 'saved'
    },
    of: async (day) =>
      audit
        .filter(({ when }) => new Date(when).toISOString().startsWith(day))
        .sort((a, b) => b.when - a.when),
  }
}

function saleReads(
  records: ReadonlyMap<SaleId, SaleRecord>,
  deleted: ReadonlyMap<SaleId, Sale>,
  pass: () => void,
): Pick<SaleBook, 'find' | 'findDeleted' | 'list' | 'page'> {
  const listed = (list: SaleList) =>
    [...records.values()]
      .filter(({ removedAt }) => (removedAt === undefined) === (list === 'current'))
      .map(({ sale }) => sale)
  return {
    async find(saleId) {
      pass()
      return records.get(saleId)
    },
    async findDeleted(saleId) {
      pass()
      return deleted.get(saleId)
    },
    async list() {
      pass()
      return listed('current').sort((a, b) => a.startsAt - b.startsAt)
    },
    async page(list, limit, after) {
      pass()
      const newest = listed(list).sort((a, b) => (isBehind(a, b) ? 1 : -1))
      const rest = after === undefined ? newest : newest.filter((sale) => isBehind(sale, after))
      const [sales, last] = [rest.slice(0, limit), rest[limit - 1]]
      return rest.length > limit && last !== undefined ? { sales, next: last } : { sales }
    },
  }
}
