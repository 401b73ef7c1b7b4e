/** Variants as a marketer defines, watches and changes them: table, Redis and pages agree by variant (N1). */

import { parse as parseCsv } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import {
  maxAlternativeText,
  maxControlBodyBytes,
  maxDescription,
  maxPictureAddress,
  maxTitle,
  maxWindows,
} from '../../../core/body-limits.ts'
import { defaultLanguages as languages } from '../../../core/language.ts'
import { maxPictures } from '../../../core/sale/pictures.ts'
import { maxVariants } from '../../../core/sale/variants.ts'
import { deriveOrderId } from '../../../functions/lib/order-id.ts'
import { checkCap } from '../../../functions/recovery/reconcile-sale.ts'
import { advanceSale } from '../../../functions/sales/window-steps.ts'
import { readSaleItem, saleItem } from '../../../functions/table/sale/sale-item.ts'
import { saleTotals } from '../../../functions/table/sale/sale-orders.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { shopperIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'

const hour = 3_600_000

const rig = useWorld()

const s = { id: 's', name: 'Small', stock: 4 }
const m = { id: 'm', name: 'Black, M', stock: 6 }
const limits = { limitPerShopper: 9, maxPerOrder: 9 }
const withVariants = { ...limits, variants: [s, m] }

/** A definition without a stock: it is the sum. */
const create = (changes: object = {}) => {
  const { stock: _, ...definition } = rig.definition()
  return rig.ask('POST', '/sales', { ...definition, ...withVariants, ...changes })
}
const open = async (changes: object = {}) => {
  expect((await create(changes)).status).toBe(201)
  expect((await rig.act('start', { now: true })).status).toBe(200)
}
const edit = (changes: object) => rig.ask('PATCH', '/sales/phone', changes)

/** Stock of the variants in the sale, what Redis has of them, and what the cap has left. */
async function unitsEverywhere() {
  const sale = await rig.sale()
  const redis = (await rig.stockRecord())?.variants ?? {}
  const table = (await saleTotals(rig.table.table, phone))?.variants ?? {}
  return Object.fromEntries(
    (sale.variants ?? []).map(({ id, stock }) => [id, [stock, redis[id]?.total, redis[id]?.left, table[id]?.left]]),
  )
}

async function expectCapInStep() {
  const sale = await rig.sale()
  await checkCap(rig.ports, sale)
  expect(rig.telemetry.counted('CapMismatch')).toBe(0)
}

