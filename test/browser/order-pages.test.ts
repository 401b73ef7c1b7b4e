/** The texts that a shopper reads after a failed sign-in, on the page of the sale, and on the page of the order. */
import { describe, expect, it } from 'vitest'
import { buy, call, control } from '../journey/support.ts'
import { desktop, phone } from './browser.ts'
import { berlin, buyersOf, delivery, fill, focused, shoppersOfSales } from './buyer.ts'
import { soon, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { buyOn, fastForwardTo, orderIdOf, says, showsStatus } from './shopper.ts'
import { arriveAt, newVisitor, openSignIn, passRest, stopClock } from './visitor.ts'

const { stack, browser, shopper } = await openShop()
const shopperOfSale = shoppersOfSales(stack, shopper)
const buyer = buyersOf(stack, shopper)

describe('a shopper', () => {
  it('with a role sees the console, and not after a sign-in without a second factor', async () => {
    const hurried = await newVisitor(browser, phone)
    await openSignIn(hurried, `${stack.url}/sign-in/?as=mia&role=marketer&return=/console/`)
    await hurried.getByText('Without a second factor').click()
    await hurried.click('#sign-in')
    await arriveAt(hurried, `${stack.url}/console/`)
    await hurried.locator('.empty', { hasText: 'a sign-in with a second factor' }).waitFor()
    const page = await newVisitor(browser, phone)
    await page.goto(`${stack.url}/console/`)
    await page.locator('.empty a.button').click()
    await arriveAt(page, /\/sign-in\/\?uid=/)
    await page.locator('#role-marketer:checked').waitFor()
    await page.fill('#shopperId', 'mia')
    await page.click('#sign-in')
    await arriveAt(page, `${stack.url}/console/`)
    await page.locator('#new-sale').waitFor()
  })
})

describe('the page of a sale', () => {
  it('shows who has an order the way to it when they come back, and the sale again once it is cancelled', async () => {
    const { page, path } = await shopperOfSale('click-bea')
    await buyOn(page)
    const order = page.url()
    await page.goto(stack.url + path)
    await says(page, '#buy', 'View order')
    // The number of remaining units would suggest buying more than the limit allows.
    await page.locator('#remaining').waitFor({ state: 'hidden' })
    await page.click('#buy')
    await page.waitForURL(order)
    // Before it is written it cannot be cancelled.
    await showsStatus(page, 'awaiting-payment')
    const token = await stack.token('click-bea')
    const { status } = await call(stack, `/api/orders/${orderIdOf(page)}/cancel`, { token, body: {} })
    expect(status).toBe(200)
    await page.goto(stack.url + path)
    // The page asks for the order first; a clock that is moved meanwhile ends the call.
    await page.locator('#status', { hasText: 'View order' }).waitFor({ state: 'detached' })
    await passRest(page)
    await says(page, '#buy', 'Buy now')
    await page.locator('#remaining').waitFor()
  })

  it('says how many more a shopper may choose where the limit is not reached yet, in Chinese', async () => {
    const limits = { limitPerShopper: 3, maxPerOrder: 3 }
    const { page, saleId, startToken } = await shopperOfSale('click-cem', limits, 'zh-CN')
    await buy(stack, saleId, { token: await stack.token('click-cem'), startToken, quantity: 2 })
    await page.fill('#quantity', '2')
    await page.click('#buy')
    await says(page, '#status', '您已有 2 件，最多还能购买 1 件')
  })
})

describe('an order', () => {
  it('orders in Germany by a button that says so, below a bill with the delivery to its country, and keeps that as a receipt (Directive 2011/83/EU Art. 8(2))', async () => {
    const seller = { name: 'Lantern GmbH', address: 'Torstraße 1', email: 'a@lantern.example', phone: '+49 30 1' }
    const { revision } = await control<{ revision: number }>(stack, '/brand')
    await control(stack, '/brand', { revision, brand: { seller } }, 'PUT')
    const charged = { countries: ['DE', 'CN'], costs: { DE: 490, CN: 1990 } }
    const german = { price: 1990, currency: 'EUR', delivery: charged }
    const { page } = await buyer('bill-ann', german)
    const address = page.url()
    await textOf(page, '#pay').toBe('Add address')
    await textOf(page, '#bill-delivery').toBe('Depends on your address')
    await textOf(page, '#bill-total').toBe('€19.90')
    await page.click('#pay')
    await page.selectOption('#address [name=postalCountry]', 'DE')
    await fill(page, berlin)
    await textOf(page, '#address-save').toBe('Save')
    await page.click('#address-save')
    await page
      .locator('#bill + .order__pay #pay[aria-disabled=false]', { hasText: 'Order with obligation to pay' })
      .waitFor()
    expect(await page.locator('#bill dd').allTextContents()).toEqual([
      ...['Stoneware mug · Quantity 1 · €19.90', '€4.90', '€24.80'],
    ])
    // The link of an element on another site goes on to the payment of other orders.
    await page.goto(`${address}#pay`)
    const pressed = Promise.withResolvers<void>()
    await page.route('**/delivery', (route) => pressed.promise.then(() => route.continue()), { times: 1 })
    await page.reload()
    await page.locator('#bill + .order__pay #pay[aria-disabled=false]').hover()
    await page.mouse.down()
    // An update during the press is rendered after it.
    const read = page.waitForResponse('**/delivery')
    pressed.resolve()
    await (await read).finished()
    await page.evaluate('new Promise((drawn) => setTimeout(drawn, 100))')
    await page.mouse.up()
    await page.waitForURL(/\/local\/pay\//)
    await page.click('button[value=pay]')
    await page.waitForURL(/\/orders\/\?id=/)
    await fastForwardTo(page.locator('#order[data-status=paid]'))
    await textOf(page, '#bill-title').toBe('Receipt')
    await textOf(page, '#bill-total').toBe('€24.80')
    await page.locator('#seller', { hasText: 'Lantern GmbH' }).waitFor()
  })

  it('keeps its address where the shopper steps back, changes it, and deletes it, by keyboard on a desktop in Chinese', async () => {
    const { page } = await buyer('address-wang', { delivery }, { device: desktop, locale: 'zh-CN' })
    await page.focus('#pay')
    await page.keyboard.press('Enter')
    await page.locator('#address').waitFor()
    await textOf(page, '#address h2').toBe('收货地址')
    await page.keyboard.press('Escape')
    await page.locator('#address').waitFor({ state: 'detached' })
    await focused(page, '#pay')
    expect(page.url()).toContain('/orders/')

    // Stored on another page, because the button here would go on to the payment.
    const { 'addressLines.0': line, ...rest } = berlin
    const stored = { ...rest, addressLines: [line], postalCountry: 'DE', language: 'zh-CN' }
    const token = await stack.token('address-wang')
    const path = `/api/orders/${orderIdOf(page)}/delivery`
    expect((await call(stack, path, { method: 'PUT', token, body: stored })).status).toBe(200)
    await page.reload()
    await page.focus('#change-address')
    await page.keyboard.press('Enter')
    await page.locator('#address').waitFor()
    await page.selectOption('#address [name=postalCountry]', 'CN')
    await fill(page, {
      ...{ administrativeArea: '广东省', locality: '广州市', dependentLocality: '天河区' },
      ...{ 'addressLines.0': '天河路 385 号', name: '王小明' },
      ...{ phone: '13800138000', email: 'wang@example.cn', postalCode: '' },
    })
    await page.keyboard.press('Enter')
    const lines = page.locator('#order-address address span')
    await soon(() => lines.allTextContents()).toEqual([
      '广东省广州市天河区',
      '天河路 385 号',
      '王小明',
      '中国',
      '+8613800138000',
    ])
    await focused(page, '#change-address')

    await page.click('#change-address')
    await soon(() => page.inputValue('#address [name=email]')).toBe('wang@example.cn')
    await soon(() => page.inputValue('#address [name=locality]')).toBe('广州市')
    await page.selectOption('#address [name=postalCountry]', 'JP')
    // The name stays when the country changes.
    await soon(() => page.inputValue('#address [name=name]')).toBe('王小明')
    await page.click('#address-back')

    await page.click('#erase-address')
    await page.locator('#confirm-actions [data-choice=back]').click()
    await soon(() => lines.count()).toBeGreaterThan(0)
    await page.click('#erase-address')
    await page.locator('#confirm-actions [data-choice=both]').click()
    await page.locator('#erase-address').waitFor({ state: 'detached' })
    await soon(() => lines.count()).toBe(0)
    expect(await page.evaluate("fetch('/api/contact').then((answer) => answer.json())")).toEqual({ contact: null })
  })

  it('waits for its payment page while many pay, and opens it by itself (O8)', async () => {
    const { page } = await buyer('busy-eve', {}, { device: desktop })
    await textOf(page, '#order-title').toBe('Pay to complete your order')
    const body = JSON.stringify({ code: 'at-capacity', status: 429, retryAfterSeconds: 2 })
    const many = { status: 429, contentType: 'application/problem+json', body }
    await page.route('**/pay', (route) => route.fulfill(many), { times: 1 })
    // Else the two seconds may be over before the words are read.
    await stopClock(page)
    await page.click('#pay')
    await textOf(page, '#pay-wait').toMatch(/^Many people are paying right now\. .* in about 2 s,/)
    await page.locator('#pay[aria-disabled=true]').waitFor()
    await page.clock.resume()
    await page.waitForURL(/\/local\/pay\//)
  })

  it('that is not paid shows so by itself when its time is over (O8)', async () => {
    // Within this time the page must have shown the unpaid order, also on a busy machine.
    const { page } = await buyer('unpaid-dan', { paymentWindowSeconds: 60 }, { device: desktop })
    await page.locator('#order[data-status=cancelled]').waitFor({ timeout: 180_000 })
    await textOf(page, '#order-lead').toMatch(/not paid|in time/i)
  })
})
