/**
 * The console in Chromium in a shop with 2,000 sales, of which one has 100,000 orders: its first screen, pages of the table
 * of those orders, and the report. A local system on the same machine answers.
 */
import type { Browser, Page } from '@playwright/test'
import { controlClient } from '../../cli/control-client.ts'
import { sessionCookie, whoCookie } from '../../core/people/session-cookies.ts'
import type { Sale } from '../../core/sale/sale.ts'
import { salesPerPage } from '../../core/sale/sale-search.ts'
import { putBatch } from '../../functions/table/batch.ts'
import { saleKey } from '../../functions/table/keys.ts'
import { saleItem } from '../../functions/table/sale/sale-item.ts'
import type { Stack } from '../../local/stack.ts'
import { desktop, launchBrowser } from '../../test/browser/browser.ts'
import { rushSale } from '../rush/open-sale.ts'
import { atMost, type Measurement, withStep } from './harness.ts'
import { withOwnSystem, withoutSchedule } from './own-system.ts'
import { mostReportSeconds, reportedOrder } from './report.ts'
import { manyOrders, putManyOrders } from './sales/many-orders.ts'
import { saleOf } from './sales/many-sales.ts'
import { median, spelled } from './statistics.ts'
import type { System } from './system.ts'

const sales = 2000
const warmed = sales / 10
/** Sales that are open, with their stock. */
const open = 10

const visits = 9
const pages = 9
const reports = 3
const ordersPerPage = 50

const mostScreenSeconds = 1
const mostPageMs = 300

export async function measureConsole(): Promise<Measurement> {
  return withOwnSystem(async (system, stack) => {
    const sale = await fillShop(system)
    const browser = await launchBrowser()
    try {
      const screens: { list: number; cards: number }[] = []
      for (let visit = 0; visit < visits; visit += 1) screens.push(await openConsole(browser, stack))
      const page = await signedInPage(browser, stack)
      const { opened, more } = await readOrders(page, stack, sale)
      const reported = await takeReports(page, stack, sale)
      const beside = `beside ${spelled(manyOrders)}`
      return {
        name: `console, ${spelled(sales)} sales`,
        lines: [
          atMost(
            'first screen, nothing in the cache: list and cards drawn, s',
            secondsOf(screens.map(({ cards }) => cards)),
            mostScreenSeconds,
            { digits: 2 },
          ),
          { what: '  the list alone, s', value: secondsOf(screens.map(({ list }) => list)).toFixed(2) },
          atMost(`the next ${ordersPerPage} orders ${beside}, ms`, median(more), mostPageMs, { digits: 0 }),
          { what: `  the table opened, its script included, ms`, value: opened.toFixed(0) },
          atMost(
            `report of ${spelled(manyOrders)} orders, until its file is there, s`,
            secondsOf(reported),
            mostReportSeconds,
            { digits: 2 },
          ),
        ],
      }
    } finally {
      await browser.close()
    }
  }, withoutSchedule)
}

const secondsOf = (times: readonly number[]) => median(times) / 1000

/** Resolves with the sale that has the orders. */
async function fillShop(system: System): Promise<Sale> {
  const control = controlClient({ url: system.url, token: await system.token('marketer', ['marketer']) })
  const now = Date.now()
  const started: Sale[] = []
  for (let number = 0; number < open; number += 1) {
    const units = { stock: 2 * manyOrders, quantity: 1, limitPerShopper: 1 }
    const { saleId } = await control.create(rushSale(`open-${number}`, now, units))
    await control.warm(saleId)
    started.push(await control.start(saleId, { now: true }))
  }
  const [sale] = started
  if (sale === undefined) throw new Error('no sale is open')
  // They are not open, so the console asks Redis nothing about them.
  const others = Array.from({ length: sales - open }, (_, number) => saleOf(open + number, now, warmed))
  await putBatch(
    system.table,
    others.map((sale) => ({
      ...saleItem({ sale, revision: 1, finishedStockChanges: [] }),
      ...saleKey(sale.saleId),
    })),
  )
  await withStep('orders', manyOrders, (to) =>
    putManyOrders(system.table, (number) => {
      to(number)
      return reportedOrder(sale, number)
    }),
  )
  return sale
}

/** A page without an address, of a marketer with an empty cache. */
async function signedInPage(browser: Browser, stack: Stack): Promise<Page> {
  const context = await browser.newContext({ ...desktop, locale: 'en-GB' })
  const cookie = { url: stack.url, sameSite: 'Lax' as const }
  const value = await stack.token('mia', { roles: ['marketer'] })
  await context.addCookies([
    { ...cookie, name: sessionCookie, value, httpOnly: true },
    { ...cookie, name: whoCookie, value: 'mia' },
  ])
  return context.newPage()
}

/** Milliseconds until the list is drawn, and until what is above it is drawn as well. */
async function openConsole(browser: Browser, stack: Stack): Promise<{ list: number; cards: number }> {
  const page = await signedInPage(browser, stack)
  const startedAt = performance.now()
  await page.goto(`${stack.url}/console/`, { waitUntil: 'commit' })
  await page
    .locator('#sales > li')
    .nth(salesPerPage - 1)
    .waitFor()
  const list = performance.now() - startedAt
  await page.locator('[data-home]').first().waitFor()
  const cards = performance.now() - startedAt
  await page.context().close()
  return { list, cards }
}

/** Milliseconds until the table of orders is drawn, and until each further page of it is. */
async function readOrders(
  page: Page,
  stack: Stack,
  { saleId }: Sale,
): Promise<{ opened: number; more: number[] }> {
  const drawn = (count: number) =>
    page
      .locator('[data-order]')
      .nth(count - 1)
      .waitFor()
  await page.goto(`${stack.url}/console/#/sale/${saleId}`)
  await page.locator('#orders-of-sale').waitFor()
  const startedAt = performance.now()
  await page.click('#orders-of-sale')
  await drawn(ordersPerPage)
  const opened = performance.now() - startedAt
  const more: number[] = []
  for (let read = 1; read <= pages; read += 1) {
    const clickedAt = performance.now()
    await page.click('#more-orders')
    await drawn((read + 1) * ordersPerPage)
    more.push(performance.now() - clickedAt)
  }
  return { opened, more }
}

/** Milliseconds from the click until the browser has the file of the report. */
async function takeReports(page: Page, stack: Stack, { saleId }: Sale): Promise<number[]> {
  await page.goto(`${stack.url}/console/#/sale/${saleId}`)
  await page.locator('#report-html').waitFor()
  const taken: number[] = []
  for (let report = 0; report < reports; report += 1) {
    const startedAt = performance.now()
    await Promise.all([page.waitForEvent('download'), page.click('#report-html')])
    taken.push(performance.now() - startedAt)
  }
  return taken
}
