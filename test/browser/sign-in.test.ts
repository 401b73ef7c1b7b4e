/** Signing in through the issuer on this machine, in a real browser. */
import { describe, expect, it } from 'vitest'
import { openSale } from '../journey/support.ts'
import { phone } from './browser.ts'
import { openShop } from './shop.ts'
import { newVisitor, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

const languages = [
  { locale: 'en-GB', submit: 'Continue', signIn: 'Sign in' },
  { locale: 'zh-CN', submit: '继续', signIn: '登录' },
] as const

describe('a shopper', () => {
  it.each(languages)('signs in at the issuer, buys, and signs out, in $locale', async (words) => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone, { locale: words.locale })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await waitUntilLit(page)
    await page.click('#buy')
    await page.click('#status a')
    await page.waitForURL(/\/sign-in\/\?uid=/)
    await page.locator('#sign-in', { hasText: words.submit }).waitFor()
    await page.fill('#shopperId', `gus-${words.locale}`)
    await page.click('#sign-in')
    await page.waitForURL(`${stack.url}/sales/${saleId}/`)
    await page.locator('#who', { hasText: `gus-${words.locale}` }).waitFor()
    await waitUntilLit(page)
    await page.click('#buy')
    await page.waitForURL(/\/orders\/\?id=/)

    await page.click('#sign-out')
    await page.waitForURL(`${stack.url}/`)
    await page.locator('#who', { hasText: words.signIn }).waitFor()
    // The session of the issuer has ended, too: it asks for a name again.
    await page.click('#who')
    await page.waitForURL(/\/sign-in\/\?uid=/)
    await page.context().close()
  })

  it('who signs in by the header comes back to the page', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone)
    await page.goto(`${stack.url}/sales/${saleId}/?from=mail`)
    await page.click('#who')
    await page.fill('#shopperId', 'hal')
    await page.click('#sign-in')
    await page.waitForURL(`${stack.url}/sales/${saleId}/?from=mail`)
    await page.context().close()
  })

  it('reads in both languages why a sign-in could not be finished', async () => {
    const page = await newVisitor(browser, phone)
    await page.goto(`${stack.url}/api/sign-in/callback?code=x&state=y`)
    await page.getByText('Couldn’t sign in').waitFor()
    await page.getByText('登录失败').waitFor()
    await page.getByRole('link', { name: 'Sign in again' }).click()
    await page.waitForURL(/\/sign-in\/\?uid=/)
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('sluice_session')
    await page.context().close()
  })

  it('with a role sees the console', async () => {
    const page = await newVisitor(browser, phone)
    await page.goto(`${stack.url}/console/`)
    await page.locator('.empty a.button').click()
    await page.waitForURL(/\/sign-in\/\?uid=/)
    expect(await page.locator('#role-marketer').isChecked()).toBe(true)
    await page.fill('#shopperId', 'mia')
    await page.click('#sign-in')
    await page.waitForURL(`${stack.url}/console/`)
    await page.locator('#new-sale').waitFor()
    await page.context().close()
  })
})
