/** A sale that has sold out in a real browser and in real time: two phones join its standby list, and the first rank buys the unit that comes back. */
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { bought, call, control, definition, eventually, startTokenOf } from '../journey/support.ts'
import { complaintsOf, phone } from './browser.ts'
import { consoleOf, mia, unfold } from './console.ts'
import { openOwnShop } from './shop.ts'
import { buyOn, overflows, says, sessionCookies } from './shopper.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openOwnShop({ scheduled: true })

it('two phones join once the sale has sold out, and the first rank alone is offered the returned unit and buys it', async () => {
  // Long enough to join on a busy machine as well.
  const standby = { joinSeconds: 120, claimSeconds: 3600 }
  const sale = definition({ stock: 1, limitPerShopper: 1, maxPerOrder: 1, standby })
  const saleId = String(sale.saleId)
  await control(stack, '/sales', { ...sale, endsAt: Date.now() + 7_200_000 })
  await control(stack, `/sales/${saleId}/start`, {})
  const phones = await Promise.all(
    ['ann', 'bob'].map(async (one, n) => {
      const name = `${one}-${randomUUID().slice(0, 8)}`
      const page = await newVisitor(browser, phone, { locale: n === 0 ? 'en-GB' : 'zh-CN' })
      const complaints = complaintsOf(page)
      const cookies = await sessionCookies(stack, name)
      await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: stack.url })))
      await page.goto(`${stack.url}/sales/${saleId}/`)
      await page.locator('#main[data-phase=open]').waitFor()
      expect(await page.locator('#enter').isVisible()).toBe(false)
      return { page, name, complaints }
    }),
  )
  const buyer = `eve-${randomUUID().slice(0, 8)}`
  const token = await stack.token(buyer)
  const won = await bought(stack, saleId, {
    ...{ token, startToken: await startTokenOf(stack, saleId), key: randomUUID() },
  })

  // The pages are not loaded again: each finds the list by itself.
  await Promise.all(
    phones.map(async ({ page }) => {
      await page.locator('#enter-now').waitFor({ timeout: 240_000 })
      await page.locator('#enter-now').press('Enter')
      await page.locator('#enter[data-stage=entered]').waitFor()
      expect(await faultsOf(page)).toEqual([])
      expect(await overflows(page)).toBe(false)
    }),
  )
  await picture(phones[0]?.page ?? (await browser.newPage()), 'standby-entered')
  const late = await call(stack, `/api/entries/${saleId}`, { token, method: 'PUT', body: {} })
  expect(late).toMatchObject({ status: 409, body: { reason: 'has-ordered' } })

  await Promise.all(phones.map(({ page }) => page.locator('#enter[data-stage=standby]').waitFor({ timeout: 400_000 })))
  const isFirst = /You are next/.test((await phones[0]?.page.locator('#enter-state').textContent()) ?? '')
  const [first, second] = isFirst ? phones : phones.toReversed()
  if (first === undefined || second === undefined) throw new Error('a phone is missing')
  await says(first.page, '#enter-state', /You are next|候补第一位/)
  expect(await first.page.locator('#buy').isVisible()).toBe(false)

  const cancelled = await eventually(async () => {
    const answer = await call(stack, `/api/orders/${won.orderId}/cancel`, { token, body: {} })
    return answer.status === 200 ? answer : undefined
  })
  expect(cancelled.status).toBe(200)
  await first.page.locator('#enter[data-stage=won]').waitFor({ timeout: 240_000 })
  expect(await second.page.locator('#buy').isVisible(), 'the button without an offer').toBe(false)
  await picture(first.page, 'standby-offered')
  await buyOn(first.page)
  await first.page.locator('#order[data-status=awaiting-payment]').waitFor()

  for (const { page, complaints } of phones) {
    await page.goto(`${stack.url}/draw/?sale=${saleId}`)
    await page.locator('#verdict .verdict[data-tone=good]').waitFor()
    expect(complaints).toEqual([])
  }
  const staff = await consoleOf(browser, stack, `#/sale/${saleId}`, mia)
  await unfold(staff, 'draw')
  await says(staff, '#draw', /Standby list/)
  await says(staff, '#draw .facts', /Decided/)
  expect(await faultsOf(staff)).toEqual([])
  await picture(staff, 'standby-console')
}, 900_000)