describe('a sale with variants', () => {
  it('has their sum as its stock, in the table, in Redis and on its page', async () => {
    expect(await create()).toMatchObject({ status: 201, body: { stock: 10, variants: [s, m] } })
    expect((await rig.act('warm')).status).toBe(200)
    expect(await unitsEverywhere()).toEqual({ s: [4, 4, 4, 4], m: [6, 6, 6, 6] })
    expect(rig.pointer()).toMatchObject({ remaining: 10, variants: { s: 4, m: 6 } })
    expect(await rig.live()).toMatchObject({
      ...{ inStep: true, stock: { total: 10, booked: 0 } },
      variants: { s: { total: 4, left: 4, booked: 0 }, m: { total: 6, left: 6, booked: 0 } },
    })
  })

  it('may have as many variants in as many windows as there can be, in one body of the API', async () => {
    const ids = Array.from({ length: maxVariants }, (_, at) => `${'v'.repeat(14)}${at + 10}`)
    const units = Object.fromEntries(ids.map((id) => [id, 4000]))
    const variants = ids.map((id) => ({ id, name: `${id}${'你'.repeat(44)}`, stock: 4000 }))
    const { stock: _, startsAt, endsAt, ...definition } = rig.definition({ ...limits, variants })
    const windows = Array.from({ length: maxWindows }, (_, at) => {
      const start = startsAt + at * 7_200_000
      return { startsAt: start, endsAt: start + hour, stock: 4000 * maxVariants, units }
    })
    const texts = { title: '你'.repeat(maxTitle), description: '你'.repeat(maxDescription) }
    const picture = { src: `/${'i'.repeat(maxPictureAddress - 1)}`, alt: '你'.repeat(maxAlternativeText) }
    const translations = Object.fromEntries(languages.map((language) => [language, texts]))
    const pictures = Array.from({ length: maxPictures }, () => picture)
    const whole = { ...definition, ...texts, windows, pictures, translations }
    const escaped = JSON.stringify(whole, null, 2).replaceAll('你', '\\u4f60')
    expect(escaped.length).toBeLessThanOrEqual(maxControlBodyBytes)
    expect((await rig.ask('POST', '/sales', whole)).status).toBe(201)
    const record = await findSale(rig.table, phone)
    expect(record && readSaleItem(saleItem(record))).toMatchObject({ sale: { windows, variants } })
  })

  it('writes orders, shows them in every list, and returns the units of a refund (O9)', async () => {
    await open()
    const orderId = await rig.buy(1, { quantity: 2, variant: 'm' })
    await rig.buy(2, { quantity: 3, variant: 's' })
    await rig.deliver()
    expect(await unitsEverywhere()).toEqual({ s: [4, 4, 1, 1], m: [6, 6, 4, 4] })
    expect((await rig.live()).variants).toEqual({
      s: { total: 4, left: 1, booked: 3 },
      m: { total: 6, left: 4, booked: 2 },
    })
    const found = await rig.ask('POST', '/orders/find', { find: orderId })
    expect(found.body.orders).toMatchObject([{ quantity: 2, variant: 'm' }])
    const rows: Record<string, string>[] = parseCsv((await rig.ask('GET', '/sales/phone/orders.csv')).body, {
      columns: true,
    })
    expect(rows.map(({ quantity, variant }) => [quantity, variant])).toEqual(
      expect.arrayContaining([
        ['2', 'm'],
        ['3', 's'],
      ]),
    )
    expect((await rig.ask('POST', `/orders/${orderId}/refund`)).status).toBe(200)
    expect(await unitsEverywhere()).toEqual({ s: [4, 4, 1, 1], m: [6, 6, 6, 6] })
    await expectCapInStep()
  })
})

it('a sale without variants has none in its live numbers, orders and tables', async () => {
  await rig.open()
  const [orderId] = await rig.sell(1)
  for (const shown of [await rig.live(), rig.pointer()]) expect(shown).not.toHaveProperty('variants')
  const found = await rig.ask('POST', '/orders/find', { find: orderId })
  expect(found.body.orders[0]).not.toHaveProperty('variant')
  const rows: Record<string, string>[] = parseCsv((await rig.ask('GET', '/sales/phone/orders.csv')).body, {
    columns: true,
  })
  expect(rows.map(({ variant }) => variant)).toEqual([''])
  expect(await rig.act('stock', { delta: 5, variant: 's' })).toMatchObject({
    status: 409,
    body: { reason: 'variant-unknown', field: 'variant' },
  })
})

