/** The variants of a sale in the console's form (N1). */
import { describe, expect, it } from 'vitest'
import { fieldOfFault } from '../../../console/form/faults.ts'
import { editOf, type FormText, isAsked, textOf } from '../../../console/form/form-text.ts'
import { productOf, suggestedVariantId } from '../../../console/form/variant-fields.tsx'
import type { Row } from '../../../console/parts/text-parts.ts'
import { isVariantId, maxVariants } from '../../../core/sale/variants.ts'
import { blueBowl, definitionOf, errorsIn, errorsOf } from '../blue-bowl.ts'

/** The variants that two lists give. */
function rowsOf(first: string, second: string, stock: string): readonly Row[] {
  const made = productOf({ first, second, stock })
  return 'rows' in made ? made.rows : []
}

const variants = [
  { id: 's', name: 'S', stock: '10' },
  { id: 'm', name: 'M', stock: '20' },
]
const shirt: FormText = { ...blueBowl, stock: '7', shards: '4', variants }
const round = (day: number): Row => ({
  startsAt: `2026-11-2${day}T09:00`,
  endsAt: `2026-11-2${day}T10:00`,
  stock: 'typed before there were variants',
})

it('ids of variants that are made from names are short, valid, and none of those that are taken', () => {
  expect(suggestedVariantId('Black / M', [])).toBe('black-m')
  expect(suggestedVariantId('Black / M', ['black-m', 'black-m-2'])).toBe('black-m-3')
  expect(suggestedVariantId('Größe 44½', [])).toBe('gro-e-441-2')
  expect(suggestedVariantId('黑色', ['v1'])).toBe('v2')
  const long = 'Midnight blue / extra large'
  const taken = [suggestedVariantId(long, [])]
  taken.push(suggestedVariantId(long, taken))
  expect(taken).toEqual(['midnight-blue-ex', 'midnight-blue-2'])
  expect(taken.every(isVariantId)).toBe(true)
})

describe('two lists of the form', () => {
  it('become a variant for each pair, with the same stock and ids of their own', () => {
    expect(rowsOf('Black, White', 'S，M', '5')).toEqual([
      { name: 'Black / S', id: 'black-s', stock: '5' },
      { name: 'Black / M', id: 'black-m', stock: '5' },
      { name: 'White / S', id: 'white-s', stock: '5' },
      { name: 'White / M', id: 'white-m', stock: '5' },
    ])
    expect(rowsOf('أسود، أبيض', '', '1').map(({ name }) => name)).toEqual(['أسود', 'أبيض'])
    const chinese = rowsOf('黑色、白色', '大；小', '1')
    expect(chinese.map(({ name }) => name)).toEqual(['黑色 / 大', '黑色 / 小', '白色 / 大', '白色 / 小'])
    expect(new Set(chinese.map(({ id }) => id)).size).toBe(4)
  })

  it('may be one list alone, and names each variant once', () => {
    expect(rowsOf('S, M,, S', ' ', '5').map(({ id }) => id)).toEqual(['s', 'm'])
    expect(productOf({ first: 'S', second: '', stock: '5' })).toEqual({
      ...{ wrong: 'first', key: 'error.product', args: { n: 1, max: maxVariants } },
    })
  })
})

