/**
 * A marketer's files in a real browser: the pictures of a sale up to the shopper's page, its report, and tracking
 * numbers up to the shopper's order.
 */
import { utimesSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Download, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { OrderView } from '../../core/api/shop.ts'
import { newFolder } from '../folders.ts'
import { drawing } from '../functions/control/drawing.ts'
import { call, control, openSale, payOnPage, placeOrder } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, enter, holdBack, mia, saveNewSale, signedIn, unfold } from './console.ts'
import { soon, switchLanguage, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { expectNoComplaints, newVisitor } from './visitor.ts'

const { stack, browser } = await openShop()
const folder = newFolder('files')

const warehouse = { name: 'wes', roles: ['support' as const], screen: desktop }

const bowl = 'two-pictures'
const texts = ['A bowl seen from the side', 'The same bowl from above'] as const

const files = [
  { name: 'side.jpg', mimeType: 'image/jpeg', buffer: await drawing(1800, 1200).jpeg().toBuffer() },
  { name: 'above.png', mimeType: 'image/png', buffer: await drawing(700, 900).negate().png().toBuffer() },
]
const drawn = {
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
}

/** Whether every picture of the page was loaded. */
const loaded = (page: Page) =>
  page
    .locator('.sale__picture img')
    .evaluateAll((all) => all.map((one) => 'naturalWidth' in one && Number(one.naturalWidth) > 0))

const product = async (page: Page) => JSON.parse((await page.locator('#product').textContent()) ?? '')

describe('the pictures of a sale', () => {
  it('are chosen, described, put in order and saved by a marketer', async () => {
    const page = await consoleOf(browser, stack, '#/new', mia)
    expectNoComplaints(page)
    await page.fill('#field-title', 'Blue bowl')
    await unfold(page, 'advanced')
    await enter(page, { saleId: bowl, description: 'Thrown by hand.\n\nEach is a little different.', price: '12.00' })
    await page.fill('#field-listPrice', '10.00')
    await page.setInputFiles('#picture-files', [...files, drawn])
    await page.locator('.picture-row', { hasText: 'contains a script' }).waitFor()
    // An uploaded picture is in the preview at once, before it has a description.
    const shown = page.frameLocator('#preview-frame').locator('.gallery__row img[src^="/pictures/"]')
    await shown.nth(1).waitFor()
    await page.click('#next')
    await page.locator('#field-pictures-0-alt-error', { hasText: 'Describe the picture in a few words' }).waitFor()
    await page.locator('#field-listPrice-error', { hasText: 'above the price' }).waitFor()
    await page.fill('#field-listPrice', '18.50')
    await page.click('[aria-label="Remove picture 3"]')
    await enter(page, { 'pictures-0-alt': texts[1], 'pictures-1-alt': texts[0] })
    // In the wrong order: by the keyboard into the right one.
    await page.locator('[aria-label="Move picture 2 up"]').press('Enter')
    await enter(page, { 'pictures-0-alt': texts[0], 'pictures-1-alt': texts[1] })
    await page.locator('[aria-label="Move picture 1 down"]').press('Enter')
    await enter(page, {
      'translations-zh-CN-title': '蓝色陶碗',
      'translations-zh-CN-description': '手工拉坯。\n\n每只略有不同。',
    })
    await saveNewSale(page)
    await page.locator('#actions').waitFor()
    await control(stack, `/sales/${bowl}/warm`, {})
  })

  it('stand on the page with their texts, without a moving layout, for a reader of English', async () => {
    const page = await newVisitor(browser, desktop)
    expectNoComplaints(page)
    await page.goto(`${stack.url}/sales/${bowl}/`)
    await page.locator('#main[data-phase="scheduled"]').waitFor()
    const images = page.locator('.sale__picture img')
    const alt = await images.evaluateAll((all) => all.map((one) => one.getAttribute('alt')))
    expect(alt.toSorted()).toEqual([...texts].toSorted())
    await soon(() => images.first().getAttribute('fetchpriority')).toBe('high')
    await soon(() => images.last().getAttribute('loading')).toBe('lazy')
    await page.locator('.gallery__links a').last().press('Enter')
    await expect.poll(() => loaded(page)).toEqual([true, true])
    // The struck price is named for those who do not see the line.
    await textOf(page, '.price__list').toBe('Regular price: €18.50')
    await soon(() => product(page)).toMatchObject({
      name: 'Blue bowl',
      offers: { price: '12.00', availability: 'https://schema.org/PreOrder' },
    })
    const og = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect(og).toMatch(/^http:\/\/localhost:\d+\/pictures\/[0-9a-f]{32}-\d+\.webp$/)
    const preview = await page.request.get(og ?? '')
    expect(preview.headers()).toMatchObject({ 'content-type': 'image/webp' })
    expect(preview.headers()['cache-control']).toContain('immutable')
  })

  it('stand beside Chinese texts on a phone, and the offer follows the phase', async () => {
    const page = await newVisitor(browser, phone, { locale: 'zh-CN' })
    expectNoComplaints(page)
    await page.goto(`${stack.url}/sales/${bowl}/`)
    await page.locator('h1', { hasText: '蓝色陶碗' }).waitFor()
    await soon(() => page.title()).toBe('蓝色陶碗 · 商城')
    await soon(() => page.locator('.prose p').allTextContents()).toEqual(['手工拉坯。', '每只略有不同。'])
    await textOf(page, '.price__list').toBe('原价： €18.50')
    expect(await page.locator('#pictures').evaluate(({ scrollLeft }) => scrollLeft)).toBe(0)
    await control(stack, `/sales/${bowl}/start`, { now: true })
    // A waiting page looks once a minute, and its first look may still get what a cache has.
    await soon(async () => {
      await page.reload()
      return (await product(page)).offers.availability
    }).toBe('https://schema.org/InStock')
    await switchLanguage(page)
    await textOf(page, 'h1').toBe('Blue bowl')
    await control(stack, `/sales/${bowl}/close`, {})
  })
})

/** Pays, and waits until the order says so. */
async function pay(orderId: string, token: string): Promise<void> {
  await payOnPage(stack, orderId, token)
  await soon(async () => (await call<OrderView>(stack, `/api/orders/${orderId}`, { token })).body.status).toBe('paid')
}

/** A sale of three mugs, sold out to two shoppers, of whom the first has paid for two. */
async function soldSale(name: string): Promise<string> {
  const variants = [
    { id: 's', name: 'Small <b>1</b>', stock: 1 },
    { id: 'm', name: 'Medium', stock: 2 },
  ]
  const { saleId, startToken } = await openSale(stack, {
    ...{ variants, stock: 3, price: 1290, currency: 'EUR', limitPerShopper: 2, maxPerOrder: 2 },
  })
  const order = async (who: string, variant: string, quantity = 1) => {
    const { orderId, token } = await placeOrder(stack, who, { saleId, startToken }, { variant, quantity })
    return { token, orderId }
  }
  const { orderId, token } = await order(`${name}-ann`, 'm', 2)
  await order(`${name}-bob`, 's')
  await pay(orderId, token)
  return saleId
}

async function downloadOf(page: Page, button: string): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(button)])
  return download
}

