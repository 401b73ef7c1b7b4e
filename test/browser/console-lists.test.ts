/** The console's lists and live pages in a real browser: what a refresh must not change, and what an archived sale shows. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { control, definition } from '../journey/support.ts'
import { desktop } from './browser.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openOwnShop()

async function marketer(path: string): Promise<Page> {
  const page = await newVisitor(browser, desktop)
  const back = encodeURIComponent(`/console/${path}`)
  await page.goto(`${stack.url}/sign-in/?as=mia&role=marketer&return=${back}`)
  await page.click('button[type=submit]')
  await page.waitForURL(`${stack.url}/console/${path}`)
  return page
}

const create = (saleId: string) =>
  control(
    stack,
    '/sales',
    definition({ saleId, title: saleId, startsAt: Date.now() + 3_600_000, endsAt: Date.now() + 7_200_000 }),
  )

const rename = (saleId: string, title: string) => control(stack, `/sales/${saleId}`, { title }, 'PATCH')

const heldBy = (attribute: string) => (page: Page) =>
  page.evaluate<string | null>(`document.activeElement.getAttribute('${attribute}')`)
const held = heldBy('href')
const heldAction = heldBy('data-action')
const scrolled = (page: Page) => page.evaluate<number>('scrollY')

describe('a refreshing view', () => {
  it('keeps the focus, the scroll position and a selection in the list of sales, which refreshes every 5 s', async () => {
    for (let n = 10; n < 30; n++) await create(`row-${n}`)
    const page = await marketer('')
    const link = page.locator('[data-sale-id=row-12] a')
    await link.focus()
    await page.evaluate(
      "getSelection().selectAllChildren(document.querySelector('[data-sale-id=row-12] strong'))",
    )
    const before = await scrolled(page)
    expect(before).toBeGreaterThan(0)
    const kept = await link.elementHandle()

    await rename('row-11', 'Another row')
    await page.locator('[data-sale-id=row-11]', { hasText: 'Another row' }).waitFor()
    expect(await held(page)).toBe('#/sale/row-12')
    expect(await kept?.evaluate((element) => element.isConnected)).toBe(true)
    expect(await page.evaluate('String(getSelection())')).toBe('row-12')
    expect(await scrolled(page)).toBe(before)

    await rename('row-12', 'This very row')
    await page.locator('[data-sale-id=row-12]', { hasText: 'This very row' }).waitFor()
    expect(await held(page)).toBe('#/sale/row-12')
    expect(await scrolled(page)).toBe(before)
    expect(await faultsOf(page)).toEqual([])
    await page.context().close()
  })

  it('keeps the focus on the live page of a sale that another marketer changes', async () => {
    await create('watched')
    const page = await marketer('#/sale/watched')
    await page.locator('#edit').focus()
    await rename('watched', 'Renamed meanwhile')
    await page.locator('h1', { hasText: 'Renamed meanwhile' }).waitFor()
    expect(await held(page)).toBe('#/sale/watched/edit')

    await page.locator('[data-action=delete]').focus()
    const button = await page.locator('[data-action=delete]').elementHandle()
    await control(stack, '/sales/watched/warm', {})
    await page.locator('[data-action=warm]').waitFor({ state: 'detached' })
    expect(await heldAction(page)).toBe('delete')
    expect(await button?.evaluate((element) => element.isConnected)).toBe(true)
    await page.context().close()
  })
})

describe('an archived sale', () => {
  it('is listed separately and offers no action that would be rejected', async () => {
    await create('long-over')
    const page = await marketer('')
    const archivedAt = Date.UTC(2026, 10, 28)
    // A sale is archived a week after its end; the answers here are what the API gives then.
    await page.route('**/api/control/sales?archived=true', async (route) => {
      const answer = await route.fetch({ url: `${stack.url}/api/control/sales/long-over` })
      await route.fulfill({ json: { sales: [{ ...(await answer.json()), archivedAt }], next: null } })
    })
    await page.route('**/api/control/sales/long-over/live', async (route) => {
      const live = await (await route.fetch()).json()
      await route.fulfill({
        json: { ...live, phase: 'ended', stock: null, sale: { ...live.sale, archivedAt } },
      })
    })
    await page.click('#archived')
    await page.locator('h1', { hasText: 'Archived sales' }).waitFor()
    await page.locator('[data-sale-id=long-over] .badge', { hasText: 'Archived' }).click()
    await page.locator('#phase', { hasText: 'Archived' }).waitFor()
    expect(await page.locator('#notices').textContent()).toContain('Archived on')
    expect(await page.locator('#actions button').count()).toBe(0)
    expect(await page.locator('#edit').count()).toBe(0)
    expect(await page.locator('#stock-add').isVisible()).toBe(false)
    expect(await faultsOf(page)).toEqual([])
    // The page polls: a request in flight must not outlive it.
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.context().close()
  })
})

describe('the switch for all sales', () => {
  it('asks first, pauses every started sale, and says how many', async () => {
    await create('paused-with-all')
    await control(stack, '/sales/paused-with-all/warm', {})
    await control(stack, '/sales/paused-with-all/start', {})
    const page = await marketer('')
    await page.click('#pause-all')
    await page.locator('#confirm[open]').waitFor()
    expect(await page.locator('#confirm-text').textContent()).toMatch(
      /Waiting for their start: (at least )?[1-9]/,
    )
    expect(await faultsOf(page)).toEqual([])
    await picture(page, 'console-pause-all')
    await page.keyboard.press('Escape')
    await page.locator('#pause-all:focus').waitFor()
    expect(await control(stack, '/sales/paused-with-all')).toMatchObject({ flag: 'on' })
    await page.click('#pause-all')
    await page.click('[data-choice=pause]')
    await page.locator('body', { hasText: /\d+ sales? paused\./ }).waitFor()
    expect(await control(stack, '/sales/paused-with-all')).toMatchObject({ flag: 'paused' })
  })
})
