/** Each action of the console says what it will do before it does it, and steps back on Escape. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { buy, control, openSale, writtenOrder } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, unfold } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, picture } from './visitor.ts'

const { stack, browser } = await openShop()

const textOf = (page: Page, id: string) => page.locator(`#${id}`).textContent()

/** Presses Enter on the button, reads what is asked, steps back, and finds the focus on the button again. */
async function askedBy(page: Page, id: string): Promise<string> {
  await page.locator(`#${id}`).press('Enter')
  await page.locator('#confirm[open]').waitFor()
  const asked = (await textOf(page, 'confirm-text')) ?? ''
  await page.keyboard.press('Escape')
  await page.locator(`#${id}:focus:not([aria-disabled])`).waitFor()
  return asked
}

const unitsOf = (saleId: string) =>
  control<{ stock: number }>(stack, `/sales/${saleId}`).then(({ stock }) => stock)

const marketer = { name: 'mia', roles: ['marketer' as const] }

describe('the effects of an action on a sale', () => {
  it('are said with numbers before units are added or removed, an order is made or given back', async () => {
    const { saleId, startToken } = await openSale(stack, { stock: 20, price: 490, currency: 'EUR' })
    const token = await stack.token('effects-ann')
    const { orderId } = (await buy(stack, saleId, { token, startToken })).body
    await writtenOrder(stack, orderId, token)
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, { ...marketer, screen: desktop })
    const wrong = complaintsOf(page)

    await page.locator('#live-remaining', { hasText: /^19$/ }).waitFor()
    await page.fill('#delta', '5')
    expect(await textOf(page, 'stock-effect')).toBe(
      'Add: 20 → 25 units in total.Remove: 20 → 15 units in total.The product page shows it within seconds.',
    )
    expect(await askedBy(page, 'stock-remove')).toContain('20 → 15 units in total')
    expect(await unitsOf(saleId)).toBe(20)
    await page.fill('#delta', '20')
    expect(await textOf(page, 'stock-effect')).toContain('Only 19 units are left')
    expect(await askedBy(page, 'stock-remove')).toContain('Only 19 units are left')
    await page.fill('#delta', '5')
    await page.click('#stock-remove')
    await page.click('[data-choice=remove]')
    await page.locator('#live-total', { hasText: 'of 15' }).waitFor()

    await unfold(page, 'reserve-panel')
    await page.fill('#field-reserve-shopperId', 'effects-bob')
    await page.fill('#field-reserve-quantity', '1')
    expect(await askedBy(page, 'reserve')).toMatch(
      /^effects-bob: 1 unit · €4\.9014 → 13 left\.The shopper has/,
    )

    await unfold(page, 'refund-panel')
    await page.fill('#refund-order', orderId)
    const refund = await askedBy(page, 'refund')
    expect(refund).toContain('Stoneware mug: 1 unit · €4.90 · Awaiting payment')
    expect(refund).toContain('The order is cancelled. No money goes back.1 unit goes back on sale.')
    await page.click('#refund')
    await page.locator('#confirm[open]').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'effects-refund')
    await page.click('[data-choice=refund]')
    await page.locator('#status', { hasText: 'Cancelled' }).waitFor()
    await page.fill('#refund-order', orderId)
    await page.click('#refund')
    await page.locator('#status', { hasText: 'this order is “Cancelled”' }).waitFor()
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it('are said before the sale is paused, ended or rebuilt, in Chinese on a dark phone', async () => {
    const { saleId } = await openSale(stack, { stock: 7 })
    const screen = { ...phone, colorScheme: 'dark' as const }
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, { ...marketer, screen, locale: 'zh-CN' })
    await page.locator('#live-remaining', { hasText: /^7$/ }).waitFor()
    for (const action of ['pause', 'close']) {
      await page.click(`[data-action=${action}]`)
      expect(await textOf(page, 'confirm-text')).toContain('剩余 7 件')
      await page.keyboard.press('Escape')
      await page.locator(`[data-action=${action}]:focus`).waitFor()
    }
    await unfold(page, 'health')
    expect(await askedBy(page, 'recover')).toContain('现有 0 个订单，共 0 件')
    await page.fill('#delta', '3')
    await page.locator('#stock-effect').scrollIntoViewIfNeeded()
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'effects-stock-zh')
    await page.context().close()
  })
})

describe('the effects of a block', () => {
  it('are said before it is set, and before it is lifted', async () => {
    const page = await consoleOf(browser, stack, '#/blocks', { ...marketer, screen: desktop })
    await page.fill('#field-value', '198.51.100.0/28')
    expect(await askedBy(page, 'block')).toMatch(/^16 addresses\./)
    expect(await page.locator('#field-value').inputValue()).toBe('198.51.100.0/28')
    await page.click('#block')
    await page.click('[data-choice=block]')
    const remove = page.locator('[data-block="ip 198.51.100.0/28"] button')
    await remove.click()
    expect(await textOf(page, 'confirm-text')).toContain('within 2 seconds')
    await page.click('[data-choice=unblock]')
    await remove.waitFor({ state: 'detached' })
    await page.locator('#field-kind:focus, #field-value:focus').first().waitFor()
    await page.context().close()
  })
})
