/** What a marketer says of a product: its pictures, its regular price, and its texts in each language. */
import { describe, expect, it } from 'vitest'
import { parse } from '../../core/parse.ts'
import { saleDefinition, saleEdit, textIn } from '../../core/sale.ts'
import { edit } from '../../functions/control/steps.ts'
import { aSale } from '../redis/support.ts'

const picture = { src: '/assets/pictures/mug.svg', alt: 'A mug' }
const given = {
  ...{ saleId: 'mug', kind: 'goods', title: 'A mug', description: 'Blue.', pictures: [picture] },
  ...{ price: 1000, currency: 'EUR', stock: 1, limitPerShopper: 1, maxPerOrder: 1, startsAt: 1, endsAt: 2 },
}
const faultOf = (change: object) => {
  const read = parse(saleDefinition, { ...given, ...change })
  return read.ok ? undefined : read.field
}

describe('a definition', () => {
  it.each([
    [{ listPrice: 1001 }, undefined],
    [{ listPrice: 1000 }, 'listPrice'],
    [{ listPrice: 999 }, 'listPrice'],
    [{ listPrice: null }, 'listPrice'],
    [{ kind: 'coupon', price: 0, listPrice: 5 }, 'listPrice'],
    [{ pictures: [] }, 'pictures'],
    [{ pictures: Array(8).fill(picture) }, undefined],
    [{ pictures: Array(9).fill(picture) }, 'pictures'],
    [{ pictures: [{ src: picture.src }] }, 'pictures.0.alt'],
    [{ pictures: [{ ...picture, alt: '  ' }] }, 'pictures.0.alt'],
    [{ pictures: [{ ...picture, alt: 'x'.repeat(201) }] }, 'pictures.0.alt'],
    [{ pictures: [{ ...picture, src: 'ftp://x' }] }, 'pictures.0.src'],
    [{ pictures: [{ ...picture, width: 5 }] }, 'pictures.0.width'],
    [{ image: picture.src }, 'image'],
    [{ translations: { 'zh-CN': { title: '马克杯' } } }, undefined],
    [{ translations: { 'zh-CN': { title: '' } } }, 'translations.zh-CN.title'],
    [{ translations: { 'zh-CN': { name: 'x' } } }, 'translations.zh-CN.name'],
    [{ translations: { fr: { title: 'Une tasse' } } }, 'translations.fr'],
  ])('with %j names the field that is wrong', (change, field) => {
    expect(faultOf(change)).toBe(field)
  })

  it('without the new fields holds none of them', () => {
    const plain = Object.keys(saleDefinition.parse(given))
    expect(plain).not.toEqual(expect.arrayContaining(['listPrice']))
    expect(plain).not.toEqual(expect.arrayContaining(['translations']))
  })
})

describe('the texts of a sale', () => {
  const sale = { title: 'A mug', description: 'Blue.', translations: { 'zh-CN': { title: '马克杯' } } }

  it('are those of the language, and for what that lacks those of the sale', () => {
    expect(textIn(sale, 'zh-CN')).toEqual({ title: '马克杯', description: 'Blue.' })
    expect(textIn(sale, 'en')).toEqual({ title: 'A mug', description: 'Blue.' })
  })
})

describe('an edit', () => {
  const running = aSale({ price: 1000, listPrice: 2000, epoch: 1, flag: 'on' })
  const edited = (change: object) => {
    const changes = parse(saleEdit, change)
    if (!changes.ok) throw new Error(changes.detail)
    return edit(running, 0, changes.value)
  }

  it('changes pictures, texts and the regular price while the sale runs', () => {
    const change = { pictures: [picture, picture], listPrice: 3000, translations: { en: { title: 'Cup' } } }
    expect(edited(change)).toMatchObject({ kind: 'changed', sale: change })
  })

  it('removes the regular price with null, and the texts of languages with an empty object', () => {
    const outcome = edited({ listPrice: null, translations: {} })
    expect(outcome).toMatchObject({ kind: 'changed', sale: { translations: {} } })
    expect(JSON.parse(JSON.stringify(outcome)).sale).not.toHaveProperty('listPrice')
  })

  it('keeps the regular price above the price', () => {
    expect(edited({ listPrice: 1000 })).toMatchObject({ kind: 'invalid', field: 'listPrice' })
  })
})
