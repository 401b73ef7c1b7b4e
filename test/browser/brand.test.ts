/** The brand of the shop: a marketer sets it in the console, and shoppers see it in both languages, light and dark. */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { openSale } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, holdBack } from './console.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openOwnShop()

/** A wide picture, drawn by the browser: a file as a marketer would choose it. */
async function logoFile(page: Page): Promise<Buffer> {
  const address = await page.evaluate(`(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 600, height: 150 })
    const pen = canvas.getContext('2d')
    pen.fillStyle = '#0b5a8a'
    pen.fillRect(0, 0, 600, 150)
    return canvas.toDataURL('image/png')
  })()`)
  return Buffer.from(String(address).split(',')[1] ?? '', 'base64')
}

const mia = { name: 'mia', roles: ['marketer' as const] }

const colourOf = (page: Page, selector: string) =>
  page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)

const screens: readonly [string, BrowserContextOptions, string, string][] = [
  ['en-GB', { ...desktop, colorScheme: 'light' }, 'rgb(11, 90, 138)', 'Privacy'],
  ['zh-CN', { ...phone, colorScheme: 'dark' }, 'rgb(124, 196, 240)', '隐私政策'],
]

describe('the brand', () => {
  it('keeps a logo that is uploaded while the language of its form changes', async () => {
    const page = await consoleOf(browser, stack, '#/brand', { ...mia, screen: desktop })
    await page.fill('#field-brand-name', 'Lantern')
    const answer = await holdBack(page, 'POST', /\/api\/control\/pictures\/[^/]+$/)
    await page.setInputFiles('#logo-file', {
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: await logoFile(page),
    })
    await page.locator('#logo-note:not(:empty)').waitFor()
    await page.click('#language')
    await page.locator('h1', { hasText: '品牌' }).waitFor()
    await page.click('#brand-save')
    await page.locator('#status', { hasText: '请等待标志上传完成。' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'console-brand-uploading-zh')
    await answer()
    await page.locator('.brand-preview img[src^="/pictures/"]').first().waitFor()
    await page.locator('#logo-remove:visible').waitFor()
    expect(await page.locator('#logo-note').textContent()).toBe('')
    await page.context().close()
  })

  it('is “Shop” until a marketer sets it, who sees its contrast while typing', async () => {
    const { saleId } = await openSale(stack, { stock: 5 })
    const visitor = await newVisitor(browser, desktop)
    await visitor.goto(`${stack.url}/`)
    expect(await visitor.title()).toBe('Flash sales · Shop')
    expect(await visitor.locator('.wordmark').innerText()).toBe('Shop')
    await visitor.click('#language')
    expect(await visitor.title()).toBe('限时抢购 · 商店')
    await visitor.context().close()

    const page = await consoleOf(browser, stack, '#/', { ...mia, screen: desktop })
    const wrong = complaintsOf(page)
    await page.click('[data-tab=brand]')
    await page.fill('#field-brand-name', 'Lantern & Co.')
    await page.fill('#field-brand-light', '#ffdd00')
    await page.fill('#field-brand-dark', '#7cc4f0')
    const light = page.locator('[data-contrast=light]')
    expect(await light.textContent()).toMatch(/^Contrast 1\.\d\d:1 is too low: at least 4\.5:1$/)
    await page.click('#brand-save')
    await page.locator('#field-brand-light[aria-invalid=true]').waitFor()
    await page.fill('#field-brand-light', '#0b5a8a')
    expect(await light.textContent()).toMatch(/^Contrast \d\.\d\d:1$/)
    await page.fill('#field-brand-links', 'Privacy | 隐私政策 | https://lantern.example/privacy')
    await page.fill('#field-brand-support', 'help@lantern.example')
    expect(await faultsOf(page)).toEqual([])
    await page.setInputFiles('#logo-file', {
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: await logoFile(page),
    })
    await page.locator('.brand-preview img').first().waitFor()
    await picture(page, 'console-brand')
    await page.click('#brand-save')
    const effects = page.locator('#confirm-text')
    await effects.getByText('Name of the shop: (empty) → Lantern & Co.').waitFor()
    await effects.getByText('The logo changes.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.click('[data-choice=save]')
    await page.locator('#status', { hasText: 'Saved.' }).waitFor()

    // The preview of a sale that is being written has it too.
    await page.click('[data-tab=sales]')
    await page.click('#new-sale')
    const preview = page.frameLocator('#preview-frame')
    await preview.locator('.wordmark img[alt="Lantern & Co."]').waitFor()
    await page.locator('label:has(#preview-state-open)').click()
    await preview.locator('#buy[data-state=ready]').waitFor()
    const painted = () =>
      page.evaluate(`(({ contentDocument: { body } }) =>
        getComputedStyle(body.querySelector('#buy')).backgroundColor)(document.querySelector('#preview-frame'))`)
    await expect.poll(painted).toBe('rgb(11, 90, 138)')
    await picture(page, 'preview-brand')
    expect(wrong).toEqual([])
    await page.context().close()

    for (const [locale, screen, colour, privacy] of screens)
      await seesIt(saleId, locale, screen, colour, privacy)
  }, 180_000)

  it('leaves the next view alone when it is saved after its form was left', async () => {
    const page = await consoleOf(browser, stack, '#/brand', { ...mia, screen: desktop })
    await page.fill('#field-brand-taglineEn', 'Light for all')
    await page.fill('#field-brand-taglineZh', '点亮生活')
    const answer = await holdBack(page, 'PUT', /\/api\/control\/brand$/)
    await page.click('#brand-save')
    await page.click('[data-choice=save]')
    await page.click('[data-tab=audit]')
    await page.click('[data-choice=discard]')
    await page.locator('#audit-day').waitFor()
    await answer()
    expect(await page.locator('#brand-form').count()).toBe(0)
    expect(await page.locator('#audit-day').count()).toBe(1)
    await page.context().close()
  })
})

async function titleAt(page: Page, path: string): Promise<string> {
  await page.goto(stack.url + path)
  return page.title()
}

async function seesIt(
  saleId: string,
  locale: string,
  screen: BrowserContextOptions,
  colour: string,
  privacy: string,
): Promise<void> {
  const page = await newVisitor(browser, screen, { locale })
  const wrong = complaintsOf(page)
  for (const path of ['/', `/sales/${saleId}/`, '/orders/', '/wallet/']) {
    // The copies of pages that the distribution keeps are up to a minute old.
    await expect
      .poll(() => titleAt(page, path), {
        timeout: 90_000,
        interval: 1000,
      })
      .toMatch(/ · Lantern & Co\.$/)
    const logo = page.locator('.wordmark img')
    expect(await logo.getAttribute('alt')).toBe('Lantern & Co.')
    expect(await page.evaluate(`document.querySelector('.wordmark img').naturalWidth`)).toBe(480)
    expect(await logo.boundingBox()).toMatchObject({ width: 144, height: 36 })
    await page.locator('.foot a', { hasText: privacy }).waitFor()
    expect(await page.locator('.foot a').last().getAttribute('href')).toBe('mailto:help@lantern.example')
    expect(await page.locator('body').innerText()).not.toMatch(/sluice/i)
    expect(await faultsOf(page), path).toEqual([])
    const overflows = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)
    expect(overflows, path).toBe(false)
    await picture(page, `brand${path.replaceAll('/', '-')}${locale}`)
  }
  await page.goto(`${stack.url}/sales/${saleId}/`)
  await page.locator('#buy[aria-disabled="false"]').waitFor()
  // The button lights up by a transition.
  await expect.poll(() => colourOf(page, '#buy')).toBe(colour)
  expect(wrong).toEqual([])
  await page.context().close()
}
