/** The turn of a shopper in a real browser: the page waits for it, and the gate has the last word, by its own clock. */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { passPattern } from '../../core/gate/pass.ts'
import { turnMs } from '../../edge/turn.ts'
import { openSale, pointerOf, waitUntil } from '../journey/support.ts'
import { openPageAhead } from './counting-front.ts'
import { soon, switchLanguage, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { buttonIs, says, sessionCookies } from './shopper.ts'
import { expectNoComplaints, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openShop()

type Cookies = Awaited<ReturnType<typeof sessionCookies>>

/** A shopper whose turn is so late in the spread that a slow machine reads the page before it. */
async function shopperWithTurn(startToken: string, within: number) {
  for (let i = 0; ; i += 1) {
    const name = `turn-${i}`
    const cookies = await sessionCookies(stack, name)
    const pass = cookies.find((cookie) => cookie.name === 'sluice_pass')?.value ?? ''
    const [, shopperHash = ''] = passPattern.exec(pass) ?? []
    const ownMs = turnMs(startToken, shopperHash, within)
    if (ownMs > within * 400 && ownMs < within * 600) return { cookies, turnMs: ownMs }
  }
}

/** A page of that shopper that lives `aheadMs` from now. */
const pageAhead = (saleId: string, { cookies }: { cookies: Cookies }, aheadMs: number) =>
  openPageAhead(browser, stack.url, { path: `/sales/${saleId}/`, aheadMs, left: () => 5, cookies })

/** When the button stopped to show a turn, epoch ms in the time of the page, which goes on however slow a test is. */
async function endOfTurn(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (document.querySelector('#buy').dataset.state === 'turn') return
    window.endOfTurn = Date.now()
    observer.disconnect()
  }).observe(document.querySelector('#buy'), { attributeFilter: ['data-state'] })`)
  return () => page.evaluate<number>('window.endOfTurn')
}

describe('a sale with a spread', () => {
  it('counts down to the shopper’s turn and lights then (R8, C5)', async () => {
    const { saleId, startToken } = await openSale(stack, { spreadSeconds: 30 })
    const { startsAt } = await pointerOf(stack, saleId)
    const who = await shopperWithTurn(startToken, 30)
    const { page, now, liveUntil } = await pageAhead(saleId, who, startsAt + 2000 - Date.now())
    expectNoComplaints(page)
    await buttonIs(page, 'turn')
    const secondsOff = async () => {
      const shown = /^Your turn in (\d+) s$/.exec((await page.locator('#buy-label').textContent()) ?? '')
      return Math.abs(Number(shown?.[1]) - (startsAt + who.turnMs - now()) / 1000)
    }
    await soon(secondsOff).toBeLessThan(3)
    await says(page, '#status', 'shoppers get random turns')
    await page.locator('#buy[aria-disabled=true]').waitFor()
    await switchLanguage(page)
    await says(page, '#buy-label', /^\d+ 秒后轮到您$/)
    await says(page, '#status', '前 30 秒随机安排先后')
    await switchLanguage(page)

    const endedAt = await endOfTurn(page)
    await liveUntil(startsAt + who.turnMs + 1500)
    await waitUntilLit(page)
    expect(await endedAt()).toBeGreaterThan(startsAt + who.turnMs - 8000)
    await says(page, '#status', 'Good luck')
    // The gate goes by its own clock.
    await waitUntil(startsAt + who.turnMs)
    await page.click('#buy')
    await buttonIs(page, 'won')
  })

  it('waits as long as the gate says where the page’s clock is ahead, and lights again (R8)', async () => {
    const { saleId, startToken } = await openSale(stack, { spreadSeconds: 300 })
    const who = await shopperWithTurn(startToken, 300)
    const { page, now, liveUntil } = await pageAhead(saleId, who, 301_000)
    await waitUntilLit(page)
    await page.click('#buy')
    await buttonIs(page, 'cooldown')
    await says(page, '#status', /^Not your turn yet/)
    await liveUntil(now() + 300_000)
    await waitUntilLit(page)
    await textOf(page, '#status').not.toContain('Your turn')
  })
})
