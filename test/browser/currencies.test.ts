/** A sale with prices in several currencies, from the choice on its page to the refund and the report. */
import { describe, expect, it } from 'vitest'
import { control, openSale, writtenOrder } from '../journey/support.ts'
import { complaintsOf, phone } from './browser.ts'
import { choose, consoleOf, mia, unfold } from './console.ts'
import { soon, switchLanguage, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { buyOn, fastForwardTo, overflows } from './shopper.ts'

const { stack, browser, shopper } = await openShop()

describe('prices in several currencies', () => {
  it('are a choice on the page, which the order keeps through payment, refund, console and report', async () => {
    const change = { title: 'Copper kettle', price: 1990, currency: 'EUR', prices: { USD: 2190, JPY: 3300 } }
    const { saleId } = await openSale(stack, { ...change, limitPerShopper: 3, maxPerOrder: 3 })
    const page = await shopper('currency-ann', `/sales/${saleId}/`, { device: phone })
    const wrong = complaintsOf(page)
    await textOf(page, '#price').toBe('€19.90')
    await page.locator('#currency:enabled').waitFor()
    await page.fill('#quantity', '2')
    await page.locator('#quantity').blur()
    await textOf(page, '#price').toBe('Total €39.80')
    await page.selectOption('#currency', 'USD')
    await textOf(page, '#price').toBe('Total US$43.80')
    await switchLanguage(page)
    await textOf(page, '#price').toBe('合计 US$43.80')
    await soon(() => page.locator('#currency option').allTextContents()).toEqual([
      ...['欧元 · €19.90', '日元 · JP¥3,300', '美元 · US$21.90'],
    ])
    await switchLanguage(page)
    expect(await overflows(page)).toBe(false)

    // The choice is remembered, also when the page is loaded again.
    await page.reload()
    await textOf(page, '#price').toBe('Total US$43.80')
    await buyOn(page)
    await page.locator('#order[data-status=awaiting-payment]').waitFor()
    await textOf(page, '#pay').toBe('Pay US$43.80')
    const orderId = new URL(page.url()).searchParams.get('id') ?? ''
    await page.click('#pay')
    await page.waitForURL(/\/local\/pay\//)
    await textOf(page, 'h1').toBe('Pay US$43.80')
    await page.click('button[value=pay]')
    await page.waitForURL(/\/orders\/\?id=/)
    await fastForwardTo(page.locator('#order[data-status=paid]'))
    const token = await stack.token('currency-ann')
    expect(await writtenOrder(stack, orderId, token)).toMatchObject({ amount: 4380, currency: 'USD' })

    // Another shopper chooses nothing; one stock for both.
    const other = await shopper('currency-bea', `/sales/${saleId}/`, { device: phone })
    await buyOn(other)
    await other.locator('#order[data-status=awaiting-payment]').waitFor()
    await textOf(other, '#pay').toBe('Pay €19.90')
    const live = await control<{ stock: object; paid: object }>(stack, `/sales/${saleId}/live`)
    expect(live.stock).toMatchObject({ total: 10, booked: 3 })
    expect(live.paid).toMatchObject({
      ...{ orders: 1, amount: 0 },
      otherCurrencies: { USD: { amount: 4380, disputedAmount: 0, refunded: 0 } },
    })
    const desk = await consoleOf(browser, stack, `#/sale/${saleId}`, mia)
    await textOf(desk, '#live-revenue').toBe('€0.00 and US$43.80')

    // An order by hand, in a currency that is chosen there.
    await unfold(desk, 'reserve-panel')
    await desk.fill('#field-reserve-shopperId', 'currency-hand')
    await desk.fill('#field-reserve-quantity', '1')
    await desk.selectOption('#field-reserve-currency', 'JPY')
    await desk.click('#reserve')
    await textOf(desk, '#confirm-text').toContain('¥3,300')
    await choose(desk, 'reserve')
    await textOf(desk, '#reserve-result').toContain('Order created:')
    const byHand = (await desk.locator('#reserve-result a').textContent()) ?? ''
    const handToken = await stack.token('currency-hand')
    expect(await writtenOrder(stack, byHand, handToken)).toMatchObject({ amount: 3300, currency: 'JPY' })

    await control(stack, `/orders/${orderId}/refund`, {})
    await soon(async () => (await writtenOrder(stack, orderId, token)).status).toBe('refunded')
    const { paid } = await control<{ paid: object }>(stack, `/sales/${saleId}/live`)
    expect(paid).toMatchObject({ orders: 0, otherCurrencies: { USD: { amount: 0, refunded: 4380 } } })
    const orders = await control<{ text: string }>(stack, `/sales/${saleId}/orders.csv`)
    expect(orders.text).toMatch(/43\.80,USD/)
    expect(wrong).toEqual([])
  })

  it('are one stock: units that went in one currency are gone in the other', async () => {
    const { saleId } = await openSale(stack, {
      price: 1000,
      currency: 'EUR',
      prices: { USD: 1100 },
      stock: 1,
    })
    const page = await shopper('currency-cy', `/sales/${saleId}/`, { device: phone })
    const late = await shopper('currency-dan', `/sales/${saleId}/`, { device: phone })
    await page.selectOption('#currency', 'USD')
    await buyOn(page)
    await fastForwardTo(late.locator('#main[data-phase=sold-out]'))
  })
})
