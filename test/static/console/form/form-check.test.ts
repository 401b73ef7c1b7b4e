import { describe, expect, it } from 'vitest'
import { maxPictures } from '../../../../core/sale/pictures.ts'
import { maxDrawnUnits } from '../../../../core/sale/sale-draw.ts'
import { freshText } from '../../../../static/client/console/form/draft.ts'
import { checkForm, refusedField } from '../../../../static/client/console/form/form-check.ts'
import type { FormText } from '../../../../static/client/console/form/form-text.ts'
import { rain, sale } from '../../../core/api/live-answer.ts'
import { blueBowl } from '../blue-bowl.ts'

const typed: FormText = { ...blueBowl, price: '10', currency: 'EUR' }
const before = new Date(2026, 10, 20, 11).getTime()
const after = new Date(2026, 10, 20, 14).getTime()
const past = { endsAt: { key: 'error.past' } }
const noTitle = { title: { key: 'error.required' } }

describe('the check of a sale form', () => {
  it.each([
    ['a valid sale', {}, undefined, before, {}],
    ['an invalid field', { title: '' }, undefined, before, noTitle],
    ['a new sale that is over', {}, undefined, after, past],
    ['an edit of a sale that is over', { title: 'Bowl' }, sale, after, {}],
    ['an edit with a new end that is over', { endsAt: '2026-11-20T13:30' }, sale, after, past],
    ['both at once', { title: '' }, undefined, after, { ...past, ...noTitle }],
  ])('finds what is wrong with %s', (_name, change, edited, now, errors) => {
    const checked = checkForm({ ...typed, ...change }, typed, edited, now)
    expect(checked.ok ? {} : checked.errors).toEqual(errors)
    expect(checked.ok).toBe(Object.keys(errors).length === 0)
  })
})

describe('a sale that draws', () => {
  it('starts after its result, and the field says when that is', () => {
    const draw = {
      ...{ 'draw.opensAt': '2026-11-20T11:10', 'draw.closesAt': '2026-11-20T11:59' },
      ...{ 'draw.claimSeconds': '60', limitPerShopper: '1', maxPerOrder: '1' },
    }
    const check = (startsAt: string) => checkForm({ ...typed, ...draw, startsAt }, typed, undefined, before)
    const early = check('2026-11-20T12:00')
    expect(early.ok ? {} : early.errors).toEqual({
      startsAt: { key: 'error.drawStart', args: { at: '2026-11-20 12:02' } },
    })
    const right = check('2026-11-20T12:02')
    expect(right.ok ? right.definition : right.errors).toMatchObject({ draw: { claimSeconds: 3600 } })
  })
})

describe('a sale whose units are offered by rank', () => {
  const one = { limitPerShopper: '1', maxPerOrder: '1' }
  const draw = {
    ...one,
    ...{ 'draw.opensAt': '2026-11-20T11:10', 'draw.closesAt': '2026-11-20T11:30', 'draw.claimSeconds': '60' },
  }
  const round = { startsAt: typed.startsAt, endsAt: typed.endsAt, stock: '3', totalAmount: '' }
  const ranked = { key: 'error.ranked' }
  const rankedLimit = { limitPerShopper: { key: 'error.rankedLimit' } }
  const stock = { stock: { key: 'error.whole', args: { min: 1, max: maxDrawnUnits } } }
  it.each<[string, Partial<FormText>, object]>([
    ['a draw and a limit of 2', { ...draw, limitPerShopper: '2' }, rankedLimit],
    ['a draw and rounds', { ...draw, windows: [round] }, { windows: ranked }],
    ['a draw of an unlimited stock', { ...draw, stock: '-1' }, stock],
    [
      'a draw and a level',
      { ...draw, 'earlyAccess.minLevel': '2', 'earlyAccess.minutes': '5' },
      { 'earlyAccess.minLevel': ranked },
    ],
    // The result comes at 11:32:05, and the sale starts at noon.
    [
      'offers that end before the start',
      { ...draw, 'draw.claimSeconds': '5' },
      { 'draw.claimSeconds': { key: 'error.whole', args: { min: 29, max: 43_200 } } },
    ],
  ])('says what does not go with %s', (_name, change, errors) => {
    const checked = checkForm({ ...typed, ...change }, typed, undefined, before)
    expect(checked.ok ? {} : checked.errors).toEqual(errors)
  })
})

describe('a new sale', () => {
  it('has no picture until one is chosen, and says at the pictures that one is needed', () => {
    const now = new Date(2026, 10, 20, 11, 0, 30).getTime()
    const fresh = freshText('en-GB', now)
    const checked = checkForm(fresh, fresh, undefined, now)
    expect(checked.ok ? {} : checked.errors).toMatchObject({
      pictures: { key: 'error.pictures', args: { max: maxPictures } },
      title: { key: 'error.required' },
    })
    const filled = { ...fresh, title: 'Bowl', saleId: 'bowl', description: 'Blue.', price: '10' }
    const pictures = [{ src: '/assets/pictures/tea.svg', alt: 'A bowl' }]
    const complete = checkForm({ ...filled, pictures }, fresh, undefined, now)
    expect(complete.ok && complete.definition).toMatchObject({ pictures, currency: 'EUR', stock: 100 })
  })
})

describe('a refusal of a sale form', () => {
  const fresh = { ...sale, epoch: 0 }
  const freshRain = { ...rain, epoch: 0 }

  it.each([
    ['an id in use', 'conflict', 'saleId', undefined, { saleId: { key: 'error.taken' } }],
    ['a published stock', 'conflict', 'stock', fresh, { stock: { key: 'form.onShelf' } }],
    ['a field of published packets', 'conflict', 'currency', freshRain, { currency: { key: 'form.onShelf' } }],
    ['placed shards', 'conflict', 'shards', fresh, { shards: { key: 'form.locked' } }],
    ['more shards than databases', 'invalid-request', 'shards', sale, { shards: { key: 'error.shards' } }],
    ['a started sale', 'conflict', 'stock', sale, { stock: { key: 'form.locked' } }],
    ['an invalid value', 'invalid-request', 'pictures.0.src', sale, { 'pictures.0.src': { key: 'error.image' } }],
  ] as const)('is shown at the field of %s', (_name, code, field, edited, errors) => {
    expect(refusedField({ code, field, detail: '', members: {} }, typed, edited)).toEqual(errors)
  })

  it('says at the field why this shop cannot sell it, and not that the field is locked', () => {
    const values = { least: '0.50', most: '999999.99', step: '0.01', currency: 'EUR' }
    const amount = {
      code: 'invalid-request',
      field: 'price',
      detail: '',
      members: { reason: 'amount-charged', values },
    }
    expect(refusedField(amount, typed, sale)).toEqual({ price: { key: 'refusal.amount-charged', args: values } })
    const checkout = { code: 'conflict', field: 'checkoutUrl', detail: '', members: { reason: 'no-checkout' } }
    expect(refusedField(checkout, typed, sale)).toEqual({ checkoutUrl: { key: 'refusal.no-checkout', args: {} } })
  })

  it('has no field when it names no input, or the answer has no problem', () => {
    const problem = { code: 'invalid-request', field: 'unknown', detail: '', members: {} }
    expect(refusedField(problem, typed, sale)).toBeUndefined()
    expect(refusedField(undefined, typed, sale)).toBeUndefined()
  })
})
