/** The variants of a sale as a marketer types them (N1). */
import { listedIn } from '../../../../core/lib/text.ts'
import { isVariantId, type Variant } from '../../../../core/sale/variants.ts'
import { typedTexts, wholeNumber } from '../lib/typed.ts'

/** What is typed of one variant. */
export const variantInputs = ['name', 'id', 'stock'] as const

export type VariantField = (typeof variantInputs)[number]
export type VariantText = Record<VariantField, string> & Pick<Variant, 'names'>
export type VariantPlace = `variants.${number}.${VariantField}`

/** The most characters in the id of a variant. */
const maxLength = 16

/** A variant that exists, as it would be typed again. */
export function variantText({ id, name, names, stock }: Variant): VariantText {
  return { id, name, ...(names && { names }), stock: String(stock) }
}

/** The variant that was typed. A stock that is no number is NaN. */
export function readVariant({ id, name, names, stock }: VariantText): Variant {
  const own = typedTexts(names)
  return { id: id.trim(), name: name.trim(), ...(own && { names: own }), stock: wholeNumber(stock) }
}

/**
 * An id for a name, which is not among `taken`: `Black / M` becomes `black-m`. A name without Latin
 * letters and digits becomes `v1`, `v2` and so on.
 */
export function suggestedVariantId(name: string, taken: readonly string[]): string {
  const slug = cut(
    name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+/, ''),
    maxLength,
  )
  if (isVariantId(slug) && !taken.includes(slug)) return slug
  for (let n = slug === '' ? 1 : 2; ; n += 1) {
    const numbered = slug === '' ? `v${n}` : `${cut(slug, maxLength - `-${n}`.length)}-${n}`
    if (!taken.includes(numbered)) return numbered
  }
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-+$/, '')
}

/**
 * A variant for each pair of the two lists, such as colours and sizes, with `stock` units each; the
 * second list may be empty.
 */
export function productOf(first: string, second: string, stock: string): VariantText[] {
  const names = listedIn(first).flatMap((one) => {
    const others = listedIn(second)
    return others.length === 0 ? [one] : others.map((other) => `${one} / ${other}`)
  })
  const variants: VariantText[] = []
  for (const name of new Set(names)) {
    const taken = variants.map(({ id }) => id)
    variants.push({ name, id: suggestedVariantId(name, taken), stock })
  }
  return variants
}

/** Where the variants go wrong among themselves, or have no units that can be read. */
export function wrongVariant(variants: readonly VariantText[]): VariantPlace | undefined {
  const i = variants.findIndex((variant) => !(readVariant(variant).stock >= 0))
  return repeatedPlace(variants) ?? (i < 0 ? undefined : `variants.${i}.stock`)
}

/** The first input whose text another row has, or undefined. */
export function repeatedPlace(variants: readonly VariantText[]): VariantPlace | undefined {
  for (const field of ['name', 'id'] as const) {
    const texts = variants.map((variant) => variant[field].trim())
    const i = texts.findIndex((text, at) => texts.indexOf(text) < at)
    if (i >= 0) return `variants.${i}.${field}`
  }
  return undefined
}
