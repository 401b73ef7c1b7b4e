/**
 * Pages in a real browser beside services that a test controls: Turnstile, Redis, emails, and the till of a shop. They have a
 * system of their own, so its index lists few sales.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Request } from '@playwright/test'
import { afterEach, describe, expect, it } from 'vitest'
import { dist } from '../../build.ts'
import { formatCoupon } from '../../core/orders/coupon.ts'
import { turnstileOrigin, widgetHeaders } from '../../system/site-headers.ts'
import { buyUnits, call, control, createSale, openSale, writtenOrder } from '../journey/support.ts'
import { desktop, phone } from './browser.ts'
import { consoleOf, mia } from './console.ts'
import { openPageAhead } from './counting-front.ts'
import { soon, textOf } from './reads.ts'
import { openOwnShop } from './shop.ts'
import { buyOn, overflows, says, sessionCookies } from './shopper.ts'
import { expectAccessible, expectNoComplaints, newVisitor, passRest, stopClock, waitUntilLit } from './visitor.ts'

const { stack, browser, shopper } = await openOwnShop({ mail: true })
afterEach(() => stack.turnstile.behave({ widget: 'pass', siteverify: 'judge' }))

const hourMs = 3_600_000

describe('the index', () => {
  it('gives a long title the width of its card, and opens the card of an armed sale by the clock, without a publication at that time (C5)', async () => {
    const startsAt = Date.now() + hourMs
    const armed = await createSale(stack, { startsAt, endsAt: startsAt + hourMs }, 'start')
    const title = 'Handmade stoneware mug with a lid, second firing, in celadon blue'
    const { saleId } = await openSale(stack, { title, price: 1_290_000, endsAt: startsAt + hourMs })
    // Its copies at the CDN last a minute, so no test has loaded it before.
    const scene = { path: '/', aheadMs: hourMs - 60_000 }
    const { page, now, liveUntil } = await openPageAhead(browser, stack.url, scene)
    let isLoaded = false
    page.on('response', (response) => {
      if (response.url().includes(`${armed}/countdown`)) isLoaded = true
    })
    const long = page.locator(`.card[data-sale-id=${saleId}]`)
    const card = page.locator(`.card[data-sale-id=${armed}]`)
    await long.and(page.locator('[data-phase=open]')).waitFor()
    const width = async (part: string) => (await long.locator(part).boundingBox())?.width ?? 0
    expect(await width('.card__title')).toBeGreaterThan(0.9 * (await width('.card__body')))
    await soon(() => overflows(page)).toBe(false)

    await card.and(page.locator('[data-phase=scheduled]')).waitFor()
    // Near the start the card loads its countdown; each step leaves the answers time to arrive.
    while (!isLoaded) {
      await liveUntil(now() + 1000)
      await sleep(50)
    }
    const [phase, seenAt] = [await card.getAttribute('data-phase'), now()]
    // A machine that stalls may have missed the last seconds before the start.
    if (seenAt < startsAt) expect(phase).toBe('scheduled')
    await liveUntil(startsAt + 2000)
    await card.and(page.locator('[data-phase=open]')).waitFor()
    await soon(() => card.locator('.badge').textContent()).toBe('Live now')
  })
})

const checkIs = (page: Page, state: string) => page.locator(`#check[data-state=${state}]`).waitFor()
const ordersOf = (page: Page) =>
  page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/orders'))

/** The requests of a page for the check, and the loads of the page and its frames from other sites. */
function checksOf(page: Page) {
  const seen = { asked: [] as Request[], parts: [] as string[], elsewhere: [] as string[] }
  page.on('request', (request) => {
    const url = request.url()
    if (url.endsWith('/challenge')) seen.asked.push(request)
    if (/\/assets\/challenge/.test(url)) seen.parts.push(url)
    if (!url.startsWith(stack.url) && !url.startsWith('data:')) seen.elsewhere.push(new URL(url).pathname)
  })
  return seen
}

/** A sale that waits for its flip. */
const waitingSale = (challenge: string) => createSale(stack, { challenge, startsAt: Date.now() - 2000 }, 'warm')

async function flip(saleId: string, page: Page): Promise<void> {
  await soon(() => page.locator('#main').getAttribute('data-phase')).toBe('scheduled')
  await control(stack, `/sales/${saleId}/start`, {})
  await page.locator('#main[data-phase=open]').waitFor()
}

