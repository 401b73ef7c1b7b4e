/**
 * What a shopper has in a real browser: a wallet that is paid out, with its statement, and a coupon that a
 * till has redeemed.
 */
import type { Page } from '@playwright/test'
import { beforeAll, describe, expect, it } from 'vitest'
import { formatCoupon } from '../../core/coupon.ts'
import { buy, call, click, eventually, openSale, startTokenOf, writtenOrder } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { openRain } from './rain.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough } from './visitor.ts'

const { stack, browser } = await openOwnShop()

// The first sign-in of a system that has just started finds its issuer too slowly on a busy machine.
beforeAll(async () => {
  await eventually(async () => {
    const { status } = await fetch(`${stack.url}/api/sign-in?return=/`, { redirect: 'manual' })
    return status === 303 || undefined
  })
})

/** A shopper who has the one packet of a rain, on the page of the wallet. */
async function winner(name: string, totalAmount: number, ...screen: [typeof phone, { locale?: string }?]) {
  const saleId = await openRain(stack, 1, { packets: { count: 1, totalAmount } })
  const token = await stack.token(name)
  await claim(saleId, token)
  const page = await newVisitor(browser, ...screen)
  await signInThrough(page, stack.url, name, '/wallet/')
  await page.locator('#balances').waitFor()
  return { page, token }
}

/** Claims the packet, and waits until the wallet has `credits` in all. */
async function claim(saleId: string, token: string, credits = 1): Promise<void> {
  await eventually(async () => {
    const startToken = await startTokenOf(stack, saleId)
    const answer = await click(stack, `/api/sales/${saleId}/packets`, { token, body: { startToken } })
    return answer.status === 200 ? answer : undefined
  })
  await eventually(async () => {
    const { body } = await call<{ credits: readonly unknown[] }>(stack, '/api/wallet', { token })
    return body.credits.length === credits ? body : undefined
  })
}

const textOf = async (page: Page, selector: string) => (await page.locator(selector).textContent()) ?? ''

describe('a wallet in a real browser', () => {
  it('is paid out by one press, lists it with the balance, and saves its statement (N5)', async () => {
    const { page } = await winner('wendy', 1221, desktop)
    const wrong = complaintsOf(page)
    expect(await textOf(page, '#balances')).toContain('12.21')
    expect(await textOf(page, '#credits li')).toMatch(/\+.*12\.21/)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'wallet-desktop')
    await page.locator('#withdraw-CNY').focus()
    await page.keyboard.press('Enter')
    await page.locator('#status', { hasText: 'was paid' }).waitFor()
    await page.locator('[data-payout-id]').waitFor()
    expect(await textOf(page, '.balances__sum')).toMatch(/0\.00/)
    expect(await textOf(page, '.balances__note')).toContain('You can withdraw')
    const [payout, credit] = await page.locator('#credits li').allTextContents()
    expect(payout).toMatch(/Withdrawal.*Balance .*0\.00.*−.*12\.21/)
    expect(credit).toMatch(/Balance .*12\.21.*\+.*12\.21/)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'wallet-paid-desktop')
    const [file] = await Promise.all([page.waitForEvent('download'), page.click('#statement-csv')])
    const chunks: Buffer[] = []
    for await (const chunk of await file.createReadStream()) chunks.push(Buffer.from(chunk))
    const lines = Buffer.concat(chunks).toString().trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/^\uFEFFTime \(.+\),Description,Amount,Currency,Balance,Reference$/)
    expect(lines[1]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,Withdrawal,-12\.21,CNY,0\.00,/)
    expect(lines[2]).toMatch(/,Red packet,12\.21,CNY,12\.21,/)
    expect(lines).toHaveLength(3)
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it('says in Chinese on a phone why a payout came back, and that one is on its way (N5)', async () => {
    const { page, token } = await winner('xiao', 1299, phone, { locale: 'zh-CN' })
    await page.click('#withdraw-CNY')
    await page.locator('#status', { hasText: '提现失败，金额已退回钱包。' }).waitFor()
    await page.locator('[data-payout-id]').first().waitFor()
    const lines = await page.locator('#credits li').allTextContents()
    expect(lines[0]).toMatch(/提现退回.*余额.*12\.99.*收款账户暂不可用.*\+.*12\.99/)
    expect(lines[1]).toMatch(/提现失败.*余额.*0\.00.*−.*12\.99/)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'wallet-refused-phone-zh')
    // 12.99 and 1.99 are 14.98, which takes the simulated provider a minute.
    await claim(await openRain(stack, 1, { packets: { count: 1, totalAmount: 199 } }), token, 2)
    await page.reload()
    await page.click('#withdraw-CNY')
    await page.locator('.balances__note', { hasText: /14\.98 提现处理中/ }).waitFor()
    expect(await page.locator('#withdraw-CNY').count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'wallet-pending-phone-zh')
    await page.context().close()
  })

  it('says no more of a withdrawal and of a download than it knows, in the language of the page (N5)', async () => {
    const { page } = await winner('lost', 1233, phone)
    const status = (text: string) => page.locator('#status', { hasText: text }).waitFor()
    await page.route('**/api/wallet/payouts', (route) => route.abort())
    await page.click('#withdraw-CNY')
    await status('Checking whether your withdrawal went through')
    await expect.poll(() => textOf(page, '#status'), { timeout: 30_000 }).toBe('')
    expect(await textOf(page, '#withdraw-CNY')).toBe('Withdraw')
    await page.route('**/api/wallet?statement=all', (route) => route.abort())
    await page.click('#statement-csv')
    await status('The download failed. Try again.')
    await page.click('#language')
    await status('下载失败，请重试。')
    await picture(page, 'wallet-no-download-phone-zh')
    await page.click('#language')
    // An account is opened at the provider; the browser's own way back shows the page as it was left.
    const json = { url: `${stack.url}/wallet/#account` }
    await page.route('**/api/wallet/payouts', (route) => route.fulfill({ json }))
    await page.click('#withdraw-CNY')
    await page.waitForURL(json.url)
    expect(await textOf(page, '#withdraw-CNY')).toBe('Withdrawing…')
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
    await page
      .locator('#withdraw-CNY[aria-disabled=false]', { hasText: 'Withdraw' })
      .waitFor({ timeout: 5000 })
    await page.context().clearCookies()
    await page.unroute('**/api/wallet?statement=all')
    await page.click('#statement-csv')
    await page.locator('#wallet a', { hasText: 'Sign in' }).waitFor()
    await picture(page, 'wallet-signed-out-phone')
    await page.context().close()
  })
})