it('the report of a sale is one screen of the console, in English and in Chinese, and a table', async () => {
  const saleId = await soldSale('report')
  const console = await consoleOf(browser, stack, `#/sale/${saleId}`, {
    ...{ name: 'mary', roles: ['viewer'], screen: desktop },
  })
  expectNoComplaints(console)
  await console.click('#report-of-sale')
  await textOf(console, '.report__headline').toMatch(
    /^Sold out in .+: 3 of 3 units to 2 shoppers; 1 order paid, €25\.80\.$/,
  )
  await soon(() => console.locator('th', { hasText: 'Small <b>1</b>' }).count()).toBe(1)
  const csv = await downloadOf(console, '#report-csv')
  expect(csv.suggestedFilename()).toBe(`${saleId}-report.csv`)
  const lines = (await readFile(await csv.path(), 'utf8')).split('\r\n')
  expect(lines).toContain('units,sold,3,units')
  expect(lines).toContain('payments,revenue,25.80,EUR')
  await switchLanguage(console)
  await textOf(console, '.report__headline').toMatch(
    /^.+售罄：共 3 件，售出 3 件，2 位用户抢到；1 笔订单已付款，金额 €25\.80。$/,
  )
  await soon(() => console.locator('th', { hasText: '已付款' }).count()).toBe(1)
})

/** Tracking numbers as a warehouse exports them, chosen and checked. */
async function checkFile(page: Page, lines: readonly string[]): Promise<void> {
  await unfold(page, 'shipments')
  const buffer = Buffer.from(`\ufefforderId,carrier,tracking,status,note\r\n${lines.join('\r\n')}\r\n`)
  await page.setInputFiles('#field-shipments', { name: 'tracking.csv', mimeType: 'text/csv', buffer })
  await page.click('#ship-check')
}

