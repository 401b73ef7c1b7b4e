/** `/api/control/brand`: who may change it, what is rejected, and what is published. */
import { describe, expect, it } from 'vitest'
import { saveBrand } from '../../../functions/table/sale/brand.ts'
import { useWorld } from '../../world/world.ts'

const rig = useWorld()

const brand = { name: 'Lantern', colours: { light: '#0b5a8a', dark: '#7cc4f0' } }
const put = (revision: number, changed: unknown = brand) => rig.ask('PUT', '/brand', { revision, brand: changed })
const bodyOf = (path: string) => rig.site.objects.get(path)?.body

describe('the brand', () => {
  it('is empty at first, and changed by the revision that was read', async () => {
    expect((await rig.ask('GET', '/brand')).body).toEqual({ revision: 0, brand: {} })
    expect(await put(0)).toMatchObject({ status: 200, body: { revision: 1, brand } })
    expect((await rig.ask('GET', '/brand')).body).toEqual({ revision: 1, brand })
    expect(await put(0, { name: 'Other' })).toMatchObject({ status: 409, body: { reason: 'brand-changed' } })
    expect(rig.audit().at(-1)).toMatchObject({ what: 'brand', saleId: null, before: {}, after: brand })
  })

  it('is saved once when the same request arrives twice (I5)', async () => {
    await put(0)
    expect(await put(0)).toMatchObject({ status: 200, body: { revision: 1, brand } })
    expect(rig.audit().filter(({ what }) => what === 'brand')).toHaveLength(1)
  })

  it('offers languages that the build has, and a sale has texts in no other', async () => {
    const refused = (field: string) => ({ status: 400, body: { code: 'invalid-request', field } })
    expect(await put(0, { languages: ['ar', 'tlh'] })).toMatchObject(refused('brand.languages.1'))
    expect(await put(0, { languages: ['ar', 'en'] })).toMatchObject({ status: 200 })
    const create = (language: string) =>
      rig.ask('POST', '/sales', rig.definition({ translations: { [language]: { title: 'كوب' } } }))
    expect(await create('tlh')).toMatchObject(refused('translations.tlh'))
    expect(await create('ar')).toMatchObject({ status: 201 })
    const variants = [
      { id: 's', name: 'Small', stock: 1 },
      { id: 'm', name: 'Medium', names: { de: 'Mittel', tlh: 'x' }, stock: 1 },
    ]
    const pictures = [{ src: '/mug.svg', alt: 'A mug', alts: { tlh: 'x' } }]
    const createTwo = (change: object) => rig.ask('POST', '/sales', { ...rig.definition({ saleId: 'two' }), ...change })
    expect(await createTwo({ variants, stock: 2 })).toMatchObject(refused('variants.1.names.tlh'))
    expect(await createTwo({ pictures })).toMatchObject(refused('pictures.0.alts.tlh'))
  })

  it('is published: its colours before the pages that link them, then every page', async () => {
    await rig.create()
    rig.log.length = 0
    await put(0)
    const css = 'brand/0b5a8a-7cc4f0.css'
    expect(rig.log[0]).toBe(css)
    expect(rig.log.slice(1)).toEqual([
      'index.html',
      expect.stringMatching(/^sales\/.*index\.html$/),
      'accessibility/index.html',
      'customer/index.html',
      'wallet/index.html',
      'orders/index.html',
    ])
    expect(bodyOf('orders/index.html')).toBe('orders of Lantern')
    expect(bodyOf(css)).toContain('--accent:#0b5a8a;')
  })

  it('that a crash left unpublished is published by the next scheduled run, which then reads no more', async () => {
    await put(0)
    await saveBrand(rig.ports.table, { revision: 2, brand: { name: 'Second' } }, { ...auditOf(), after: {} })
    await rig.ports.publisher.stablePages()
    expect(bodyOf('orders/index.html')).toBe('orders of Second')
    rig.log.length = 0
    await rig.ports.publisher.stablePages()
    expect(rig.log).toEqual([])
  })

  it('is that of the build at first: only the pages that are missing are published', async () => {
    await rig.create()
    rig.log.length = 0
    await rig.ports.publisher.stablePages()
    expect(rig.log).toEqual(['accessibility', 'customer', 'wallet', 'orders'].map((page) => `${page}/index.html`))
  })
})

const auditOf = () => ({ who: 'mara', requestId: 'request', what: 'brand' as const, saleId: null, when: 0, before: {} })
