/**
 * Sizes and colours in a real browser (N1): a marketer enters them and sees what is left of each, shoppers choose
 * among what is there, and learn honestly what is not.
 */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { click, control, definition, eventually, openSale, pointerOf, type Won } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, nextStep, saveNewSale, unfold } from './console.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

const sizes = [
  { id: 's', name: 'S', stock: 1 },
  { id: 'm', name: 'M', stock: 5 },
  { id: 'l', name: 'L', stock: 40 },
]

/** Another shopper takes units, and the shop has published it. */
async function take(saleId: string, startToken: string, basket: Record<string, number>): Promise<void> {
  const token = await stack.token(`rival-of-${saleId}`)
  const answer = await click<Won>(stack, `/api/sales/${saleId}/orders`, {
    token,
    body: { basket, startToken },
  })
  expect(answer.status).toBe(202)
}

const row = (page: Page, id: string) => page.locator(`.variant[data-id="${id}"]`)
const plus = (page: Page, id: string) => row(page, id).locator('[data-step="1"]')
const textOf = (page: Page, selector: string) => page.locator(selector).textContent()

async function overflows(page: Page): Promise<boolean> {
  return page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)
}

describe('variants in a real browser (N1)', () => {
  it('go from the form of a marketer to the lines of an order', async () => {
    const marketer = await consoleOf(browser, stack, '#/new', {
      ...{ name: 'mia', roles: ['marketer'], screen: desktop },
    })
    const wrong = complaintsOf(marketer)
    const saleId = 'linen-shirt'
    await marketer.fill('#field-title', 'Linen shirt')
    await marketer.fill('#field-description', 'Cut and sewn in a small workshop.')
    await marketer.fill('#field-price', '49')
    await marketer.fill('#field-currency', 'EUR')

    // Two lists become a variant for each pair, and the stock of the sale is their sum.
    await marketer.click('#product summary')
    await marketer.fill('#field-product-first', 'Black')
    await marketer.click('#product-fill')
    await marketer.locator('#field-product-first[aria-invalid="true"]:focus').waitFor()
    await marketer.fill('#field-product-first', 'Black, White')
    await marketer.fill('#field-product-second', 'S, M')
    await marketer.fill('#field-product-stock', '5')
    await marketer.click('#product-fill')
    expect(await textOf(marketer, '#variants-sum')).toBe('20 units in total')
    expect(await marketer.locator('#field-stock').isVisible()).toBe(false)
    expect(await marketer.inputValue('#field-variants-3-id')).toBe('white-m')
    await marketer.fill('#field-variants-3-stock', '0')

    // One more by hand: its id follows the name until it is written.
    await marketer.click('#variant-add')
    await marketer.locator('#field-variants-4-name:focus').waitFor()
    await marketer.keyboard.type('Black / M')
    expect(await marketer.inputValue('#field-variants-4-id')).toBe('black-m-2')
    await marketer.fill('#field-variants-4-stock', '2')
    await marketer.click('#next')
    await marketer.locator('#field-variants-4-name-error', { hasText: 'Another variant' }).waitFor()
    await marketer.fill('#field-variants-4-name', 'Red / XL')
    await marketer.fill('#field-variants-4-id', 'red')
    expect(await faultsOf(marketer)).toEqual([])
    await marketer.locator('#variants-sum').scrollIntoViewIfNeeded()
    await picture(marketer, 'variants-form-desktop')
    await nextStep(marketer)
    await marketer.fill('#field-limitPerShopper', '4')
    await marketer.fill('#field-maxPerOrder', '4')
    await marketer.fill('#field-startsAt', localTime(Date.now() - 60_000))
    await saveNewSale(marketer)

    await marketer.locator('#variants [data-variant=red]').waitFor()
    await marketer.click('[data-action=warm]')
    await marketer.locator('#confirm-actions .button--main').click()
    await marketer.locator('#phase[data-phase=scheduled]').waitFor()
    await marketer.click('[data-action=start]')
    await marketer.locator('#confirm-actions .button--main').click()
    await marketer.locator('#phase[data-phase=open]').waitFor()

    // Stock by variant: units come to the one that is chosen.
    await marketer.selectOption('#delta-variant', 'red')
    await marketer.fill('#delta', '3')
    expect(await textOf(marketer, '#stock-effect')).toMatch(/^Add: .+: 2 → 5 units in total/)
    await marketer.click('#stock-add')
    await marketer.locator('[data-variant=red] td', { hasText: /^5$/ }).first().waitFor()

    const shopper = await newVisitor(browser, desktop)
    const wrongForShopper = complaintsOf(shopper)
    await signInThrough(shopper, stack.url, 'variant-ann', `/sales/${saleId}/`)
    await shopper.locator('#buy[data-state=choose]').waitFor()
    await row(shopper, 'white-m').and(shopper.locator('[data-left=none]')).waitFor()
    expect(await row(shopper, 'white-m').locator('input').isDisabled()).toBe(true)

    // The button leads to the choice; the keyboard makes it.
    await shopper.click('#buy')
    await shopper.locator('.variant input:focus').waitFor()
    expect(await textOf(shopper, '#status')).toBe('Choose an option first.')
    await plus(shopper, 'black-s').press('Enter')
    await plus(shopper, 'red').click()
    await row(shopper, 'red').locator('input').fill('9')
    await shopper.keyboard.press('Tab')
    expect(await row(shopper, 'red').locator('input').inputValue()).toBe('3')
    expect(await textOf(shopper, '#variants-sum')).toBe('4 of at most 4')
    expect(await plus(shopper, 'black-m').getAttribute('aria-disabled')).toBe('true')
    expect(await textOf(shopper, '#price')).toBe('Total €196.00')
    expect(await textOf(shopper, '#status')).toBe('')
    await row(shopper, 'red').locator('[data-step="-1"]').click()

    // The choice survives a reload.
    await shopper.reload()
    await waitUntilLit(shopper)
    expect(await textOf(shopper, '#variants-sum')).toBe('3 of at most 4')
    expect(await faultsOf(shopper)).toEqual([])
    await picture(shopper, 'variants-desktop')
    const [request] = await Promise.all([
      shopper.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith('/orders')),
      shopper.click('#buy'),
    ])
    expect(request.postDataJSON()).toMatchObject({ basket: { 'black-s': 1, red: 2 } })
    expect(request.postDataJSON()).not.toHaveProperty('quantity')

    await shopper.waitForURL(/\/orders\/\?id=/)
    await shopper.locator('#order[data-status=awaiting-payment]').waitFor()
    expect(await textOf(shopper, '.order__item')).toContain('1 × Black / S · 2 × Red / XL · €147.00')
    await picture(shopper, 'variants-order')
    await shopper.click('#to-orders')
    await shopper.locator('#order-list', { hasText: '1 × Black / S · 2 × Red / XL' }).waitFor()

    await marketer.locator('[data-variant=red]', { hasText: /523$/ }).waitFor()
    expect(await textOf(marketer, '[data-variant=white-m]')).toContain('Sold out')
    // By hand, for another shopper.
    await unfold(marketer, 'reserve-panel')
    await marketer.fill('#field-reserve-shopperId', 'variant-by-hand')
    await marketer.click('#reserve')
    await marketer.locator('#field-reserve-black-s[aria-invalid="true"]:focus').waitFor()
    await marketer.fill('#field-reserve-black-m', '2')
    await marketer.click('#reserve')
    expect(await textOf(marketer, '#confirm-text')).toMatch(/^variant-by-hand: 2 × Black \/ M · /)
    await marketer.click('[data-choice=reserve]')
    await marketer.locator('#reserve-result a').waitFor()
    expect(await faultsOf(marketer)).toEqual([])
    await marketer.locator('#variants').scrollIntoViewIfNeeded()
    await picture(marketer, 'variants-console')
    expect(wrong).toEqual([])
    expect(wrongForShopper).toEqual([])
    await Promise.all([marketer, shopper].map((page) => page.context().close()))
  }, 240_000)

  it.each(['light', 'dark'] as const)(
    'say honestly what sold out between the look and the click, on a Chinese phone, in %s',
    async (colorScheme) => {
      const { saleId, startToken } = await openSale(stack, { stock: 46, variants: sizes })
      const page = await newVisitor(browser, phone, { locale: 'zh-CN', colorScheme })
      const wrong = complaintsOf(page)
      await signInThrough(page, stack.url, `variant-bob-${colorScheme}`, `/sales/${saleId}/`)
      await row(page, 's').and(page.locator('[data-left=few]')).waitFor()
      expect(await textOf(page, '.variant[data-id=s] .variant__left')).toBe('仅剩 1 件')
      expect(await textOf(page, '.variant[data-id=l] .variant__left')).toBe('剩余 40 件')
      await row(page, 's').click()
      await waitUntilLit(page)
      await take(saleId, startToken, { s: 1 })
      await page.click('#buy')
      await page.locator('#status', { hasText: 'S 已抢完' }).waitFor()
      expect(await page.locator('input[value=s]').isDisabled()).toBe(true)
      expect(await page.locator('input:checked').count()).toBe(0)
      // The sale itself goes on.
      expect(await page.locator('#main').getAttribute('data-phase')).toBe('open')
      await row(page, 's').click({ force: true })
      expect(await page.locator('input[value=s]').isChecked()).toBe(false)
      await page.locator('input[value=m]').focus()
      await page.keyboard.press('Space')
      expect(await textOf(page, '#status')).toBe('')
      expect(await faultsOf(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
      await picture(page, `variants-phone-${colorScheme}`)
      await waitUntilLit(page)
      await page.click('#buy')
      await page.waitForURL(/\/orders\/\?id=/)
      await page.locator('#order[data-status=awaiting-payment]').waitFor()
      expect(await textOf(page, '.order__item')).toContain('1 × M · ')
      expect(wrong).toEqual([])
      await page.context().close()
    },
    60_000,
  )

  it('show units of a round of their own only while these count (R7)', async () => {
    const saleId = 'uneven-shirt'
    const startsAt = Date.now() + 3_600_000
    const rounds = [
      { startsAt, endsAt: startsAt + 600_000, stock: 46, units: { s: 1, m: 5, l: 40 } },
      { startsAt: startsAt + 900_000, endsAt: startsAt + 1_500_000, stock: 3, units: { s: 1, m: 2, l: 0 } },
    ]
    const sale = { saleId, startsAt, endsAt: startsAt + 600_000, stock: 46 }
    await control(stack, '/sales', definition({ ...sale, variants: sizes, windows: rounds }))
    const page = await consoleOf(browser, stack, `#/sale/${saleId}/copy`, {
      ...{ name: 'mia', roles: ['marketer'], screen: desktop },
    })
    const own = page.locator('.window-row > .field__hint:not(:empty)')
    await own.waitFor({ state: 'attached' })
    expect(await own.textContent()).toMatch(/^Units of this round: 1 × S · 2 × M/)
    await page.fill('#field-variants-0-id', 'xs')
    expect(await own.count()).toBe(0)
    await page.fill('#field-variants-0-id', 's')
    await page.fill('#field-variants-0-name', 'Small')
    expect(await own.allTextContents()).toEqual([expect.stringMatching(/: 1 × Small · 2 × M/)])
    await page.context().close()
  })

  it('come back when they come back, and with them the choice of a shopper who has waited', async () => {
    const { saleId, startToken } = await openSale(stack, { stock: 46, variants: sizes })
    const page = await newVisitor(browser, desktop)
    await signInThrough(page, stack.url, 'variant-cat', `/sales/${saleId}/`)
    await row(page, 's').click()
    await waitUntilLit(page)
    await take(saleId, startToken, { s: 1 })
    await eventually(async () => (await pointerOf(stack, saleId)).variants?.s === 0 || undefined)
    await page.reload()
    await page.locator('#status', { hasText: 'Sold out: S.' }).waitFor()
    await page.locator('#buy[data-state=choose]').waitFor()
    await control(stack, `/sales/${saleId}/stock`, { delta: 2, variant: 's' })
    await eventually(async () => (await pointerOf(stack, saleId)).variants?.s === 2 || undefined)
    await page.locator('#status', { hasText: 'Back in stock: S.' }).waitFor()
    expect(await page.locator('input[value=s]').isChecked()).toBe(true)
    await waitUntilLit(page)
    await page.context().close()
  }, 90_000)

  it('move nothing when their numbers arrive, fit the narrowest phone, and are listed without a script (C2)', async () => {
    const variants = Array.from({ length: 24 }, (_, i) => ({ id: `v${i}`, name: `Option ${i}`, stock: i }))
    const many = { stock: 276, variants, limitPerShopper: 4, maxPerOrder: 4 }
    const { saleId } = await openSale(stack, many)
    const page = await newVisitor(browser, { viewport: { width: 320, height: 700 } })
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/current.json', async (route) => {
      await asked
      await route.continue()
    })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('#price').waitFor()
    const places = () =>
      page
        .locator('.variant, .stepper')
        .evaluateAll((all) => all.map((one) => [one.clientHeight, one.getBoundingClientRect().left]))
    const before = await places()
    answer()
    await row(page, 'v0').and(page.locator('[data-left=none]')).waitFor()
    expect(await places()).toEqual(before)
    expect(await overflows(page)).toBe(false)
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()

    const plain = await newVisitor(browser, desktop, { javaScriptEnabled: false })
    await plain.goto(`${stack.url}/sales/${saleId}/`)
    expect(await plain.getByText('Option 23').isVisible()).toBe(true)
    expect(await plain.locator('.variant .stepper').first().isVisible()).toBe(false)
    await plain.context().close()
  })
})

/** The value of a `datetime-local` input, in the zone of this machine and so of its browser. */
function localTime(epochMs: number): string {
  const at = new Date(epochMs - new Date(epochMs).getTimezoneOffset() * 60_000)
  return at.toISOString().slice(0, 19)
}
