/** A new sale by the keyboard alone, step by step, with the preview of its page. */
import type { FrameLocator, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, nextStep } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, picture } from './visitor.ts'

const { stack, browser } = await openShop()
const mia = { name: 'mia', roles: ['marketer' as const] }

/** More stops than any step has. */
const mostStops = 150

/** Moves the focus to the element with that id by the Tab key alone. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let stop = 0; stop < mostStops; stop += 1) {
    if ((await page.locator(`#${id}:focus`).count()) === 1) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the keyboard does not reach #${id}`)
}

/** Writes into a field that has no text yet. */
async function type(page: Page, id: string, text: string): Promise<void> {
  await tabTo(page, id)
  await page.keyboard.type(text)
}

const preview = (page: Page): FrameLocator => page.frameLocator('#preview-frame')

const overflows = (page: Page) => page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)

/** An expression about the document in the frame, which runs none of its own. */
const inFrame = (page: Page, expression: string): Promise<unknown> =>
  page.evaluate(`(({ body, scrollingElement }) => ${expression})(
    document.querySelector('#preview-frame').contentDocument)`)

/** What the frame is painted with. */
const paper = (page: Page) => inFrame(page, 'getComputedStyle(body).backgroundColor')

describe('a new sale by the keyboard alone', () => {
  it.each([
    [desktop, 'en-GB', 'light', 'Copper kettle', 'Buy now', 'Sold out'],
    [phone, 'zh-CN', 'dark', '铜壶', '立即抢购', '已抢完'],
  ] as const)(
    'goes from the list to the saved sale, and its page is seen on the way, on %o in %s, %s',
    async (screen, locale, colorScheme, title, buyNow, soldOut) => {
      const page = await consoleOf(browser, stack, '#/', {
        ...mia,
        screen: { ...screen, colorScheme },
        locale,
      })
      const complaints = complaintsOf(page)
      const isPhone = screen === phone
      await page.locator('#new-sale').waitFor()
      await tabTo(page, 'new-sale')
      await page.keyboard.press('Enter')
      await page.locator('#kind-goods').waitFor()
      await tabTo(page, 'kind-goods')
      await page.keyboard.press('ArrowDown')
      expect(await page.locator('#kind-coupon').isChecked()).toBe(true)
      await page.keyboard.press('ArrowUp')
      await type(page, 'field-title', title)

      // Enter means Next, which stops at the first wrong field of this step.
      await page.keyboard.press('Enter')
      await page.locator('#field-description[aria-invalid=true]:focus').waitFor()
      await page.locator('.steps__step[data-state=wrong] #step-what').waitFor()
      expect(await page.locator('#field-startsAt').getAttribute('aria-invalid')).not.toBe('true')
      await page.keyboard.type('Hammered by hand.')
      await type(page, 'field-price', '49')
      expect(await page.locator('#field-price').getAttribute('aria-invalid')).toBe('false')
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `steps-what-${colorScheme}`)

      // The page of the sale, at three moments of it.
      if (isPhone) {
        await tabTo(page, 'preview-open')
        await page.keyboard.press('Enter')
        await page.locator('#preview[open]').waitFor()
      }
      await preview(page).locator('h1', { hasText: title }).waitFor()
      expect(await preview(page).locator('#price').textContent()).toMatch(/49\.00/)
      expect(await preview(page).locator('.prose').textContent()).toBe('Hammered by hand.')
      expect(await preview(page).locator('#main').getAttribute('data-phase')).toBe('scheduled')
      await tabTo(page, 'preview-state-before')
      await page.keyboard.press('ArrowRight')
      await preview(page).locator('#buy', { hasText: buyNow }).waitFor()
      await picture(page, `steps-preview-open-${colorScheme}`)
      await page.keyboard.press('ArrowRight')
      await preview(page).locator('#buy', { hasText: soldOut }).waitFor()
      expect(await preview(page).locator('.stepper').count()).toBe(0)
      expect(await faultsOf(page)).toEqual([])
      await page.keyboard.press('ArrowLeft')

      // In the other language and on the other screen.
      await tabTo(page, `preview-language-${isPhone ? 'zh-CN' : 'en'}`)
      await page.keyboard.press(isPhone ? 'ArrowLeft' : 'ArrowRight')
      await preview(page)
        .locator('#buy', { hasText: isPhone ? 'Buy now' : '立即抢购' })
        .waitFor()
      const before = await paper(page)
      await tabTo(page, `preview-scheme-${colorScheme}`)
      await page.keyboard.press(isPhone ? 'ArrowLeft' : 'ArrowRight')
      await expect.poll(() => paper(page)).not.toBe(before)
      await picture(page, `steps-preview-other-${colorScheme}`)
      if (isPhone) {
        await page.keyboard.press('Escape')
        await page.locator('#preview-open:focus').waitFor()
      }

      await tabTo(page, 'field-price')
      await page.keyboard.press('Enter')
      await page.locator('#step-when-title:focus').waitFor()
      expect(await page.locator('#step-when').getAttribute('aria-current')).toBe('step')
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `steps-when-${colorScheme}`)
      await type(page, 'field-delivery-countries', 'CN')
      await page.keyboard.press('Enter')

      await page.locator('#step-check-title:focus').waitFor()
      expect(await page.locator('[data-line="summary.what"]').textContent()).toContain(title)
      expect(await page.locator('[data-line="summary.money"]').textContent()).toMatch(/4,900\.00/)
      expect(await page.locator('[data-warning="warn.sample"]').count()).toBe(1)
      expect(await page.locator('[data-warning="warn.noCountries"]').count()).toBe(0)
      expect(await faultsOf(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      await picture(page, `steps-check-${colorScheme}`)

      // Back loses nothing.
      await tabTo(page, 'back')
      await page.keyboard.press('Enter')
      await page.locator('#step-when-title:focus').waitFor()
      expect(await page.locator('#field-delivery-countries').inputValue()).toBe('CN')
      await tabTo(page, 'next')
      await page.keyboard.press('Enter')
      await page.locator('#step-check-title:focus').waitFor()
      await tabTo(page, 'save')
      await page.keyboard.press('Enter')
      await page.locator('#phase[data-phase=draft]').waitFor()
      expect(await page.locator('h1').textContent()).toBe(title)
      expect(complaints).toEqual([])
      await page.context().close()
    },
    180_000,
  )
})

