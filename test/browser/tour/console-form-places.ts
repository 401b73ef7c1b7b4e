/** The forms of the console: a new sale in its steps, an edit, blocks, and the brand; and its other views. */
import type { Page } from '@playwright/test'
import type { CustomerIssuerView } from '../../../core/people/customer-issuer.ts'
import { baseName } from '../../../core/sale/pictures.ts'
import type { Sale } from '../../../core/sale/sale.ts'
import { control, definition, openSale } from '../../journey/support.ts'
import { desktop, phone } from '../browser.ts'
import { addPicture, localTime, nextStep, unfold } from '../console.ts'
import { consoleIn, goTo } from './console-visits.ts'
import { type Place, redrawnPlace, state } from './tour.ts'
import { answer, pressing, refuse, type Tour } from './visits.ts'

const minuteMs = 60_000
const desktopSize = desktop.viewport ?? { width: 1280, height: 800 }
const listOfSales = /\/api\/control\/sales(\?.*)?$/

const fill = async (page: Page, values: Readonly<Record<string, string>>) => {
  for (const [field, value] of Object.entries(values)) await page.fill(`#field-${field}`, value)
}

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

  const form: Place = {
    name: 'the form of a new sale',
    isRedrawn: true,
    async open(view) {
      const page = await consoleIn(tour, view, '#/blocks')
      await storeUploads(page, stack.url)
      await answer(page, listOfSales, { sales: [sale], next: null })
      await goTo(page, '#/new')
      return page
    },
    states: [
      state('with fields that are wrong', async (page) => {
        await fill(page, { ...goods, description: '' })
        await unfold(page, 'advanced')
        await fill(page, { listPrice: '10', shards: '0' })
        await page.setInputFiles('#picture-files', [
          { name: 'side.png', mimeType: 'image/png', buffer: Buffer.from('a picture') },
          { name: 'drawing.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') },
        ])
        await page.locator('.picture-row img[src^="/pictures/"]').waitFor()
        await page.click('#next')
        await page.locator('#field-pictures-0-alt-error:not(:empty)').waitFor()
      }),
      state('with variants', async (page) => {
        await fill(page, { description: goods.description, listPrice: '', shards: '1' })
        await page.locator('.picture-row').nth(1).locator('button').last().click()
        await page.locator('.picture-row').nth(0).locator('button').last().click()
        await addPicture(page)
        await page.click('#product summary')
        await fill(page, { 'product-first': 'Black, White', 'product-second': 'S, M', 'product-stock': '5' })
        await page.click('#product-fill')
        await page.locator('#variants-sum:not(:empty)').waitFor()
      }),
      state('with its preview on a phone', async (page) => {
        await page.setViewportSize(phone.viewport ?? { width: 390, height: 844 })
        await page.click('#preview-open')
        await page.locator('label:has(#preview-state-sold-out)').click()
        await page.frameLocator('#preview-frame').locator('#main[data-phase=sold-out]').waitFor()
      }),
      state('at its times, with a schedule', async (page) => {
        await page.keyboard.press('Escape')
        // On a wide screen again the preview moves beside the form, and the button could move away below a press.
        const { width } = page.viewportSize() ?? desktopSize
        if (width === desktopSize.width) await page.locator('.composer__preview #preview-frame').waitFor()
        await page.click('#schedule summary')
        const schedule = { firstDay: '2030-12-30', days: '3', times: '9, 21:30', minutes: '45' }
        for (const [name, value] of Object.entries(schedule)) await page.fill(`#field-schedule-${name}`, value)
        await page.click('#schedule-fill')
        await page.locator('#field-windows-5-startsAt').waitFor()
        await page.fill('#field-limitPerShopper', '0')
        await page.click('#next')
        await page.locator('#field-limitPerShopper[aria-invalid=true]').waitFor()
      }),
      state('at its end, with warnings', async (page) => {
        await page.fill('#field-limitPerShopper', '1')
        await nextStep(page)
        await page.locator('[data-warning]').first().waitFor()
      }),
      state('after the session has ended', async (page) => {
        await refuse(page, listOfSales, 'sign-in-required')
        await page.click('#save')
        await page.locator('#form-sign-in').waitFor()
      }),
      state('whose ID is taken', async (page) => {
        await refuse(page, listOfSales, 'conflict', { field: 'saleId' })
        await page.click('#save')
        await page.locator('#field-saleId[aria-invalid=true]').waitFor()
      }),
      state('with the question whether to leave it', pressing('[data-tab=audit]')),
      state('of coupons that expire too early', async (page) => {
        await page.click('[data-choice=discard]')
        await page.locator('#audit-day').waitFor()
        await answer(page, listOfSales, { sales: [sale], next: null })
        await goTo(page, '#/new')
        await page.locator('#kind-coupon').check()
        await fill(page, { title: 'Tea voucher', description: 'For quick shoppers.', stock: '20' })
        await addPicture(page)
        await page.fill('#field-coupons-validUntil', localTime(Date.now()))
        await page.click('#next')
        await page.locator('#field-coupons-validUntil[aria-invalid=true]').waitFor()
      }),
      state('of red packets, with an example', async (page) => {
        await page.locator('#kind-red-packet').check()
        await fill(page, { 'packets-count': '500', 'packets-totalAmount': '2500' })
        await page.locator('#split-chart').waitFor()
      }),
      state('as an edit', async (page) => {
        await goTo(page, `#/sale/${sale.saleId}/edit`)
        await page.locator('#save').waitFor()
      }),
    ],
  }

  const others: Place = {
    name: 'the console',
    isRedrawn: true,
    async open(view) {
      const page = await consoleIn(tour, view, '#/orders')
      await storeUploads(page, stack.url)
      return page
    },
    states: [
      state('with blocks', async (page) => {
        const entries = [
          { kind: 'ip', value: '198.51.100.0/28', who: 'mia', when: Date.now() },
          { kind: 'shopper', value: 'a-shopper-with-a-long-name@shop.example', who: 'mia', when: Date.now() },
        ]
        await answer(page, '**/api/control/blocklist', { entries })
        await goTo(page, '#/blocks')
        await page.click('#block')
        await page.locator('#field-value[aria-invalid=true]').waitFor()
        await page.locator('#blocks li').first().waitFor()
      }),
      state('with the question whether to block', async (page) => {
        await page.fill('#field-value', '10.0.0.0/4')
        await page.click('#block')
        await page.locator('#confirm[open]').waitFor()
      }),
      state('with the log of a day', async (page) => {
        await page.keyboard.press('Escape')
        const { entries } = await control<{ entries: readonly { saleId: string | null }[] }>(stack, '/audit')
        const own = entries.filter(({ saleId }) => saleId === sale.saleId)
        await answer(page, /\/api\/control\/audit/, { day: new Date().toISOString().slice(0, 10), entries: own })
        await goTo(page, '#/audit')
        await page.locator('#audit td').first().waitFor()
      }),
      state('with issuers of customers, one of which fails', async (page) => {
        const issuer: CustomerIssuerView = {
          ...{ name: 'shop', issuer: 'https://shop.example', signInUrl: 'https://shop.example/login' },
          jwksUrl: 'https://shop.example/.well-known/keys-of-customers/jwks.json',
          keys: [
            { id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', kid: '2027-01', alg: 'EdDSA', until: null },
            { id: 'x'.repeat(43), kid: null, alg: 'RS256', until: Date.now() + 60 * minuteMs },
          ],
          ...{ savedAt: Date.now(), checkedAt: Date.now() },
          ...{ failure: 'cannot be read: it cannot be reached (ENOTFOUND)', failedSince: Date.now() },
          refused: [
            { reason: 'future', count: 1203, lastAt: Date.now() },
            { reason: 'expired', count: 12, lastAt: Date.now() },
          ],
        }
        const pasted = { ...issuer, name: 'crm', jwksUrl: null, checkedAt: null, signInUrl: null }
        await answer(page, '**/api/control/customer-issuers', {
          issuers: [issuer, { ...pasted, failure: null, failedSince: null, refused: [] }],
        })
        await goTo(page, '#/customers')
        await page.click('[data-change=crm]')
        await page.click('#issuer-save')
        await page.locator('#field-customers-jwks[aria-invalid=true]').waitFor()
      }),
      state('with the question whether to remove an issuer', pressing('[data-remove=shop]')),
      state('with a brand that cannot be read', async (page) => {
        await page.keyboard.press('Escape')
        await goTo(page, '#/brand')
        await fill(page, {
          'brand-name': 'Lantern & Co.',
          'brand-colours-light': '#ffdd00',
          'brand-colours-dark': '#7cc4f0',
        })
        const buffer = Buffer.from('a picture')
        await page.setInputFiles('#logo-file', { name: 'logo.png', mimeType: 'image/png', buffer })
        await page.locator('.brand-preview img').first().waitFor()
        await page.click('#brand-save')
        await page.locator('#field-brand-colours-light[aria-invalid=true]').waitFor()
      }),
      state('with the question whether to save the brand', async (page) => {
        await fill(page, { 'brand-colours-light': '#0b5a8a', 'brand-support': 'help@lantern.example' })
        await page.click('#brand-save')
        await page.locator('#confirm[open]').waitFor()
      }),
    ],
  }

  const report = redrawnPlace('the report of a sale', (view) => consoleIn(tour, view, `#/sale/${sold}/report`), [
    state('as it opens', (page) => page.locator('#report').waitFor()),
    state('with what its terms mean', pressing('#report > details summary', '#report > details[open]')),
  ])
  return [form, others, report]
}
