/**
 * A whole drop as a marketer runs it, in a real browser: variants and uploaded pictures in the guided form,
 * the preview, arming, the sale itself, and its report (N1, B1). Some pictures of the README are made here
 * (`SCREENSHOTS=docs/images npm test test/browser`).
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { buyWhenThereIsRoom, payOnPage, pointerOf, startTokenOf, writtenOrder } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, nextStep } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()
const mia = { name: 'mia', roles: ['marketer' as const] }

/** A photo of a lamp would be larger, but no different for the shop. */
const lamp = sharp(join(import.meta.dirname, '../../static/pictures/lamp.svg'), { density: 300 })
const files = [
  {
    name: 'front.jpg',
    mimeType: 'image/jpeg',
    buffer: await lamp.clone().resize(1600, 1600).jpeg().toBuffer(),
  },
  {
    name: 'back.png',
    mimeType: 'image/png',
    buffer: await lamp.clone().resize(900, 900).flop().png().toBuffer(),
  },
]

/** Units of each of the two colours. */
const stock = 12

/** Long enough to save, check and arm the sale on a busy machine; it then opens by the clock alone. */
const opensInMs = 25_000

const views = [
  {
    name: 'desktop-light',
    screen: { ...desktop, colorScheme: 'light' },
    locale: 'en-GB',
    title: 'Reading lamp',
    colours: 'Brass, Black',
    alt: ['A lit lamp on a desk', 'The same lamp, turned'],
    soldOut: 'Sold out',
  },
  {
    name: 'phone-dark',
    screen: { ...phone, colorScheme: 'dark' },
    locale: 'zh-CN',
    title: '阅读台灯',
    colours: '黄铜色，黑色',
    alt: ['桌上亮着的台灯', '台灯的另一面'],
    soldOut: '售罄',
  },
] as const

/** What `datetime-local` takes: the time of this zone, to the second. */
function localTime(ms: number): string {
  const shifted = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}

type Click = { status: number; orderId: string; token: string }

async function variantsOf(saleId: string): Promise<string[]> {
  const { variants } = await pointerOf(stack, saleId)
  return Object.keys(variants ?? {})
}

/** The click of a shopper without a page. */
async function crowdClick(saleId: string, name: string, colour: string): Promise<Click> {
  const token = await stack.token(name)
  const startToken = await startTokenOf(stack, saleId)
  const { status, body } = await buyWhenThereIsRoom(stack, saleId, {
    token,
    basket: { [colour]: 1 },
    startToken,
  })
  return { status, orderId: body.orderId, token }
}

async function pay({ orderId, token }: Click): Promise<void> {
  await writtenOrder(stack, orderId, token)
  await payOnPage(stack, orderId, token)
}

/** Waits until nothing is wider than the screen, and no automated check finds a fault. */
async function isSound(page: Page): Promise<void> {
  expect(await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)).toBe(false)
  expect(await faultsOf(page)).toEqual([])
}

describe('a drop with variants and pictures, from the form to the report', () => {
  it.each(views)('$name', async ({ name, screen, locale, title, colours, alt, soldOut }) => {
    const page = await consoleOf(browser, stack, '#/new', { ...mia, screen, locale })
    const complaints = complaintsOf(page)

    // What is sold.
    await page.fill('#field-title', title)
    await page.fill('#field-description', `${title}.`)
    await page.setInputFiles('#picture-files', files)
    for (const [i, text] of alt.entries()) await page.fill(`#field-pictures-${i + 1}-alt`, text)
    await page
      .locator('.picture-row img[src^="/pictures/"]')
      .nth(files.length - 1)
      .waitFor()
    await page.locator('.picture-row').first().locator('button').last().click()
    await page.fill('#field-price', '30')
    await page.fill('#field-currency', 'EUR')
    await page.click('#product summary')
    await page.fill('#field-product-first', colours)
    await page.fill('#field-product-stock', String(stock))
    await page.click('#product-fill')
    await isSound(page)
    await picture(page, `drop-what-${name}`)
    await nextStep(page)
    await page.fill('#field-startsAt', localTime(Date.now() + opensInMs))
    await nextStep(page)
    await isSound(page)
    await picture(page, `drop-check-${name}`)
    await page.click('#save')

    // Armed, it opens by the clock alone.
    await page.locator('[data-action=start]').click()
    await page.locator('[data-choice=start]').click()
    await page.locator('#phase[data-start=scheduled]').waitFor()
    await isSound(page)
    await picture(page, `drop-armed-${name}`)
    const saleId = /#\/sale\/([^/]+)/.exec(page.url())?.[1] ?? ''

    // Two shoppers on the page, one for each colour, and a crowd that takes the rest.
    for (const [i, shopperName] of ['ann', 'ben'].entries()) {
      const shopper = await newVisitor(browser, { ...screen }, { locale })
      const wrong = complaintsOf(shopper)
      await signInThrough(shopper, stack.url, `${shopperName}-${name}`, `/sales/${saleId}/`)
      await shopper.locator('.variant').nth(i).click()
      await waitUntilLit(shopper)
      if (i === 0) await picture(shopper, `drop-page-${name}`)
      await shopper.click('#buy')
      await shopper.waitForURL(/\/orders\/\?id=/)
      await shopper.locator('#order[data-status=awaiting-payment]').waitFor()
      expect(wrong).toEqual([])
      await shopper.context().close()
    }
    const colourIds = await variantsOf(saleId)
    const outcomes = await Promise.all(
      Array.from({ length: 3 * stock }, (_, i) =>
        crowdClick(saleId, `crowd-${i}-${name}`, colourIds[i % 2] ?? ''),
      ),
    )
    const won = outcomes.filter(({ status }) => status === 202)
    expect(won).toHaveLength(2 * stock - 2)
    await Promise.all(won.slice(0, stock).map(pay))

    // What became of it.
    await page.locator('#phase[data-phase=sold-out]').waitFor()
    await page.locator('#live-paidOrders', { hasText: String(stock) }).waitFor()
    await page.evaluate('scrollTo(0, 0)')
    await isSound(page)
    await picture(page, `drop-sold-out-${name}`)
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#report-html')])
    const report = await newVisitor(browser, { ...screen }, { locale })
    await report.setContent(await readFile(await download.path(), 'utf8'))
    await report.locator('h1', { hasText: title }).waitFor()
    expect(await report.locator('main').textContent()).toContain(soldOut)
    await isSound(report)
    await picture(report, `drop-report-${name}`)
    expect(complaints).toEqual([])
    await Promise.all([page, report].map((one) => one.context().close()))
  })
})
