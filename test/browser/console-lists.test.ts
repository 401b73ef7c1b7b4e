/**
 * The console's list of all sales in a real browser: what a refresh must not change, the search over many sales,
 * archived and late ones, the switch for all; and a stock over three databases. The shop is this file's own.
 */
import type { Page } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SalesPage } from '../../core/api/control-answers.ts'
import { type Sale, saleDefinition } from '../../core/sale/sale.ts'
import { newSale } from '../../functions/control/steps.ts'
import { auditOf } from '../../functions/sales/audit.ts'
import { addSale } from '../../functions/table/sale/sales.ts'
import { openSystem } from '../../proof/bench/system.ts'
import { buyWhenAdmitted, control, definition, eventually, openSale } from '../journey/support.ts'
import { phone } from './browser.ts'
import { askedBy, consoleOf, mia, pressAndChoose, signedIn } from './console.ts'
import { inputOf, soon, switchLanguage, textOf } from './reads.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openOwnShop({ databases: 3 })
afterEach(() => stack.setFault(null))

const hourMs = 3_600_000
const marketer = (path = '', change = {}) => consoleOf(browser, stack, path, { ...mia, ...change })

const create = (saleId: string, change = {}) =>
  control(
    stack,
    '/sales',
    definition({ saleId, title: saleId, startsAt: Date.now() + hourMs, endsAt: Date.now() + 2 * hourMs, ...change }),
  )

const rename = (saleId: string, title: string) => control(stack, `/sales/${saleId}`, { title }, 'PATCH')

const focused = (page: Page, attribute = 'id') =>
  page.evaluate<string | null>(`document.activeElement.getAttribute('${attribute}')`)

describe('a launch that could be missed', () => {
  it('is shown as late to marketer and shoppers when its start has passed, not “Starts soon, any moment now”', async () => {
    const saleId = 'late-cup'
    await create(saleId, { startsAt: Date.now() - 60_000 })
    await control(stack, `/sales/${saleId}/warm`, {})
    const shopper = await newVisitor(browser, phone)
    await shopper.goto(`${stack.url}/sales/${saleId}/`)
    await shopper.locator('#phase', { hasText: 'Delayed' }).waitFor()
    await textOf(shopper, '#clock-label').toContain('Delayed')
    await shopper.goto(stack.url)
    await shopper.locator(`[data-sale-id=${saleId}] .badge`, { hasText: 'Delayed' }).waitFor()

    const page = await marketer()
    await page.locator('#start-alarms', { hasText: 'was due at' }).waitFor()
    await page.locator('#start-alarms a').click()
    await page.locator('#phase', { hasText: 'Late: not open' }).waitFor()
    await page.locator('#start-alarm', { hasText: 'Shoppers are waiting' }).waitFor()
    await pressAndChoose(page, '[data-action=open-now]', 'open-now')
    await page.locator('#phase', { hasText: 'Live' }).waitFor()
    await textOf(page, '#start-alarm').toBe('')
  })
})