describe('tracking numbers', () => {
  it('are checked and imported from a file, and shown to the shopper, in English and in Chinese', async () => {
    const { saleId, startToken } = await openSale(stack, { stock: 5, price: 10 })
    const order = async (name: string) => {
      const { orderId, token } = await placeOrder(stack, name, { saleId, startToken })
      return { orderId, token }
    }
    const [{ orderId, token }, unpaid] = [await order('payer'), await order('other-payer')]
    await pay(orderId, token)
    const payer = await signedIn(browser, stack, { name: 'payer', roles: [], screen: phone })
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, warehouse)
    const wrong = [complaintsOf(page), complaintsOf(payer)]
    await unfold(page, 'shipments')
    await page.locator('#ship-check').click()
    await page.locator('#field-shipments[aria-invalid=true]').waitFor()

    const exported = [
      `${orderId},SF Express,SF 1234-5678,shipped,fragile`,
      `${unpaid.orderId},DHL,1,shipped,`,
      `${saleId}-${'a'.repeat(26)},<b>DHL</b>,1,shipped,`,
    ]
    const results = page.locator('#shipments td:last-child')
    await checkFile(page, exported)
    await page.locator('#ship-ready', { hasText: 'To import: 1. Up to date: 0. Can’t be imported: 2.' }).waitFor()
    await soon(() => page.locator('#shipments tbody tr').count()).toBe(3)
    await soon(() => results.allTextContents()).toEqual([
      ...['Not paid yet: don’t ship it', 'carrier can’t be read', 'Mark as shipped'],
    ])
    await textOf(page, '#shipments .ignored').toBe('Ignored columns: note')
    await textOf(page, '#ship-do').toBe('Import 1 line')
    await payer.goto(`${stack.url}/orders/?id=${orderId}`)
    await payer.locator('#order[data-status=paid]').waitFor()

    await page.click('#ship-do')
    await page.locator('#ship-done', { hasText: 'Imported 1 of 1 line.' }).waitFor()
    await payer.reload()
    await payer.locator('#order[data-status=shipped]').waitFor()
    await textOf(payer, '#order-title').toBe('Your order is on its way')
    await textOf(payer, '#order-lead').toBe('It has left our warehouse.')
    await textOf(payer, '#shipment-carrier').toBe('SF Express')
    const link = payer.locator('#track')
    await textOf(payer, '#track').toBe('SF 1234-5678')
    await soon(() => link.getAttribute('href')).toBe(
      'https://www.sf-express.com/chn/sc/waybill/waybill-detail/SF12345678',
    )
    await soon(() => link.getAttribute('rel')).toBe('noopener noreferrer')
    await payer.click('#copy-tracking')
    await payer.locator('#shipment-note:not(:empty)').waitFor({ state: 'attached' })
    await switchLanguage(payer)
    await textOf(payer, '#order-title').toBe('您的订单已发货')
    await textOf(payer, '#order-lead').toBe('商品已从仓库发出，请留意查收。')

    await checkFile(page, [`${orderId},SF Express,SF 1234-5678,delivered,`])
    await page.click('#ship-do')
    await page.locator('#ship-done', { hasText: 'Imported 1 of 1 line.' }).waitFor()
    await payer.reload()
    await payer.locator('#order[data-status=delivered]').waitFor()
    await textOf(payer, '#order-title').toBe('您的订单已签收')
    await switchLanguage(payer)
    await textOf(payer, '#order-title').toBe('Your order was delivered')
    await soon(() => payer.locator('#shipment-delivered').count()).toBe(1)
    await payer.click('#to-orders')
    await payer.locator('.badge[data-status=delivered]').waitFor()

    await page.click('[data-tab=orders]')
    await page.fill('#field-find', orderId)
    await page.click('#find')
    const card = page.locator(`[data-order="${orderId}"][data-status=delivered]`)
    await card.locator('dd', { hasText: 'SF Express · SF 1234-5678' }).waitFor()
    await soon(() => card.locator('dd a[target=_blank]').getAttribute('href')).toMatch(/SF12345678$/)
    expect(wrong).toEqual([[], []])
  })

  it('announce nothing in the next view', async () => {
    const { saleId } = await openSale(stack, { stock: 1 })
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, warehouse)
    const answer = await holdBack(page, 'POST', /\/shipments/)
    const asked = page.waitForRequest((request) => request.method() === 'POST')
    await checkFile(page, [`${saleId}-${'a'.repeat(26)},DHL,1,shipped,`])
    await asked
    await page.click('[data-tab=orders]')
    await page.locator('#field-find').waitFor()
    await answer()
    await textOf(page, '#status').toBe('')
  })

  it('are refused before anything is sent in a file that is no CSV', async () => {
    const { saleId } = await openSale(stack, { stock: 1 })
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, warehouse)
    const calls: string[] = []
    page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`))
    const refuse = async (buffer: Buffer, words: string) => {
      await page.locator('#field-shipments').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer })
      await page.click('#ship-check')
      await page.locator('#field-shipments-error', { hasText: words }).waitFor()
    }
    await unfold(page, 'shipments')
    await refuse(Buffer.from('orderId,tracking\n1,2\n'), 'The column carrier is missing.')
    await refuse(Buffer.alloc(4_000_001, 'x'), 'larger than 4 MB')
    await refuse(Buffer.from('orderId,carrier', 'utf16le'), 'not a CSV file in UTF-8')

    // A spreadsheet that is open beside the page saves the file in this form.
    const file = join(folder, 'tracking.csv')
    writeFileSync(file, 'orderId,carrier,status\n')
    // Chromium compares the times of a file in whole seconds.
    utimesSync(file, new Date(), new Date(Date.now() - 10_000))
    await page.locator('#field-shipments').setInputFiles(file)
    // The browser notes the time of the file when it is first read.
    await page.evaluate("document.querySelector('#field-shipments').files[0].arrayBuffer().then(() => {})")
    writeFileSync(file, 'orderId,carrier,status,tracking\n1,DHL,shipped,2\n')
    await page.click('#ship-check')
    await page.locator('#field-shipments-error', { hasText: 'The file has changed.' }).waitFor()
    expect(calls.filter((call) => call.startsWith('POST'))).toEqual([])
  })
})
