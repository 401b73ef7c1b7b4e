/** The list of a sale for early access in the console. */
import { describe, expect, it } from 'vitest'
import { control, openSale } from '../journey/support.ts'
import { complaintsOf } from './browser.ts'
import { consoleOf, holdBack, mia, unfold } from './console.ts'
import { soon, textOf } from './reads.ts'
import { openShop } from './shop.ts'

const { stack, browser } = await openShop()

const earlyAccess = { minutes: 30, minLevel: 3, list: 'on' }

describe('the list for early access', () => {
  it('is filled and emptied by a file in the console', async () => {
    const { saleId } = await openSale(stack, { earlyAccess })
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, mia)
    const wrong = complaintsOf(page)
    const panel = page.locator('#early-list')
    await unfold(page, 'early-list')
    await panel.locator('#early-count', { hasText: '0' }).waitFor()
    await panel.locator('#early-check-add').click()
    await page.locator('#field-early[aria-invalid=true]').waitFor()
    const choose = (text: string) =>
      page
        .locator('#field-early')
        .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await choose('shopperId,note\r\nann,x\r\nno id,x\r\nben,x\r\nann,x\r\n')
    await panel.locator('#early-check-add').click()
    await panel.locator('#early-ready').waitFor()
    await soon(() => panel.locator('tbody tr').count()).toBe(2)
    await panel.locator('#early-do').click()
    await panel.locator('#early-done').waitFor()
    await panel.locator('#early-count', { hasText: '2' }).waitFor()
    await choose('shopperId\nann\n')
    await panel.locator('#early-check-remove').click()
    await panel.locator('#early-do').click()
    await panel.locator('#early-count', { hasText: '1' }).waitFor()
    expect(await control(stack, `/sales/${saleId}/early`)).toEqual({
      count: 1,
      invitations: { issued: 0, redeemed: 0 },
      shoppers: ['ben'],
      next: null,
    })
    expect(wrong).toEqual([])
  })

  it('announces nothing in the next view', async () => {
    const { saleId } = await openSale(stack, { earlyAccess })
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, mia)
    await unfold(page, 'early-list')
    const buffer = Buffer.from('shopperId\nann\n')
    await page.setInputFiles('#field-early', { name: 'members.csv', mimeType: 'text/csv', buffer })
    const answer = await holdBack(page, 'PUT', /\/early$/)
    const asked = page.waitForRequest((request) => request.method() === 'PUT')
    await page.click('#early-check-add')
    await asked
    await page.click('[data-tab=audit]')
    await page.locator('#audit-day').waitFor()
    await answer()
    await textOf(page, '#status').toBe('')
  })
})
