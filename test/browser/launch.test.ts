/** What marketer and shoppers see of a sale that was not started, in a real browser. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { control, definition } from '../journey/support.ts'
import { desktop, phone } from './browser.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openOwnShop()

async function marketer(screen: typeof phone, path: string): Promise<Page> {
  const page = await newVisitor(browser, screen)
  const back = encodeURIComponent(`/console/${path}`)
  await page.goto(`${stack.url}/sign-in/?as=mia&role=marketer&return=${back}`)
  await page.click('button[type=submit]')
  await page.waitForURL(`${stack.url}/console/${path}`)
  return page
}

async function warmed(saleId: string, startsInMs: number): Promise<void> {
  await control(stack, '/sales', definition({ saleId, startsAt: Date.now() + startsInMs }))
  await control(stack, `/sales/${saleId}/warm`, {})
}

describe('a launch that could be missed', () => {
  it('is shown as late to marketer and shoppers when its start has passed, not “Starts soon, any moment now”', async () => {
    const saleId = 'late-mug'
    await warmed(saleId, -60_000)
    const shopper = await newVisitor(browser, phone)
    await shopper.goto(`${stack.url}/sales/${saleId}/`)
    await shopper.locator('#phase', { hasText: 'Delayed' }).waitFor()
    expect(await shopper.locator('#clock-label').textContent()).toContain('Not started yet')
    await picture(shopper, 'sale-delayed-phone')
    await shopper.goto(stack.url)
    await shopper.locator(`[data-sale-id=${saleId}] .badge`, { hasText: 'Delayed' }).waitFor()

    const page = await marketer(desktop, '')
    await page.locator('#start-alarms', { hasText: 'was due at' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'console-list-late')
    await page.locator('#start-alarms a').click()
    await page.locator('#phase', { hasText: 'Late: needs your start' }).waitFor()
    await page.locator('#start-alarm', { hasText: 'Shoppers are waiting' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'console-late')
    await page.click('[data-action=start]')
    await page.locator('#confirm-actions .button--main').click()
    await page.locator('#phase', { hasText: 'Live' }).waitFor()
    expect(await page.locator('#start-alarm').textContent()).toBe('')
    await Promise.all([page, shopper].map((one) => one.context().close()))
  })

  it('asks for a start until it has one, and then opens by itself without a red “Start”', async () => {
    const saleId = 'soon-mug'
    await warmed(saleId, 20 * 60_000)
    const page = await marketer(phone, `#/sale/${saleId}`)
    await page.locator('#phase', { hasText: 'Needs your start' }).waitFor()
    await page.locator('#start-alarm', { hasText: 'is not started, so it will not open' }).waitFor()
    await picture(page, 'console-soon-phone')
    await page.click('[data-action=start]')
    await page.locator('[data-choice=start]').click()
    await page.locator('#phase', { hasText: /^Opens by itself at \d\d:\d\d$/ }).waitFor()
    expect(await page.locator('#start-alarm').textContent()).toBe('')
    const open = page.locator('[data-action=start]')
    expect(await open.textContent()).toBe('Open now')
    expect(await open.getAttribute('class')).not.toContain('button--main')
    await picture(page, 'console-scheduled-phone')
    await page.context().close()
  })
})
