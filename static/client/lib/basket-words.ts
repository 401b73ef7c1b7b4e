/** Variants in words: the units of a basket as `2 × M · 1 × S`, or names alone (N1). */
import type { Basket } from '../../../core/sale/variants.ts'

/** In the order of the sale's variants; `names` are theirs by id, and an unknown id stands for itself. */
export function linesText(basket: Basket, names: ReadonlyMap<string, string>, locale: string): string {
  const known = [...names.keys()].filter((id) => Object.hasOwn(basket, id))
  const unknown = Object.keys(basket).filter((id) => !names.has(id))
  return [...known, ...unknown.sort()]
    .map((id) => `${(basket[id] ?? 0).toLocaleString(locale)} × ${names.get(id) ?? id}`)
    .join(' · ')
}

/** Names of variants in a sentence, separated as the language does it. */
export function namesText(names: readonly string[], locale: string): string {
  const [, comma] = new Intl.ListFormat(locale).formatToParts(['a', 'b', 'c'])
  return names.join(comma?.value ?? ', ')
}
