/** Pages that wait in real time, in a real browser: for an armed start, and for the next round of their sale. */
import type { Page } from '@playwright/test'
import { describe, it } from 'vitest'
import { openSale } from '../journey/support.ts'
import { desktop, phone } from './browser.ts'
import { openRain, raining, tapPacket, waitForStatus } from './rain.ts'
import { soon } from './reads.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, newVisitor, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openOwnShop({ scheduled: true, keepsPages: true })

/** Signed in before there is a sale: on a busy machine that may take longer than a round. */
async function visitor(name: string, screen: typeof phone): Promise<Page> {
  const page = await newVisitor(browser, screen)
  await signInThrough(page, stack.url, name, '/orders/')
  return page
}

// The tests wait for real time, so they run concurrently.
describe.concurrent('the page of a sale that has not started', () => {
  it('shows when the next round starts, and opens it by itself on the waiting page (R7)', async ({ expect }) => {
    const [rival, page] = await Promise.all([visitor('fay', desktop), visitor('gus', phone)])
    const startsAt = Date.now() - 1000
    const windows = [
      { startsAt, endsAt: startsAt + 75_000, stock: 1 },
      { startsAt: startsAt + 90_000, endsAt: startsAt + 3_600_000, stock: 1 },
    ]
    const { saleId } = await openSale(stack, { ...windows[0], windows })
    await rival.goto(`${stack.url}/sales/${saleId}/`)
    await waitUntilLit(rival)
    await rival.click('#buy')
    await rival.waitForURL(/\/orders\/\?id=/)

    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('#main[data-phase=sold-out]').waitFor({ timeout: 60_000 })
    await page.locator('#next-round', { hasText: /^Next round: / }).waitFor()
    await soon(() => page.locator('#rounds li').count(), expect).toBe(2)
    await page.locator('#rounds li[data-state=now]', { hasText: 'Sold out' }).waitFor()
    expect(await faultsOf(page)).toEqual([])

    await page.locator('#main[data-phase=scheduled]').waitFor({ timeout: 120_000 })
    await page.locator('#rounds li[data-state=next]').nth(0).waitFor()
    await waitUntilLit(page)
    expect(Date.now()).toBeGreaterThanOrEqual(startsAt + 90_000 - 100)
    await page.click('#buy')
    await page.waitForURL(/\/orders\/\?id=/)
    await Promise.all([page, rival].map((one) => one.context().close()))
  })

  it('of red packets starts by itself on the waiting page, in a second wave too, and keeps the packet of the first one (C5, R7)', async ({
    expect,
  }) => {
    const [lucky, patient] = await Promise.all([visitor('hal', phone), visitor('ida', desktop)])
    const startsAt = Date.now() + 30_000
    const second = startsAt + 60_000
    const saleId = await openRain(stack, 1, {
      ...{ packets: undefined, startsAt: undefined, endsAt: undefined },
      windows: [
        { startsAt, endsAt: startsAt + 57_000, stock: 1, totalAmount: 88 },
        { startsAt: second, endsAt: second + 600_000, stock: 3, totalAmount: 300 },
      ],
    })
    await Promise.all([lucky, patient].map((page) => page.goto(`${stack.url}/sales/${saleId}/`)))
    const asked: string[] = []
    lucky.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await raining(lucky)
    expect(Date.now()).toBeGreaterThanOrEqual(startsAt - 100)
    // A waiting crowd sends no requests to the wallet (C3).
    expect(asked).not.toContain('/api/wallet')
    await lucky.click('#buy')
    await lucky.locator('#caught').waitFor()
    await patient.locator('#main[data-phase=sold-out]').waitFor({ timeout: 60_000 })
    await waitForStatus(patient, 'the next round starts automatically')
    await soon(() => patient.locator('#next-round').textContent(), expect).toMatch(/^Next round: /)

    await raining(patient)
    expect(Date.now()).toBeGreaterThanOrEqual(second - 100)
    await lucky.locator('#main[data-phase=open]').waitFor()
    await lucky.locator('#stage[data-sky=caught]').waitFor()
    await tapPacket(patient)
    await patient.locator('#caught').waitFor()
    await Promise.all([lucky, patient].map((page) => page.context().close()))
  })
})
