/**
 * The pages of a sale in a real browser: a marketer opens it in the console, the button of a waiting shopper lights by
 * itself, one click becomes an order, and late shoppers see that it sold out; and early access.
 * Some pictures of the README are made here (`SCREENSHOTS=docs/images npm test test/browser`).
 */
import type { Page } from '@playwright/test'
import { describe, expect, it } from 'vitest'
import { clockHeader } from '../../core/gate/cors.ts'
import { buyUnits, control, createSale, openSale, pointerOf } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { consoleOf, mia } from './console.ts'
import { soon, switchLanguage, textOf } from './reads.ts'
import { openShop } from './shop.ts'
import { buttonIs, buyOn, fastForwardTo, postsTo, says, sessionCookies, showsStatus } from './shopper.ts'
import { expectNoComplaints, installClock, newVisitor, passRest, picture, stopClock, waitUntilLit } from './visitor.ts'

const { stack, browser, shopper } = await openShop()

const hourMs = 3_600_000

/** Whole minutes from now to `time`, epoch ms. */
const minutesTo = (time: number) => Math.floor((time - Date.now()) / 60_000)

/** The text as assistive technology reads it. */
const greyButton = (page: Page) => page.locator('#buy[aria-disabled=true]').waitFor()

describe('one sale in a real browser', () => {
  it('goes from the flip in the console to the order on a phone (C2, C5, C6, C7, C8)', async () => {
    const saleId = 'stoneware-mug'
    const description = 'Thrown by hand in a small kiln. There is exactly one.'
    await createSale(stack, { saleId, description, stock: 1, startsAt: Date.now() - 60_000 }, 'warm')
    const marketer = await consoleOf(browser, stack, `#/sale/${saleId}`, mia)
    expectNoComplaints(marketer)
    await marketer.locator('#phase[data-phase=scheduled]').waitFor()

    // A shopper waits on a phone: the button is grey and cannot be pressed.
    const page = await shopper('sale-ann', `/sales/${saleId}/`)
    expectNoComplaints(page)
    const buys = postsTo(page, '/orders')
    await page.locator('#main[data-phase=scheduled]').waitFor()
    await greyButton(page)
    await page.locator('#buy').click({ force: true })
    await page.locator('#buy').press('Enter')
    expect(buys).toEqual([])

    // The flip asks first; then the waiting page lights by itself.
    await marketer.click('[data-action=open-now]')
    await marketer.locator('#confirm-actions .button--main').click()
    await marketer.locator('#phase[data-phase=open]').waitFor()
    await fastForwardTo(page.locator('#buy[aria-disabled=false]'))
    await picture(page, 'open-phone')

    // Several quick clicks send one request.
    const button = page.locator('#buy')
    await button.click()
    await button.click({ force: true, noWaitAfter: true }).catch(() => undefined)
    await page.waitForURL(/\/orders\/\?id=/)
    await showsStatus(page, 'awaiting-payment')
    await textOf(page, '#order').toMatch(/0\.10/)
    expect(buys).toHaveLength(1)
    await picture(page, 'order-phone')

    // Late shoppers see that it sold out.
    const late = await shopper('sale-bob', `/sales/${saleId}/`, { device: desktop })
    await fastForwardTo(late.locator('#main[data-phase=sold-out]'))
    await textOf(late, '#remaining').toMatch(/^0\b/)
    await greyButton(late)

    await says(marketer, '#live-sold', /^1$/)
  })

  it('rests ten seconds after a click, across a reload, and sends nothing meanwhile (C7)', async () => {
    const limits = { stock: 5, limitPerShopper: 5, maxPerOrder: 5 }
    const { saleId, startToken } = await openSale(stack, limits)
    const page = await shopper('rest-cat', `/sales/${saleId}/`)
    const buys = postsTo(page, '/orders')
    await waitUntilLit(page)
    // Another shopper leaves two, so that an order of three is rejected and the shopper stays on the page.
    await buyUnits(stack, saleId, { token: await stack.token('rest-rival'), startToken, quantity: 3 })
    await page.fill('#quantity', '3')
    // Else the ten seconds may be over before the page is loaded again.
    await stopClock(page)
    const clickedAt = await page.evaluate(() => Date.now())
    await page.click('#buy')
    await buttonIs(page, 'cooldown')
    await textOf(page, '#status').toContain('2')
    const until = await page.evaluate((key) => sessionStorage.getItem(key), `sluice.cooldown.${saleId}`)
    expect(Number(until) - clickedAt).toBeGreaterThanOrEqual(9500)
    await page.locator('#buy').click({ force: true })
    await page.reload()
    await buttonIs(page, 'cooldown')
    await greyButton(page)
    await page.locator('#buy').click({ force: true })
    expect(buys).toHaveLength(1)
    await page.clock.resume()
    await passRest(page)
    await waitUntilLit(page)
  })

  it('counts down to an armed start and lights then, by the shop’s clock and not the phone’s, and needs no request for it (C5)', async () => {
    const startsAt = Date.now() + hourMs
    const saleId = await createSale(stack, { startsAt, endsAt: startsAt + hourMs })
    const marketer = await consoleOf(browser, stack, `#/sale/${saleId}`, mia)
    await marketer.click('[data-action=start]')
    await marketer.click('[data-choice=start]')
    await marketer.locator('#phase[data-start=scheduled]').waitFor()
    // By the clock of this phone the sale has started a minute ago.
    const fastMs = hourMs + 60_000
    const page = await newVisitor(browser, phone)
    await installClock(page, Date.now() + fastMs)
    const cookies = await sessionCookies(stack, 'fast-phone')
    await page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url: stack.url })))
    const loaded = page.waitForEvent('requestfinished', (one) => /\/countdown\.\d+\.js$/.test(one.url()))
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('#main[data-phase=scheduled]').waitFor()
    await soon(async () => Number(await page.locator('#minutes b').textContent()) - minutesTo(startsAt)).toBe(0)
    // Without it the page would have no start token once it is offline.
    await loaded
    const countdown = page.locator('#countdown')
    const before = await countdown.textContent()
    await soon(() => countdown.textContent()).not.toBe(before)
    await page.context().setOffline(true)
    // From here on the time of the page passes when the test says so.
    await page.clock.pauseAt(startsAt + fastMs - 3000)
    await buttonIs(page, 'early')
    await greyButton(page)
    await says(page, '#minutes', '00')
    await page.clock.runFor(5000)
    await waitUntilLit(page)
  })
})

