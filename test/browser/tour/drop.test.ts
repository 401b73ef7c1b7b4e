/**
 * A whole drop as a marketer runs it, from the guided form with variants and uploaded pictures to the report. Some
 * pictures of the README are made here (`SCREENSHOTS=docs/images npm test test/browser`).
 */
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { buyWhenAdmitted, payOnPage, pointerOf, startTokenOf, writtenOrder } from '../../journey/support.ts'
import { desktop } from '../browser.ts'
import { consoleOf, localTime, mia, nextStep, previewIn } from '../console.ts'
import { textOf } from '../reads.ts'
import { openShop } from '../shop.ts'
import { buyOn, says, showsStatus } from '../shopper.ts'
import { expectNoComplaints, picture, waitUntilLit } from '../visitor.ts'

const { stack, browser, shopper } = await openShop()

/** A photo of a lamp would be larger, but no different for the shop. */
const lamp = sharp(join(import.meta.dirname, '../../../static/pictures/lamp.svg'), { density: 300 })
const files = [
  { name: 'front.jpg', mimeType: 'image/jpeg', buffer: await lamp.clone().resize(1600, 1600).jpeg().toBuffer() },
  { name: 'back.png', mimeType: 'image/png', buffer: await lamp.clone().resize(900, 900).flop().png().toBuffer() },
]

/** In a picture of the console the sale is still to open; no other reader of it waits for that. */
const isPictured = process.env.SCREENSHOTS !== undefined
const opensInMs = isPictured ? 25_000 : 0

/** Units of each of the two colours. */
const stock = isPictured ? 12 : 4

const screen = { ...desktop, colorScheme: 'light' } as const
const title = 'Reading lamp'
const alt = ['A lit lamp on a desk', 'The same lamp, turned']

type Click = { status: number; orderId: string; token: string }

async function variantsOf(saleId: string): Promise<string[]> {
  const { variants } = await pointerOf(stack, saleId)
  return Object.keys(variants ?? {})
}

/** The click of a shopper without a page. */
async function crowdClick(saleId: string, name: string, colour: string): Promise<Click> {
  const token = await stack.token(name)
  const startToken = await startTokenOf(stack, saleId)
  const { status, body } = await buyWhenAdmitted(stack, saleId, { token, variant: colour, startToken })
  return { status, orderId: body.orderId, token }
}

async function pay({ orderId, token }: Click): Promise<void> {
  await writtenOrder(stack, orderId, token)
  await payOnPage(stack, orderId, token)
}

it('a drop with variants and pictures, from the form to the report, sells out and is what the report says', async () => {
  const page = await consoleOf(browser, stack, '#/new', { ...mia, screen })
  expectNoComplaints(page)

  // The product.
  await page.fill('#field-title', title)
  await page.fill('#field-description', `${title}.`)
  await page.setInputFiles('#picture-files', files)
  for (const [i, text] of alt.entries()) await page.fill(`#field-pictures-${i}-alt`, text)
  await page
    .locator('.picture-row img[src^="/pictures/"]')
    .nth(files.length - 1)
    .waitFor()
  await page.fill('#field-price', '30')
  await page.click('#product summary')
  await page.fill('#field-product-first', 'Brass, Black')
  await page.fill('#field-product-stock', String(stock))
  await page.click('#product-fill')
  await page.locator('#fairness-first-come').check()
  await page.fill('#field-startsAt', localTime(Date.now() + opensInMs))
  await nextStep(page)
  // On a desktop, a preview beside the form follows the input a moment later.
  if (isPictured) await previewIn(page).locator('#minutes', { hasText: '00' }).waitFor()
  await picture(page, 'drop-check-desktop-light')
  await page.click('#open-now')
  await page.locator('[data-choice=open-now]').click()
  await page.locator('#phase[data-phase=open]').waitFor()
  const saleId = /#\/sale\/([^/]+)/.exec(page.url())?.[1] ?? ''

  // Two shoppers on the page, one for each colour, and a crowd that takes the rest.
  for (const [i, shopperName] of ['ann', 'ben'].entries()) {
    const buyer = await shopper(shopperName, '/orders/', { device: screen })
    expectNoComplaints(buyer)
    await buyer.goto(`${stack.url}/sales/${saleId}/`)
    await buyer.locator('.variant').nth(i).click()
    await waitUntilLit(buyer)
    await buyOn(buyer)
    await showsStatus(buyer, 'awaiting-payment')
    await buyer.context().close()
  }
  const colourIds = await variantsOf(saleId)
  const outcomes = await Promise.all(
    Array.from({ length: 3 * stock }, (_, i) => crowdClick(saleId, `crowd-${i}`, colourIds[i % 2] ?? '')),
  )
  const won = outcomes.filter(({ status }) => status === 202)
  expect(won).toHaveLength(2 * stock - 2)
  await Promise.all(won.slice(0, stock).map(pay))

  // The result.
  await page.locator('#phase[data-phase=sold-out]').waitFor()
  await says(page, '#live-paidOrders', String(stock))
  await page.evaluate('scrollTo(0, 0)')
  await picture(page, 'drop-sold-out-desktop-light')
  await page.click('#report-of-sale')
  await textOf(page, '#report').toContain(title)
  await textOf(page, '#report').toContain('Sold out')
  await picture(page, 'drop-report-desktop-light')
})