describe('POST /api/control/sales/{id}/stock in a sale with variants', () => {
  it('adds units to one variant everywhere (G7)', async () => {
    await open()
    expect(await rig.act('stock', { delta: 5, variant: 'm' })).toMatchObject({ status: 200, body: { total: 15 } })
    expect(await unitsEverywhere()).toEqual({ s: [4, 4, 4, 4], m: [11, 11, 11, 11] })
    expect(rig.pointer()).toMatchObject({ remaining: 15, variants: { s: 4, m: 11 } })
    expect(rig.audit().at(-1)).toMatchObject({
      before: { stock: 10, variants: [s, m] },
      after: { stock: 15, variants: [s, { ...m, stock: 11 }] },
    })
    expect((await rig.live()).inStep).toBe(true)
    await expectCapInStep()
  })

  it('removes at most the units that are left of the variant, not of others', async () => {
    await open()
    await rig.buy(1, { quantity: 3, variant: 's' })
    await rig.deliver()
    expect(await rig.act('stock', { delta: -2, variant: 's' })).toMatchObject({
      status: 409,
      body: { reason: 'stock-reserved', values: { limit: 1 }, field: 'delta' },
    })
    expect(await unitsEverywhere()).toEqual({ s: [4, 4, 1, 1], m: [6, 6, 6, 6] })
    expect((await rig.act('stock', { delta: -1, variant: 's' })).status).toBe(200)
    expect(await unitsEverywhere()).toEqual({ s: [3, 3, 0, 0], m: [6, 6, 6, 6] })
    expect(await rig.act('stock', { delta: -7, variant: 'm' })).toMatchObject({ body: { reason: 'stock-range' } })
    await expectCapInStep()
  })

  it.each([
    [{ delta: 5 }, 409, 'variant-required'],
    [{ delta: 5, variant: 'xl' }, 409, 'variant-unknown'],
    [{ delta: 5, variant: 'X L' }, 400, undefined],
  ])('refuses %j', async (body, status, reason) => {
    await open()
    const answer = await rig.act('stock', body)
    expect(answer).toMatchObject({ status, body: { field: 'variant' } })
    expect(answer.body.reason).toBe(reason)
    expect(await unitsEverywhere()).toEqual({ s: [4, 4, 4, 4], m: [6, 6, 6, 6] })
  })

  it('counts a repeat once, and refuses its key for another variant (I5)', async () => {
    await open()
    const change = (variant: string) =>
      rig.ask('POST', '/sales/phone/stock', { delta: 2, variant }, { 'idempotency-key': 'one' })
    expect(await change('s')).toMatchObject({ status: 200, body: { total: 12 } })
    expect(await change('s')).toMatchObject({ status: 200, body: { total: 12 } })
    expect(await change('m')).toMatchObject({ status: 409, body: { reason: 'key-used' } })
    expect(await unitsEverywhere()).toEqual({ s: [6, 6, 6, 6], m: [6, 6, 6, 6] })
  })
})

describe('an edit of variants', () => {
  it('changes all of them before the stock is loaded, and the stock with them', async () => {
    await create()
    const xl = { id: 'xl', name: 'XL', stock: 1 }
    expect(await edit({ variants: [xl, m] })).toMatchObject({ status: 200, body: { stock: 7, variants: [xl, m] } })
    expect(await edit({ variants: [], stock: 3 })).toMatchObject({ status: 200, body: { stock: 3 } })
    expect((await rig.sale()).variants).toBeUndefined()
    expect(await edit({ variants: [s, m] })).toMatchObject({ status: 200, body: { stock: 10 } })
    expect((await rig.act('warm')).status).toBe(200)
    expect(await unitsEverywhere()).toEqual({ s: [4, 4, 4, 4], m: [6, 6, 6, 6] })
  })

  it.each([
    ['variants', 'variants-loaded', { variants: [m, s] }],
    ['variants', 'variants-loaded', { variants: [s, m, { id: 'xl', name: 'XL', stock: 0 }] }],
    ['variants', 'stock-loaded', { variants: [s, { ...m, stock: 7 }] }],
  ])('of a loaded stock may change nothing but names: %s, %s', async (field, reason, changes) => {
    await open()
    expect(await edit(changes)).toMatchObject({ status: 409, body: { reason, field } })
    expect(await edit({ variants: [{ ...s, name: 'Petite' }, m] })).toMatchObject({
      status: 200,
      body: { variants: [{ ...s, name: 'Petite' }, m], stock: 10 },
    })
    expect(await unitsEverywhere()).toEqual({ s: [4, 4, 4, 4], m: [6, 6, 6, 6] })
  })
})