/** From the keyboard, which passes. */
async function tryAgain(page: Page): Promise<void> {
  await page.locator('#buy').focus()
  await page.keyboard.press('Tab')
  await page.locator('#check-again:focus').waitFor()
  await page.keyboard.press('Enter')
  await checkIs(page, 'passed')
}

describe('the security check in a real browser (R5)', () => {
  it('runs by itself before the start, and its solution is sent with the one click', async () => {
    const saleId = await waitingSale('pow')
    const page = await shopper('work-ann', '/orders/')
    expectNoComplaints(page)
    const { asked, elsewhere } = checksOf(page)
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await checkIs(page, 'passed')
    await textOf(page, '#check').toContain('Security check passed.')
    expect(elsewhere, 'a proof of work loads nothing of another site').toEqual([])
    await soon(() => page.locator('iframe').count()).toBe(0)
    await flip(saleId, page)
    const [bought] = await Promise.all([ordersOf(page), buyOn(page)])
    expect(Object.keys(bought.postDataJSON()).sort()).toEqual(['challenge', 'quantity', 'startToken'])
    expect(asked.length).toBeLessThanOrEqual(1)
  })

  it('does not run for a guest, whose click leads to the sign-in', async () => {
    const page = await newVisitor(browser, phone)
    const { asked, parts, elsewhere } = checksOf(page)
    for (const challenge of ['turnstile', 'pow']) {
      const { saleId } = await openSale(stack, { challenge })
      await page.goto(`${stack.url}/sales/${saleId}/`)
      await waitUntilLit(page)
    }
    // A busy issuer may let the sign-in itself wait.
    const left = page.waitForRequest(/\/api\/sign-in\?/)
    await page.click('#buy')
    await left
    expect(asked).toEqual([])
    expect(parts).toEqual([])
    expect(elsewhere).toEqual([])
  })

  it('is not loaded by a sale without it, and starts by itself on the open page when a marketer switches it on', async () => {
    const { saleId } = await openSale(stack, { stock: 5 })
    const page = await shopper('work-eve', `/sales/${saleId}/`)
    const { asked, parts } = checksOf(page)
    await page.reload()
    await waitUntilLit(page)
    // The page would look at the sale again, and see the change before the click.
    await stopClock(page)
    await soon(() => page.locator('#check').isVisible()).toBe(false)
    expect(asked).toEqual([])
    expect(parts).toEqual([])
    await control(stack, `/sales/${saleId}`, { challenge: 'pow' }, 'PATCH')
    // The gate gives no challenge before it has the change, up to a second later.
    const token = await stack.token('work-rival')
    const askForOne = () => call(stack, `/api/sales/${saleId}/challenge`, { token, body: {} })
    await soon(async () => (await askForOne()).status).toBe(200)
    await page.click('#buy')
    await says(page, '#status', 'A security check runs first')
    await page.clock.resume()
    await checkIs(page, 'passed')
    await passRest(page)
    await buyOn(page)
  })
})

describe('the security check in early access', () => {
  it('is not renewed for a shopper who waits for its end before the last two minutes', async () => {
    const minutes = 15
    const { saleId } = await openSale(stack, { challenge: 'pow', earlyAccess: { minutes, minLevel: 3 } })
    const cookies = await sessionCookies(stack, 'early-ian')
    const scene = { path: `/sales/${saleId}/`, aheadMs: 0, cookies }
    const { page, now, skip } = await openPageAhead(browser, stack.url, scene)
    const { asked } = checksOf(page)
    await checkIs(page, 'passed')
    await waitUntilLit(page)
    await page.click('#buy')
    await page.locator('#buy[data-state=cooldown]').waitFor()
    asked.length = 0
    // The page polls every minute, and its solution ends after ten; each step leaves the answers time to arrive.
    const opened = now()
    const live = async (seconds: number) => {
      while (now() < opened + seconds * 1000) {
        await skip(20_000)
        await sleep(50)
      }
    }
    await live((minutes - 3) * 60)
    await page.locator('#buy[data-state=cooldown]').waitFor()
    expect(asked).toEqual([])
    await live(minutes * 60 - 20)
    await soon(() => asked.length).toBeGreaterThan(0)
  })
})

