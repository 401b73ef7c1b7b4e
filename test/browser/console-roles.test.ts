/** The console of support and of a viewer, in both languages: only what the role may do, and why the rest is refused. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { buy, control, openSale, writtenOrder } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { type ConsoleSession, consoleOf, unfold } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, picture } from './visitor.ts'

const { stack, browser } = await openShop()

const openConsole = (path: string, session: ConsoleSession) => consoleOf(browser, stack, path, session)

const overflows = (page: Page) => page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)

const shownTabs = (page: Page) => page.locator('.tabs a:visible').allTextContents()

describe('the console of a viewer', () => {
  it.each([
    [
      'en-GB',
      phone,
      'Signed in as vera · viewer',
      ['Flash sales', 'Blocklist', 'Activity log'],
      'You need the role marketer for this.',
    ],
    [
      'zh-CN',
      desktop,
      '当前账号：vera · 只读',
      ['活动管理', '黑名单', '操作日志'],
      '您没有权限执行此操作，需要运营角色。',
    ],
  ] as const)(
    'shows numbers, lists and reports in %s, and nothing that changes them',
    async (locale, screen, who, tabs, refused) => {
      const { saleId } = await openSale(stack, { stock: 3 })
      const page = await openConsole(`#/sale/${saleId}`, { name: 'vera', roles: ['viewer'], screen, locale })
      const wrong = complaintsOf(page)
      await page.locator('#phase[data-phase=open]').waitFor()
      expect(await page.locator('#access').textContent()).toBe(who)
      expect(await shownTabs(page)).toEqual(tabs)
      expect(await page.locator('#orders-download').isVisible()).toBe(true)
      for (const id of ['#edit', '[data-action]', '#delta', '#refund', '#check', '#recover', '#redrive']) {
        expect(await page.locator(`${id}:visible`).count(), id).toBe(0)
      }
      expect(await faultsOf(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      await picture(page, `viewer-${locale}`)

      await page.click('[data-tab=blocks]')
      await page.locator('#blocks > *').first().waitFor()
      expect(await page.locator('#block-form').count()).toBe(0)
      await page.click('[data-tab=sales]')
      await page.locator('#sales').waitFor()
      expect(await page.locator('#new-sale').count()).toBe(0)
      await page.evaluate("location.hash = '#/new'")
      await page.locator('#view .empty', { hasText: refused }).waitFor()
      expect(wrong).toEqual([])
      await page.context().close()
    },
  )
})

describe('the console of support', () => {
  it.each([
    [
      'en-GB',
      desktop,
      'Signed in as sam · support',
      'Support may cancel or refund orders of at most CN¥0.10 in this sale; this one is CN¥0.20. Ask a marketer.',
      'Cancelled: it had not been paid.',
      'Cancelled or refunded by the shop',
    ],
    [
      'zh-CN',
      phone,
      '当前账号：sam · 客服',
      '客服在本活动中最多可处理 CN¥0.10 的订单，该订单为 CN¥0.20，请联系运营人员处理。',
      '订单已取消（未付款）。',
      '商家取消订单或发起退款',
    ],
  ] as const)(
    'gives an order back up to the limit in %s, and says who may above it',
    async (locale, screen, who, refused, done, steps) => {
      const sale = await openSale(stack, {
        stock: 5,
        price: 10,
        supportRefundLimit: 10,
        maxPerOrder: 2,
        limitPerShopper: 2,
      })
      const order = async (name: string, quantity: number) => {
        const token = await stack.token(name)
        const bought = await buy(stack, sale.saleId, { startToken: sale.startToken, token, quantity })
        await writtenOrder(stack, bought.body.orderId, token)
        return bought.body.orderId
      }
      const name = `one-${locale.toLowerCase()}`
      const [small, large] = [await order(name, 1), await order(`two-${locale.toLowerCase()}`, 2)]
      const page = await openConsole(`#/sale/${sale.saleId}`, {
        name: 'sam',
        roles: ['support'],
        screen,
        locale,
      })
      await unfold(page, 'refund-panel')
      await page.locator('#refund-order').waitFor()
      expect(await page.locator('#access').textContent()).toBe(who)
      for (const id of ['#edit', '[data-action]', '#delta', '#check', '#orders-download']) {
        expect(await page.locator(`${id}:visible`).count(), id).toBe(0)
      }
      const refund = async (orderId: string) => {
        await page.fill('#refund-order', orderId)
        await page.click('#refund')
        await page.locator('#confirm-text', { hasText: `Stoneware mug` }).waitFor()
        await page.click('[data-choice=refund]')
      }
      await refund(large)
      await page.locator('#status', { hasText: refused }).waitFor()
      await refund(small)
      await page.locator('#status', { hasText: done }).waitFor()
      expect(await faultsOf(page)).toEqual([])
      await picture(page, `support-${locale}`)
      const audit = await control<{ entries: object[] }>(stack, '/audit')
      expect(audit.entries).toContainEqual(
        expect.objectContaining({
          who: 'sam',
          role: 'support',
          what: 'refund',
          after: expect.objectContaining({ orderId: small }),
        }),
      )
      await page.click('[data-tab=orders]')
      await page.fill('#field-find', name)
      await page.click('#find')
      const card = page.locator(`[data-order="${small}"]`)
      await card.locator('.changes li', { hasText: steps }).waitFor()
      expect(await card.getAttribute('data-status')).toBe('cancelled')
      await page.fill('#field-find', large)
      await page.click('#find')
      await page.locator(`[data-order="${large}"] .button`).waitFor()
      expect(await page.locator('#found article').count()).toBe(1)
      expect(await faultsOf(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      await picture(page, `find-${locale}`)
      await page.evaluate("location.hash = '#/audit'")
      await page.locator('#view .empty').waitFor()
      await page.context().close()
    },
  )
})

describe('the console of a shopper', () => {
  it('says which roles it needs, and offers another sign-in', async () => {
    const page = await openConsole('', { name: 'ann', roles: [], screen: phone })
    await page
      .locator('#view .empty', { hasText: 'You need the role marketer, support or viewer for this.' })
      .waitFor()
    expect(await page.locator('#view .button').getAttribute('href')).toContain('/api/sign-in?return=')
    expect(await shownTabs(page)).toEqual(['Flash sales'])
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()
  })
})