describe('windows of a sale with variants (R7)', () => {
  const windowsOf = (...units: { s: number; m: number }[]) =>
    units.map((some, day) => {
      const startsAt = rig.clock.now + (1 + 24 * day) * hour
      return { startsAt, endsAt: startsAt + hour, stock: some.s + some.m, units: some }
    })
  const createIn = (windows: object[], changes: object = {}) => {
    const { startsAt, endsAt, stock, ...definition } = rig.definition()
    return rig.ask('POST', '/sales', { ...definition, ...withVariants, windows, ...changes })
  }

  it('bring the units of each variant, once (N1, I5)', async () => {
    const windows = windowsOf({ s: 4, m: 6 }, { s: 3, m: 0 })
    expect(await createIn(windows)).toMatchObject({ status: 201, body: { stock: 10 } })
    await rig.act('start')
    rig.clock.now += hour
    await rig.buy(1, { quantity: 5, variant: 'm' })
    await rig.deliver()
    rig.clock.now += 24 * hour
    const actor = { who: 'the clock', requestId: 'r' }
    await advanceSale(rig.ports, actor, phone)
    await advanceSale(rig.ports, actor, phone)
    expect(await unitsEverywhere()).toEqual({ s: [7, 7, 7, 7], m: [6, 6, 1, 1] })
    expect((await rig.sale()).stock).toBe(13)
    expect(rig.pointer()).toMatchObject({ phase: 'open', remaining: 8, variants: { s: 7, m: 1 } })
    expect((await rig.live()).inStep).toBe(true)
    await expectCapInStep()
  })

  it('must begin with the stocks of the variants', async () => {
    expect(await createIn(windowsOf({ s: 5, m: 5 }))).toMatchObject({
      status: 400,
      body: { field: 'variants', detail: expect.stringContaining('first window') },
    })
  })

  it('bring the stocks of the variants with an edit', async () => {
    await create()
    const windows = windowsOf({ s: 1, m: 2 }, { s: 3, m: 4 })
    expect(await edit({ windows })).toMatchObject({
      status: 200,
      body: {
        stock: 3,
        variants: [
          { ...s, stock: 1 },
          { ...m, stock: 2 },
        ],
      },
    })
  })
})

describe('POST /api/control/sales/{id}/orders in a sale with variants', () => {
  it('reserves units of a variant, and takes none that it does not have (I1)', async () => {
    await open()
    const place = async (shopper: number, variant: string, quantity: number) => {
      const { status, body } = await rig.act('orders', { shopperId: `shopper-${shopper}`, key: 'k', quantity, variant })
      expect(status).toBe(200)
      return [body.code, body.quantity]
    }
    expect(await place(1, 's', 3)).toEqual(['reserved', 3])
    expect(await place(2, 's', 2)).toEqual(['sold-out', 0])
    expect(await place(3, 'm', 2)).toEqual(['reserved', 2])
    expect(await place(4, 'xl', 1)).toEqual(['invalid-request', 0])
    await rig.deliver()
    expect(await unitsEverywhere()).toEqual({ s: [4, 4, 1, 1], m: [6, 6, 4, 4] })
    const orderId = deriveOrderId(phone, shopperIdOf(1), 'k')
    expect(await rig.table.find(orderId)).toMatchObject({ quantity: 3, variant: 's' })
  })

  it('refuses a list of variants and an order without a quantity, and answers one without a variant', async () => {
    await open()
    const who = { shopperId: 'shopper-1', key: 'k' }
    const wrong = { basket: { ...who, quantity: 1, basket: { s: 1 } }, quantity: { ...who, variant: 's' } }
    for (const [field, order] of Object.entries(wrong)) {
      expect(await rig.act('orders', order)).toMatchObject({ status: 400, body: { field } })
    }
    const answer = { status: 200, body: { code: 'invalid-request', field: 'variant', orderId: null } }
    expect(await rig.act('orders', { ...who, quantity: 1 })).toMatchObject(answer)
  })
})
