/** Variants in a real browser (N1, B1): how shoppers choose among what is there and learn honestly what is not. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { buyUnits, control, definition, openSale, pointerOf } from '../journey/support.ts'
import { desktop } from './browser.ts'
import { addPicture, consoleOf, enter, localTime, mia, nextStep, unfold } from './console.ts'
import { inputOf, soon, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { buyOn, fastForwardTo, overflows, says, showsStatus } from './shopper.ts'
import { expectNoComplaints, newVisitor, passRest, stopClock, waitUntilLit } from './visitor.ts'

const { stack, browser, shopper } = await openShop()

const sizes = [
  { id: 's', name: 'S', stock: 1 },
  { id: 'm', name: 'M', stock: 5 },
  { id: 'l', name: 'L', stock: 40 },
]

/** Another shopper takes units. */
async function take(saleId: string, startToken: string, variant: string): Promise<void> {
  const token = await stack.token(`rival-of-${saleId}`)
  await buyUnits(stack, saleId, { token, startToken, variant })
}

const row = (page: Page, id: string) => page.locator(`.variant[data-id="${id}"]`)

describe('variants in a real browser (N1)', () => {
  it('go from the form of a marketer to an order', async () => {
    const marketer = await consoleOf(browser, stack, '#/new', mia)
    expectNoComplaints(marketer)
    const saleId = 'linen-shirt'
    await enter(marketer, { title: 'Linen shirt', description: 'Cut and sewn in a small workshop.' })
    await addPicture(marketer)
    await marketer.fill('#field-price', '49')

    // Two lists become a variant for each pair, and the stock of the sale is their sum.
    await marketer.click('#product summary')
    // A column of a spreadsheet is a list as well.
    await marketer.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', 'Black\\r\\nWhite\\r\\n')
      const paste = new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true })
      document.querySelector('#field-product-first').dispatchEvent(paste)
    })()`)
    await inputOf(marketer, '#field-product-first').toBe('Black, White')
    await enter(marketer, { 'product-second': 'S, M', 'product-stock': '5' })
    await marketer.click('#product-fill')
    await textOf(marketer, '#variants-sum').toBe('20 units in total')
    await marketer.locator('#field-stock').waitFor({ state: 'hidden' })
    await inputOf(marketer, '#field-variants-3-id').toBe('white-m')
    await marketer.fill('#field-variants-3-stock', '0')

    // One more by hand: its id follows the name until it is written.
    await marketer.click('#variant-add')
    await marketer.locator('#field-variants-4-name:focus').waitFor()
    await marketer.keyboard.type('Black / M')
    await inputOf(marketer, '#field-variants-4-id').toBe('black-m-2')
    await marketer.fill('#field-variants-4-stock', '2')
    await marketer.click('#next')
    await marketer.locator('#field-variants-4-name-error', { hasText: 'Another variant' }).waitFor()
    await enter(marketer, { 'variants-4-name': 'Red / XL', 'variants-4-id': 'red', limitPerShopper: '4' })
    await marketer.locator('#fairness-first-come').check()
    await marketer.fill('#field-startsAt', localTime(Date.now() - 60_000))
    await nextStep(marketer)
    await marketer.locator('#start').waitFor({ state: 'hidden' })
    await marketer.click('#open-now')
    await marketer.locator('#confirm-actions .button--main').click()
    await marketer.locator('#phase[data-phase=open]').waitFor()
    await marketer.locator('#variants [data-variant=red]').waitFor()

    // Stock by variant: units come to the one that is chosen.
    await marketer.selectOption('#delta-variant', 'red')
    await marketer.fill('#delta', '3')
    await textOf(marketer, '#stock-effect').toMatch(/^Add: .+: 2 → 5 units in total/)
    await marketer.click('#stock-add')
    await marketer.locator('[data-variant=red] td', { hasText: /^5$/ }).first().waitFor()

    const page = await shopper('variant-ann', `/sales/${saleId}/`, { device: desktop })
    expectNoComplaints(page)
    await page.locator('#buy[data-state=choose]').waitFor()
    await row(page, 'white-m').and(page.locator('[data-left=none]')).waitFor()
    await row(page, 'white-m').locator('input:disabled').waitFor()

    // The button leads to the choice; the keyboard makes it.
    await page.click('#buy')
    await page.locator('.variant input:focus').waitFor()
    await textOf(page, '#status').toBe('Choose an option first.')
    await row(page, 'red').locator('input').press('Space')
    await page.fill('#quantity', '9')
    await page.keyboard.press('Tab')
    await soon(() => page.locator('#quantity').inputValue()).toBe('4')
    await page.locator('#more[aria-disabled=true]').waitFor()
    await textOf(page, '#price').toBe('Total €196.00')
    await textOf(page, '#status').toBe('')
    await textOf(page, '#variants-again').toBe('One option per order. You can order again, up to 4 units in total.')
    await page.click('#less')

    // The choice survives a reload.
    await page.reload()
    await waitUntilLit(page)
    await row(page, 'red').locator('input:checked').waitFor()
    await soon(() => page.locator('#quantity').inputValue()).toBe('3')
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/orders')),
      page.click('#buy'),
    ])
    expect(request.postDataJSON()).toMatchObject({ quantity: 3, variant: 'red' })

    await page.waitForURL(/\/orders\/\?id=/)
    await showsStatus(page, 'awaiting-payment')
    await textOf(page, '.order__item').toContain('3 × Red / XL · €147.00')
    await page.click('#to-orders')
    await says(page, '#order-list', '3 × Red / XL')

    await marketer.locator('[data-variant=red]', { hasText: /532$/ }).waitFor()
    await textOf(marketer, '[data-variant=white-m]').toContain('Sold out')
    // By hand, for another shopper.
    await unfold(marketer, 'reserve-panel')
    await marketer.fill('#field-reserve-shopperId', 'variant-by-hand')
    await marketer.click('#reserve')
    await marketer.locator('#field-reserve-quantity[aria-invalid="true"]:focus').waitFor()
    await marketer.selectOption('#field-reserve-variant', 'black-m')
    await marketer.fill('#field-reserve-quantity', '2')
    await marketer.click('#reserve')
    await textOf(marketer, '#confirm-text').toMatch(/^variant-by-hand: 2 × Black \/ M · /)
    await marketer.click('[data-choice=reserve]')
    await marketer.locator('#reserve-result a').waitFor()
  })

  it('say honestly what sold out between the look and the click, on a Chinese phone', async () => {
    const { saleId, startToken } = await openSale(stack, { stock: 46, variants: sizes })
    const page = await shopper('variant-bob', `/sales/${saleId}/`, { locale: 'zh-CN' })
    expectNoComplaints(page)
    await row(page, 's').and(page.locator('[data-left=few]')).waitFor()
    await textOf(page, '.variant[data-id=s] .variant__left').toBe('仅剩 1 件')
    await textOf(page, '.variant[data-id=l] .variant__left').toBe('剩余 40 件')
    await row(page, 's').click()
    await waitUntilLit(page)
    // The page would look at the sale again, and drop the choice before the click.
    await stopClock(page)
    await take(saleId, startToken, 's')
    await page.click('#buy')
    await says(page, '#status', 'S 已抢完')
    await page.clock.resume()
    await page.locator('input[value=s]:disabled').waitFor()
    await soon(() => page.locator('input:checked').count()).toBe(0)
    // The sale itself goes on.
    await soon(() => page.locator('#main').getAttribute('data-phase')).toBe('open')
    await row(page, 's').click({ force: true })
    await soon(() => page.locator('input[value=s]').isChecked()).toBe(false)
    await page.locator('input[value=m]').focus()
    await page.keyboard.press('Space')
    await textOf(page, '#status').toBe('')
    await soon(() => overflows(page)).toBe(false)
    await passRest(page)
    await buyOn(page)
    await showsStatus(page, 'awaiting-payment')
    await textOf(page, '.order__item').toContain('1 × M · ')
  })

  it('show units of a round of their own only while these count (R7)', async () => {
    const saleId = 'uneven-shirt'
    const startsAt = Date.now() + 3_600_000
    const rounds = [
      { startsAt, endsAt: startsAt + 600_000, stock: 46, units: { s: 1, m: 5, l: 40 } },
      { startsAt: startsAt + 900_000, endsAt: startsAt + 1_500_000, stock: 3, units: { s: 1, m: 2, l: 0 } },
    ]
    const sale = { saleId, startsAt, endsAt: startsAt + 600_000, stock: 46 }
    await control(stack, '/sales', definition({ ...sale, variants: sizes, windows: rounds }))
    const page = await consoleOf(browser, stack, `#/sale/${saleId}/copy`, mia)
    const own = page.locator('.window-row > .field__hint:not(:empty)')
    const hints = () => soon(() => own.allTextContents())
    await hints().toEqual([expect.stringMatching(/^Units of this round: 1 × S · 2 × M/)])
    await page.fill('#field-variants-0-id', 'xs')
    await hints().toEqual([])
    await enter(page, { 'variants-0-id': 's', 'variants-0-name': 'Small' })
    await hints().toEqual([expect.stringMatching(/: 1 × Small · 2 × M/)])
  })

  it('come back when they come back, and with them the choice of a shopper who has waited', async () => {
    const { saleId, startToken } = await openSale(stack, { stock: 46, variants: sizes })
    const page = await shopper('variant-cat', `/sales/${saleId}/`, { device: desktop })
    await row(page, 's').click()
    await waitUntilLit(page)
    await take(saleId, startToken, 's')
    const left = () => soon(async () => (await pointerOf(stack, saleId)).variants?.s)
    await left().toBe(0)
    await page.reload()
    await says(page, '#status', 'Sold out: S.')
    await page.locator('#buy[data-state=choose]').waitFor()
    await control(stack, `/sales/${saleId}/stock`, { delta: 2, variant: 's' })
    await left().toBe(2)
    await fastForwardTo(page.locator('#status', { hasText: 'Back in stock: S.' }))
    await page.locator('input[value=s]:checked').waitFor()
    await waitUntilLit(page)
  })

  it('move nothing when their numbers arrive, fit the narrowest phone, and are listed without a script (C2)', async () => {
    const variants = Array.from({ length: 24 }, (_, i) => ({ id: `v${i}`, name: `Option ${i}`, stock: i }))
    const many = { stock: 276, variants, limitPerShopper: 4, maxPerOrder: 4 }
    const { saleId } = await openSale(stack, many)
    const page = await newVisitor(browser, { viewport: { width: 320, height: 700 } })
    const asked = Promise.withResolvers<void>()
    await page.route('**/current.json', (route) => asked.promise.then(() => route.continue()))
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('#price').waitFor()
    const places = () =>
      page
        .locator('.variant, .stepper')
        .evaluateAll((all) => all.map((one) => [one.clientHeight, one.getBoundingClientRect().left]))
    const before = await places()
    asked.resolve()
    await row(page, 'v0').and(page.locator('[data-left=none]')).waitFor()
    expect(await places()).toEqual(before)
    await soon(() => overflows(page)).toBe(false)

    const plain = await newVisitor(browser, desktop, { javaScriptEnabled: false })
    await plain.goto(`${stack.url}/sales/${saleId}/`)
    await soon(() => plain.getByText('Option 23').isVisible()).toBe(true)
  })
})
