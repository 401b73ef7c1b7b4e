import { describe, expect, it } from 'vitest'
import { pageTemplates } from '../../../../functions/sales/publishing/templates.ts'
import { aSale } from '../../../redis/support.ts'

/** A stand-in for the manifest of any build: every asset has a path. */
const assets = new Proxy<Record<string, string>>({}, { get: (_, name) => `/assets/${String(name)}` })

const published = { now: 0, shopUrl: 'https://shop.example', brand: {} }

describe('the page templates', () => {
  it('make complete pages in which a title is only text, and no token appears (C2, C6)', () => {
    const sale = aSale({ title: '<script>alert(1)</script>' })
    const { salePage, indexPage } = pageTemplates(assets)
    for (const page of [salePage(sale, published), indexPage([sale], {})]) {
      expect(page).toMatch(/^<!doctype html>/i)
      expect(page).toContain('&lt;script&gt;alert(1)')
      expect(page).not.toContain('<script>alert')
      expect(page).not.toContain(sale.startToken)
    }
  })

  it('give red packets their stage, and every other kind the sale page', () => {
    const { salePage } = pageTemplates(assets)
    const packets = { kind: 'red-packet', packets: { count: 10, totalAmount: 1000 } } as const
    expect(salePage(aSale(packets), published)).toContain('id="stage"')
    for (const kind of ['goods', 'coupon'] as const)
      expect(salePage(aSale({ kind }), published)).not.toContain('id="stage"')
  })
})
