import { describe, expect, it } from 'vitest'
import { parseSaleId } from '../../core/ids.ts'
import { defaultThrottle, type Sale } from '../../core/sale.ts'
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
  'challenge.js',
  'challenge-worker.js',
  'sluice.css',
  'forms.css',
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
  admissionRatio: 1.2,
  minLevel: 0,
  challenge: 'off',
  throttle: defaultThrottle,
  slots: [],
  slot: 0,
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

  it('says for which members a sale is, and nothing where it is for everybody (R6)', () => {
    expect(pages.sale).not.toContain('facts.level')
    expect(renderSalePage({ ...sale, minLevel: 3 }, assets)).toContain('>from level 3<')
  })

  it('says whether the shop asks for a challenge, and where the page finds what solves it (R5)', () => {
    expect(pages.sale).toContain('data-challenge="off"')
    const page = renderSalePage({ ...sale, challenge: 'pow' }, assets)
    expect(page).toContain('data-challenge="pow"')
    expect(page).toContain('data-challenge-script="/assets/challenge.js"')
    expect(page).toContain('data-challenge-worker="/assets/challenge-worker.js"')
    expect(page).toMatch(/<div id="check"[^>]* hidden><p id="check-words" role="status">/)
  })

  it('lists all windows of a sale that has several, and none of a sale that has one (R7)', () => {
    const window = { startsAt: sale.startsAt, endsAt: sale.endsAt, stock: 60 }
    const later = { startsAt: sale.endsAt + 3_600_000, endsAt: sale.endsAt + 7_200_000, stock: 1 }
    const page = renderSalePage({ ...sale, slots: [window, later] }, assets)
    const starts = [...page.matchAll(/<li class="round" data-starts-at="(\d+)"/g)].map((match) =>
      Number(match[1]),
    )
    expect(starts).toEqual([window.startsAt, later.startsAt])
    expect(page).toContain('>60 units<')
    expect(page).toContain('>1 unit<')
    expect(page).not.toContain('facts.ends')
    expect(renderSalePage({ ...sale, slots: [window] }, assets)).not.toContain('id="rounds"')
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
