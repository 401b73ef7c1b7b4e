/** A coupon in a real browser: got with one click, its code copied from the keyboard, and shown as expired afterwards. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { OrderView } from '../../core/api/shop.ts'
import { formatCoupon } from '../../core/coupon.ts'
import { buy, call, control, openSale, writtenOrder } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

const couponSale = (change: Record<string, unknown> = {}) =>
  openSale(stack, {
    kind: 'coupon',
    title: 'Ten off any tea',
    description: 'One coupon for each of you, while there are some.',
    pictures: [{ src: '/assets/pictures/ticket.svg', alt: 'The product' }],
    price: 0,
    stock: 100,
    ...change,
  })

const textOf = (page: Page, selector: string) => page.locator(selector).textContent()

/** A shopper with `quantity` coupons, on the page of their order. */
async function owner(name: string, change: Record<string, unknown>, screen = phone, quantity = 1) {
  const { saleId, startToken } = await couponSale(change)
  const token = await stack.token(name)
  const { orderId } = (await buy(stack, saleId, { token, startToken, quantity })).body
  await writtenOrder(stack, orderId, token)
  const page = await newVisitor(browser, screen)
  await signInThrough(page, stack.url, name, `/orders/?id=${orderId}`)
  await page.locator('#order').waitFor()
  return { page, saleId, orderId, token }
}

