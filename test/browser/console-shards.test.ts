/**
 * A stock over three databases in the console, in a real browser: the form asks for them, and the
 * page of the sale shows what each of them has, also while one does not answer.
 */
import type { BrowserContextOptions, Page } from '@playwright/test'
import { afterEach, describe, expect, it } from 'vitest'
import { buyWhenThereIsRoom, eventually, openSale } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { saveNewSale, unfold } from './console.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openOwnShop({ databases: 3 })
afterEach(() => stack.setFault(null))

async function marketer(screen: BrowserContextOptions, path = ''): Promise<Page> {
  const page = await newVisitor(browser, screen)
  const back = encodeURIComponent(`/console/${path}`)
  await page.goto(`${stack.url}/sign-in/?as=mia&role=marketer&return=${back}`)
  await page.click('button[type=submit]')
  await page.waitForURL(`${stack.url}/console/${path}`)
  return page
}

/** A sale of 300 units over three databases, of which three shoppers have bought one each. */
async function openSplitSale(): Promise<string> {
  const { saleId, startToken } = await openSale(stack, { stock: 300, shards: 3 })
  for (const name of ['ann', 'bob', 'cy']) {
    const token = await stack.token(name)
    // A shard without units answers "unavailable" until the bank has granted it some.
    await eventually(async () => {
      const { status } = await buyWhenThereIsRoom(stack, saleId, { token, startToken })
      return status === 202 ? true : undefined
    })
  }
  return saleId
}

const rowOf = (page: Page, database: string) =>
  page.locator('#shards tbody tr', { has: page.locator('th', { hasText: new RegExp(`^${database}$`) }) })

/** The cells of a database: its state, and the units allocated, reserved and left. */
const cellsOf = (page: Page, database: string) => rowOf(page, database).locator('td').allTextContents()

const names = ['main', 'db-2', 'db-3']

/** The units of all databases and those that none has. */
async function unitsOn(page: Page): Promise<{ reserved: number; total: number }> {
  const rows = await Promise.all(names.map((name) => cellsOf(page, name)))
  const sum = (column: number) => rows.reduce((units, cells) => units + Number(cells[column]), 0)
  const pool = Number(/\d+/.exec((await page.locator('#shards-pool').textContent()) ?? '')?.[0])
  return { reserved: sum(2), total: sum(1) + pool }
}