describe('a sale with variants in the form', () => {
  it('has the sum of their stocks, in place of what stood in the field', () => {
    const definition = definitionOf(shirt)
    expect(definition).toMatchObject({ stock: 30, shards: 4, windows: [] })
    expect(definition.variants).toEqual([
      { id: 's', name: 'S', stock: 10 },
      { id: 'm', name: 'M', stock: 20 },
    ])
    expect([isAsked('stock', shirt), isAsked('shards', shirt)]).toEqual([false, true])
    expect(isAsked('stock', { ...shirt, kind: 'coupon' })).toBe(true)
  })

  it('brings the same units of each variant in every round (R7)', () => {
    const definition = definitionOf({ ...shirt, windows: [round(1), round(2)] })
    expect(definition.stock).toBe(30)
    expect(definition.windows.map(({ stock, units }) => ({ stock, units }))).toEqual(
      Array(2).fill({ stock: 30, units: { s: 10, m: 20 } }),
    )
  })

  it('keeps the units of a round that differs from the others', () => {
    const definition = definitionOf({ ...shirt, windows: [round(1), round(2)] })
    const [first, second] = definition.windows
    if (first === undefined || second === undefined) throw new Error('a round is missing')
    const uneven = { ...definition, windows: [first, { ...second, stock: 4, units: { s: 4, m: 0 } }] }
    expect(definitionOf(textOf(uneven))).toEqual(uneven)
    const renamed = { ...textOf(uneven), variants: [{ id: 'xs', name: 'XS', stock: '1' }, ...variants] }
    expect(definitionOf(renamed).windows[1]?.units).toEqual({ xs: 1, s: 10, m: 20 })
  })

  it('keeps their names by language, and an edit of a running sale can change them', () => {
    const named = variants.map((one) => ({ ...one, names: { de: ` ${one.name}-Größe `, fr: '' } }))
    const definition = definitionOf({ ...shirt, variants: named })
    expect(definition.variants?.map(({ names }) => names)).toEqual([{ de: 'S-Größe' }, { de: 'M-Größe' }])
    expect(definitionOf(textOf(definition))).toEqual(definition)
    const before = textOf(definitionOf(shirt))
    expect(editOf(before, { ...before, variants: named }, definition)).toEqual({ variants: definition.variants })
  })

  it('is shown as it would be typed again', () => {
    const definition = definitionOf(shirt)
    expect(definitionOf(textOf(definition))).toEqual(definition)
    const text = textOf(definition)
    expect(editOf(text, text, definition)).toEqual({})
  })

  it('has none as a coupon', () => {
    expect(definitionOf({ ...shirt, kind: 'coupon', shards: '1' }).variants).toBeUndefined()
  })

  it.each<[string, FormText['variants'], Record<string, string>]>([
    ['one alone', variants.slice(0, 1), { variants: 'error.variants' }],
    ['too many', many(maxVariants + 1, '1'), { variants: 'error.variants' }],
    ['no name', edited(0, { name: ' ' }), { 'variants.0.name': 'error.required' }],
    ['a long name', edited(0, { name: 'x'.repeat(61) }), { 'variants.0.name': 'error.variantName' }],
    ['the name of another', edited(1, { name: 'S ' }), { 'variants.1.name': 'error.variantTwice' }],
    ['the id of another', edited(1, { id: 's' }), { 'variants.1.id': 'error.variantTwice' }],
    ['a malformed id', edited(1, { id: 'M!' }), { 'variants.1.id': 'error.variantId' }],
    ['an unlimited stock', edited(1, { stock: '-1' }), { 'variants.1.stock': 'error.whole' }],
    ['no stock', edited(1, { stock: '' }), { 'variants.1.stock': 'error.required' }],
  ])('is refused at its input: %s', (_name, wrong, expected) => {
    expect(errorsIn({ ...shirt, variants: wrong })).toEqual(expected)
  })

  it('is refused where a round would bring nothing', () => {
    const empty = variants.map((variant) => ({ ...variant, stock: '0' }))
    expect(errorsIn({ ...shirt, variants: empty, windows: [round(1)] })).toEqual({ variants: 'error.variants' })
  })

  it.each([
    [24, '1000000', { key: 'error.variantsSum', args: { max: 10_000_000 } }],
    [25, '1000000', { key: 'error.variants', args: { max: maxVariants } }],
    [24, '416667', { key: 'error.variantsSum', args: { max: 10_000_000 } }],
    [20, '500000', undefined],
  ])('is refused for the sum of its units where all else is right: %i of %s', (count, stock, error) => {
    expect(errorsOf({ ...shirt, variants: many(count, stock) }).variants).toEqual(error)
  })

  it('shows at its variants what the API says of its stock', () => {
    expect(fieldOfFault('stock', shirt)).toBe('variants')
    expect(fieldOfFault('variants', shirt)).toBe('variants')
    expect(fieldOfFault('variants.1.name', shirt)).toBe('variants.1.name')
    expect(fieldOfFault('stock', blueBowl)).toBe('stock')
  })
})

describe('an edit of variants', () => {
  const before = textOf(definitionOf({ ...shirt, windows: [round(1), round(2)] }))
  const editTo = (variants: FormText['variants']) => {
    const after = { ...before, variants }
    return editOf(before, after, definitionOf(after))
  }

  it('sends the names alone, with the stocks as they stand', () => {
    expect(editTo(edited(0, { name: 'Small' }))).toEqual({
      variants: [
        { id: 's', name: 'Small', stock: 10 },
        { id: 'm', name: 'M', stock: 20 },
      ],
    })
  })

  it('sends that there are none any more', () => {
    const one = textOf(definitionOf(shirt))
    const after = { ...one, stock: '5', variants: [] }
    expect(editOf(one, after, definitionOf(after))).toMatchObject({ variants: [], stock: 5, windows: [] })
  })

  it('sends with another stock all that follows from it', () => {
    const edit = editTo(edited(0, { stock: '11' }))
    expect(edit).toMatchObject({ stock: 31 })
    expect(edit).not.toHaveProperty('shards')
    expect(edit.windows?.map(({ units }) => units)).toEqual([
      { s: 11, m: 20 },
      { s: 11, m: 20 },
    ])
  })
})

function edited(row: number, change: Row): FormText['variants'] {
  return variants.map((variant, i) => (i === row ? { ...variant, ...change } : variant))
}

function many(count: number, stock: string): readonly Row[] {
  return Array.from({ length: count }, (_, i) => ({ id: `v${i}`, name: String(i), stock }))
}