describe('a coupon in a real browser', () => {
  it('is free, got with one click, and its code copied from the keyboard (S7, C7)', async () => {
    const validUntil = Date.UTC(2031, 5, 15, 12)
    const { saleId } = await couponSale({
      coupons: { validUntil },
      limitPerShopper: 4,
      maxPerOrder: 2,
    })
    const page = await newVisitor(browser, phone)
    const wrong = complaintsOf(page)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.url })
    await signInThrough(page, stack.url, 'cora', `/sales/${saleId}/`)
    await waitUntilLit(page)
    expect(await textOf(page, '.price')).toBe('Free')
    expect(await textOf(page, '#buy')).toBe('Get coupon')
    await page.click('#more')
    expect(await textOf(page, '.price'), 'any number is free').toBe('Free')
    const facts = (await textOf(page, '.facts')) ?? ''
    expect(facts).toMatch(/Limit per order\s*2[\s\S]+Limit per person\s*4[\s\S]+Valid until\s*15 Jun 2031/)
    expect(facts).not.toMatch(/pay/i)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'coupon-sale-phone')
    await page.click('#less')

    await page.click('#buy')
    await page.waitForURL(/\/orders\/\?id=/)
    await page.locator('#order[data-status=fulfilled]').waitFor({ timeout: 60_000 })
    expect(await textOf(page, '#order-title')).toBe('Your coupon')
    expect(await textOf(page, '#order')).not.toMatch(/0\.00|awaiting|payment/i)
    const code = (await textOf(page, '#coupon-1')) ?? ''
    expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(await textOf(page, '#coupons-validity')).toMatch(/^Valid until 15 Jun 2031/)
    expect(await faultsOf(page)).toEqual([])

    await page.locator('#order-title').focus()
    await page.keyboard.press('Tab')
    await page.locator('#copy-1:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('#coupons-note[role=status]', { hasText: 'Copied' }).waitFor()
    expect(await textOf(page, '#copy-1')).toBe('Copied')
    await page.locator('#copy-1:focus').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'coupon-order-phone')

    const orderId = new URL(page.url()).searchParams.get('id')
    const own = await call<OrderView>(stack, `/api/orders/${orderId}`, { token: await stack.token('cora') })
    expect(own.body.coupons?.map(formatCoupon)).toEqual([code])
    await page.click('#to-orders')
    await page.locator('#order-list').waitFor()
    expect(await textOf(page, '#order-list small')).toMatch(/^Coupon · Quantity 1 · /)
    expect(await textOf(page, '#order-list')).not.toMatch(/¥|0\.00/)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'coupon-list-phone')
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it('selects its code for copying by hand when the browser denies the clipboard', async () => {
    const { page } = await owner('dora', { limitPerShopper: 3, maxPerOrder: 3 }, desktop, 3)
    const settings = await browser.newBrowserCDPSession()
    const permission = { name: 'clipboard-write' }
    const origin = new URL(page.url()).origin
    await settings.send('Browser.setPermission', { permission, setting: 'denied', origin })
    expect(await textOf(page, '#order-title')).toBe('Your coupons')
    await page.locator('#copy-2').press('Enter')
    await page.locator('#coupons-note', { hasText: 'copy it by hand' }).waitFor()
    const marked = await page.evaluate('String(getSelection())')
    expect(marked).toBe(await textOf(page, '#coupon-2'))
    expect(await textOf(page, '#copy-2')).toBe('Copy')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'coupons-refused-desktop')
    await settings.send('Browser.resetPermissions')
    await page.context().close()
  })

  it('shows by itself that it has expired', async () => {
    const endsAt = Date.now() + 15_000
    const validUntil = endsAt + 3000
    const { page } = await owner('ella', { endsAt, coupons: { validFrom: Date.now(), validUntil } })
    expect(await textOf(page, '#coupons-validity')).toMatch(/^Valid from .+ until /)
    await page.locator('#order[data-stage=expired]').waitFor({ timeout: 60_000 })
    expect(Date.now()).toBeGreaterThanOrEqual(validUntil - 100)
    expect(await textOf(page, '#order-title')).toBe('Your coupon expired')
    expect(await textOf(page, '#coupons-validity')).toMatch(/^Expired on /)
    expect(await textOf(page, '#announcements')).toMatch(/Your coupon expired/)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'coupon-expired-phone')
    await page.context().close()
  })

  it('that was cancelled shows no code any more, and mentions no money', async () => {
    const { page, orderId } = await owner('fred', {})
    const code = (await textOf(page, '#coupon-1')) ?? ''
    await control(stack, `/orders/${orderId}/refund`, {})
    await page.reload()
    await page.locator('#order[data-status=cancelled]').waitFor()
    const words = (await textOf(page, '#order')) ?? ''
    expect(words).not.toContain(code)
    expect(await textOf(page, '#order-lead')).toMatch(/cancelled this order\. .*no longer valid\.$/)
    expect(words).not.toMatch(/charged|0\.00/)
    await page.context().close()
  })

  it.each([
    ['phone', 'light', phone],
    ['phone', 'dark', phone],
    ['desktop', 'light', desktop],
    ['desktop', 'dark', desktop],
  ] as const)(
    'is shown in Chinese on a %s in %s, without automated accessibility faults',
    async (name, colorScheme, screen) => {
      const coupons = { validUntil: Date.UTC(2031, 5, 15, 12) }
      const shopper = `gao-${colorScheme}-${name}`
      const change = { title: '满百减十', coupons, limitPerShopper: 2, maxPerOrder: 2 }
      const { saleId, startToken } = await couponSale(change)
      const token = await stack.token(shopper)
      const page = await newVisitor(browser, screen, {
        locale: 'zh-CN',
        colorScheme,
        reducedMotion: 'reduce',
      })
      await signInThrough(page, stack.url, shopper, `/sales/${saleId}/`)
      await waitUntilLit(page)
      expect(await textOf(page, '#buy')).toBe('立即领取')
      expect(await textOf(page, '.price')).toBe('免费')
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `coupon-sale-zh-${name}-${colorScheme}`)
      const { orderId } = (await buy(stack, saleId, { token, startToken, quantity: 2 })).body
      await page.goto(`${stack.url}/orders/?id=${orderId}`)
      await page.locator('#order[data-status=fulfilled]').waitFor({ timeout: 60_000 })
      expect(await textOf(page, '#order-title')).toBe('您的优惠券')
      expect(await textOf(page, '#copy-1')).toBe('复制')
      expect(await textOf(page, '#coupons-validity')).toMatch(/^有效期至 2031年6月15日/)
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `coupon-order-zh-${name}-${colorScheme}`)
      await page.context().close()
    },
    60_000,
  )
})
