/** Pictures of a sale, from the marketer's files to the shopper's page, in a real browser. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { drawing } from '../functions/pictures/rig.ts'
import { control } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, saveNewSale, unfold } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openShop()
const saleId = 'two-pictures'
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

const mia = { name: 'mia', roles: ['marketer' as const] }

/** Whether every picture of the page was loaded. */
const loaded = (page: Page) =>
  page
    .locator('.sale__picture img')
    .evaluateAll((all) => all.map((one) => 'naturalWidth' in one && Number(one.naturalWidth) > 0))

const product = async (page: Page) => JSON.parse((await page.locator('#product').textContent()) ?? '')

describe('the pictures of a sale', () => {
  it('are chosen, described, put in order and saved by a marketer', async () => {
    const page = await consoleOf(browser, stack, '#/new', { ...mia, screen: desktop })
    const complaints = complaintsOf(page)
    await page.fill('#field-title', 'Blue bowl')
    await unfold(page, 'more-what')
    await page.fill('#field-saleId', saleId)
    await page.fill('#field-description', 'Thrown by hand.\n\nEach is a little different.')
    await page.fill('#field-price', '12.00')
    await page.fill('#field-listPrice', '10.00')
    await page.setInputFiles('#picture-files', [...files, drawn])
    await page.locator('.picture-row', { hasText: 'holds a script' }).waitFor()
    // What was uploaded is in the preview at once, before it is described.
    const shown = page.frameLocator('#preview-frame').locator('.gallery__row img[src^="/pictures/"]')
    await shown.nth(1).waitFor()
    await page.click('#next')
    await page.locator('#field-pictures-1-alt-error', { hasText: 'Say in a few words' }).waitFor()
    await page.locator('#field-listPrice-error', { hasText: 'above the price' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'console-pictures')
    await page.fill('#field-listPrice', '18.50')
    // The refused one, and the picture that a new sale begins with.
    await page.click('[aria-label="Remove picture 4"]')
    await page.click('[aria-label="Remove picture 1"]')
    await page.fill('#field-pictures-0-alt', texts[1])
    await page.fill('#field-pictures-1-alt', texts[0])
    // In the wrong order: by the keyboard into the right one.
    await page.locator('[aria-label="Move picture 2 up"]').press('Enter')
    await page.fill('#field-pictures-0-alt', texts[0])
    await page.fill('#field-pictures-1-alt', texts[1])
    await page.locator('[aria-label="Move picture 1 down"]').press('Enter')
    await page.click('#languages summary')
    await page.fill('#field-translations-zh-CN-title', '蓝色陶碗')
    await page.fill('#field-translations-zh-CN-description', '手工拉坯。\n\n每只略有不同。')
    await saveNewSale(page)
    await page.locator('#actions').waitFor()
    expect(complaints).toEqual([])
    await control(stack, `/sales/${saleId}/warm`, {})
    await page.context().close()
  }, 120_000)

  it('stand on the page with their texts, without a moving layout, for a reader of English', async () => {
    const page = await newVisitor(browser, desktop)
    const complaints = complaintsOf(page)
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('#main[data-phase="scheduled"]').waitFor()
    const images = page.locator('.sale__picture img')
    const alt = await images.evaluateAll((all) => all.map((one) => one.getAttribute('alt')))
    expect(alt.toSorted()).toEqual([...texts].toSorted())
    expect(await images.first().getAttribute('fetchpriority')).toBe('high')
    expect(await images.last().getAttribute('loading')).toBe('lazy')
    await page.locator('.gallery__links a').last().press('Enter')
    await expect.poll(() => loaded(page)).toEqual([true, true])
    // The struck price is named for those who do not see the line.
    expect(await page.locator('.price__list').textContent()).toBe('Regular price: €18.50')
    expect(await product(page)).toMatchObject({
      name: 'Blue bowl',
      offers: { price: '12.00', availability: 'https://schema.org/PreOrder' },
    })
    const og = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect(og).toMatch(/^http:\/\/localhost:\d+\/pictures\/[0-9a-f]{32}-\d+\.webp$/)
    const preview = await page.request.get(og ?? '')
    expect(preview.headers()).toMatchObject({ 'content-type': 'image/webp' })
    expect(preview.headers()['cache-control']).toContain('immutable')
    expect(await faultsOf(page)).toEqual([])
    expect(complaints).toEqual([])
    await picture(page, 'sale-pictures')
    await page.context().close()
  }, 120_000)

  it('stand beside Chinese texts on a phone, and the offer follows the phase', async () => {
    const page = await newVisitor(browser, phone, { locale: 'zh-CN', colorScheme: 'dark' })
    const complaints = complaintsOf(page)
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('h1', { hasText: '蓝色陶碗' }).waitFor()
    expect(await page.title()).toBe('蓝色陶碗 · 商店')
    expect(await page.locator('.prose p').allTextContents()).toEqual(['手工拉坯。', '每只略有不同。'])
    expect(await page.locator('.price__list').textContent()).toBe('原价： €18.50')
    expect(await page.locator('#pictures').evaluate(({ scrollLeft }) => scrollLeft)).toBe(0)
    await picture(page, 'sale-pictures-zh-dark')
    expect(await faultsOf(page)).toEqual([])
    await control(stack, `/sales/${saleId}/start`, { now: true })
    // A waiting page looks once a minute. The first look of this one may still get what a cache has.
    await page.reload()
    await expect
      .poll(async () => (await product(page)).offers.availability, { timeout: 90_000 })
      .toBe('https://schema.org/InStock')
    await page.click('#language')
    expect(await page.locator('h1').textContent()).toBe('Blue bowl')
    expect(complaints).toEqual([])
    await control(stack, `/sales/${saleId}/close`, {})
    await page.context().close()
  }, 180_000)
})
