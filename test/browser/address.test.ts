/**
 * A shopper says where an order is sent, in a real browser: before the payment, by keyboard, in both languages, and
 * takes it back.
 */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { openSale } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

const delivery = { countries: ['CN', 'DE', 'US', 'GB', 'JP'] }

/** A shopper on the page of an order that waits for its money and has no address. */
async function buyer(name: string, saleId: string, screen: typeof phone, locale = 'en'): Promise<Page> {
  const page = await newVisitor(browser, { ...screen, locale })
  await signInThrough(page, stack.url, name, `/sales/${saleId}/`)
  await waitUntilLit(page)
  await page.click('#buy')
  await page.waitForURL(/\/orders\/\?id=/)
  await page.locator('#order[data-status=awaiting-payment]').waitFor({ timeout: 60_000 })
  return page
}

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.fill(`#address [name="${name}"]`, value)
}

const namesOf = (page: Page) =>
  page.locator('#address [name]').evaluateAll((inputs) => inputs.map((input) => input.getAttribute('name')))

const berlin = {
  name: 'Ann Schäfer',
  'addressLines.0': 'Torstraße 1',
  postalCode: '10119',
  locality: 'Berlin',
  phone: '030 80615040',
  email: 'ann@example.com',
}

describe('the address of an order in a real browser', () => {
  it('is asked for before the payment, complains at the field, and leads on to the payment', async () => {
    const { saleId } = await openSale(stack, { stock: 1, delivery })
    const page = await buyer('address-ann', saleId, phone)
    const wrong = complaintsOf(page)
    await page.click('#pay')
    await page.locator('#address').waitFor()
    await page.selectOption('#address [name=postalCountry]', 'DE')
    expect(await namesOf(page)).toEqual([
      ...['postalCountry', 'name', 'organization', 'addressLines.0', 'addressLines.1', 'addressLines.2'],
      ...['postalCode', 'locality', 'phone', 'email'],
    ])
    // The sign-in may have filled it in.
    await fill(page, { email: '' })
    await page.click('#address-save')
    expect(await page.locator('#address [aria-invalid=true]').count()).toBe(6)
    expect(await page.evaluate('document.activeElement.name')).toBe('name')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'address-phone')

    await fill(page, { ...berlin, phone: '+86 138 0013 8000' })
    await page.click('#address-save')
    await page.locator('#address [name=phone][aria-invalid=true]').waitFor()
    expect(await page.locator('#field-phone-error').textContent()).toBe('Enter a phone number in Germany.')
    expect(await page.evaluate('document.activeElement.name')).toBe('phone')
    await fill(page, { phone: berlin.phone })
    await page.click('#address-save')
    await page.waitForURL(/\/local\/pay\//)
    await page.click('button[value=pay]')
    await page.waitForURL(/\/orders\/\?id=/)
    await page.locator('#order[data-status=paid]').waitFor({ timeout: 60_000 })
    await page.locator('#order-address address').waitFor()
    expect(await page.locator('#order-address address span').allTextContents()).toEqual([
      ...['Ann Schäfer', 'Torstraße 1', '10119 Berlin', 'Germany', '+493080615040'],
    ])
    expect(await faultsOf(page)).toEqual([])
    // The refusals of the form are logged by the browser; nothing else may be.
    expect(wrong.filter((line) => !line.includes('400'))).toEqual([])
    await page.context().close()
  })

  it('is kept where the shopper steps back, changes, and is deleted, by keyboard on a desktop in Chinese', async () => {
    const { saleId } = await openSale(stack, { stock: 1, delivery })
    const page = await buyer('address-wang', saleId, desktop, 'zh-CN')
    await page.focus('#pay')
    await page.keyboard.press('Enter')
    await page.locator('#address').waitFor()
    expect(await page.locator('#address h2').textContent()).toBe('收货地址')
    await page.keyboard.press('Escape')
    await page.locator('#address').waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.id')).toBe('pay')
    expect(page.url()).toContain('/orders/')

    await page.focus('#change-address')
    await page.keyboard.press('Enter')
    await page.locator('#address').waitFor()
    await page.selectOption('#address [name=postalCountry]', 'CN')
    await fill(page, {
      ...{ administrativeArea: '广东省', locality: '广州市', dependentLocality: '天河区' },
      ...{
        'addressLines.0': '天河路 385 号',
        name: '王小明',
        phone: '13800138000',
        email: 'wang@example.cn',
      },
    })
    await picture(page, 'address-desktop-zh')
    await page.keyboard.press('Enter')
    const lines = page.locator('#order-address address span')
    await lines.first().waitFor()
    expect(await lines.allTextContents()).toEqual([
      ...['广东省广州市天河区', '天河路 385 号', '王小明', '中国', '+8613800138000'],
    ])
    expect(await page.evaluate('document.activeElement.id')).toBe('change-address')

    await page.click('#change-address')
    expect(await page.inputValue('#address [name=email]')).toBe('wang@example.cn')
    expect(await page.inputValue('#address [name=locality]')).toBe('广州市')
    await page.selectOption('#address [name=postalCountry]', 'JP')
    expect(await page.inputValue('#address [name=name]'), 'stays when the country changes').toBe('王小明')
    await page.click('#address-back')

    await page.click('#erase-address')
    await page.locator('#confirm-actions [data-choice=back]').click()
    expect(await lines.count()).toBeGreaterThan(0)
    await page.click('#erase-address')
    await picture(page, 'address-erase')
    await page.locator('#confirm-actions [data-choice=both]').click()
    await page.locator('#erase-address').waitFor({ state: 'detached' })
    expect(await lines.count()).toBe(0)
    expect(await page.evaluate("fetch('/api/contact').then((answer) => answer.json())")).toEqual({
      contact: null,
    })
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()
  })
})
