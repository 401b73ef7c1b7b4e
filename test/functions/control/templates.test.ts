/** `/api/control/templates`: what is kept, replaced, refused and removed. */

import { describe, expect, it } from 'vitest'
import { copyOf } from '../../../core/sale/copy-sale.ts'
import { uploadedPicture } from '../../../core/sale/pictures.ts'
import { definitionOf } from '../../../core/sale/sale.ts'
import { markArchived, removeMarked } from '../../../functions/repair/archive.ts'
import { findSale } from '../../../functions/table/sale/sales.ts'
import { phone } from '../../world/stock-record.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

const keep = (name: unknown, saleId = 'phone') => rig.ask('PUT', '/templates', { name, saleId })
const remove = (name: unknown) => rig.ask('POST', '/templates/delete', { name })
const list = async () => (await rig.ask('GET', '/templates')).body.templates
const audited = () => rig.audit().filter(({ what }) => what.endsWith('-template'))

describe('a template', () => {
  it('is the present definition of a sale under a name, which a new sale can begin with', async () => {
    const { body: sale } = await rig.create({ title: 'A phone' })
    expect(await list()).toEqual([])
    const definition = definitionOf(sale)
    const kept = { name: 'Weekly phone 📱', savedAt: rig.clock.now, definition }
    expect(await keep('Weekly phone 📱')).toMatchObject({ status: 200, body: kept })
    expect(await list()).toEqual([kept])
    expect(audited()).toEqual([
      expect.objectContaining({
        ...{ what: 'save-template', saleId: 'phone', before: null },
        after: { template: 'Weekly phone 📱', title: 'A phone' },
      }),
    ])
    const copy = { ...copyOf(definition, sale.endsAt + 1), saleId: 'phone-2' }
    expect(copy.startsAt).toBeGreaterThan(sale.endsAt)
    rig.clock.now = sale.endsAt + 1
    expect(await rig.ask('POST', '/sales', copy)).toMatchObject({ status: 201, body: { title: 'A phone' } })
  })

  it('replaces the one of its name, and a repeat changes nothing (I5)', async () => {
    await rig.create()
    await keep('Phone')
    rig.clock.now += 5
    const again = await keep('Phone')
    expect(again.body.savedAt).toBe(rig.clock.now - 5)
    await rig.ask('PATCH', '/sales/phone', { title: 'A newer phone' })
    expect(await keep(' Phone ')).toMatchObject({
      status: 200,
      body: { name: 'Phone', savedAt: rig.clock.now },
    })
    expect((await list()).map(({ definition }: { definition: { title: string } }) => definition.title)).toEqual([
      'A newer phone',
    ])
    expect(audited()).toHaveLength(2)
    expect(audited().at(-1)).toMatchObject({
      before: { title: 'A phone' },
      after: { title: 'A newer phone' },
    })
  })

  it('stays when its sale is deleted, and is removed by its name, which can be repeated (I5)', async () => {
    await rig.create()
    await keep('双十一')
    expect(await rig.ask('DELETE', '/sales/phone')).toMatchObject({ status: 200 })
    expect(await list()).toHaveLength(1)
    expect(await keep('Other')).toMatchObject({ status: 404, body: { code: 'unknown-sale' } })
    expect(await remove('双十一')).toMatchObject({ status: 200, body: { name: '双十一' } })
    expect(await remove('双十一')).toMatchObject({ status: 200 })
    expect(await list()).toEqual([])
    expect(audited().map(({ what }) => what)).toEqual(['save-template', 'delete-template'])
  })

  it('is one of a hundred at most; one of them can still be replaced', async () => {
    await rig.create()
    for (let n = 0; n < 100; n++) expect((await keep(`Template ${n}`)).status).toBe(200)
    expect(await keep('One more')).toMatchObject({
      ...{ status: 409, body: { reason: 'templates-full', values: { limit: 100 } } },
    })
    await rig.ask('PATCH', '/sales/phone', { title: 'A newer phone' })
    expect((await keep('Template 7')).status).toBe(200)
    await remove('Template 8')
    expect((await keep('One more')).status).toBe(200)
    expect(await list()).toHaveLength(100)
  })

  it('is kept whole when two marketers save under one name at once', async () => {
    await rig.create({ title: 'First' })
    await rig.create({ saleId: 'lamp', title: 'Second' })
    const answers = await Promise.all([keep('One'), keep('One', 'lamp')])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const [kept, ...more] = await list()
    expect(more).toEqual([])
    expect(['First', 'Second']).toContain(kept.definition.title)
  })

  it.each([
    '..%2f',
    '%2e%2e/sales',
    '50 % off',
    '#1 / who?',
    "{name: 'x'}",
    'constructor',
    '__proto__',
    '🍵'.repeat(60),
  ])('has any name that people read, and is found by it alone: %s', async (name) => {
    await rig.create()
    await keep('Phone')
    expect(await keep(name)).toMatchObject({ status: 200, body: { name } })
    expect(await list()).toHaveLength(2)
    expect(await remove(name)).toMatchObject({ status: 200, body: { name } })
    expect(await list()).toMatchObject([{ name: 'Phone' }])
  })

  it.each([
    undefined,
    null,
    5,
    '',
    ' ',
    'a\u0000b',
    'a\nb',
    'a\u202eb',
    '\ud800',
    'x'.repeat(61),
    'x'.repeat(5000),
    ['mug'],
  ])('has no such name: %j', async (name) => {
    await rig.create()
    for (const answer of [await keep(name), await remove(name)]) {
      expect(answer).toMatchObject({ status: 400, body: { field: 'name' } })
    }
    expect(await list()).toEqual([])
  })

  it.each([
    ['saleId', { name: 'Phone' }],
    ['saleId', { name: 'Phone', saleId: '../phone' }],
    ['definition', { name: 'Phone', saleId: 'phone', definition: {} }],
    ['body', '{'],
    ['body', []],
  ])('needs the id of a sale and nothing else: %s', async (field, body) => {
    await rig.create()
    expect(await rig.ask('PUT', '/templates', body)).toMatchObject({ status: 400, body: { field } })
  })
})

describe('an uploaded picture', () => {
  const pictures = [{ src: `/pictures/${'0a'.repeat(16)}-1600x1200`, alt: 'A phone' }]

  it('is kept by a template and by a copied sale, also after its first sale is archived', async () => {
    const { body: sale } = await rig.create({ pictures })
    await keep('Phone')
    await rig.act('start')
    rig.clock.now += 9 * 86_400_000
    expect(await markArchived({ ...rig.ports, deadline: Infinity }, phone)).toBe(true)
    const marked = (await findSale(rig.table, phone))?.sale
    if (marked === undefined) throw new Error('the sale is gone')
    rig.clock.now += 120_000
    expect(await removeMarked(rig.ports, marked)).toBe(true)
    expect((await rig.ask('GET', '/sales/phone')).body).toMatchObject({ pictures })
    const [{ definition }] = await list()
    for (const [saleId, from] of Object.entries({ 'phone-2': definition, 'phone-3': sale })) {
      const copy = { ...copyOf(from, rig.clock.now), saleId }
      expect(await rig.ask('POST', '/sales', copy)).toMatchObject({ status: 201, body: { pictures } })
    }
    expect(uploadedPicture(pictures[0]?.src ?? '')).toBeDefined()
  })
})