/** The page of a sale with Turnstile, for a shopper. */
async function widgetPage(name: string, profile?: Parameters<typeof shopper>[2]): Promise<Page> {
  const { saleId } = await openSale(stack, { challenge: 'turnstile' })
  return shopper(name, `/sales/${saleId}/`, profile)
}
const widgetIn = (page: Page) => page.frameLocator('#check iframe').frameLocator('iframe')

describe('Turnstile in a real browser (N4)', () => {
  it('runs by itself before the start, moves nothing on the page, and its ticket goes with the click', async () => {
    const saleId = await waitingSale('turnstile')
    const page = await shopper('widget-ann', '/orders/', { device: desktop })
    expectNoComplaints(page)
    const { asked } = checksOf(page)
    const held = Promise.withResolvers<void>()
    await page.route('**/challenge', (route) => held.promise.then(() => route.continue()))
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await page.locator('#check').waitFor()
    const left = page.locator('.left')
    const before = await left.boundingBox()
    held.resolve()
    await checkIs(page, 'passed')
    await soon(() => left.boundingBox()).toEqual(before)
    const [challenge, answer] = asked.map((request) => request.postDataJSON())
    expect(challenge).toEqual({})
    expect(Object.keys(answer)).toEqual(['token'])
    await flip(saleId, page)
    const [bought] = await Promise.all([ordersOf(page), buyOn(page)])
    expect(bought.postDataJSON().challenge).toMatch(/^[0-9a-f]{32}_\d{10}_/)
    expect(asked).toHaveLength(2)
  })

  it('asks a shopper on a Chinese phone to confirm, in the frame, by the keyboard too', async () => {
    stack.turnstile.behave({ widget: 'ask' })
    const page = await widgetPage('widget-bai', { locale: 'zh-CN' })
    expectNoComplaints(page)
    await checkIs(page, 'asking')
    await textOf(page, '#check-words').toBe('请完成下方的安全验证。')
    await page.locator('#check iframe[title=安全验证]').waitFor()
    await page.locator('#buy[aria-disabled=true]').waitFor()
    await widgetIn(page).locator('button', { hasText: '确认' }).waitFor()
    await page.locator('#buy').focus()
    await page.keyboard.press('Tab')
    await widgetIn(page).locator('button:focus', { hasText: '确认' }).waitFor()
    await page.keyboard.press('Enter')
    await checkIs(page, 'passed')
    await buyOn(page)
  })

  it.each(['widget', 'siteverify'] as const)(
    'says so when the %s refuses, and the shopper can try again from the keyboard',
    async (part) => {
      stack.turnstile.behave(part === 'widget' ? { widget: 'fail' } : { siteverify: 'bad' })
      const page = await widgetPage(`widget-cat-${part}`)
      await checkIs(page, 'failed')
      await textOf(page, '#check-words').toBe('The security check failed.')
      await textOf(page, '#buy').toBe('Not verified')
      stack.turnstile.behave({ widget: 'pass', siteverify: 'judge' })
      await tryAgain(page)
      // The control is removed, and the reader's place in the page is kept.
      await page.locator('#buy:focus').waitFor()
      await waitUntilLit(page)
    },
  )

  it('fails with a way to try again when its script cannot be loaded, and when the widget never ends', async () => {
    stack.turnstile.behave({ widget: 'silent' })
    const { saleId } = await openSale(stack, { challenge: 'turnstile' })
    const page = await shopper('widget-eve', '/orders/')
    await page.route('**/api.js*', (route) => route.abort(), { times: 1 })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await checkIs(page, 'failed')
    await page.click('#check-again')
    await widgetIn(page).locator('#words', { hasText: 'Verifying' }).waitFor()
    await page.clock.fastForward(60_000)
    await checkIs(page, 'failed')
    stack.turnstile.behave({ widget: 'pass' })
    await page.click('#check-again')
    await checkIs(page, 'passed')
  })

  it('takes its square form where there is no room for the wide one', async () => {
    stack.turnstile.behave({ widget: 'ask' })
    const page = await widgetPage('widget-fay', { viewport: { width: 320, height: 640 } })
    await checkIs(page, 'asking')
    const frame = page.frameLocator('#check iframe').locator('iframe')
    await soon(async () => {
      const box = await frame.boundingBox()
      return [box?.width, box?.height]
    }).toEqual([150, 140])
    await soon(() => overflows(page)).toBe(false)
  })

  it('works with the page and the policy of a deployment, and Turnstile at its own address', async () => {
    const page = await shopper('widget-gus', '/orders/', { device: desktop })
    expectNoComplaints(page)
    const body = await readFile(join(dist, 'site/check/turnstile/index.html'), 'utf8')
    await page.route('**/check/turnstile/', (route) =>
      route.fulfill({ body, contentType: 'text/html; charset=utf-8', headers: widgetHeaders }),
    )
    const loaded: string[] = []
    await page.route(`${turnstileOrigin}/**`, async (route) => {
      const { pathname, search } = new URL(route.request().url())
      loaded.push(pathname)
      const response = await route.fetch({ url: `${stack.turnstile.url}${pathname}${search}` })
      await route.fulfill({ response })
    })
    const { saleId } = await openSale(stack, { challenge: 'turnstile' })
    await page.goto(`${stack.url}/sales/${saleId}/`)
    await checkIs(page, 'passed')
    await buyOn(page)
    expect(loaded).toEqual(expect.arrayContaining(['/turnstile/v0/api.js', '/turnstile/v0/widget']))
  })
})

