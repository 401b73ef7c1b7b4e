/** Who has access, what a definition must be, what may be edited, and what the audit and the live page show. */
import type { BatchGetCommandInput } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { pathFor } from '../../../core/api/operation.ts'
import { type OperationName, operations } from '../../../core/api/operations.ts'
import { maxControlBodyBytes } from '../../../core/body-limits.ts'
import { addSale } from '../../../functions/table/sale/sales.ts'
import { onWireAt } from '../../../proof/simulation/dynamodb/wire.ts'
import { freeze } from '../../../redis/stock/freeze.ts'
import { bodyExamples } from '../../../static/api/examples.ts'
import { saleIdOf } from '../../redis/support.ts'
import { phone } from '../../world/stock-record.ts'
import { currentSales } from '../../world/table.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

describe('/api/control', () => {
  it('answers 404 and 405 as problems', async () => {
    expect(await rig.ask('GET', '/nothing')).toMatchObject({ status: 404, body: { code: 'not-found' } })
    const wrong = await rig.ask('DELETE', '/sales')
    expect(wrong).toMatchObject({ status: 405, headers: { allow: 'GET, POST' } })
    expect(await rig.ask('GET', '/sales/PHONE')).toMatchObject({ status: 400, body: { field: 'saleId' } })
  })

  // Another function answers for the table of orders, which has personal data.
  const ofSales = (Object.keys(operations) as OperationName[]).filter((name) =>
    /^\/api\/control\/sales\/:saleId(?!\/orders.csv)/.test(operations[name].path),
  )
  it.each(ofSales)('answers %s of a sale that does not exist as a problem', async (name) => {
    const { method, body } = operations[name]
    const path = pathFor(operations[name], { saleId: 'phone' }).replace('/api/control', '')
    expect(await rig.ask(method, path, body && (bodyExamples[name] ?? {}))).toMatchObject({
      status: 404,
      body: { code: 'unknown-sale' },
    })
  })

  it('refuses to repair an archived sale', async () => {
    await rig.create()
    await rig.change({ archivedAt: 1 })
    expect(await rig.act('reconcile')).toMatchObject({ status: 409, body: { reason: 'archived' } })
  })

  it('accepts only JSON of a limited size', async () => {
    const body = JSON.stringify(rig.definition())
    expect(await rig.ask('POST', '/sales', body, { 'content-type': 'text/plain' })).toMatchObject({ status: 415 })
    expect(await rig.create({ description: 'x'.repeat(maxControlBodyBytes) })).toMatchObject({ status: 413 })
    expect(await rig.ask('POST', '/sales', '{')).toMatchObject({ status: 400, body: { field: 'body' } })
    await rig.create()
    expect(await rig.act('pause', { force: true })).toMatchObject({ status: 400, body: { field: 'force' } })
    expect(await rig.act('start', { now: 'yes' })).toMatchObject({ status: 400, body: { field: 'now' } })
  })

  // Every fault of a definition: test/core/sale/definition.test.ts.
  it('rejects a definition with a bad field, names it and stores nothing (S2, S5)', async () => {
    const [field, change] = ['throttle.perIp.windowSeconds', { throttle: { perIp: { limit: 5 } } }]
    const answer = await rig.create(change)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
    expect(await currentSales(rig.table)).toEqual([])
    expect(rig.audit()).toEqual([])
    expect(rig.site.objects.size).toBe(0)
  })

  it('refuses a sale with Turnstile unless the gate says that this stage has its keys (N4)', async () => {
    const refusal = { status: 409, body: { reason: 'turnstile-missing', field: 'challenge' } }
    const ready = { 'x-turnstile': 'ready' }
    expect(await rig.create({ challenge: 'turnstile' })).toMatchObject(refusal)
    const body = rig.definition({ challenge: 'turnstile' })
    expect(await rig.ask('POST', '/sales', body, { 'x-turnstile': 'maybe' })).toMatchObject(refusal)
    expect(await rig.ask('POST', '/sales', body, ready)).toMatchObject({ status: 201 })
    // On a stage that has lost the keys, its other fields stay editable, and so does turning the challenge off.
    expect(await rig.ask('PATCH', '/sales/phone', { title: 'Phone' })).toMatchObject({ status: 200 })
    expect(await rig.ask('PATCH', '/sales/phone', { challenge: 'pow' })).toMatchObject({ status: 200 })
    expect(await rig.ask('PATCH', '/sales/phone', { challenge: 'turnstile' })).toMatchObject(refusal)
    expect(await rig.ask('PATCH', '/sales/phone', { challenge: 'turnstile' }, ready)).toMatchObject({
      status: 200,
      body: { challenge: 'turnstile' },
    })
  })

  it('refuses a price that the payment provider cannot charge, at its creation and at an edit', async () => {
    const refusal = { status: 400, body: { field: 'price', detail: expect.stringContaining('in steps of 0.010') } }
    const dinars = { saleId: 'dinar', currency: 'BHD' }
    expect(await rig.create({ ...dinars, price: 5124 })).toMatchObject(refusal)
    expect(await rig.create({ ...dinars, price: 5120 })).toMatchObject({ status: 201 })
    expect(await rig.ask('PATCH', '/sales/dinar', { price: 5125 })).toMatchObject(refusal)
    expect(await rig.ask('PATCH', '/sales/dinar', { price: 5130 })).toMatchObject({ status: 200 })
  })

  it('refuses orders below or above what the payment provider charges, by the setting that makes them so', async () => {
    const refusal = (field: string, values: object) => ({
      status: 400,
      body: { field, reason: 'amount-charged', values },
    })
    const euros = { least: '0.50', most: '999999.99', step: '0.01', currency: 'EUR' }
    const mug = { saleId: 'mug', currency: 'EUR', limitPerShopper: 20, maxPerOrder: 20 }
    expect(await rig.create({ ...mug, price: 49 })).toMatchObject(refusal('price', euros))
    expect(await rig.create({ ...mug, price: 100_000_000 })).toMatchObject(refusal('price', euros))
    expect(await rig.create({ ...mug, price: 5_000_000 })).toMatchObject(refusal('maxPerOrder', euros))
    const delivery = { countries: ['DE'], costs: { DE: 1_000_000 } }
    expect(await rig.create({ ...mug, price: 4_999_999, delivery })).toMatchObject(refusal('maxPerOrder', euros))
    const dinars = { least: '0.010', most: '99999.990', step: '0.010', currency: 'KWD' }
    const odd = { ...mug, currency: 'KWD', price: 510, delivery: { countries: ['KW'], costs: { KW: 15 } } }
    expect(await rig.create(odd)).toMatchObject(refusal('delivery.costs', dinars))
    // Free sales, and sales paid elsewhere, never reach the provider.
    expect(await rig.create({ ...mug, price: 0 })).toMatchObject({ status: 201 })
    const checkoutUrl = 'https://shop.example/cart'
    expect(await rig.create({ ...mug, saleId: 'cup', price: 49, checkoutUrl })).toMatchObject({ status: 201 })
    expect(await rig.ask('PATCH', '/sales/cup', { checkoutUrl: null })).toMatchObject(refusal('price', euros))
    expect(await rig.ask('PATCH', '/sales/cup', { checkoutUrl: null, price: 50 })).toMatchObject({ status: 200 })
  })

  it('takes the address of a checkout, and removes it; a stage that signs no reservations refuses it', async () => {
    const checkoutUrl = 'https://shop.example/cart'
    expect(await rig.create({ price: 500, checkoutUrl })).toMatchObject({ status: 201, body: { checkoutUrl } })
    const removed = await rig.ask('PATCH', '/sales/phone', { checkoutUrl: null })
    expect(removed.status).toBe(200)
    expect(removed.body).not.toHaveProperty('checkoutUrl')
    rig.ports.hasCheckout = false
    const refused = { status: 409, body: { reason: 'no-checkout', field: 'checkoutUrl' } }
    expect(await rig.ask('PATCH', '/sales/phone', { checkoutUrl })).toMatchObject(refused)
    expect(await rig.create({ saleId: 'other', price: 500, checkoutUrl })).toMatchObject(refused)
  })

  it('takes pages of one machine only in a shop on one machine, and names the field', async () => {
    const allowedOrigins = ['https://host.example', 'http://localhost:8080']
    expect(await rig.create({ allowedOrigins })).toMatchObject({ status: 201, body: { allowedOrigins } })
    rig.ports.allowsLoopback = false
    const refused = { status: 409, body: { reason: 'loopback-origin', field: 'allowedOrigins' } }
    expect(await rig.create({ saleId: 'other', allowedOrigins })).toMatchObject(refused)
    const https = { allowedOrigins: ['https://host.example'] }
    expect(await rig.ask('PATCH', '/sales/phone', https)).toMatchObject({ status: 200, body: https })
    expect(await rig.ask('PATCH', '/sales/phone', { allowedOrigins })).toMatchObject(refused)
  })

  it('creates an id once', async () => {
    await rig.create()
    const again = await rig.create({ title: 'Another' })
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict', field: 'saleId' } })
    expect((await rig.ask('GET', '/sales')).body.sales).toEqual([expect.objectContaining({ title: 'A phone' })])
  })
})