describe('the sales of now', () => {
  it('are above the list, and not in it, with what is sold, left and earned, as their rows and their pages say it', async () => {
    const saleId = 'now-cup'
    await create(saleId, { startsAt: Date.now() - 60_000, price: 4900, stock: 3 })
    const { startToken } = await control<Sale>(stack, `/sales/${saleId}/start`, {})
    const token = await stack.token('ann')
    await buyWhenAdmitted(stack, saleId, { token, startToken: startToken ?? '' })
    const numbers = await eventually(async () => {
      const page = await control<SalesPage>(stack, '/sales?numbers=true')
      const found = page.numbers?.[saleId]
      return found?.sold === 1 ? found : undefined
    })
    expect(numbers).toMatchObject({ left: 2, paid: 0, revenue: 0 })
    const page = await marketer()
    const card = page.locator('#home li', { has: page.locator(`[data-home=${saleId}]`) })
    await card.filter({ hasText: /Units ordered1Remaining2Revenue.*0\.00People waiting(?:about )?\d/ }).waitFor()
    // A sale with a card is not in the list again, and a search has its row alone.
    await soon(() => page.locator(`#sales [data-sale-id=${saleId}]`).count()).toBe(0)
    await page.fill('#search-find', saleId)
    await page
      .locator(`#sales [data-sale-id=${saleId}]`, { hasText: /now-cup.*Units ordered 1 · Remaining 2 · Revenue/s })
      .waitFor()
    await soon(() => card.count()).toBe(0)
    await page.fill('#search-find', '')
    expect(await faultsOf(page)).toEqual([])
    await page.click(`[data-home=${saleId}]`)
    await textOf(page, '#live-remaining').toBe('2')
    await textOf(page, '#live-sold').toBe('1')
    await page.click('#course-table summary')
    await page.locator('#course-caption', { hasText: 'each interval' }).waitFor()
    await page.click('label:has(#course-clicks)')
    await page.locator('.u-legend', { hasText: 'Asked to try again' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
  })
})

it('the switch for all sales asks first, pauses every started sale, and says how many', async () => {
  await create('paused-with-all')
  await control(stack, '/sales/paused-with-all/warm', {})
  await control(stack, '/sales/paused-with-all/start', {})
  const page = await marketer()
  expect(await askedBy(page, '#pause-all')).toMatch(/Scheduled: (at least )?[1-9]/)
  expect(await control(stack, '/sales/paused-with-all')).toMatchObject({ flag: 'on' })
  await pressAndChoose(page, '#pause-all', 'pause')
  await page.locator('body', { hasText: /\d+ sales? paused\./ }).waitFor()
  expect(await control(stack, '/sales/paused-with-all')).toMatchObject({ flag: 'paused' })
  await pressAndChoose(page, '#resume-all', 'resume')
  await page.locator('body', { hasText: /\d+ sales? resumed\./ }).waitFor()
  expect(await control(stack, '/sales/paused-with-all')).toMatchObject({ flag: 'on' })
  await page.locator('#resume-all').waitFor({ state: 'hidden' })
})

it('a live page keeps the focus while another marketer changes its sale', async () => {
  await create('watched')
  const page = await marketer('#/sale/watched')
  await page.locator('#edit').focus()
  await rename('watched', 'Renamed meanwhile')
  await page.locator('h1', { hasText: 'Renamed meanwhile' }).waitFor()
  await soon(() => focused(page, 'href')).toBe('#/sale/watched/edit')

  await page.locator('[data-action=delete]').focus()
  const button = await page.locator('[data-action=delete]').elementHandle()
  await control(stack, '/sales/watched/warm', {})
  await page.locator('[data-action=close]').waitFor()
  await soon(() => focused(page, 'data-action')).toBe('delete')
  expect(await button?.evaluate((element) => element.isConnected)).toBe(true)
})

it('an archived sale is listed separately and offers no action that would be rejected', async () => {
  await create('long-over')
  const page = await marketer()
  const archivedAt = Date.UTC(2026, 10, 28)
  // A sale is archived a week after its end; the answers here are what the API gives then.
  await page.route('**/api/control/sales?archived=true*', async (route) => {
    const answer = await route.fetch({ url: `${stack.url}/api/control/sales/long-over` })
    await route.fulfill({ json: { sales: [{ ...(await answer.json()), archivedAt }], next: null } })
  })
  await page.route('**/api/control/sales/long-over/live', async (route) => {
    const live = await (await route.fetch()).json()
    await route.fulfill({ json: { ...live, phase: 'ended', stock: null, sale: { ...live.sale, archivedAt } } })
  })
  await page.click('#archived')
  await page.locator('h1', { hasText: 'Archived sales' }).waitFor()
  await page.locator('[data-sale-id=long-over] .badge', { hasText: 'Archived' }).click()
  await page.locator('#phase', { hasText: 'Archived' }).waitFor()
  await textOf(page, '#notices').toContain('Archived on')
  await soon(() => page.locator('#actions button').count()).toBe(0)
  await soon(() => page.locator('#edit').count()).toBe(0)
  await soon(() => page.locator('#stock-add').isVisible()).toBe(false)
  // The page polls: a request in flight must not outlive it.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

/** A sale of 300 units over three databases, of which three shoppers have bought one each. */
async function openSplitSale(): Promise<string> {
  const { saleId, startToken } = await openSale(stack, { stock: 300, shards: 3 })
  for (const name of ['ann', 'bob', 'cy']) {
    const token = await stack.token(name)
    // A shard without units answers "unavailable" until the escrow has granted it some.
    await eventually(async () => {
      const { status } = await buyWhenAdmitted(stack, saleId, { token, startToken })
      return status === 202 ? true : undefined
    })
  }
  return saleId
}

const rowOf = (page: Page, database: string) =>
  page.locator('#shards tbody tr', { has: page.locator('th', { hasText: new RegExp(`^${database}$`) }) })

/** The cells of a database: its state, and the units allocated, reserved and left. */
const cellsOf = (page: Page, database: string) => rowOf(page, database).locator('td').allTextContents()

const stateOf = (page: Page, database: string, state: string) =>
  rowOf(page, database).locator('td', { hasText: state }).waitFor()

const names = ['main', 'db-2', 'db-3']

/** The units of all databases and those that none has. */
async function unitsOn(page: Page): Promise<{ reserved: number; total: number }> {
  const rows = await Promise.all(names.map((name) => cellsOf(page, name)))
  const sum = (column: number) => rows.reduce((units, cells) => units + Number(cells[column]), 0)
  const pool = Number(/\d+/.exec((await page.locator('#shards-pool').textContent()) ?? '')?.[0])
  return { reserved: sum(2), total: sum(1) + pool }
}

describe('a stock over three databases in the console (S14)', () => {
  it('has a row for each database, which stays in the page while its numbers change', async () => {
    const saleId = await openSplitSale()
    const page = await marketer(`#/sale/${saleId}`)
    await rowOf(page, 'main').waitFor()
    const kept = await rowOf(page, 'main').elementHandle()
    await soon(() => unitsOn(page)).toEqual({ reserved: 3, total: 300 })
    for (const name of names) await stateOf(page, name, 'Working')
    await page.locator('#health[data-state=good]').waitFor()

    await stack.setFault({ target: 'redis', database: 'db-2', mode: 'down' })
    await stateOf(page, 'db-2', 'Not responding')
    const [, granted, ...unknown] = await cellsOf(page, 'db-2')
    expect(Number(granted)).toBeGreaterThan(0)
    expect(unknown).toEqual(['–', '–'])
    await stateOf(page, 'db-3', 'Working')
    await page.locator('#health-line', { hasText: 'Part of the stock is unavailable' }).waitFor()
    await page.locator('#phase[data-phase=open]').waitFor()
    await page.locator('#health[data-state=bad]').waitFor()

    await stack.setFault(null)
    await stateOf(page, 'db-2', 'Working')
    expect(await kept?.evaluate((element) => element.isConnected), 'the row was not replaced').toBe(true)
    await switchLanguage(page)
    await stateOf(page, 'db-2', '正常')
    await stack.setFault({ target: 'redis', database: 'db-3', mode: 'down' })
    await stateOf(page, 'db-3', '无响应')
  })
})

/** More than one page of the list has, so that a search reads on. */
const many = 70
const last = `item-0${many - 1}`

/** Lets the time until the next refresh pass on the page's clock, until the row shows the text. */
async function refreshUntil(page: Page, saleId: string, text: string): Promise<void> {
  await soon(async () => {
    // Before the next look, so that a slow system does not get more and more requests.
    const answered = page.waitForResponse(/\/api\/control\/sales(?:\?|$)/)
    await page.clock.fastForward(5000)
    await answered
    return page.locator(`[data-sale-id=${saleId}]`).textContent()
  }).toContain(text)
}

const scrolled = (page: Page) => page.evaluate<number>('scrollY')

/** The titles of the sales that are found, once the search is over. */
async function found(page: Page, news: RegExp): Promise<string[]> {
  await page.locator('#search-found', { hasText: news }).waitFor()
  return page.locator('#sales strong').allTextContents()
}

const lastItem = (page: Page) => page.locator(`[data-sale-id=${last}]`).waitFor()

/** The alarm of the sale that starts before all others, so that the first page leaves it out. */
const lateJug = (page: Page) => page.locator('#start-alarms a[href="#/sale/late-jug"]')

describe('with many sales', () => {
  let searcher: Page
  afterAll(() => searcher.context().close())
  /**
   * The page that these tests share, at another address. It loads anew: a change of the hash alone leaves the former
   * list in the page for a moment, and takes what is typed into it along.
   */
  const searching = async (path = '#/') => {
    await searcher.goto('about:blank')
    await searcher.goto(`${stack.url}/console/${path}`)
    return searcher
  }

  beforeAll(async () => {
    const start = Date.now() + 24 * hourMs
    const { table, close } = await openSystem(stack.url)
    // The list reads the table, so that is all they need; what comes later changes some of them.
    const item = async (n: number) => {
      const titles = { en: { title: `Handmade mug ${n}` }, 'zh-CN': { title: `手工陶杯 ${n}` } }
      const saleId = `item-${String(n).padStart(3, '0')}`
      const drafted = definition({
        ...{ saleId, title: `Lamp ${n}` },
        ...{ startsAt: start + n * hourMs, endsAt: start + (n + 1) * hourMs },
        ...(n % 10 === 0 && { title: `Mug ${n}`, translations: titles }),
        ...(n % 15 === 7 && { kind: 'coupon', price: 0, title: `Voucher ${n}` }),
      })
      const made = newSale(saleDefinition.parse(drafted), Date.now())
      if (made.kind === 'invalid') throw new Error(`${saleId} cannot be: ${made.field}`)
      const actor = { who: 'mia', requestId: saleId }
      await addSale(
        table,
        made.sale,
        auditOf({ ...actor, what: 'create', saleId: made.sale.saleId, when: Date.now() }, null, made.sale),
      )
    }
    await Promise.all(Array.from({ length: many }, (_, n) => item(n)))
    close()
    await create('late-jug', { startsAt: Date.now() - 60_000 })
    await control(stack, '/sales/item-000/warm', {})
    await control(stack, '/sales/item-000/start', {})
    searcher = await marketer()
  })

  describe('the list', () => {
    it('keeps the focus, the scroll position and a selection while it refreshes, every 5 s', async () => {
      const page = await marketer()
      await page.clock.install()
      await page.reload()
      // Content that loads above the list would move it.
      await lateJug(page).waitFor()
      await page.locator('#home li').first().waitFor()
      const link = page.locator('[data-sale-id=item-032] a')
      await link.focus()
      await page.evaluate("getSelection().selectAllChildren(document.querySelector('[data-sale-id=item-032] strong'))")
      const before = await scrolled(page)
      expect(before).toBeGreaterThan(0)
      const kept = await link.elementHandle()

      await rename('item-031', 'Lamp 31 of glass')
      await refreshUntil(page, 'item-031', 'Lamp 31 of glass')
      await soon(() => focused(page, 'href')).toBe('#/sale/item-032')
      expect(await kept?.evaluate((element) => element.isConnected)).toBe(true)
      expect(await page.evaluate('String(getSelection())')).toBe('Lamp 32')
      await soon(() => scrolled(page)).toBe(before)

      await rename('item-032', 'Lamp 32 of brass')
      await refreshUntil(page, 'item-032', 'Lamp 32 of brass')
      await soon(() => focused(page, 'href')).toBe('#/sale/item-032')
      await soon(() => scrolled(page)).toBe(before)
    })

    it('has the sales of now above it before it is read again, although its first page leaves them out', async () => {
      const page = await signedIn(browser, stack, mia)
      let reads = 0
      await page.route(/\/api\/control\/sales\?(?!.*state=)/, async (route) => {
        reads += 1
        if (reads === 1) await route.continue()
      })
      await page.goto(`${stack.url}/console/`)
      await lateJug(page).waitFor()
      await page.locator('#home li').first().waitFor()
    })

    it('shows that a sale is late which its first page and a search do not have', async () => {
      const page = await searching()
      await lateJug(page).waitFor()
      await soon(() => page.locator('[data-sale-id=late-jug]').count()).toBe(0)
      await page.fill('#search-find', 'handmade')
      await soon(() => found(page, /^7 sales found/)).not.toContain('late-jug')
      await lateJug(page).waitFor()
    })
  })

  describe('the search over many sales', () => {
    it('finds words in the titles of both languages, and keeps them in the address', async () => {
      const page = await searching()
      await lastItem(page)
      await soon(() => page.locator('#sales > li').count()).toBe(50)
      await page.focus('#search-find')
      await page.keyboard.type('陶杯')
      await soon(() => found(page, /^7 sales found/)).toContain('Handmade mug 60')
      await soon(() => focused(page)).toBe('search-find')
      expect(new URL(page.url()).hash).toBe(`#/?${new URLSearchParams({ find: '陶杯' })}`)

      await page.selectOption('#search-state', 'scheduled')
      await soon(() => found(page, /^1 sale found/)).toEqual(['Handmade mug 0'])
      await page.goBack()
      await soon(() => found(page, /^7 sales found/)).toHaveLength(7)
      await page.goBack()
      await lastItem(page)
      await inputOf(page, '#search-find').toBe('')
    })

    it('says what it did not find, and shows all again', async () => {
      const page = await searching('#/?find=teapot&kind=coupon')
      await page.locator('.empty', { hasText: 'No sales match “teapot” · Coupons.' }).waitFor()
      // Any text that is typed reaches the system as it is.
      for (const text of ['50 % * / ?\'"', '陶'.repeat(40), '🍵'.repeat(20)]) {
        await page.fill('#search-find', text)
        await page.locator('.empty', { hasText: `No sales match “${text}” · Coupons.` }).waitFor()
      }
      await page.click('#search-clear')
      await lastItem(page)
      await soon(() => focused(page)).toBe('search-find')
      expect(new URL(page.url()).hash).toBe('#/')
      await page.selectOption('#search-kind', 'coupon')
      await soon(() => found(page, /^5 sales found/)).toContain('Voucher 7')
    })

    it('keeps the box, its focus and its text while the list refreshes', async () => {
      const page = await marketer('#/?find=lamp')
      await page.clock.install()
      await page.reload()
      await page.locator('#sales > li').first().waitFor()
      await page.click('#search-find')
      await page.keyboard.press('End')
      const box = await page.locator('#search-find').elementHandle()
      await rename(last, 'Lamp of brass')
      await refreshUntil(page, last, 'Lamp of brass')
      await soon(() => focused(page)).toBe('search-find')
      expect(await box?.evaluate((element) => element.isConnected)).toBe(true)
      await page.locator('#more-sales').click()
      await page.locator('#search-found', { hasText: /^58 sales found$/ }).waitFor()
      await soon(() => page.locator('#sales > li').count()).toBe(58)
    })

    it('says how far it has come among thousands of sales, and stops when it is asked to', async () => {
      const page = await searching()
      await lastItem(page)
      const held = Promise.withResolvers<void>()
      const day = Date.UTC(2025, 2, 12, 12)
      await page.route('**/api/control/sales?*find=rare*', async (route) => {
        const after = new URL(route.request().url()).searchParams.get('after')
        if (after !== null) await held.promise
        await route.fulfill({ json: { sales: [], next: `${after === null ? day : day - 864e5}.item-001` } })
      })
      await page.fill('#search-find', 'rare')
      await page.locator('#search-progress', { hasText: 'Searching… back to 12 Mar 2025' }).waitFor()
      await page.click('#search-stop')
      held.resolve()
      await page.locator('.empty', { hasText: 'Nothing found for “rare”, back to 11 Mar 2025.' }).waitFor()
      await page.locator('#more-sales', { hasText: 'Search older sales' }).waitFor()
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    })
  })
})

describe('a script of the console that cannot be loaded', () => {
  it('shows what is wrong in place of its view, and a button with which it opens later', async () => {
    const page = await marketer()
    await page.locator('#new-sale').waitFor()
    await page.route(/\/assets\/part-sale-form\./, (route) => route.abort())
    await page.click('#new-sale')
    await page.locator('#view [role=alert]', { hasText: 'couldn’t be loaded' }).waitFor()
    await picture(page, 'console-part-failed')
    expect(await faultsOf(page)).toEqual([])
    await page.click('[data-tab=sales]')
    await page.locator('#new-sale').waitFor()
    await page.goto(`${stack.url}/console/#/new`)
    // A request that is still on its way would load the script, and leave no button.
    await page.locator('#retry-part').waitFor()
    await page.unroute(/\/assets\/part-sale-form\./)
    await page.click('#retry-part')
    await page.locator('#next').waitFor()
    await picture(page, 'console-part-loaded')
  })

  it('leaves the console in its language when it is the other language, which comes after a reload', async () => {
    const page = await marketer()
    await page.locator('#new-sale', { hasText: 'New sale' }).waitFor()
    await page.route(/\/assets\/console-words-zh-CN\./, (route) => route.abort())
    await switchLanguage(page)
    await page.locator('#status', { hasText: 'This language couldn’t be loaded' }).waitFor()
    await soon(() => page.locator('html').getAttribute('lang')).toBe('en')
    await page.click('[data-tab=audit]')
    await page.locator('h1', { hasText: 'Activity' }).waitFor()
    await page.unroute(/\/assets\/console-words-zh-CN\./)
    await page.reload()
    await page.locator('#access', { hasText: 'mia' }).waitFor()
    await switchLanguage(page)
    await page.locator('[data-tab=sales]', { hasText: '活动' }).waitFor()
    await soon(() => page.locator('html').getAttribute('lang')).toBe('zh-CN')
    await page.reload()
    await page.locator('#view h1', { hasText: /\p{Script=Han}/u }).waitFor()
  })

  it('says so before the first view, in the language of the reader', async () => {
    const page = await signedIn(browser, stack, { ...mia, locale: 'zh-CN' })
    await page.route(/\/assets\/console-words-zh-CN\./, (route) => route.abort())
    await page.goto(`${stack.url}/console/`)
    await page.locator('#view [role=alert]', { hasText: '加载失败' }).waitFor()
    await page.unroute(/\/assets\/console-words-zh-CN\./)
    await page.click('#retry-part')
    await page.locator('#new-sale').waitFor()
  })
})
