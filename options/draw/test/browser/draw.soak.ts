/** A sale that draws in a real browser and in real time: two phones enter, one wins and buys, the other is next, and both check the draw. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, it } from 'vitest'
import { words } from '../../../../templates/messages/text.ts'
import { complaintsOf, phone } from '../../../../test/browser/browser.ts'
import { consoleOf, mia, unfold } from '../../../../test/browser/console.ts'
import { openOwnShop } from '../../../../test/browser/shop.ts'
import { buyOn, overflows, says, sessionCookies } from '../../../../test/browser/shopper.ts'
import { expectAccessible, faultsOf, newVisitor, picture } from '../../../../test/browser/visitor.ts'
import { call, createSale, eventually } from '../../../../test/journey/support.ts'
import { earliestDrawStart } from '../../core/fields.ts'
import { drawFaultMessages } from '../../static/messages/catalogues.ts'

const { stack, browser } = await openOwnShop({ scheduled: true })

/** Replaces the list of the draw as the CDN serves it to this browser: its first entry has another id. */
async function tamperWithList(page: Page, saleId: string): Promise<void> {
  await page.route(`${stack.url}/sales/${saleId}/draw/list.bin`, async (route) => {
    const response = await route.fetch()
    const list = await response.body()
    list[0] = (list[0] ?? 0) ^ 1
    await route.fulfill({ response, body: list })
  })
}

it('two phones enter, the winner buys, the other is offered the returned unit, and both check the draw, which a tampered list turns red', async () => {
  const opensAt = Date.now()
  // Long enough for all that the phones do until the close, on a busy machine as well.
  const draw = { opensAt, closesAt: opensAt + 120_000, commitSeconds: 60, claimSeconds: 3600 }
  const startsAt = earliestDrawStart(draw)
  const sale = { stock: 1, limitPerShopper: 1, maxPerOrder: 1, draw, startsAt, endsAt: startsAt + 3_600_000 }
  const saleId = await createSale(stack, sale, 'warm', 'start')
  const names = ['ann', 'bob'].map((name) => `${name}-${randomUUID().slice(0, 8)}`)
  const token = await stack.token(names[0] ?? '')
  await eventually(async () =>
    (await call(stack, `/api/entries/${saleId}`, { token })).status === 200 ? true : undefined,
  )

  const phones = await Promise.all(
    names.map(async (name, n) => {
      const page = await newVisitor(browser, phone, { locale: n === 0 ? 'en-GB' : 'zh-CN' })
      const complaints = complaintsOf(page)
      const cookies = await sessionCookies(stack, name)
      await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: stack.url })))
      await page.goto(`${stack.url}/sales/${saleId}/`)
      await page.locator('#enter-now').press('Enter')
      await page.locator('#enter[data-stage=entered]').waitFor()
      return { page, name, complaints }
    }),
  )
  for (const { page } of phones) {
    await page.locator('#enter-news:focus').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(await overflows(page)).toBe(false)
  }
  // Leaving and entering again is possible until the close.
  const [one, other] = phones
  await one?.page.click('#leave')
  await one?.page.locator('#enter[data-stage=open]').waitFor()
  await one?.page.click('#enter-now')
  await one?.page.locator('#enter[data-stage=entered] #receipt').waitFor()

  await Promise.all(
    phones.map(({ page }) =>
      page.locator('#enter:is([data-stage=won],[data-stage=standby])').waitFor({ timeout: 300_000 }),
    ),
  )
  const isFirst = (await one?.page.getAttribute('#enter', 'data-stage')) === 'won'
  const [winner, next] = isFirst ? [one, other] : [other, one]
  if (winner === undefined || next === undefined) throw new Error('a phone is missing')
  await says(next.page, '#enter-state', /You are next|候补第一位/)
  for (const { page } of phones) expect(await faultsOf(page)).toEqual([])
  await picture(winner.page, 'draw-won')
  await picture(next.page, 'draw-standby')

  await buyOn(winner.page)
  const orderId = new URL(winner.page.url()).searchParams.get('id') ?? ''
  await winner.page.locator('#order[data-status=awaiting-payment]').waitFor()
  const cancelled = await call(stack, `/api/orders/${orderId}/cancel`, {
    token: await stack.token(winner.name),
    body: {},
  })
  expect(cancelled.status).toBe(200)
  await next.page.locator('#enter[data-stage=won]').waitFor({ timeout: 240_000 })
  expect(await faultsOf(next.page)).toEqual([])
  await buyOn(next.page)
  await next.page.locator('#order[data-status=awaiting-payment]').waitFor()

  for (const [n, { page, complaints }] of phones.entries()) {
    await page.goto(`${stack.url}/draw/?sale=${saleId}`)
    const good = page.locator('#verdict .verdict[data-tone=good]')
    await good.waitFor()
    await says(
      page,
      '#draw .verdict[data-tone=good]',
      page === winner.page ? /rank 1 of 2|第 1 位/ : /rank 2 of 2|第 2 位/,
    )
    expect(await faultsOf(page)).toEqual([])
    await tamperWithList(page, saleId)
    await page.reload()
    await page.locator('#verdict .verdict[data-tone=bad]').waitFor()
    const reasons = await page.locator('.faults li').allTextContents()
    const reason = words(drawFaultMessages['fault.root-wrong'], n === 0 ? 'en' : 'zh-CN')
    expect(reasons.filter((text) => text.startsWith(reason))).not.toEqual([])
    expect(await overflows(page)).toBe(false)
    await expectAccessible(page, `draw-tampered-${n}`)
    // The shop has the list as it was published.
    await page.unrouteAll()
    await page.reload()
    await good.waitFor()
    expect(complaints).toEqual([])
  }
  const staff = await consoleOf(browser, stack, `#/sale/${saleId}`, mia)
  await unfold(staff, 'draw')
  await says(staff, '#draw .facts', /Decided/)
  await expectAccessible(staff, 'draw-console')
}, 900_000)