describe('the console while Redis is unavailable', () => {
  it('names the component to the marketer, shows no number for it, and counts a repeated press once', async () => {
    const { saleId } = await openSale(stack, { stock: 7 })
    const page = await consoleOf(browser, stack, `#/sale/${saleId}`, mia)
    const remaining = page.locator('#live-remaining')
    await remaining.getByText(/^7$/).waitFor()
    await page.locator('#health[data-state=good]').waitFor()

    await stack.setFault({ target: 'redis', mode: 'down' })
    await says(page, '#health-line', 'The live stock (Redis) isn’t responding')
    await textOf(page, '#live-remaining').toBe('–')
    await textOf(page, '#live-queue').toBe('0')
    await page.fill('#delta', '5')
    await page.click('#stock-add')
    await says(page, '#status', 'the change is counted only once')

    await stack.setFault(null)
    await page.click('#stock-add')
    await says(page, '#status', 'Stock changed: 12 in total, 12 left.')
    await remaining.getByText(/^12$/).waitFor()
    await page.locator('#health[data-state=good]').waitFor()
  })
})

it('a coupon that a till redeems passes the gate with a shop key alone, once, and is shown as redeemed (S7)', async () => {
  const coupons = { kind: 'coupon', price: 0, stock: 100, limitPerShopper: 2, maxPerOrder: 2 }
  const { saleId, startToken } = await openSale(stack, coupons)
  const token = await stack.token('cleo')
  const { orderId } = await buyUnits(stack, saleId, { token, startToken, quantity: 2 })
  const { coupons: codes = [] } = await writtenOrder(stack, orderId, token)
  const [code, other] = codes.map(formatCoupon)
  const till = async (verb: string, key: string, shopKey = stack.shopKey) => {
    const answer = await fetch(`${stack.url}/api/control/coupons/${code?.toLowerCase()}/${verb}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${shopKey}`,
        'idempotency-key': key,
        'content-type': 'application/json',
      },
      body: verb === 'redeem' ? JSON.stringify({ reference: 'receipt 1' }) : '{}',
    })
    return { status: answer.status, body: await answer.json() }
  }
  expect((await till('redeem', 'one', token)).status).toBe(401)
  const redeemed = await till('redeem', 'one')
  expect(redeemed).toMatchObject({ status: 200, body: { code, orderId, reference: 'receipt 1' } })
  expect(await till('redeem', 'one')).toEqual(redeemed)
  const page = await shopper('cleo', `/orders/?id=${orderId}`)
  await textOf(page, '#redeemed-1').toBe(`${code}Redeemed`)
  await textOf(page, '#coupon-2').toBe(other)
  await soon(() => page.locator('#copy-1').count()).toBe(0)
  // The code that is left can be scanned; the other is worth nothing.
  await page.getByRole('img', { name: `QR code of ${other}` }).waitFor()
  await soon(() => page.locator('.coupon svg').count()).toBe(1)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, 'coupon-qr-dark')
  expect(await till('undo', 'one')).toMatchObject({ status: 200, body: { undoneAt: expect.any(Number) } })
  await page.reload()
  await page.locator('#copy-1').waitFor()
})