describe('a stock over three databases in the console (S14)', () => {
  it('is asked for in the form, and a number that cannot be is refused at its field', async () => {
    const page = await marketer(desktop)
    const wrong = complaintsOf(page)
    await page.click('#new-sale')
    const shards = page.locator('#field-shards')
    const refused = (text: string) => page.locator('#field-shards-error', { hasText: text }).waitFor()
    await page.locator('#kind-red-packet').check()
    await unfold(page, 'more-howMuch')
    expect(await shards.isVisible()).toBe(true)
    await page.locator('#kind-goods').check()
    expect(await shards.inputValue()).toBe('1')
    await page.fill('#field-title', 'Split lamp')
    await page.fill('#field-description', 'For quick shoppers.')
    await page.fill('#field-price', '5')

    await shards.fill('0')
    await page.click('#next')
    await refused('Enter a whole number from 1 to 64.')
    await shards.fill('3')
    await page.fill('#field-stock', '-1')
    await page.click('#next')
    await refused('Must be 1: unlimited stock can’t be split.')
    await page.fill('#field-stock', '300')
    await shards.fill('4')
    await saveNewSale(page)
    await refused('This shop doesn’t have that many databases for stock.')
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'shards-form')
    await page.click('#language')
    await saveNewSale(page)
    await refused('超过了可用的库存数据库数量。')
    await page.click('#language')

    await unfold(page, 'more-howMuch')
    await shards.fill('3')
    await saveNewSale(page)
    await page.locator('#phase[data-phase=draft]').waitFor()
    expect(await page.locator('.facts').textContent()).toContain('Databases for the stock3')
    expect(await page.locator('#shards').isVisible()).toBe(false)

    // Once published, the stock stays where it is.
    await page.click('[data-action=warm]')
    await page.locator('#confirm-actions .button--main').click()
    await page.locator('#phase[data-phase=scheduled]').waitFor()
    await rowOf(page, 'db-3').waitFor()
    await page.click('#edit')
    await unfold(page, 'more-howMuch')
    await page.locator('#field-shards[readonly]').waitFor()
    expect(await page.locator('#field-shards-hint').textContent()).toBe(
      'Can’t be changed once the sale is published.',
    )
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it('has a row for each database, which stays in the page while its numbers change', async () => {
    const saleId = await openSplitSale()
    const page = await marketer({ ...desktop, colorScheme: 'dark' }, `#/sale/${saleId}`)
    await rowOf(page, 'main').waitFor()
    const kept = await rowOf(page, 'main').elementHandle()
    await eventually(async () => ((await unitsOn(page)).reserved === 3 ? true : undefined))
    await eventually(async () => ((await unitsOn(page)).total === 300 ? true : undefined))
    for (const name of names) expect((await cellsOf(page, name))[0]).toBe('Working')
    expect(await page.locator('#health').getAttribute('data-state')).toBe('good')
    expect(await faultsOf(page)).toEqual([])
    await page.locator('#shards').scrollIntoViewIfNeeded()
    await picture(page, 'shards-desktop')

    await stack.setFault({ target: 'redis', database: 'db-2', mode: 'down' })
    await rowOf(page, 'db-2').locator('td', { hasText: 'Not responding' }).waitFor()
    const [, granted, ...unknown] = await cellsOf(page, 'db-2')
    expect(Number(granted)).toBeGreaterThan(0)
    expect(unknown).toEqual(['–', '–'])
    expect((await cellsOf(page, 'db-3'))[0]).toBe('Working')
    await page.locator('#health-line', { hasText: 'Part of the stock is unavailable' }).waitFor()
    expect(await page.locator('#phase').getAttribute('data-phase')).toBe('open')
    expect(await page.locator('#health').getAttribute('data-state')).toBe('bad')
    expect(await faultsOf(page)).toEqual([])
    await page.locator('#shards').scrollIntoViewIfNeeded()
    await picture(page, 'shards-desktop-down')

    await stack.setFault(null)
    await rowOf(page, 'db-2').locator('td', { hasText: 'Working' }).waitFor()
    expect(await kept?.evaluate((element) => element.isConnected), 'the row was not replaced').toBe(true)
    await page.click('#language')
    await rowOf(page, 'db-2').locator('td', { hasText: '正常' }).waitFor()
    await page.locator('#shards').scrollIntoViewIfNeeded()
    await picture(page, 'shards-desktop-zh')
    await page.context().close()
  })

  it.each([
    ['light', 'en-GB', 'Not responding'],
    ['dark', 'zh-CN', '无响应'],
  ] as const)(
    'fits on a phone and says which database is down, in %s, %s',
    async (colorScheme, locale, state) => {
      const saleId = await openSplitSale()
      const page = await newVisitor(browser, { ...phone, colorScheme }, { locale })
      const back = encodeURIComponent(`/console/#/sale/${saleId}`)
      await page.goto(`${stack.url}/sign-in/?as=mia&role=marketer&return=${back}`)
      await page.click('button[type=submit]')
      await stack.setFault({ target: 'redis', database: 'db-3', mode: 'down' })
      await rowOf(page, 'db-3').locator('td', { hasText: state }).waitFor()
      await page.locator('#shards').scrollIntoViewIfNeeded()
      await picture(page, `shards-phone-${colorScheme}`)
      expect(await faultsOf(page)).toEqual([])
      const overflows = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)
      expect(overflows).toBe(false)
      await page.context().close()
    },
  )
})
