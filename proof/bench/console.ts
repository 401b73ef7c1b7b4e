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
import { atMost, type MeasuredLine, type Measurement, withStep } from './harness.ts'
import { withOwnSystem, withoutSchedule } from './own-system.ts'
import { readLoad } from './processor-time.ts'
import { mostReportSeconds, numberedOrder } from './report.ts'
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

/** More than any of it takes: how long it would need, not what it reaches. */
const patienceMs = 300_000

const mostScreenSeconds = 1
const mostPageSeconds = 0.3

/** The time of a step, and that of all processors for it: of the browser and of the whole system, ms. */
type Taken = { ms: number; processorMs: number }

export async function measureConsole(): Promise<Measurement> {
  return withOwnSystem(async (system, stack) => {
    const sale = await fillShop(system)
    const browser = await launchBrowser()
    try {
      const screens: { list: Taken; cards: Taken }[] = []
      for (let visit = 0; visit < visits; visit += 1) screens.push(await openConsole(browser, stack))
      const page = await signedInPage(browser, stack)
      const { opened, more } = await readOrders(page, stack, sale)
      const reported = await takeReports(page, stack, sale)
      const beside = `beside ${spelled(manyOrders)}, s`
      const first = 'first screen, nothing in the cache: list and cards, s'
      return {
        name: `console, ${spelled(sales)} sales`,
        heads: ['time', 'processors'],
        lines: [
          lineOf(
            first,
            screens.map(({ cards }) => cards),
            mostScreenSeconds,
          ),
          lineOf(
            '  the list alone, s',
            screens.map(({ list }) => list),
          ),
          lineOf(`the next ${ordersPerPage} orders ${beside}`, more, mostPageSeconds),
          lineOf('  the table opened, its script included, s', [opened]),
          lineOf(`report of ${spelled(manyOrders)} orders, until its file is there, s`, reported, mostReportSeconds),
        ],
      }
    } finally {
      await browser.close()
    }
  }, withoutSchedule)
}

function lineOf(what: string, taken: readonly Taken[], most?: number): MeasuredLine {
  const seconds = (times: number[]) => median(times) / 1000
  const [time, processors] = [seconds(taken.map(({ ms }) => ms)), seconds(taken.map((one) => one.processorMs))]
  const value = [time.toFixed(2), processors.toFixed(2)]
  return most === undefined ? { what, value } : atMost(what, time, most, { value })
}

/** Begins to take the time. */
function stopwatch(): () => Taken {
  const read = () => ({ at: performance.now(), own: readLoad()?.own ?? Number.NaN })
  const from = read()
  return () => {
    const to = read()
    return { ms: to.at - from.at, processorMs: to.own - from.own }
  }
}

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
      return numberedOrder(sale, number)
    }),
  )
  return sale
}

/** A page without an address, of a marketer with an empty cache. */
async function signedInPage(browser: Browser, stack: Stack): Promise<Page> {
  const context = await browser.newContext({ ...desktop, locale: 'en-GB' })
  context.setDefaultTimeout(patienceMs)
  const cookie = { url: stack.url, sameSite: 'Lax' as const }
  const value = await stack.token('mia', { roles: ['marketer'] })
  await context.addCookies([
    { ...cookie, name: sessionCookie, value, httpOnly: true },
    { ...cookie, name: whoCookie, value: 'mia' },
  ])
  return context.newPage()
}

/** Until the list is drawn, and until what is above it is drawn as well. */
async function openConsole(browser: Browser, stack: Stack): Promise<{ list: Taken; cards: Taken }> {
  const page = await signedInPage(browser, stack)
  const taken = stopwatch()
  await page.goto(`${stack.url}/console/`, { waitUntil: 'commit' })
  await page
    .locator('#sales > li')
    .nth(salesPerPage - 1)
    .waitFor()
  const list = taken()
  await page.locator('[data-home]').first().waitFor()
  const cards = taken()
  await page.context().close()
  return { list, cards }
}

/** Until the table of orders is drawn, and until each further page of it is. */
async function readOrders(page: Page, stack: Stack, { saleId }: Sale): Promise<{ opened: Taken; more: Taken[] }> {
  const drawn = (count: number) =>
    page
      .locator('[data-order]')
      .nth(count - 1)
      .waitFor()
  await page.goto(`${stack.url}/console/#/sale/${saleId}`)
  await page.locator('#orders-of-sale').waitFor()
  const taken = stopwatch()
  await page.click('#orders-of-sale')
  await drawn(ordersPerPage)
  const opened = taken()
  const more: Taken[] = []
  for (let read = 1; read <= pages; read += 1) {
    const takenNext = stopwatch()
    await page.click('#more-orders')
    await drawn((read + 1) * ordersPerPage)
    more.push(takenNext())
  }
  return { opened, more }
}

/** From the click until the report is shown. */
async function takeReports(page: Page, stack: Stack, { saleId }: Sale): Promise<Taken[]> {
  const reported: Taken[] = []
  for (let report = 0; report < reports; report += 1) {
    await page.goto(`${stack.url}/console/#/sale/${saleId}`)
    await page.locator('#report-of-sale').waitFor()
    const taken = stopwatch()
    await page.click('#report-of-sale')
    await page.locator('#report').waitFor()
    reported.push(taken())
  }
  return reported
}
