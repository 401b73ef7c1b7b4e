/** Variants on the command line: `s=Small:10` is the id, the name and the units of one. */
import { parse } from '../../core/lib/parse.ts'
import { type Sale, saleEdit } from '../../core/sale/sale.ts'
import { isVariantId, type VariantUnits } from '../../core/sale/variants.ts'

type Given = { id: string; name: string; stock: number | undefined }

/**
 * The variants in the texts of `--variant`. Units that are left out are those of the first window, or of
 * the same variant of the sale that is edited.
 * @throws RangeError
 */
export function readVariants(
  texts: readonly string[],
  firstUnits: VariantUnits | undefined,
  known: Sale['variants'],
): NonNullable<Sale['variants']> {
  return texts.map(readVariant).map(({ id, name, stock }) => {
    const units = stock ?? firstUnits?.[id] ?? known?.find((variant) => variant.id === id)?.stock
    if (units === undefined) throw new RangeError(`--variant: "${id}" needs its units, such as ${id}=${name}:10`)
    return { id, name, stock: units }
  })
}

function readVariant(text: string): Given {
  const [, id, name, stock] = /^([^=]+)=(.+?)(?::(\d{1,9}))?$/.exec(text) ?? []
  if (!isVariantId(id) || name === undefined) {
    throw new RangeError(`"${text}" is not a variant: use id=name:units, such as s=Small:10`)
  }
  return { id, name, stock: stock === undefined ? undefined : Number(stock) }
}

/** The variants among the fields of a file, undefined where they are missing or wrong, which the API says. */
export function variantsIn(value: unknown): Sale['variants'] {
  const read = parse(saleEdit, { variants: value })
  return read.ok ? read.value.variants : undefined
}

/**
 * `s*5+m*0` as units by variant; undefined for a text without `*`.
 * @throws RangeError
 */
export function readUnits(text: string): VariantUnits | undefined {
  if (!text.includes('*')) return undefined
  const lines = text.split('+').map((line) => /^([^*]+)\*(\d{1,9})$/.exec(line.trim()) ?? [])
  if (lines.some(([, id]) => !isVariantId(id))) {
    throw new RangeError(`"${text}" are not units of variants: use s*5+m*5`)
  }
  return Object.fromEntries(lines.map(([, id = '', units]) => [id, Number(units)]))
}
