/** The sale that the preview of a page is drawn of, while it is being typed. */
import { describe, expect, it } from 'vitest'
import { fieldPaths } from '../../../console/form/fields.ts'
import { momentOf, previewSale, previewStates } from '../../../console/form/preview-sale.ts'
import type { TextPart } from '../../../console/parts/text-parts.ts'
import { renderRainPage } from '../../../templates/pages/rain.ts'
import { renderSalePage } from '../../../templates/pages/sale.ts'
import { blueBowl, definitionOf, entering } from '../blue-bowl.ts'

const now = new Date(2026, 10, 20, 11).getTime()
const standIns = { title: 'Title', description: 'Text' }
type Parts = Readonly<Record<string, TextPart>>

const preview = (parts: Parts = {}) => previewSale(entering(blueBowl, parts), standIns, now)
const assets = new Proxy({}, { get: (_, name) => `/assets/${String(name)}` })

function pageOf(change: Parts): string {
  const sale = preview(change)
  const render = sale.kind === 'red-packet' ? renderRainPage : renderSalePage
  return render(sale, assets, { now, shopUrl: undefined, brand: {} })
}

describe('the sale of a preview', () => {
  it('is the sale that would be saved, once the form is valid', () => {
    const text = entering(blueBowl, {
      listPrice: '0.50',
      'translations.zh-CN.title': '蓝碗',
      windows: [{ startsAt: '2026-11-21T12:00', endsAt: '2026-11-21T13:00', stock: '30' }],
    })
    const { translations: _, ...shown } = previewSale(text, standIns, now)
    const { title, pictures, price, listPrice, currency, stock, startsAt, windows } = definitionOf(text)
    expect(shown).toMatchObject({ title, pictures, price, listPrice, currency, stock, startsAt, windows })
  })

  it('has the texts of each language that has its own, and otherwise those of the sale', () => {
    expect(pageOf({ 'translations.zh-CN.title': '蓝碗' })).toContain(
      'data-texts="{&quot;en&quot;:&quot;Blue bowl&quot;,&quot;zh-CN&quot;:&quot;蓝碗&quot;}"',
    )
    expect(preview({ 'translations.en.title': ' ' }).translations).toBeUndefined()
  })

  it.each(['goods', 'coupon', 'red-packet'] as const)(
    'can be drawn of an empty form and of nonsense, for %s',
    (kind) => {
      for (const typed of ['', 'nonsense', '-7', '9'.repeat(12)]) {
        const wrong = Object.fromEntries(fieldPaths.filter((path) => !path.includes('*')).map((path) => [path, typed]))
        const windows = [{ startsAt: typed, endsAt: typed, stock: typed, totalAmount: typed }]
        const rows = { variants: [{ id: typed, name: typed, stock: typed }], pictures: [{ src: typed, alt: '' }] }
        for (const some of [[], windows]) {
          const page = pageOf({ ...wrong, kind, ...rows, windows: some })
          expect(page).toContain('<main id="main"')
          expect(page).not.toMatch(/NaN|undefined|Invalid/)
        }
      }
    },
  )

  it.each([
    ['10', '3', 'Level 3 and up: 10 min before everyone else'],
    ['10', 'three', undefined],
    ['10', '', undefined],
    ['10', '0', undefined],
    ['soon', '3', undefined],
    ['9999', '3', undefined],
  ])('says early access once it can be read: %s min, level “%s”', (minutes, minLevel, line) => {
    const typed = { 'earlyAccess.minutes': minutes, 'earlyAccess.minLevel': minLevel }
    const page = pageOf(typed)
    if (line === undefined) expect(page).not.toContain('min before everyone else')
    else expect(page).toContain(`>${line}<`)
    expect(preview({ ...typed, kind: 'red-packet' }).earlyAccess).toBeUndefined()
    expect(preview({ ...typed, kind: 'coupon' }).earlyAccess).toEqual(preview(typed).earlyAccess)
  })

  it('shows a stand-in for the texts alone, and pictures that can be shown', () => {
    const sale = preview({
      ...{ title: ' ', description: '' },
      pictures: [
        { src: 'javascript:alert(1)', alt: 'no' },
        { src: '/assets/pictures/tea.svg', alt: 'Tea' },
      ],
    })
    expect(sale).toMatchObject(standIns)
    expect(sale.pictures).toEqual([{ src: '/assets/pictures/tea.svg', alt: 'Tea' }])
  })

  it('is before its start, open, or sold out, also if its start has passed', () => {
    const sale = preview()
    const moments = previewStates.map((state) => momentOf(sale, state, now))
    expect(moments).toEqual([
      { phase: 'scheduled', now, remaining: 100 },
      { phase: 'open', now: sale.startsAt, remaining: 100 },
      { phase: 'sold-out', now: sale.startsAt, remaining: 0 },
    ])
    expect(momentOf(sale, 'before', sale.endsAt).now).toBeLessThan(sale.startsAt)
  })
})
