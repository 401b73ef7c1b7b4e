/** Writes units by variant: `2 × M · 1 × S` (N1). */
import type { VariantUnits } from '../core/sale/variants.ts'

/** Lists the units in the order of `names`, the names by variant id. An unknown id is shown as it is. */
export function linesText(units: VariantUnits, names: ReadonlyMap<string, string>, locale: string): string {
  const known = [...names.keys()].filter((id) => Object.hasOwn(units, id))
  const unknown = Object.keys(units).filter((id) => !names.has(id))
  return [...known, ...unknown.sort()]
    .map((id) => `${(units[id] ?? 0).toLocaleString(locale)} × ${names.get(id) ?? id}`)
    .join(' · ')
}
