/**
 * Variants of goods, such as sizes and colours (N1). Each has its own stock; the limit per shopper applies to all of them
 * together. An order has units of one variant. The stock of the sale is the sum of theirs, so code that needs only the sum
 * (admissions, sold out, the limit) ignores variants.
 */
import type { Language } from '../language.ts'
import { ownValue } from '../lib/own-value.ts'

/** `names` are translations of `name` by language. */
export type VariantName = { id: string; name: string; names?: Readonly<Record<Language, string>> | undefined }

/** `stock` is the number of units that the marketer has set. */
export type Variant = VariantName & { stock: number }

export function variantNameIn({ name, names }: VariantName, language: Language): string {
  return names?.[language] ?? name
}

export function variantNamesIn(
  variants: readonly VariantName[],
  language: Language,
): Pick<VariantName, 'id' | 'name'>[] {
  return variants.map((one) => ({ id: one.id, name: variantNameIn(one, language) }))
}

/** Numbers of units by the id of their variant. */
export type VariantUnits = Readonly<Record<string, number>>

/** Sizes times colours. The hash of a stock has counters for each. */
export const maxVariants = 24

export const maxVariantName = 60

const idPattern = /^[a-z0-9](?:[a-z0-9-]{0,14}[a-z0-9])?$/

/** True for a valid id of a variant: 1 to 16 lower-case letters, digits or inner hyphens. */
export function isVariantId(text: unknown): text is string {
  return typeof text === 'string' && idPattern.test(text)
}

export function allUnits(units: VariantUnits): number {
  return Object.values(units).reduce((sum, some) => sum + some, 0)
}

export function unitsOfVariant(units: VariantUnits, id: string): number {
  return ownValue(units, id) ?? 0
}

/** The units of an order, in a sale with variants all of one variant. */
export type OrderUnits = { quantity: number; variant?: string | undefined }

/** Returns the units of orders by variant. Ignores orders without one. */
export function sumByVariant(orders: Iterable<OrderUnits>): VariantUnits {
  const units = new Map<string, number>()
  for (const { quantity, variant } of orders) {
    if (variant !== undefined) units.set(variant, (units.get(variant) ?? 0) + quantity)
  }
  return Object.fromEntries(units)
}

export function stocksById(variants: readonly Pick<Variant, 'id' | 'stock'>[]): VariantUnits {
  return Object.fromEntries(variants.map(({ id, stock }) => [id, stock]))
}

/** True when `variant` is one of the variants, or absent in a sale without variants. */
export function isVariantOf(
  variants: readonly Pick<Variant, 'id'>[] | undefined,
  variant: string | undefined,
): boolean {
  return variants === undefined ? variant === undefined : variants.some(({ id }) => id === variant)
}

/** Variants that were sold out in that revision of the stock. */
export type SoldOutVariants = { revision: number; ids: readonly string[] }

/** Returns the variants that are sold out for the gate, unless a later restock makes the list stale. */
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
