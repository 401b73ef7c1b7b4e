/** A half-filled form when the session ends or the marketer leaves, in a real browser. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { desktop, phone } from './browser.ts'
import { holdBack, nextStep, saveNewSale, unfold } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openShop()

async function typedForm(screen: typeof phone, saleId: string, change = {}): Promise<Page> {
  const page = await newVisitor(browser, screen, change)
  const back = encodeURIComponent('/console/#/new')
  await page.goto(`${stack.url}/sign-in/?as=mia&role=marketer&return=${back}`)
  await page.click('button[type=submit]')
  // From the list into the form, as a person gets there.
  await page.click('[data-tab=sales]')
  await page.click('#new-sale')
  await page.fill('#field-title', 'A kettle')
  await unfold(page, 'more-what')
  await page.fill('#field-saleId', saleId)
  await page.fill('#field-description', 'Copper.')
  await page.fill('#field-price', '12')
  return page
}

const title = (page: Page) => page.locator('#field-title').inputValue()
const choose = (page: Page, choice: string) => page.locator(`[data-choice=${choice}]`).click()

describe('the form of a sale', () => {
  it.each(['light', 'dark'] as const)(
    'keeps its input when the session ends, shows that at the button, and saves after a sign-in in a new tab, in %s',
    async (colorScheme) => {
      const page = await typedForm(phone, `kettle-${colorScheme}`, { colorScheme })
      await page.context().clearCookies()
      await saveNewSale(page)
      const message = page.locator('#form-news', { hasText: 'Your session has ended.' })
      await message.waitFor()
      // The message, which was 1,300 px above, is visible now, and the button still has the focus.
      const box = await message.boundingBox()
      expect(box?.y).toBeGreaterThanOrEqual(0)
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
      expect(await page.locator('#save:focus').count()).toBe(1)
      expect(await title(page)).toBe('A kettle')
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `console-session-ended-${colorScheme}`)

      const [tab] = await Promise.all([page.context().waitForEvent('page'), page.click('#form-sign-in')])
      await tab.fill('#shopperId', 'mia')
      await Promise.all([page.locator('#actions').waitFor(), tab.click('button[type=submit]')])
      expect(page.url()).toBe(`${stack.url}/console/#/sale/kettle-${colorScheme}`)
      await page.context().close()
    },
    60_000,
  )

  it('asks before a link, Back or closing the page discards a half-filled form', async () => {
    const page = await typedForm(desktop, 'left-kettle', { locale: 'zh-CN' })
    await page.goBack()
    await page.locator('#confirm[open]').waitFor()
    await page.keyboard.press('Escape')
    expect(await title(page)).toBe('A kettle')

    await page.click('[data-tab=audit]')
    await page.locator('#confirm', { hasText: '放弃已填写的内容？' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'console-leave-zh')
    await choose(page, 'back')
    expect(await title(page)).toBe('A kettle')
    expect(page.url()).toContain('#/new')

    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    expect(await title(page)).toBe('A kettle')

    await page.click('[data-tab=audit]')
    await choose(page, 'discard')
    await page.locator('#audit-day').waitFor()
    await page.context().close()
  })

  it('leaves the next view alone when it is saved after it was left', async () => {
    const page = await typedForm(desktop, 'late-kettle')
    const answer = await holdBack(page, 'POST', /\/api\/control\/sales$/)
    await saveNewSale(page)
    await page.click('[data-tab=audit]')
    await choose(page, 'discard')
    await page.locator('#audit-day').waitFor()
    await answer()
    expect(new URL(page.url()).hash).toBe('#/audit')
    await page.context().close()
  })

  it('keeps its input when the language changes, and does not ask when it is empty', async () => {
    const page = await typedForm(desktop, 'word-kettle')
    await page.click('#language')
    await page.locator('h1', { hasText: '新建活动' }).waitFor()
    expect(await title(page)).toBe('A kettle')
    await page.fill('#field-title', '')
    await unfold(page, 'more-what')
    await page.fill('#field-saleId', '')
    await page.fill('#field-description', '')
    await page.fill('#field-price', '')
    await page.click('[data-tab=sales]')
    await page.locator('#new-sale').waitFor()
    await page.context().close()
  })

  it('keeps its input when the language changes after the session has ended', async () => {
    const page = await typedForm(desktop, 'ended-kettle')
    await page.context().clearCookies()
    await page.click('#language')
    await page.locator('#status', { hasText: '登录已过期。' }).waitFor()
    expect(await title(page)).toBe('A kettle')
    expect(await page.locator('#field-start-from option').count()).toBe(1)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'console-form-ended-zh')
    await page.context().close()
  })

  it('saves after a sign-in in a new tab what was corrected in another language', async () => {
    const page = await typedForm(desktop, 'mended-kettle')
    await page.context().clearCookies()
    await saveNewSale(page)
    await page.locator('#form-news', { hasText: 'Your session has ended.' }).waitFor()
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.click('#form-sign-in')])
    await page.click('#language')
    await page.locator('#form-news', { hasText: '登录已过期。' }).waitFor()
    await page.click('#step-what')
    await page.fill('#field-title', 'A copper kettle')
    await tab.fill('#shopperId', 'mia')
    await Promise.all([page.locator('#actions').waitFor(), tab.click('button[type=submit]')])
    expect(await page.locator('h1').first().textContent()).toBe('A copper kettle')
    await page.context().close()
  })

  it.each([
    [desktop, 'en-GB', 'light'],
    [phone, 'zh-CN', 'dark'],
  ] as const)(
    'fills in the rounds of a schedule, which can be changed, saved and copied (N6, R7) on %o in %s, %s',
    async (screen, locale, colorScheme) => {
      const saleId = `daily-kettle-${colorScheme}`
      const page = await typedForm(screen, saleId, { locale, colorScheme })
      await page.fill('#field-stock', '30')
      await nextStep(page)
      await page.click('#schedule summary')
      await page.fill('#field-schedule-firstDay', '2030-12-30')
      await page.fill('#field-schedule-days', '60')
      await page.fill('#field-schedule-times', '9, 21:30')
      await page.fill('#field-schedule-minutes', '45')
      await page.press('#field-schedule-minutes', 'Tab')
      await page.keyboard.press('Enter')
      await page.locator('#field-schedule-days[aria-invalid=true]:focus').waitFor()
      await page.fill('#field-schedule-days', '3')
      await page.click('#schedule-fill')
      await page.locator('#field-windows-5-startsAt').waitFor()
      expect(await page.locator('#field-windows-5-startsAt').inputValue()).toBe('2031-01-01T21:30')
      expect(await page.locator('#field-windows-5-stock').inputValue()).toBe('30')
      expect(await faultsOf(page)).toEqual([])
      await page.locator('#schedule').scrollIntoViewIfNeeded()
      await picture(page, `console-schedule-${colorScheme}`)
      await page.fill('#field-windows-5-stock', '99')
      await saveNewSale(page)
      await page.locator('#windows').waitFor()
      expect(await page.locator('#windows').textContent()).toContain('99')

      await page.click('#copy')
      await page.locator('#step-when').waitFor()
      const copyId = await page.locator('#field-saleId').inputValue()
      expect(copyId).toMatch(new RegExp(`^${saleId}-\\d{8}-\\d{6}$`))
      expect(await page.locator('#field-windows-5-stock').inputValue()).toBe('99')
      expect(await title(page)).toBe('A kettle')
      await saveNewSale(page)
      await page.locator('#windows').waitFor()
      expect(page.url()).toBe(`${stack.url}/console/#/sale/${copyId}`)
      await page.context().close()
    },
    60_000,
  )
})
