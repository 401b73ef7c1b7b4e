/** The forms of the console: a new sale in its steps, an edit, blocks, and the brand; and its other views. */
import type { Page } from '@playwright/test'
import type { CustomerIssuerView } from '../../../core/people/customer-issuer.ts'
import { baseName } from '../../../core/sale/pictures.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { control, definition, openSale } from '../../journey/support.ts'
import { desktop, phone } from '../browser.ts'
import { addPicture, localTime, nextStep } from '../console.ts'
import { consoleIn } from './console-visits.ts'
import { type Place, redrawnPlace, state } from './tour.ts'
import { answer, goTo, shows, type Tour, take, type View } from './visits.ts'

const minuteMs = 60_000
const desktopSize = desktop.viewport ?? { width: 1280, height: 800 }
const listOfSales = /\/api\/control\/sales(\?.*)?$/

const goods = { title: 'Copper kettle', description: 'Hammered by hand.', price: '49' }

/** Uploads are stored at once; the shop makes no picture of them. */
async function storeUploads(page: Page, url: string): Promise<void> {
  const src = baseName('a'.repeat(32), { width: 480, height: 320 })
  const expiresAt = Date.now() + minuteMs
  const upload = { uploadId: 'b'.repeat(32), url: `${url}/tour-upload`, fields: {}, expiresAt }
  await answer(page, /\/api\/control\/pictures$/, upload)
  await answer(page, '**/tour-upload', {})
  await answer(page, /\/api\/control\/pictures\/b+$/, { src, width: 480, height: 320, widths: [480] })
  await page.route('**/pictures/a*.webp', (route) =>
    route.fulfill({
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="320"/>',
      contentType: 'image/svg+xml',
    }),
  )
}

