/**
 * An order in a real browser: paid on the provider's page, cancelled, never paid. The pages show what happened,
 * and released units light the button of a waiting shopper.
 */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { openSale } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

const statusOf = (page: Page, status: string, timeout = 60_000) =>
  page.locator(`#order[data-status=${status}]`).waitFor({ timeout })

/** A shopper on the page of their order, which is written and waits for its money. */
async function buyer(name: string, saleId: string, screen = phone): Promise<Page> {
  const page = await newVisitor(browser, screen)
  await signInThrough(page, stack.url, name, `/sales/${saleId}/`)
  await waitUntilLit(page)
  await page.click('#buy')
  await page.waitForURL(/\/orders\/\?id=/)
  await statusOf(page, 'awaiting-payment')
  return page
}

describe('an order in a real browser', () => {
  it('is paid on the provider’s page, and the shopper comes back to a paid order (O8)', async () => {
    const { saleId } = await openSale(stack, { stock: 1 })
    const page = await buyer('ann', saleId)
    const wrong = complaintsOf(page)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'pay-phone')
    await page.click('#pay')
    await page.waitForURL(/\/local\/pay\//)
    expect(await faultsOf(page)).toEqual([])
    await page.click('button[value=pay]')
    await page.waitForURL(/\/orders\/\?id=/)
    await statusOf(page, 'paid')
    expect(await page.locator('#timeline li').count()).toBeGreaterThanOrEqual(4)
    expect(await page.locator('#pay').count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it('is not shown as paid or confirmed after Back from the provider, and its refund is shown (O8)', async () => {
    const { saleId } = await openSale(stack, { stock: 3, paymentWindowSeconds: 6, paymentGraceSeconds: 2 })
    const page = await buyer('eve', saleId, desktop)
    expect(await page.locator('#order-title').textContent()).toBe('Pay to complete your order')
    await page.click('#pay')
    await page.waitForURL(/\/local\/pay\//)
    await page.goBack()
    await page.locator('#order[data-stage=paying]').waitFor({ timeout: 60_000 })
    expect(await page.locator('#order-title').textContent()).toBe('Payment not complete yet')
    expect(await page.locator('#order-lead').textContent()).toMatch(
      /^If you have paid, .* If not, complete it by/,
    )
    await picture(page, 'back-desktop')
    expect(await faultsOf(page)).toEqual([])
    await page.locator('#order[data-stage=cancelled-paying]').waitFor({ timeout: 60_000 })
    expect(await page.locator('#order-lead').textContent()).toMatch(/we’ll refund it in full/)
    await picture(page, 'cancelled-paying-desktop')
    await page.context().close()
  })

  it('that is cancelled is available to another shopper a moment later: the waiting page lights again (O9, G7, C8)', async () => {
    const { saleId } = await openSale(stack, { stock: 1 })
    const page = await buyer('bea', saleId)
    const waiting = await newVisitor(browser, desktop)
    await signInThrough(waiting, stack.url, 'cy', `/sales/${saleId}/`)
    await waiting.locator('#main[data-phase=sold-out]').waitFor({ timeout: 60_000 })

    // Escape keeps the order; only the answer in the dialog cancels it.
    await page.click('#give-back')
    await page.keyboard.press('Escape')
    await page.locator('#confirm').waitFor({ state: 'hidden' })
    await page.click('#give-back')
    await page.locator('#confirm-actions button:not(.button--plain)').click()
    await statusOf(page, 'cancelled')
    expect(await faultsOf(page)).toEqual([])

    await waiting.locator('#main[data-phase=open]').waitFor({ timeout: 60_000 })
    expect(await waiting.locator('#status').textContent()).toMatch(/Back in stock/)
    await waitUntilLit(waiting)
    await waiting.click('#buy')
    await waiting.waitForURL(/\/orders\/\?id=/)
    await statusOf(waiting, 'awaiting-payment')
    await Promise.all([page, waiting].map((one) => one.context().close()))
  })

  it('that is not paid shows so by itself when its time is over (O8)', async () => {
    const { saleId } = await openSale(stack, { stock: 1, paymentWindowSeconds: 3 })
    const page = await buyer('dan', saleId, desktop)
    await statusOf(page, 'cancelled', 30_000)
    expect(await page.locator('#order-lead').textContent()).toMatch(/not paid|in time/i)
    await page.context().close()
  })
})