describe('the page of a sale that is shown again by Back', () => {
  it('reads the time anew, and does not go on from that of the visit before (C5)', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone)
    const times: number[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/current.json')) times.push(Number(response.headers()[clockHeader]))
    })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await waitUntilLit(page)
    await page.goto(`${stack.url}/accessibility/`)
    const leftAt = Date.now()
    await page.goBack()
    await waitUntilLit(page)
    expect(times.at(-1)).toBeGreaterThanOrEqual(leftAt)
  })
})

const earlyAccess = { minutes: 30, minLevel: 3 }

/** Signs in as a shopper of that level. */
async function signInWithLevel(page: Page, name: string, level: number): Promise<void> {
  const signedIn = await page.context().request.post(`${stack.url}/local/sign-in`, {
    data: { shopperId: name, level },
    headers: { origin: stack.url },
  })
  expect(signedIn.status()).toBe(200)
}

/** The page of the sale for a shopper of that level, or for a guest. */
async function earlyPage(saleId: string, name?: string, level = 0): Promise<Page> {
  const page = await newVisitor(browser, phone)
  await installClock(page)
  if (name !== undefined) await signInWithLevel(page, name, level)
  await page.goto(`${stack.url}/sales/${saleId}/`)
  return page
}

const earlyWords = {
  en: {
    line: /^Members can buy now\. Everyone else in 2\d:\d\d\s*$/,
    guest: /Sign in to use early access/,
    fact: 'Level 3 and up: 30 min before everyone else',
    wait: /^You can buy in 2\d:\d\d$/,
    status: 'Not your turn yet. The button lights up when it is.',
  },
  zh: {
    line: /^会员优先购进行中，其他用户还需等待 2\d:\d\d\s*$/,
    guest: /登录后可享优先购/,
    fact: '3 级及以上会员可提前 30 分钟购买',
    wait: /^2\d:\d\d 后可购买$/,
    status: '还未轮到您，到点后按钮会自动亮起。',
  },
}

describe('early access', () => {
  it('is for members of the level, while others wait and guests sign in, in both languages (R6)', async () => {
    const { saleId } = await openSale(stack, { earlyAccess })

    const guest = await earlyPage(saleId)
    const wrong = [complaintsOf(guest)]
    await waitUntilLit(guest)
    for (const words of [earlyWords.en, earlyWords.zh]) {
      await soon(() => guest.locator('#early').innerText()).toMatch(words.guest)
      await soon(() => guest.locator('dl.facts').innerText()).toContain(words.fact)
      await switchLanguage(guest)
    }
    await guest.locator('#early-sign-in').click()
    await guest.waitForURL(/sign-in|interaction|login/)

    const waiting = await earlyPage(saleId, 'early-other', 2)
    wrong.push(complaintsOf(waiting))
    await waitUntilLit(waiting)
    await soon(() => waiting.locator('#early').innerText()).toMatch(earlyWords.en.line)
    const publicAt = (await pointerOf(stack, saleId)).startsAt + earlyAccess.minutes * 60_000
    const minutesSaid = async () => Number(/(\d+):\d\d/.exec(await waiting.locator('#early').innerText())?.[1])
    await soon(async () => (await minutesSaid()) - minutesTo(publicAt)).toBe(0)
    await waiting.click('#buy')
    await buttonIs(waiting, 'cooldown')
    for (const words of [earlyWords.en, earlyWords.zh]) {
      await soon(() => waiting.locator('#early').innerText()).toMatch(words.line)
      await textOf(waiting, '#buy-label').toMatch(words.wait)
      await textOf(waiting, '#status').toBe(words.status)
      await switchLanguage(waiting)
    }

    const member = await earlyPage(saleId, 'early-high', 3)
    wrong.push(complaintsOf(member))
    await buyOn(member)
    // The browser reports the refused click as a failed load.
    expect(wrong.flat().filter((text) => !/425/.test(text))).toEqual([])
  })

  it('frees the button of a shopper who waits for its end when a marketer removes it (R6)', async () => {
    const { saleId } = await openSale(stack, { earlyAccess: { minutes: 30, minLevel: 3 } })
    const page = await earlyPage(saleId, 'early-patient', 2)
    await waitUntilLit(page)
    await page.click('#buy')
    await buttonIs(page, 'cooldown')
    await control(stack, `/sales/${saleId}`, { earlyAccess: null }, 'PATCH')
    // Ten minutes at most, so early access itself does not end.
    await fastForwardTo(page.locator('#buy[aria-disabled=false]'))
  })
})