/** One whose address cannot be read and whose tokens were refused, and one with pasted keys. */
function issuersOf(now: number): CustomerIssuerView[] {
  const issuer: CustomerIssuerView = {
    ...{ name: 'shop', issuer: 'https://shop.example', signInUrl: 'https://shop.example/login' },
    jwksUrl: 'https://shop.example/.well-known/keys-of-customers/jwks.json',
    keys: [
      { id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', kid: '2027-01', alg: 'EdDSA', until: null },
      { id: 'x'.repeat(43), kid: null, alg: 'RS256', until: now + 60 * minuteMs },
    ],
    ...{ savedAt: now, checkedAt: now },
    ...{ failure: 'cannot be read: it cannot be reached (ENOTFOUND)', failedSince: now },
    refused: [
      { reason: 'future', count: 1203, lastAt: now },
      { reason: 'expired', count: 12, lastAt: now },
    ],
  }
  const pasted = { ...issuer, name: 'crm', jwksUrl: null, checkedAt: null, signInUrl: null }
  return [issuer, { ...pasted, failure: null, failedSince: null, refused: [] }]
}

export async function consoleFormPlaces(tour: Tour): Promise<Place[]> {
  const { stack } = tour
  const draft = definition({
    startsAt: Date.now() + 60 * minuteMs,
    endsAt: Date.now() + 90 * minuteMs,
    title: 'Autumn mug',
  })
  await control(stack, '/sales', draft)
  const sale = await control<Sale>(stack, `/sales/${draft.saleId}`)
  const { saleId: sold } = await openSale(stack, { stock: 3 })
  for (const shopperId of ['tour-ann', 'tour-ben', 'tour-cy']) {
    await control(stack, `/sales/${sold}/orders`, { shopperId, quantity: 1, key: shopperId })
  }

  const withUploads = (hash: string) => async (view: View) => {
    const page = await consoleIn(tour, view, hash)
    await storeUploads(page, stack.url)
    return page
  }
  const openForm = async (page: Page) => {
    await answer(page, listOfSales, { sales: [sale], next: null })
    await goTo(page, '#/new')
  }

  const form = redrawnPlace('the form of a new sale', withUploads('#/blocks'), [
    state('with fields that are wrong', async (page) => {
      await openForm(page)
      await take(page, {
        unfold: 'advanced',
        fill: { ...goods, description: '', listPrice: '10', shards: '0' },
      })
      await page.setInputFiles('#picture-files', [
        { name: 'side.png', mimeType: 'image/png', buffer: Buffer.from('a picture') },
        { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
      ])
      await shows(page, '.picture-row img[src^="/pictures/"]')
      await take(page, { press: '#next', shown: '#field-pictures-0-alt-error:not(:empty)' })
    }),
    state('with variants', async (page) => {
      await page.locator('.picture-row').nth(1).locator('button').last().click()
      await page.locator('.picture-row').nth(0).locator('button').last().click()
      await addPicture(page)
      await page.click('#product summary')
      await take(page, {
        fill: {
          ...{ description: goods.description, listPrice: '', shards: '1' },
          ...{ 'product-first': 'Black, White', 'product-second': 'S, M', 'product-stock': '5' },
        },
        ...{ press: '#product-fill', shown: '#variants-sum:not(:empty)' },
      })
    }),
    state('with its preview on a phone', async (page) => {
      await page.setViewportSize(phone.viewport ?? { width: 390, height: 844 })
      await page.click('#preview-open')
      await page.locator('label:has(#preview-state-sold-out)').click()
      await page.frameLocator('#preview-frame').locator('#main[data-phase=sold-out]').waitFor()
    }),
    state('at its times, with a schedule', async (page) => {
      // On a wide screen again the preview moves beside the form, and the button could move away below a press.
      const { width } = page.viewportSize() ?? desktopSize
      if (width === desktopSize.width) await shows(page, '.composer__preview #preview-frame')
      await page.click('#schedule summary')
      const schedule = { firstDay: '2030-12-30', days: '3', times: '9, 21:30', minutes: '45' }
      const fill = Object.fromEntries(Object.entries(schedule).map(([name, value]) => [`schedule-${name}`, value]))
      await take(page, { fill, press: '#schedule-fill', shown: '#field-windows-5-startsAt' })
      const wrong = '#field-limitPerShopper[aria-invalid=true]'
      await take(page, { fill: { limitPerShopper: '0' }, press: '#next', shown: wrong })
    }),
    state('at its end, with warnings', async (page) => {
      await page.fill('#field-limitPerShopper', '1')
      await nextStep(page)
      await shows(page, '[data-warning]')
    }),
    state('after the session has ended', {
      ...{ refuse: [listOfSales, 'sign-in-required'], press: '#save', shown: '#form-sign-in' },
    }),
    state('whose ID is taken', {
      refuse: [listOfSales, 'conflict', { field: 'saleId' }],
      ...{ press: '#save', shown: '#field-saleId[aria-invalid=true]' },
    }),
    state('with the question whether to leave it', { press: '[data-tab=audit]' }),
    state('of coupons that expire too early', async (page) => {
      await take(page, { at: '#/audit', shown: '#audit-day' })
      await openForm(page)
      await page.locator('#kind-coupon').check()
      await addPicture(page)
      const texts = { title: 'Tea voucher', description: 'For quick shoppers.', stock: '20' }
      await take(page, {
        fill: { ...texts, 'coupons-validUntil': localTime(Date.now()) },
        ...{ press: '#next', shown: '#field-coupons-validUntil[aria-invalid=true]' },
      })
    }),
    state('of red packets, with an example', async (page) => {
      await page.locator('#kind-red-packet').check()
      await take(page, { fill: { 'packets-count': '500', 'packets-totalAmount': '2500' }, shown: '#split-chart' })
    }),
    state('as an edit', { at: `#/sale/${sale.saleId}/edit`, shown: '#save' }),
  ])

  const others = redrawnPlace('the console', withUploads('#/orders'), [
    state('with blocks', async (page) => {
      const entries = [
        { kind: 'ip', value: '198.51.100.0/28', who: 'mia', when: Date.now() },
        { kind: 'shopper', value: 'a-shopper-with-a-long-name@shop.example', who: 'mia', when: Date.now() },
      ]
      const shown = '#field-value[aria-invalid=true]'
      await take(page, { answer: ['**/api/control/blocklist', { entries }], at: '#/blocks', press: '#block', shown })
      await shows(page, '#blocks li')
    }),
    state('with the question whether to block', { fill: { value: '10.0.0.0/4' }, press: '#block' }),
    state('with the log of a day', async (page) => {
      const { entries } = await control<{ entries: readonly { saleId: string | null }[] }>(stack, '/audit')
      const own = entries.filter(({ saleId }) => saleId === sale.saleId)
      const log = { day: new Date().toISOString().slice(0, 10), entries: own }
      await take(page, { answer: [/\/api\/control\/audit/, log], at: '#/audit', shown: '#audit td' })
    }),
    state('with issuers of customers, one of which fails', {
      answer: ['**/api/control/customer-issuers', { issuers: issuersOf(Date.now()) }],
      ...{ at: '#/customers', press: ['[data-change=crm]', '#issuer-save'] },
      shown: '#field-customers-jwks[aria-invalid=true]',
    }),
    state('with the question whether to remove an issuer', { press: '[data-remove=shop]' }),
    state('with a brand that cannot be read', async (page) => {
      const colours = { 'brand-colours-light': '#ffdd00', 'brand-colours-dark': '#7cc4f0' }
      await take(page, { at: '#/brand', fill: { 'brand-name': 'Lantern & Co.', ...colours } })
      const buffer = Buffer.from('a picture')
      await page.setInputFiles('#logo-file', { name: 'logo.png', mimeType: 'image/png', buffer })
      await shows(page, '.brand-preview img')
      await take(page, { press: '#brand-save', shown: '#field-brand-colours-light[aria-invalid=true]' })
    }),
    state('with the question whether to save the brand', {
      fill: { 'brand-colours-light': '#0b5a8a', 'brand-support': 'help@lantern.example' },
      press: '#brand-save',
    }),
  ])

  const report = redrawnPlace('the report of a sale', (view) => consoleIn(tour, view, `#/sale/${sold}/report`), [
    state('as it opens', { shown: '#report' }),
    state('with what its terms mean', { press: '#report > details summary', shown: '#report > details[open]' }),
  ])
  return [form, others, report]
}