describe('the steps of a new sale', () => {
  it('open the one with the wrong field when the shop refuses it, and keep their step in another language', async () => {
    const page = await consoleOf(browser, stack, '#/new', { ...mia, screen: desktop })
    const fillIn = async (price: string) => {
      await page.fill('#field-title', 'Taken kettle')
      await page.fill('#field-description', 'Copper.')
      await page.fill('#field-price', price)
      await nextStep(page)
      await nextStep(page)
      await page.click('#save')
    }
    await fillIn('5')
    await page.locator('#phase[data-phase=draft]').waitFor()
    await page.click('[data-tab=sales]')
    await page.click('#new-sale')
    await fillIn('6')
    await page.locator('#field-saleId[aria-invalid=true]:focus').waitFor()
    expect(await page.locator('#step-what').getAttribute('aria-current')).toBe('step')

    // Forward only past what is right, also by the list at the top.
    await page.fill('#field-saleId', 'taken-kettle-2')
    await page.fill('#field-price', 'much')
    await page.click('#step-check')
    await page.locator('#field-price[aria-invalid=true]:focus').waitFor()
    await page.fill('#field-price', '5')
    await page.click('#step-when')
    await page.fill('#field-limitPerShopper', '0')
    await page.click('#step-what')
    await page.locator('#step-what-title:focus').waitFor()
    await page.click('#step-check')
    await page.locator('#field-limitPerShopper[aria-invalid=true]:focus').waitFor()
    await page.click('#language')
    await page.locator('#step-when[aria-current=step]', { hasText: '时间与规则' }).waitFor()
    expect(await page.locator('#field-limitPerShopper').inputValue()).toBe('0')
    await page.context().close()
  }, 120_000)

  it('are no part of an edit, which has the preview of the page as it is', async () => {
    const page = await consoleOf(browser, stack, '#/new', { ...mia, screen: desktop })
    const complaints = complaintsOf(page)
    await page.locator('#kind-red-packet').check()
    await page.fill('#field-title', 'Spring packets')
    await page.fill('#field-description', 'For all.')
    await page.fill('#field-packets-totalAmount', '500')
    await preview(page).locator('h1', { hasText: 'Spring packets' }).waitFor()
    await page.fill('#field-title', '')
    // What is not typed yet is a pale stand-in.
    await preview(page).locator('h1[style*=opacity]', { hasText: 'Title' }).waitFor()
    // A reader who has scrolled stays there, and no picture loads again.
    await inFrame(page, '(scrollingElement.scrollTop = 120, body.querySelector("img").isSame = true)')
    await page.fill('#field-title', 'Spring packets')
    await preview(page).locator('h1', { hasText: 'Spring packets' }).waitFor()
    expect(await inFrame(page, 'scrollingElement.scrollTop')).toBe(120)
    expect(await inFrame(page, 'body.querySelector("img").isSame')).toBe(true)
    await nextStep(page)
    await nextStep(page)
    await page.click('#save')
    await page.click('#edit')
    await page.locator('#field-startsAt').waitFor()
    expect(await page.locator('#field-title').isVisible()).toBe(true)
    expect(await page.locator('.steps').count()).toBe(0)
    await preview(page).locator('.price', { hasText: '500.00' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'steps-edit')
    expect(complaints).toEqual([])
    await page.context().close()
  }, 120_000)
})
