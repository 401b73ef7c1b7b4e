/** Units of a split stock by variant. A sale without variants has one part, `undivided`, so both use one protocol. */
import type { Sale } from '../sale/sale.ts'
import { allUnits, stocksById, unitsOfVariant, type VariantUnits } from '../sale/variants.ts'

/** The part with all units of a sale without variants. It is no valid id of a variant. */
export const undivided = '*'

/** `units` divides `delta` by variant, in a sale with variants. */
export type DividedChange = { delta: number; units?: VariantUnits }

export type PartUnits = { id: string; units: number }

export function dividedUnits({ delta, units }: DividedChange): VariantUnits {
  return units ?? { [undivided]: delta }
}

export function unitsOfParts(parts: VariantUnits): DividedChange {
  const delta = allUnits(parts)
  return undivided in parts ? { delta } : { delta, units: parts }
}

type SaleStock = Pick<Sale, 'stock' | 'variants'>

export function stockParts({ stock, variants }: SaleStock): VariantUnits {
  return dividedUnits({ delta: stock, ...(variants && { units: stocksById(variants) }) })
}

export function withParts<S extends SaleStock>(sale: S, parts: VariantUnits): S {
  const variants = sale.variants?.map((variant) => ({ ...variant, stock: unitsOfVariant(parts, variant.id) }))
  return { ...sale, stock: allUnits(parts), ...(variants && { variants }) }
}

export function mapParts(parts: VariantUnits, change: (units: number, id: string) => number): VariantUnits {
  return Object.fromEntries(Object.entries(parts).map(([id, units]) => [id, change(units, id)]))
}

export function filterParts(parts: VariantUnits, matches: (units: number, id: string) => boolean): VariantUnits {
  return Object.fromEntries(Object.entries(parts).filter(([id, units]) => matches(units, id)))
}

/** Returns the sum of `parts` and `factor` times `others`. */
export function plusParts(parts: VariantUnits, others: VariantUnits, factor = 1): VariantUnits {
  const sums = Object.entries(others).map(([id, units]) => [id, unitsOfVariant(parts, id) + factor * units])
  return { ...parts, ...Object.fromEntries(sums) }
}

export function areAllZero(parts: VariantUnits): boolean {
  return Object.values(parts).every((units) => units === 0)
}
