/**
 * Variants of a sale's goods, such as sizes and colours (N1): each has a stock of its own, under one
 * limit for each shopper over all of them. The stock of the sale is the sum of theirs, so the parts
 * that need only that (admissions, sold out, the limit) know no variants.
 */
import type { Language } from '../language.ts'

/** What a variant is called: `names` by language, where a language has its own. */
export type VariantName = { id: string; name: string; names?: Readonly<Record<Language, string>> | undefined }

/** A variant of a sale. `stock` are its units as the marketer set them. */
export type Variant = VariantName & { stock: number }

/** The name for a reader of `language`. */
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

/** Units by variant, each at least one. */
export type Basket = VariantUnits

/** Sizes times colours; the hash of a stock has a counter for each. */
export const maxVariants = 24

/** Different variants of one order: each is a condition of the transaction that writes it. */
export const maxBasketLines = 8

export const maxVariantName = 60

const idPattern = /^[a-z0-9](?:[a-z0-9-]{0,14}[a-z0-9])?$/

/** Whether `text` can name a variant: 1 to 16 lower-case letters, digits or inner hyphens. */
export function isVariantId(text: unknown): text is string {
  return typeof text === 'string' && idPattern.test(text)
}

/** The units of all variants of a basket together. */
export function basketUnits(basket: Basket): number {
  return Object.values(basket).reduce((sum, units) => sum + units, 0)
}

export function sumOfUnits(several: readonly VariantUnits[]): VariantUnits {
  const sum: Record<string, number> = {}
  for (const [id, units] of several.flatMap((one) => Object.entries(one))) {
    sum[id] = (sum[id] ?? 0) + units
  }
  return sum
}

/** The stocks of variants by their ids. */
export function stocksById(variants: readonly Pick<Variant, 'id' | 'stock'>[]): VariantUnits {
  return Object.fromEntries(variants.map(({ id, stock }) => [id, stock]))
}

/** True for a basket of those variants; without variants there is none. */
export function isBasketOf(variants: readonly Pick<Variant, 'id'>[] | undefined, basket: Basket | undefined): boolean {
  if (variants === undefined || basket === undefined) return variants === basket
  return Object.keys(basket).every((wanted) => variants.some(({ id }) => id === wanted))
}

/**
 * The lines of a basket with the names of their variants, in the order of the sale; variants that are
 * not known come last, by their ids.
 */
export function namedLines(
  basket: Basket,
  variants: readonly Pick<Variant, 'id' | 'name'>[],
): { name: string; units: number }[] {
  const known = variants.flatMap(({ id, name }) => {
    const units = basket[id]
    return units === undefined ? [] : [{ name, units }]
  })
  const isKnown = (id: string) => variants.some((variant) => variant.id === id)
  const others = basketLines(basket).filter(([id]) => !isKnown(id))
  return [...known, ...others.map(([name, units]) => ({ name, units }))]
}

/** Its lines in the order of the ids, so that equal baskets give equal texts. */
function basketLines(basket: Basket): (readonly [id: string, units: number])[] {
  return Object.entries(basket).sort(([a], [b]) => (a < b ? -1 : 1))
}

/** A basket as one word, as records in Redis have it: `m*1+s*2`. */
export function basketText(basket: Basket): string {
  return basketLines(basket)
    .map(([id, units]) => `${id}*${units}`)
    .join('+')
}

/** Whether both are of the same units, or both undefined: of a sale without variants. */
export function isSameBasket(one: Basket | undefined, other: Basket | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return basketText(one) === basketText(other)
}

/** The basket in a word of `basketText`; undefined for any other text. */
export function basketIn(text: string): Basket | undefined {
  const lines = text.split('+').map((line) => /^([a-z0-9-]+)\*([1-9]\d{0,3})$/.exec(line))
  const basket = Object.fromEntries(lines.map((line) => [line?.[1] ?? '', Number(line?.[2])]))
  return isBasket(basket) && Object.keys(basket).length === lines.length ? basket : undefined
}

/** Whether `value` is a basket: one to eight variants, each with a whole number of units from 1. */
export function isBasket(value: unknown): value is Basket {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const lines = Object.entries(value)
  return (
    lines.length >= 1 &&
    lines.length <= maxBasketLines &&
    lines.every(([id, units]) => isVariantId(id) && Number.isSafeInteger(units) && units >= 1)
  )
}

/** Variants of which nothing was left in that revision of the stock. */
export type SoldOutVariants = { revision: number; ids: readonly string[] }

/** The variants that the gate takes for sold out: those of a revision that no restock has ended. */
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
