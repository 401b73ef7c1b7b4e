/**
 * Variants of a sale's goods, such as sizes and colours (N1): each has a stock of its own, under one limit for each
 * shopper over all of them. An order has units of one variant. The stock of the sale is the sum of theirs, so the parts
 * that need only that (admissions, sold out, the limit) know no variants.
 */
import type { Language } from '../language.ts'
import { ownValue } from '../lib/own-value.ts'

/** What a variant is called: `names` by language, where a language has its own. */
export type VariantName = { id: string; name: string; names?: Readonly<Record<Language, string>> | undefined }

/** A variant of a sale. `stock` are its units as the marketer set them. */
export type Variant = VariantName & { stock: number }

/** Returns the name for a reader of `language`. */
export function variantNameIn({ name, names }: VariantName, language: Language): string {
  return names?.[language] ?? name
}

/** Variants with their names for a reader of `language`. */
export function variantNamesIn(
  variants: readonly VariantName[],
  language: Language,
): Pick<VariantName, 'id' | 'name'>[] {
  return variants.map((one) => ({ id: one.id, name: variantNameIn(one, language) }))
}

/** Numbers of units by the id of their variant. */
export type VariantUnits = Readonly<Record<string, number>>

/** Sizes times colours; the hash of a stock has a counter for each. */
export const maxVariants = 24

export const maxVariantName = 60

const idPattern = /^[a-z0-9](?:[a-z0-9-]{0,14}[a-z0-9])?$/

/** True when `text` can name a variant: 1 to 16 lower-case letters, digits or inner hyphens. */
export function isVariantId(text: unknown): text is string {
  return typeof text === 'string' && idPattern.test(text)
}

/** Returns the units of all variants together. */
export function allUnits(units: VariantUnits): number {
  return Object.values(units).reduce((sum, some) => sum + some, 0)
}

/** Returns the units of the variant `id`, 0 where there is no number of it. */
export function unitsOfVariant(units: VariantUnits, id: string): number {
  return ownValue(units, id) ?? 0
}

/** An order's units, in a sale with variants all of one. */
export type OrderUnits = { quantity: number; variant?: string | undefined }

/** Returns the units of orders by variant; nothing of those without one. */
export function sumByVariant(orders: Iterable<OrderUnits>): VariantUnits {
  const units = new Map<string, number>()
  for (const { quantity, variant } of orders) {
    if (variant !== undefined) units.set(variant, (units.get(variant) ?? 0) + quantity)
  }
  return Object.fromEntries(units)
}

/** Returns the stocks of variants by their ids. */
export function stocksById(variants: readonly Pick<Variant, 'id' | 'stock'>[]): VariantUnits {
  return Object.fromEntries(variants.map(({ id, stock }) => [id, stock]))
}

/** True for one of those variants; a sale without variants has none. */
export function isVariantOf(
  variants: readonly Pick<Variant, 'id'>[] | undefined,
  variant: string | undefined,
): boolean {
  return variants === undefined ? variant === undefined : variants.some(({ id }) => id === variant)
}

/** Variants of which nothing was left in that revision of the stock. */
export type SoldOutVariants = { revision: number; ids: readonly string[] }

/** Returns the variants that the gate takes for sold out: those of a revision that no restock has ended. */
export function variantsSoldOut({
  soldOutVariants,
  restockedRevision,
}: {
  soldOutVariants?: SoldOutVariants
  restockedRevision: number
}): readonly string[] {
  const isInForce = soldOutVariants !== undefined && soldOutVariants.revision >= restockedRevision
  return isInForce ? soldOutVariants.ids : []
}
