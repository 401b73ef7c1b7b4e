/**
 * A drop from its reminders to its report, by keyboard alone: marketer, shopper and support each on another screen, in
 * another language and in other colours. Every stop of the focus is checked, and every station by axe.
 */
import type { BrowserContextOptions, Locator, Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import type { Role } from '../../core/roles.ts'
import { buyWhenAdmitted, payOnPage, startTokenOf, writtenOrder } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf } from './console.ts'
import { type Keyboard, keyboardOf } from './keyboard.ts'
import { soon } from './reads.ts'
import { openOwnShop } from './shop.ts'
import { says, showsStatus } from './shopper.ts'
import { faultsIn, read } from './tour/look.ts'
import { newVisitor, picture, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openOwnShop({ mail: true })

type Visitor = { page: Page; keys: Keyboard; lang: 'en' | 'zh-CN'; complaints: string[] }
type Seat = { screen: BrowserContextOptions; locale: 'en-GB' | 'zh-CN' }

const small: BrowserContextOptions = { ...phone, viewport: { width: 360, height: 640 } }
const on = (screen: BrowserContextOptions, colorScheme: 'light' | 'dark', locale: Seat['locale']): Seat => ({
  screen: { ...screen, colorScheme },
  locale,
})

/** Every screen in every colour and language, and each person on every screen and in every colour and language. */
const plays = [
  {
    name: 'a',
    title: 'Celadon teacup',
    marketer: on(desktop, 'light', 'en-GB'),
    shopper: on(small, 'dark', 'zh-CN'),
    support: on(phone, 'light', 'zh-CN'),
  },
  {
    name: 'b',
    title: 'Celadon teapot',
    marketer: on(small, 'dark', 'en-GB'),
    shopper: on(phone, 'light', 'en-GB'),
    support: on(desktop, 'dark', 'zh-CN'),
  },
  {
    name: 'c',
    title: '青瓷茶杯',
    marketer: on(phone, 'dark', 'zh-CN'),
    shopper: on(desktop, 'light', 'zh-CN'),
    support: on(small, 'light', 'en-GB'),
  },
  {
    name: 'd',
    title: '青瓷茶壶',
    marketer: on(small, 'light', 'zh-CN'),
    shopper: on(phone, 'dark', 'en-GB'),
    support: on(desktop, 'dark', 'en-GB'),
  },
] as const

const wrong: string[] = []

function visitorOn(page: Page, { locale }: Seat): Visitor {
  const lang = locale === 'zh-CN' ? 'zh-CN' : 'en'
  page.context().setDefaultTimeout(180_000)
  return { page, keys: keyboardOf(page), lang, complaints: complaintsOf(page) }
}

async function staff(role: Role, seat: Seat, path = '#/'): Promise<Visitor> {
  const session = { name: role, roles: [role], screen: seat.screen, locale: seat.locale }
  return visitorOn(await consoleOf(browser, stack, path, session), seat)
}

/** A state that is checked: by eye in its picture, by axe, and for its width and language. A page that is new has no focus yet. */
async function station({ page, keys, lang }: Visitor, name: string, isNew = false): Promise<void> {
  if (!isNew) await keys.keepsFocus(name)
  await picture(page, `keys-${name}`)
  wrong.push(...(await faultsIn(page)).map((fault) => `${name}: ${fault}`), ...(await read(page, name, lang)))
}

function leave(visitors: readonly Visitor[]): void {
  for (const { keys, complaints } of visitors) wrong.push(...keys.faults.splice(0), ...complaints.splice(0))
}

/** From the list of sales to a sale that opens by itself. */
async function plan(visitor: Visitor, name: string, title: string): Promise<string> {
  const { page, keys } = visitor
  await keys.press('#new-sale')
  await page.locator('#field-title').waitFor()
  await keys.keepsFocus('“New sale”')
  await keys.type('#field-title', title)
  await keys.type('#field-description', `${title}.`)
  await keys.press('#picture-add')
  await keys.type('#field-pictures-0-src', '/assets/pictures/tea.svg')
  await keys.type('#field-pictures-0-alt', title)
  await keys.type('#field-price', '30')
  await keys.type('#field-stock', '4')
  await page.locator('#fairness-first-come').press('Space')
  await keys.press('#advanced > summary')
  await keys.type('#field-supportRefundLimit', '30')
  await keys.press('#next')
  await page.locator('#start').waitFor()
  await station(visitor, `${name}-planned`)
  await keys.press('#start')
  await keys.agree('start')
  await page.locator('#phase[data-phase=scheduled]').waitFor()
  await station(visitor, `${name}-scheduled`)
  return /#\/sale\/([^/]+)/.exec(page.url())?.[1] ?? expect.fail(`no sale at ${page.url()}`)
}

/** Signs in, asks for a reminder, and steps back with Escape. */
async function askForReminder(visitor: Visitor, name: string): Promise<void> {
  const { page, keys } = visitor
  await keys.press('#remind')
  await page.locator('.remind').waitFor()
  await keys.press('.remind a.button')
  await page.waitForURL(/sign-in/)
  // On a busy machine the shop may give up waiting for its issuer. Its page then asks to try again.
  const again = page.getByRole('link', { name: /^(Try again|重试)$/ })
  const arriveWith = async (shown: Locator) => {
    for (;;) {
      await shown.or(again).first().waitFor()
      if (await shown.isVisible()) return
      await keys.press('main a.button')
    }
  }
  await arriveWith(page.locator('#shopperId'))
  await keys.type('#shopperId', `ann-${name}`)
  await page.keyboard.press('Enter')
  await arriveWith(page.locator('#remind'))
  await keys.press('#remind')
  await keys.press('[data-do=ask]')
  await page.locator('[data-do=forget]').waitFor()
  await station(visitor, `${name}-reminded`)
  await page.keyboard.press('Escape')
  await page.locator('#remind:focus').waitFor()
}

/** Adds a unit, as the reminders suggest, and opens the sale. */
async function open(visitor: Visitor, name: string): Promise<void> {
  const { page, keys } = visitor
  await says(page, '#live-reminders', /1/)
  await keys.type('#delta', '1')
  await keys.press('#stock-add')
  await says(page, '#live-total', /5/)
  await keys.keepsFocus('“Add units”')
  await keys.press('[data-action=open-now]')
  await keys.agree('open-now')
  await page.locator('#phase[data-phase=open]').waitFor()
  await station(visitor, `${name}-open`)
}

/** From the enabled button to a paid order, and back to it later. */
async function buy(visitor: Visitor, name: string): Promise<void> {
  const { page, keys } = visitor
  // A page that waits for its time learns of it within five minutes. The link in the email opens it anew.
  await page.reload()
  await waitUntilLit(page)
  await keys.press('#buy')
  await page.waitForURL(/\/orders\/\?id=/)
  await showsStatus(page, 'awaiting-payment')
  await station(visitor, `${name}-reserved`, true)
  await keys.press('#pay')
  await page.locator('[data-stage=open]').waitFor()
  await keys.press('button[value=pay]')
  await page.waitForURL(/\/orders\/\?id=/)
  await showsStatus(page, 'paid')
  await station(visitor, `${name}-paid`, true)
  await keys.press('#to-orders')
  await page.locator('#order-list').waitFor()
  await station(visitor, `${name}-orders`, true)
  await keys.press('#order-list a')
  await showsStatus(page, 'paid')
}

/** A shopper without a page buys and pays. */
async function buyAlone(saleId: string, shopperId: string): Promise<void> {
  const token = await stack.token(shopperId)
  const startToken = await startTokenOf(stack, saleId)
  const { body } = await buyWhenAdmitted(stack, saleId, { token, startToken })
  await writtenOrder(stack, body.orderId, token)
  await payOnPage(stack, body.orderId, token)
}

/** Finds the shopper by the number of the order, and refunds two of the orders in the table. */
async function support(visitor: Visitor, name: string): Promise<void> {
  const { page, keys } = visitor
  await keys.press('[data-tab=orders]')
  const rows = page.locator('tr[data-status=paid]')
  const chosen = rows.filter({ hasText: `crowd-${name}` })
  await soon(() => chosen.count()).toBe(4)
  await station(visitor, `${name}-table`)
  const row = rows.filter({ hasText: `ann-${name}` })
  const number = (await row.locator('th').textContent()) ?? ''
  await keys.type('#field-find', number)
  await page.keyboard.press('Enter')
  await says(page, '#shopper', `ann-${name}`)
  await station(visitor, `${name}-shopper`)
  await keys.press('[data-tab=orders]', 'Enter', 'Shift+Tab')
  await page.locator('#field-status').waitFor()
  await keys.choose('#field-status', 'paid')
  await soon(async () => page.url()).toContain('status=paid')
  await soon(() => chosen.count()).toBe(4)
  for (const at of [0, 1]) {
    const id = await chosen.nth(at).getAttribute('data-order')
    await keys.press(`tr[data-order="${id}"] input`, 'Space')
  }
  await keys.press('#refund-chosen', 'Enter', 'Shift+Tab')
  await page.locator('#confirm[open]').waitFor()
  await station(visitor, `${name}-ask-refund`)
  await keys.agree('refund')
  await soon(() => chosen.count()).toBe(2)
  await station(visitor, `${name}-refunded`)
}

async function openReport(visitor: Visitor, name: string): Promise<void> {
  const { page, keys } = visitor
  await page.locator('#phase[data-phase=sold-out], #phase[data-phase=open]').waitFor()
  await keys.press('#report-of-sale')
  await page.locator('#report').waitFor()
  await station(visitor, `${name}-report`)
}

describe('a drop by keyboard alone', () => {
  it.each(plays)(
    '$title',
    async ({ name, title, marketer, shopper, support: care }) => {
      const mia = await staff('marketer', marketer)
      const saleId = await plan(mia, name, title)
      const ann = visitorOn(await newVisitor(browser, shopper.screen, { locale: shopper.locale }), shopper)
      await ann.page.goto(`${stack.url}/sales/${saleId}/`)
      await askForReminder(ann, name)
      await open(mia, name)
      await buy(ann, name)
      for (let at = 0; at < 4; at += 1) await buyAlone(saleId, `crowd-${name}-${at}`)
      const sue = await staff('support', care)
      await support(sue, name)
      await openReport(mia, name)
      leave([mia, ann, sue])
      await Promise.all([mia, ann, sue].map(({ page }) => page.context().close()))
      expect(wrong.splice(0)).toEqual([])
    },
    900_000,
  )
})
