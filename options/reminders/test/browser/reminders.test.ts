/** Reminders on the page of a sale and in the mailbox, in a real browser. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { phone } from '../../../../test/browser/browser.ts'
import { soon, switchLanguage, textOf } from '../../../../test/browser/reads.ts'
import { openOwnShop } from '../../../../test/browser/shop.ts'
import { buyOn, says } from '../../../../test/browser/shopper.ts'
import {
  expectAccessible,
  expectNoComplaints,
  newVisitor,
  picture,
  signInThrough,
} from '../../../../test/browser/visitor.ts'
import { call, control, createSale, eventually, ordered } from '../../../../test/journey/support.ts'
import type { Reach } from '../../core/operations.ts'

const { stack, browser } = await openOwnShop({ mail: true })

const hourMs = 3_600_000

/** Opens the link of an e-mail, which the page reports. */
async function openReported(page: Page, link: RegExpExecArray | null): Promise<void> {
  const isReported = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await page.goto(link?.[0] ?? '')
  expect((await isReported).status()).toBe(200)
}

const reachOf = (saleId: string) => control<Reach>(stack, `/sales/${saleId}/reach`)

describe('a shopper who waits for a sale on a phone', () => {
  it('is reminded by e-mail, whose link is counted, saves the start in a calendar, and shares the link', async () => {
    const startsAt = Date.now() + hourMs
    const sale = { startsAt, endsAt: startsAt + hourMs, title: 'Mug; brown, small' }
    const saleId = await createSale(stack, sale, 'warm')
    const page = await newVisitor(browser, phone)
    expectNoComplaints(page)
    const path = `/sales/${saleId}/`
    await page.goto(stack.url + path)
    await page.click('#remind')
    await soon(() => page.getAttribute('.remind a.button', 'href')).toBe(
      `/api/sign-in?return=${encodeURIComponent(path)}`,
    )
    await signInThrough(page, stack.url, 'rita', path)
    await page.click('#remind')
    await page.locator('[data-do=ask]').waitFor()
    await expectAccessible(page, 'remind-phone')
    await page.click('[data-do=ask]')
    await textOf(page, '#remind-mail').toMatch(/We will e-mail rita@example\.com/)

    const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-do=calendar]')])
    const file = await readFile(await download.path(), 'utf8')
    expect(download.suggestedFilename()).toBe(`${saleId}.ics`)
    const utc = new Date(startsAt).toISOString().replace(/[-:]|\.\d+/g, '')
    const lines = [`DTSTART:${utc}`, `UID:${saleId}@${new URL(stack.url).host}`, 'SUMMARY:Mug\\; brown\\, small']
    for (const line of lines) expect(file).toContain(`\r\n${line}\r\n`)
    await page.evaluate(
      "Object.defineProperty(navigator, 'share', { value: async (shared) => { window.shared = shared } })",
    )
    await page.click('[data-do=share]')
    await soon(() => page.evaluate('window.shared?.url')).toBe(`${stack.url}${path}?utm_source=share`)
    await page.click('[data-do=close]')
    await page.locator('.remind').waitFor({ state: 'detached' })

    // The start is moved to in nine minutes, and the reminder with it.
    await control(stack, `/sales/${saleId}`, { startsAt: Date.now() + 9 * 60_000 }, 'PATCH')
    await stack.runSchedule('reconcile', {})
    const mail = await eventually(async () => stack.mails().find(({ to }) => to.includes('rita@example.com')))
    expect(mail.subject).toBe('Starting soon: Mug; brown, small')
    await openReported(page, /https?:\S+#reminded/.exec(mail.text))
    expect(new URL(page.url()).hash).toBe('')
    // An e-mail that has arrived is counted after it.
    await soon(async () => (await reachOf(saleId)).start).toEqual({ asked: 1, sent: 1, opened: 1 })
    await expect(reachOf('no-such-sale')).rejects.toThrow('unknown-sale')

    await switchLanguage(page)
    await page.click('#remind')
    await says(page, '#remind-mail', '提醒邮件已发送至 rita@example.com')
    await expectAccessible(page, 'remind-phone-zh')
  })

  it('learns by e-mail that a unit of a sold-out sale came back, and buys it', async () => {
    const { saleId, orderId, token } = await ordered(stack, 'paul', { stock: 1, title: 'Mug, last one' })
    const page = await newVisitor(browser, phone)
    expectNoComplaints(page)
    const path = `/sales/${saleId}/`
    await signInThrough(page, stack.url, 'rosa', path)
    await page.locator('main[data-phase=sold-out] #back').click()
    await page.locator('[data-do=ask]').waitFor()
    await expectAccessible(page, 'back-phone')
    await page.click('[data-do=ask]')
    await textOf(page, '#remind-mail').toMatch(/We will e-mail rosa@example\.com when units come back/)
    await page.click('[data-do=close]')
    await picture(page, 'sold-out-phone')

    const isMailed = () => stack.mails().find(({ to }) => to.includes('rosa@example.com'))
    await stack.runSchedule('reconcile', { tickMs: 1000 })
    expect(isMailed()).toBeUndefined()
    await call(stack, `/api/orders/${orderId}/cancel`, { token, body: {} })
    const mail = await eventually(async () => {
      await stack.runSchedule('reconcile', { tickMs: 1000 })
      return isMailed()
    })
    expect(mail.subject).toBe('Available again: Mug, last one')
    await openReported(page, /https?:\S+#back/.exec(mail.text))
    await soon(async () => (await reachOf(saleId)).return).toEqual({ asked: 1, sent: 1, opened: 1 })
    await buyOn(page)
  })
})
