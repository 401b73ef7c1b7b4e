/** The effect of a click on a sale page, and the page's message about it, in a real browser. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { buy, openSale } from '../journey/support.ts'
import { phone } from './browser.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, passRest, picture, signInThrough } from './visitor.ts'

const { stack, browser } = await openShop()

const lit = (page: Page) => page.locator('#buy[aria-disabled="false"]').waitFor({ timeout: 60_000 })
const button = (page: Page, hasText: string | RegExp) => page.locator('#buy', { hasText }).waitFor()
const waitForStatus = (page: Page, hasText: string) => page.locator('#status', { hasText }).waitFor()

async function shopper(name: string, saleId: string, locale = 'en-GB'): Promise<Page> {
  const page = await newVisitor(browser, phone, { locale })
  await page.clock.install()
  await signInThrough(page, stack.url, name, `/sales/${saleId}/`)
  await lit(page)
  return page
}

describe('a click', () => {
  it('of a guest causes no ten-second rest, neither at once nor after signing in', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone)
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await lit(page)
    await page.click('#buy')
    await waitForStatus(page, 'Please sign in first.')
    expect(await page.locator('#buy').getAttribute('data-state')).toBe('ready')
    await page.click('#status a')
    // Before the page has loaded, nothing handles its form yet.
    await page.waitForURL(/\/sign-in\//)
    await page.fill('#shopperId', 'eve')
    await page.click('button[type=submit]')
    await page.waitForURL(`${stack.url}/sales/${saleId}/`)
    await lit(page)
    expect(
      await page.evaluate((name) => sessionStorage.getItem(name), `sluice.rest.${saleId}`),
    ).not.toBeNull()
    await page.click('#buy')
    await page.waitForURL(/\/orders\/\?id=/)
    await page.context().close()
  })

  it('of a shopper who has reached the limit leads to the order, and not to “again in 7 s”', async () => {
    const { saleId, startToken } = await openSale(stack)
    const page = await shopper('ann', saleId)
    // Bought on another device.
    const { body } = await buy(stack, saleId, { token: await stack.token('ann'), startToken })
    await page.click('#buy')
    await button(page, 'View order')
    await waitForStatus(page, 'You’ve reached the limit per person')
    expect(await page.locator('#status').textContent()).not.toMatch(/\d+ s/)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'sale-limit-phone')
    await page.click('#buy')
    await page.waitForURL(`${stack.url}/orders/?id=${body.orderId}`)
    await page.context().close()
  })

  it('shows who has an order the way to it when they come back, and the sale again once it is cancelled', async () => {
    const { saleId } = await openSale(stack)
    const page = await shopper('bea', saleId)
    await page.click('#buy')
    await page.waitForURL(/\/orders\/\?id=/)
    const order = page.url()
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await button(page, 'View order')
    await page.click('#buy')
    await page.waitForURL(order)
    // Before it is written it cannot be cancelled.
    await page.locator('#order[data-status=awaiting-payment]').waitFor()

    const { orderId } = { orderId: new URL(order).searchParams.get('id') }
    const cancelled = await page.evaluate(
      (id) =>
        fetch(`/api/orders/${id}/cancel`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }).then(({ status }) => status),
      orderId,
    )
    expect(cancelled).toBe(200)
    await page.goto(`${stack.url}/sales/${saleId}/`)
    // The page asks for the order first; a clock that is moved meanwhile ends the call.
    await page.locator('#status', { hasText: 'View order' }).waitFor({ state: 'detached' })
    await passRest(page)
    await button(page, 'Buy now')
    await page.context().close()
  })

  it('says how many more a shopper may choose where the limit is not reached yet', async () => {
    const { saleId, startToken } = await openSale(stack, { limitPerShopper: 3, maxPerOrder: 3 })
    const page = await shopper('cem', saleId, 'zh-CN')
    await buy(stack, saleId, { token: await stack.token('cem'), startToken, quantity: 2 })
    await page.fill('#quantity', '2')
    await page.click('#buy')
    await waitForStatus(page, '您已有 2 件，最多还能购买 1 件')
    await picture(page, 'sale-limit-left-zh')
    await page.context().close()
  })

  it('of a phone that is offline is known not to have been sent, and the page says that it is offline', async () => {
    const { saleId } = await openSale(stack)
    const page = await shopper('dov', saleId)
    await page.context().setOffline(true)
    await page.locator('#connection', { hasText: 'Can’t connect' }).waitFor()
    await page.click('#buy')
    await waitForStatus(page, 'nothing was sent')
    expect(await page.locator('#buy').getAttribute('data-state')).toBe('ready')
    expect(await page.locator('#status').textContent()).not.toContain('place')
    await picture(page, 'sale-offline-phone')
    await page.context().setOffline(false)
    await page.locator('#connection:empty').waitFor({ state: 'attached' })
    await page.click('#buy')
    await page.waitForURL(/\/orders\/\?id=/)
    await page.context().close()
  })
})