describe('a coupon that a till redeems', () => {
  it('passes the gate with a shop key alone, once, and is shown as redeemed (S7)', async () => {
    const coupons = { kind: 'coupon', price: 0, stock: 100, limitPerShopper: 2, maxPerOrder: 2 }
    const { saleId, startToken } = await openSale(stack, coupons)
    const token = await stack.token('cleo')
    const { orderId } = (await buy(stack, saleId, { token, startToken, quantity: 2 })).body
    const { coupons: codes = [] } = await writtenOrder(stack, orderId, token)
    const [code, other] = codes.map(formatCoupon)
    const till = async (verb: string, key: string, shopKey = stack.shopKey) => {
      const answer = await fetch(`${stack.url}/api/control/coupons/${code?.toLowerCase()}/${verb}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${shopKey}`,
          'idempotency-key': key,
          'content-type': 'application/json',
        },
        body: verb === 'redeem' ? JSON.stringify({ reference: 'receipt 1' }) : '{}',
      })
      return { status: answer.status, body: await answer.json() }
    }
    expect((await till('redeem', 'one', token)).status).toBe(401)
    expect((await till('redeem', 'one', `till.${'x'.repeat(43)}`)).status).toBe(401)
    const redeemed = await till('redeem', 'one')
    expect(redeemed).toMatchObject({ status: 200, body: { code, orderId, reference: 'receipt 1' } })
    expect(await till('redeem', 'one')).toEqual(redeemed)
    expect(await till('redeem', 'two')).toMatchObject({ status: 409, body: { reason: 'coupon-used' } })
    const page = await newVisitor(browser, phone)
    await signInThrough(page, stack.url, 'cleo', `/orders/?id=${orderId}`)
    await page.locator('#redeemed-1').waitFor()
    expect(await textOf(page, '#redeemed-1')).toBe(`${code}Redeemed`)
    expect(await textOf(page, '#coupon-2')).toBe(other)
    expect(await page.locator('#copy-1').count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'coupon-redeemed-phone')
    expect(await till('undo', 'one')).toMatchObject({ status: 200, body: { undoneAt: expect.any(Number) } })
    await page.reload()
    await page.locator('#copy-1').waitFor()
    await page.context().close()
  })
})