describe('the list of sales', () => {
  it('returns a bounded page and where the next one begins, however many sales exist', async () => {
    const ids = Array.from({ length: 120 }, (_, i) => `sale-${String(i).padStart(3, '0')}`)
    for (const [i, saleId] of ids.entries()) await rig.create({ saleId, startsAt: rig.clock.now + 60_000 + i })
    const seen: string[] = []
    let path = '/sales'
    const sizes: number[] = []
    for (;;) {
      const { body } = await rig.ask('GET', path)
      sizes.push(body.sales.length)
      seen.push(...body.sales.map((sale: { saleId: string }) => sale.saleId))
      if (body.next === null) break
      path = `/sales?after=${body.next}`
    }
    expect(sizes).toEqual([50, 50, 20])
    expect(seen).toEqual(ids.toReversed())
    expect((await rig.ask('GET', '/sales?limit=100')).body.sales).toHaveLength(100)
  })

  it('has on request the numbers of all its sales, or of those whose orders may still change by themselves', async () => {
    const times = { startsAt: rig.clock.now, endsAt: rig.clock.now + 60_000 }
    expect((await rig.create({ saleId: saleIdOf('old-mug'), stock: 5, ...times })).status).toBe(201)
    expect((await rig.ask('POST', '/sales/old-mug/start', { now: true })).status).toBe(200)
    rig.clock.now += 86_400_000
    await rig.open({ stock: 7, startsAt: rig.clock.now, endsAt: rig.clock.now + 60_000 })
    const numbersOf = async (asked: string) => (await rig.ask('GET', `/sales?numbers=${asked}`)).body.numbers
    expect(await numbersOf('true')).toMatchObject({ 'old-mug': { sold: 0 }, phone: { sold: 0, left: 7 } })
    expect(Object.keys(await numbersOf('moving'))).toEqual(['phone'])
    expect(await numbersOf('false')).toBeUndefined()
  })

  it.each([
    ['numbers', 'numbers=some'],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=many'],
    ['after', 'after=yesterday'],
    ['after', 'after=1.NO'],
    ['archived', 'archived=yes'],
    ['page', 'page=2'],
    ['find', `find=${'x'.repeat(41)}`],
    ['kind', 'kind=mugs'],
    ['state', 'state=sold-out'],
    ['state', 'state='],
    ['find', 'find=mug&find=lamp'],
  ])('rejects a bad %s in %s', async (field, query) => {
    const answer = await rig.ask('GET', `/sales?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid-request', field } })
  })
})

describe('a search of the list of sales', () => {
  const search = async (query: string) => (await rig.ask('GET', `/sales?${query}`)).body
  const idsOf = (page: { sales: readonly { saleId: string }[] }) => page.sales.map(({ saleId }) => saleId)

  it('finds few among many: each call reads a bounded number of sales and says where to go on', async () => {
    await rig.create()
    const sale = await rig.sale()
    const [audit] = rig.audit()
    if (audit === undefined) throw new Error('no entry was written')
    // Straight into the table: only the search is under test.
    for (let i = 0; i < 650; i++) {
      const title = i === 5 || i === 640 ? 'A rare mug' : 'A lamp'
      const saleId = saleIdOf(`sale-${String(i).padStart(3, '0')}`)
      await addSale(rig.table, { ...sale, saleId, title, startsAt: sale.startsAt + i + 1 }, audit)
    }
    const read = { items: 0, most: 0 }
    rig.ports.table = onWireAt(rig.ports.table, 'batch get SALE', (send, command) => {
      const { RequestItems = {} } = command.input as BatchGetCommandInput
      const keys = Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys)
      read.items += keys.length
      read.most = Math.max(read.most, keys.length)
      return send()
    })
    const first = await search('find=RARE%20mug')
    expect([idsOf(first), first.next]).toEqual([['sale-640', 'sale-005'], null])
    const page = await search('find=RARE%20mug&limit=1')
    expect(idsOf(page)).toEqual(['sale-640'])
    expect(idsOf(await search(`find=RARE%20mug&limit=1&after=${page.next}`))).toEqual(['sale-005'])
    expect(idsOf(await search('find=nothing&limit=1'))).toEqual([])
    expect(read).toEqual({ items: 5, most: 2 })
    // Without words only the sales themselves can match.
    const kinds = await search('kind=coupon')
    expect([idsOf(kinds), kinds.next, read]).toEqual([[], expect.any(String), { items: 305, most: 100 }])
  })

  it('finds words behind what a list has of long titles', async () => {
    await rig.create({
      title: 'A lamp',
      translations: { 'zh-CN': { title: `${'灯'.repeat(90)}尾巴` }, en: { title: 'lamp '.repeat(23) } },
    })
    await rig.create({ saleId: 'plain-one', title: 'Another mug' })
    expect(idsOf(await search(`find=${encodeURIComponent('尾巴')}`))).toEqual(['phone'])
    expect(idsOf(await search('find=mug'))).toEqual(['plain-one'])
  })

  it('returns each match once, however its pages divide them', async () => {
    for (let i = 0; i < 7; i++) {
      await rig.create({
        saleId: `sale-${i}`,
        title: i % 2 === 0 ? 'A mug' : 'A lamp',
        startsAt: rig.clock.now + 60_000 + i,
      })
    }
    for (const limit of [1, 2, 3, 4, 5]) {
      const seen: string[] = []
      let after = ''
      for (;;) {
        const page = await search(`find=mug%20a%20mug&limit=${limit}${after}`)
        expect(page.sales.length).toBeLessThanOrEqual(limit)
        seen.push(...idsOf(page))
        if (page.next === null) break
        after = `&after=${page.next}`
      }
      expect(seen).toEqual(['sale-6', 'sale-4', 'sale-2', 'sale-0'])
    }
  })

  it('follows the clock and the actions of marketers', async () => {
    const { body: created } = await rig.create()
    expect(idsOf(await search('state=waiting&kind=goods&find=phone'))).toEqual(['phone'])
    expect(idsOf(await search('kind=coupon'))).toEqual([])
    await rig.act('warm')
    await rig.act('start')
    expect(idsOf(await search('state=waiting'))).toEqual([])
    expect(idsOf(await search('state=scheduled'))).toEqual(['phone'])
    rig.clock.now = created.startsAt
    expect(idsOf(await search('state=live'))).toEqual(['phone'])
    await rig.act('pause')
    expect(idsOf(await search('state=paused'))).toEqual(['phone'])
    expect(idsOf(await search('state=paused&archived=true'))).toEqual([])
  })
})

describe('the same definition again', () => {
  it('finds the sale it created, when the first answer was lost (I5)', async () => {
    const first = await rig.create()
    rig.clock.now += 5_000
    const times = { startsAt: first.body.startsAt, endsAt: first.body.endsAt }
    expect(await rig.create(times)).toEqual(first)
    expect(rig.audit()).toHaveLength(1)
  })

  it('publishes what a crash left unpublished (I5)', async () => {
    const definition = rig.definition()
    rig.site.goDown()
    await expect(rig.create(definition)).rejects.toThrow(/unavailable/)
    rig.site.comeUp()
    expect(await rig.create(definition)).toMatchObject({ status: 201, body: { version: 1 } })
    expect(rig.pointer()).toMatchObject({ phase: 'draft', version: 1 })
  })

  it('is a conflict once the sale has been changed', async () => {
    const definition = rig.definition()
    await rig.create(definition)
    await rig.act('warm')
    expect(await rig.create(definition)).toMatchObject({ status: 409, body: { field: 'saleId' } })
  })
})

describe('an edit', () => {
  const edit = (changes: unknown) => rig.ask('PATCH', '/sales/phone', changes)

  it('changes anything of a draft, under a new version (C6)', async () => {
    await rig.create()
    expect(await edit({ price: 99, stock: 7, startsAt: 1 })).toMatchObject({
      status: 200,
      body: { price: 99, stock: 7, startsAt: 1, version: 2 },
    })
    expect(rig.pointer()).toMatchObject({ version: 2, startsAt: 1, remaining: 7 })
    expect(rig.site.objects.has('sales/phone/countdown.1.js')).toBe(true)
    expect(rig.site.objects.has('sales/phone/countdown.2.js')).toBe(true)
  })

  it('validates the resulting definition (S5)', async () => {
    await rig.create()
    expect(await edit({ endsAt: 5 })).toMatchObject({ status: 400, body: { field: 'endsAt' } })
    expect(await edit({ price: -1 })).toMatchObject({ status: 400, body: { field: 'price' } })
    expect(await edit({ saleId: 'other' })).toMatchObject({ status: 400, body: { field: 'saleId' } })
    expect((await rig.ask('GET', '/sales/phone')).body).toMatchObject({ version: 1, price: 10 })
  })

  it('cannot change the stock once it is warmed', async () => {
    await rig.create()
    await rig.act('warm')
    expect(await edit({ stock: 11 })).toMatchObject({ status: 409, body: { field: 'stock' } })
    expect(await edit({ price: 12 })).toMatchObject({ status: 200 })
    expect(await rig.stockRecord()).toMatchObject({ total: 10, version: 3 })
  })

  it('changes only texts and the end once the sale was started', async () => {
    await rig.create()
    await rig.act('start')
    for (const [field, value] of [
      ['price', 1],
      ['currency', 'EUR'],
      ['stock', 5],
      ['limitPerShopper', 5],
      ['startsAt', 1],
    ]) {
      expect(await edit({ [String(field)]: value })).toMatchObject({ status: 409, body: { field } })
    }
    const later = rig.clock.now + 9_000_000
    expect(await edit({ title: 'New', endsAt: later })).toMatchObject({ status: 200, body: { title: 'New' } })
    expect((await rig.stockRecord())?.sale?.endsAt).toBe(later)
    expect((await rig.facts())?.endsAt).toBe(later)
  })

  it('of one throttle keeps the others, and so does a second (R2, R3)', async () => {
    const of = (limit: number) => ({ limit, windowSeconds: 10 })
    await rig.create({ throttle: { perShopper: of(1), perIp: of(2) } })
    await rig.act('start')
    await edit({ throttle: { perIp: of(20) } })
    const throttle = { perShopper: of(10), perIp: of(20) }
    expect(await edit({ throttle: { perShopper: of(10) } })).toMatchObject({ status: 200, body: { throttle } })
    expect((await rig.facts())?.rules).toMatchObject({ throttle })
    const { version } = (await rig.ask('GET', '/sales/phone')).body
    expect(await edit({ throttle: {} })).toMatchObject({ status: 200, body: { version, throttle } })
  })

  it('that changes nothing is no change', async () => {
    await rig.create()
    expect(await edit({})).toMatchObject({ status: 200, body: { version: 1 } })
    expect(await edit({ price: 10 })).toMatchObject({ status: 200, body: { version: 1 } })
    expect(rig.audit()).toHaveLength(1)
  })
})

describe('the audit and the live page', () => {
  it('show who changed what, when, from what to what, and never a start token', async () => {
    await rig.create()
    await rig.act('start', { now: true })
    await rig.ask('PATCH', '/sales/phone', { title: 'New' })
    const { body } = await rig.ask('GET', '/audit?day=2026-11-20')
    expect(body.entries.map(({ what }: { what: string }) => what).sort()).toEqual(['create', 'edit', 'start', 'warm'])
    expect(body.entries.find(({ what }: { what: string }) => what === 'edit')).toEqual({
      who: 'mia',
      role: 'marketer',
      what: 'edit',
      saleId: 'phone',
      when: rig.clock.now,
      before: { title: 'A phone', version: 3 },
      after: { title: 'New', version: 4 },
      requestId: 'request-1',
    })
    expect(JSON.stringify(body)).not.toContain('token')
    expect((await rig.ask('GET', '/audit')).body.entries).toHaveLength(4)
    expect((await rig.ask('GET', '/audit?day=2026-11-19')).body.entries).toEqual([])
    for (const day of ['today', '2026-02-30'])
      expect(await rig.ask('GET', `/audit?day=${day}`)).toMatchObject({ status: 400, body: { field: 'day' } })
  })

  it('show a running sale live', async () => {
    await rig.create()
    expect(await rig.live()).toMatchObject({ phase: 'draft', stock: null })
    await rig.act('start', { now: true })
    await rig.buy(1)
    await rig.deliver()
    await rig.reserve(2)
    await rig.buy(3)
    rig.ports.allDeadLetters = async () => 3
    expect(await rig.live()).toMatchObject({
      sale: { saleId: 'phone' },
      phase: 'open',
      inStep: true,
      frozen: false,
      stock: { total: 10, booked: 3, available: 7 },
      orders: { sold: 1, orders: 1 },
      drift: null,
      outbox: 1,
      queue: { visible: 1, inFlight: 0, delayed: 0 },
      deadLetters: 3,
      unavailable: [],
      now: rig.clock.now,
    })
  })

  it('show by how many units Redis and the table disagree once nothing is on its way (I4)', async () => {
    await rig.open()
    await rig.sell(3)
    expect(await rig.live()).toMatchObject({ drift: 0 })
    await rig.buy(4)
    rig.queue.messages.length = 0
    expect(await rig.live()).toMatchObject({ drift: 1 })
    await freeze(rig.redis, phone)
    expect(await rig.live()).toMatchObject({ drift: null, frozen: true })
  })

  it('show how many requests the gate may still admit, and the windows it has (G5, R7)', async () => {
    await rig.create()
    expect(await rig.live()).toMatchObject({ admissions: null, unavailable: [] })
    await rig.act('start', { now: true })
    const admissions = { remaining: 12, out: 0 }
    expect(await rig.live()).toMatchObject({ admissions, sale: { windowIndex: 0, windows: [] } })
    rig.gate.goDown()
    expect(await rig.live()).toMatchObject({ admissions: null, unavailable: ['gate'], stock: { total: 10 } })
  })

  it('show what is available while a component is unavailable, and name that component (I6)', async () => {
    await rig.create()
    await rig.act('start', { now: true })
    rig.queue.goDown()
    const noQueue = await rig.ask('GET', '/sales/phone/live')
    expect(noQueue).toMatchObject({ status: 200, body: { queue: null, deadLetters: null, unavailable: ['sqs'] } })
    expect(noQueue.body).toMatchObject({ stock: { total: 10 }, outbox: 0 })
    rig.stock.goDown()
    const nothing = { stock: null, outbox: null, unavailable: ['redis', 'sqs'], orders: { sold: 0 }, inStep: false }
    // Flag and clock give its phase: it does not pass for sold out.
    expect(await rig.live()).toMatchObject({ ...nothing, phase: 'open' })
    rig.clock.now += 7_200_000
    expect(await rig.live()).toMatchObject({ ...nothing, phase: 'ended' })
  })

  it('do not show a sale as sold out while a rebuild holds its last units back', async () => {
    await rig.open()
    await rig.loseStock()
    await rig.loseGate()
    expect((await rig.act('recover', {})).body).toMatchObject({ heldBack: 10 })
    expect(await rig.live()).toMatchObject({
      phase: 'held-back',
      stock: { heldBack: 10, available: 0 },
    })
  })

  it('do not show a sale as sold out while Redis has lost it', async () => {
    await rig.open()
    await rig.loseStock()
    expect(await rig.live()).toMatchObject({ phase: 'held-back', stock: null })
  })
})
