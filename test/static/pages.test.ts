import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../core/ids.ts'
import type { Sale } from '../../core/sale.ts'
import { renderConsolePage } from '../../static/pages/console.ts'
import { renderOrderPage } from '../../static/pages/orders.ts'
import { renderSalePage } from '../../static/pages/sale.ts'
import { renderIndexPage } from '../../static/pages/shop.ts'
import { renderSignInPage } from '../../static/pages/sign-in.ts'
import { messagesByPage, type PageName } from './messages-by-page.ts'

const names = [
  'sale.js',
  'shop.js',
  'orders.js',
  'sign-in.js',
  'console.js',
  'sluice.css',
  'console.css',
  'icon.svg',
]
const assets = Object.fromEntries(names.map((name) => [name, `/assets/${name}`]))
const saleId = parseSaleId('mug')
if (saleId === undefined) throw new Error('mug is a sale id')

const sale: Sale = {
  saleId,
  kind: 'goods',
  title: 'Stoneware mug',
  description: 'By hand.\n\nOne hundred of them.',
  image: '/assets/pictures/mug.svg',
  price: 10,
  currency: 'CNY',
  stock: 100,
  limitPerShopper: 3,
  maxPerOrder: 3,
  startsAt: 1_763_000_000_000,
  endsAt: 1_763_003_600_000,
  paymentWindowSeconds: 900,
  paymentGraceSeconds: 120,
  throttle: { perShopper: { limit: 5, windowSeconds: 60 } },
  flag: 'on',
  epoch: 1,
  startToken: 'the-secret-start-token-of-this-epoch',
  version: 4,
  warmed: true,
  createdAt: 0,
  updatedAt: 0,
}

const pages: Record<PageName, string> = {
  shop: renderIndexPage([sale], assets),
  sale: renderSalePage(sale, assets),
  orders: renderOrderPage(assets),
  'sign-in': renderSignInPage(assets),
  console: renderConsolePage(assets),
}
const everyPage = Object.entries(pages)

describe('every page', () => {
  it.each(everyPage)('is complete HTML without inline script or style: %s', (_, page) => {
    expect(page.startsWith('<!doctype html>')).toBe(true)
    expect(page).not.toMatch(/<style|\sstyle=|\son[a-z]+=|javascript:/i)
    expect([...page.matchAll(/<script\b[^>]*>([^<]*)/g)].map((match) => match[1])).toEqual([''])
  })

  it.each(everyPage)('marks only words that its own script carries: %s', (name, page) => {
    const known = new Set(Object.keys(messagesByPage[name as PageName]))
    const marked = [...page.matchAll(/data-i18n(?:-label)?="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(marked.length).toBeGreaterThan(3)
    expect(marked.filter((key) => !known.has(key))).toEqual([])
  })

  it.each(everyPage)(
    'has one main heading place, a language, a skip link and a status line: %s',
    (name, page) => {
      expect(page).toContain('<html lang="en">')
      expect(page).toContain('href="#main"')
      expect(page).toContain('id="main"')
      if (name !== 'shop') expect(page).toContain('role="status"')
    },
  )
})

describe('the way to sign out', () => {
  it('stands beside the name as a button, hidden until somebody is signed in', () => {
    for (const [name, page] of everyPage) {
      expect(page, name).toMatch(/id="who"[\s\S]{0,80}<button type="button" id="sign-out"[^>]* hidden>/)
    }
  })

  it('is missing where the build has no sign-in page of its own', () => {
    const { 'sign-in.js': _, ...deployed } = assets
    expect(renderSalePage(sale, deployed)).not.toContain('sign-out')
  })
})

describe('the sale page', () => {
  it('is complete without a script: name, words, picture, price (C1, C2)', () => {
    for (const text of [
      'Stoneware mug',
      'One hundred of them.',
      '/assets/pictures/mug.svg',
      'CN¥0.10',
      '100 to be sold',
    ]) {
      expect(pages.sale).toContain(text)
    }
  })

  it('is the same for every phase and never holds the start token (C2, C6)', () => {
    const unstarted: Sale = { ...sale, flag: 'off', startToken: null, epoch: 0 }
    const before = renderSalePage(unstarted, assets)
    expect(pages.sale).toBe(before)
    expect(pages.sale).not.toContain(sale.startToken)
  })

  it('shows a grey button before any script ran (C5)', () => {
    expect(pages.sale).toMatch(/id="buy"[^>]*aria-disabled="true"/)
  })

  it('escapes everything a marketer wrote', () => {
    const hostile = '"><script>alert(1)</script>\'&'
    const page = renderSalePage({ ...sale, title: hostile, description: hostile }, assets)
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;')
  })

  it('offers a quantity only where more than one may be ordered', () => {
    expect(pages.sale).toContain('id="quantity"')
    expect(renderSalePage({ ...sale, maxPerOrder: 1 }, assets)).not.toContain('id="quantity"')
  })

  it('tells the time to pay as it is, also when it is no whole minute (O8)', () => {
    expect(pages.sale).toContain('>15 min<')
    expect(renderSalePage({ ...sale, paymentWindowSeconds: 20 }, assets)).toContain('>20 s<')
  })

  it('refuses to render with an asset the build did not make', () => {
    expect(() => renderSalePage(sale, {})).toThrow('no asset named')
  })
})

describe('the index', () => {
  it('shows the sales it is given in the order they come: publishing chooses them', () => {
    const later = { ...sale, title: 'Later', startsAt: sale.startsAt + 1 }
    const page = renderIndexPage([later, sale], assets)
    expect(page.indexOf('Later')).toBeGreaterThan(-1)
    expect(page.indexOf('Later')).toBeLessThan(page.indexOf('Stoneware mug'))
  })

  it('says so when there is nothing', () => {
    expect(renderIndexPage([], assets)).toContain('Nothing is on sale right now')
  })
})
