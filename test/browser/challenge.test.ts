/**
 * The check that a shopper is a person, in a real browser: solved before it is needed,
 * under the page's own policy, described in words, and out of the way once it is passed.
 */
import type { Page, Request } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { control, definition, openSale } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, passRest, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

const passed = (page: Page) => page.locator('#check[data-state=passed]').waitFor({ timeout: 60_000 })

/** The requests of a page for the check: the shop's challenges, and the scripts that only this check needs. */
function checksOf(page: Page): { asked: Request[]; parts: string[]; buys: Request[] } {
  const seen = { asked: [] as Request[], parts: [] as string[], buys: [] as Request[] }
  page.on('request', (request) => {
    const url = request.url()
    if (url.endsWith('/challenge')) seen.asked.push(request)
    if (request.method() === 'POST' && url.endsWith('/orders')) seen.buys.push(request)
    if (/\/assets\/challenge/.test(url)) seen.parts.push(url)
  })
  return seen
}

describe('the security check in a real browser (R5)', () => {
  it('runs by itself before the start, and its solution is sent with the one click', async () => {
    const sale = definition({ challenge: 'pow', startsAt: Date.now() + 20_000 })
    const saleId = String(sale.saleId)
    await control(stack, '/sales', sale)
    await control(stack, `/sales/${saleId}/start`, {})
    const page = await newVisitor(browser, phone)
    const wrong = complaintsOf(page)
    const { asked, buys } = checksOf(page)
    await signInThrough(page, stack.url, 'ann', `/sales/${saleId}/`)
    await passed(page)
    expect(await page.locator('#main').getAttribute('data-phase')).toBe('scheduled')
    expect(await page.locator('#check').textContent()).toContain('Security check passed.')
    await waitUntilLit(page)
    await picture(page, 'check-phone')
    await page.click('#buy')
    await page.waitForURL(/\/orders\/\?id=/)
    expect(asked).toHaveLength(1)
    expect(buys.map((request) => Object.keys(request.postDataJSON()).sort())).toEqual([
      ['challenge', 'quantity', 'startToken'],
    ])
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it('runs again for the next purchase, because a solution is valid for one', async () => {
    const { saleId } = await openSale(stack, { challenge: 'pow', stock: 5, limitPerShopper: 2 })
    const page = await newVisitor(browser, desktop)
    await page.clock.install()
    await signInThrough(page, stack.url, 'bob', `/sales/${saleId}/`)
    const sent: string[] = []
    for (let order = 0; order < 2; order += 1) {
      const bought = page.waitForRequest(
        (request) => request.method() === 'POST' && request.url().endsWith('/orders'),
      )
      if (order > 0) await passRest(page)
      await waitUntilLit(page)
      await page.click('#buy')
      sent.push((await bought).postDataJSON().challenge)
      await page.waitForURL(/\/orders\/\?id=/)
      await page.goto(`${stack.url}/sales/${saleId}/`)
    }
    expect(new Set(sent).size).toBe(2)
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)(
    'shows a failure, disables the button and can be retried from the keyboard, in %s',
    async (colorScheme) => {
      const { saleId } = await openSale(stack, { challenge: 'pow' })
      const page = await newVisitor(browser, phone, { colorScheme, reducedMotion: 'reduce' })
      await page.route('**/challenge', (route) => route.abort(), { times: 1 })
      await signInThrough(page, stack.url, 'cat', `/sales/${saleId}/`)
      await page.locator('#check[data-state=failed]').waitFor({ timeout: 60_000 })
      expect(await page.locator('#buy').getAttribute('aria-disabled')).toBe('true')
      expect(await page.locator('#buy').textContent()).toBe('Not verified')
      expect(await faultsOf(page)).toEqual([])
      await page.locator('#buy').focus()
      await page.keyboard.press('Tab')
      await page.locator('#check-again:focus').waitFor()
      await page.keyboard.press('Enter')
      await passed(page)
      // The control is removed, and the reader's place in the page is kept.
      await page.locator('#buy:focus').waitFor()
      await waitUntilLit(page)
      expect(await faultsOf(page)).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  it('does not run for a guest, whose click leads to the sign-in', async () => {
    const { saleId } = await openSale(stack, { challenge: 'pow' })
    const page = await newVisitor(browser, phone)
    const { asked, parts } = checksOf(page)
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await waitUntilLit(page)
    await page.click('#buy')
    await page.locator('#status a', { hasText: 'Sign in' }).waitFor()
    expect(asked).toEqual([])
    expect(parts).toEqual([])
    await page.context().close()
  })

  it('is not loaded by a sale without a challenge', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone)
    const { asked, parts } = checksOf(page)
    await signInThrough(page, stack.url, 'dan', `/sales/${saleId}/`)
    await waitUntilLit(page)
    expect(await page.locator('#check').isVisible()).toBe(false)
    expect(asked).toEqual([])
    expect(parts).toEqual([])
    await page.context().close()
  })

  it('starts by itself on an open page when a marketer switches it on (R5)', async () => {
    const { saleId } = await openSale(stack, { stock: 5 })
    const page = await newVisitor(browser, phone)
    await page.clock.install()
    await signInThrough(page, stack.url, 'eve', `/sales/${saleId}/`)
    await waitUntilLit(page)
    await control(stack, `/sales/${saleId}`, { challenge: 'pow' }, 'PATCH')
    // The gate has the change within a second.
    await page.waitForTimeout(1500)
    await page.click('#buy')
    await page.locator('#status', { hasText: 'A security check is needed first' }).waitFor()
    await passed(page)
    await passRest(page)
    await waitUntilLit(page)
    await page.click('#buy')
    await page.waitForURL(/\/orders\/\?id=/)
    await page.context().close()
  })
})
