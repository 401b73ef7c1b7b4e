/** Reminders on the page of a sale and in the mailbox, in a real browser. */
import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import ICAL from 'ical.js'
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
import { call, control, createSale, eventually, placeOrder } from '../../../../test/journey/support.ts'
import type { Reach } from '../../core/operations.ts'

const { stack, browser } = await openOwnShop({ mail: true })

const hourMs = 3_600_000

/** Opens the link of an email, which the page reports. */
async function openReported(page: Page, link: RegExpExecArray | null): Promise<void> {
  const isReported = page.waitForResponse((answer) => answer.request().method() === 'PUT')
  await page.goto(link?.[0] ?? '')
  expect((await isReported).status()).toBe(200)
}

/** The fields that a calendar reads from the file. */
async function eventIn(file: Download) {
  const calendar = new ICAL.Component(ICAL.parse(await readFile(await file.path(), 'utf8')))
  const event = calendar.getFirstSubcomponent('vevent')
  if (event === null) throw new Error('the file has no event')
  const { startDate, duration, uid, summary } = new ICAL.Event(event)
  const [url, transp] = [event.getFirstPropertyValue('url'), event.getFirstPropertyValue('transp')]
  return { uid, summary, url, transp, startsAt: startDate.toJSDate().getTime(), minutes: duration.toSeconds() / 60 }
}

const reachOf = (saleId: string) => control<Reach>(stack, `/sales/${saleId}/reach`)

describe('a shopper who waits for a sale on a phone', () => {
  it('is reminded by email, whose link is counted, saves the start in a calendar, and shares the link', async () => {
    const startsAt = Date.now() + hourMs
    // For a week, which stays free in a calendar.
    const sale = { startsAt, endsAt: startsAt + 168 * hourMs, title: 'Mug; brown, small' }
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
    await textOf(page, '#remind-mail').toMatch(/We will email rita@example\.com/)

    const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-do=calendar]')])
    expect(download.suggestedFilename()).toBe(`${saleId}.ics`)
    expect(await eventIn(download)).toEqual({
      ...{ uid: `${saleId}@${new URL(stack.url).host}`, summary: sale.title, url: stack.url + path },
      ...{ startsAt: Math.floor(startsAt / 1000) * 1000, minutes: 15, transp: 'TRANSPARENT' },
    })
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
    // An email that has arrived is counted after it.
    await soon(async () => (await reachOf(saleId)).start).toEqual({ asked: 1, sent: 1, opened: 1 })
    await expect(reachOf('no-such-sale')).rejects.toThrow('unknown-sale')

    await switchLanguage(page)
    await page.click('#remind')
    await says(page, '#remind-mail', '提醒邮件已发送至 rita@example.com')
    await expectAccessible(page, 'remind-phone-zh')
  })

  it.each([
    ['ignores such a file', 'HTMLAnchorElement.prototype.click = () => undefined'],
    [
      'lacks style sheets that a script makes',
      'window.CSSStyleSheet = class { constructor() { throw new TypeError("Illegal constructor") } }',
    ],
  ])(
    'takes the round by the shop’s clock into a calendar, or copies its time where the browser %s',
    async (_, lack) => {
      const first = Date.now() + hourMs
      const dayMs = 24 * hourMs
      const windows = [0, 1].map((day) => ({
        startsAt: first + day * dayMs,
        endsAt: first + day * dayMs + hourMs,
        stock: 5,
      }))
      const saleId = await createSale(
        stack,
        { ...windows[0], windows, stock: 5, title: 'Mug 👩‍👩‍👧 '.repeat(9) },
        'warm',
      )
      const page = await newVisitor(browser, phone, { permissions: ['clipboard-read', 'clipboard-write'] })
      await page.addInitScript(lack)
      // The second round would be the next one.
      await page.addInitScript(`{ const now = Date.now; Date.now = () => now() + 26 * ${hourMs} }`)
      await page.goto(`${stack.url}/sales/${saleId}/`)
      const saved = page.waitForEvent('download').catch(() => undefined)
      await page.click('#remind')
      await page.click('[data-do=calendar]')
      await textOf(page, '#saved [role=status]').toContain(`${saleId}.ics`)
      await page.click('#saved-copy')
      await textOf(page, '#saved [role=status]').toBe('Copied')
      const copied = String(await page.evaluate('navigator.clipboard.readText()'))
      const time = String(
        await page.evaluate(
          `new Intl.DateTimeFormat(navigator.language, { month: 'short', day: 'numeric' }).format(${first})`,
        ),
      )
      expect(copied.split('\n')).toEqual([expect.stringContaining('Mug'), expect.stringContaining(time), page.url()])
      await expectAccessible(page, 'saved-phone')
      await page.click('#saved-close')
      await page.locator('#saved').waitFor({ state: 'detached' })
      await page.close()
      const file = await saved
      if (file !== undefined) expect((await eventIn(file)).startsAt).toBe(Math.floor(first / 1000) * 1000)
      expect(file === undefined).toBe(lack.includes('click'))
    },
  )

  it('learns by email that a unit of a sold-out sale came back, and buys it', async () => {
    const { saleId, orderId, token } = await placeOrder(stack, 'paul', { stock: 1, title: 'Mug, last one' })
    const page = await newVisitor(browser, phone)
    expectNoComplaints(page)
    const path = `/sales/${saleId}/`
    await signInThrough(page, stack.url, 'rosa', path)
    await page.locator('main[data-phase=sold-out] #back').click()
    await page.locator('[data-do=ask]').waitFor()
    await expectAccessible(page, 'back-phone')
    await page.click('[data-do=ask]')
    await textOf(page, '#remind-mail').toMatch(/We will email rosa@example\.com when it is back in stock/)
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
    expect(mail.subject).toBe('Back in stock: Mug, last one')
    await openReported(page, /https?:\S+#back/.exec(mail.text))
    await soon(async () => (await reachOf(saleId)).return).toEqual({ asked: 1, sent: 1, opened: 1 })
    await buyOn(page)
  })
})
