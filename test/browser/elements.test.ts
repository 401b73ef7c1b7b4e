/**
 * The elements on a page of another site: strict policy, third-party cookies blocked, customers of the shop's own issuer.
 */
import { createHash } from 'node:crypto'
import type { BrowserContextOptions, Page } from '@playwright/test'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { describe, expect, inject, it } from 'vitest'
import {
  buy,
  call,
  control,
  createSale,
  eventually,
  openSale,
  payOnPage,
  shopAt,
  startTokenOf,
  writtenOrder,
} from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { openHostOf } from './host-page.ts'
import { soon, textOf } from './reads.ts'
import { fastForwardTo } from './shopper.ts'
import { expectAccessible, faultsOf, installClock, newVisitor, picture } from './visitor.ts'

const stack = shopAt(inject('shopUrl'))
const { browser, host } = await openHostOf(stack, 'host')

const element = (saleId: string, name = 'sluice-sale') =>
  `<${name} sale="${saleId}" token-from="/sale-token"><a href="${stack.url}/sales/${saleId}/">Mug</a></${name}>`

/** The real requests of the browser to the shop, including preflights, and their cookies. */
type Traffic = { sent: string[]; preflights: string[]; cookies: string[] }

async function watchTraffic(page: Page): Promise<Traffic> {
  const traffic: Traffic = { sent: [], preflights: [], cookies: [] }
  const session = await page.context().newCDPSession(page)
  const ofShop = new Set<string>()
  session.on('Network.requestWillBeSent', ({ request, requestId }) => {
    if (!request.url.startsWith(stack.url)) return
    ofShop.add(requestId)
    const line = `${request.method} ${new URL(request.url).pathname}`
    if (request.method === 'OPTIONS') traffic.preflights.push(line)
    else traffic.sent.push(line)
  })
  session.on('Network.requestWillBeSentExtraInfo', ({ requestId, headers }) => {
    const cookie = headers.cookie ?? headers.Cookie
    if (ofShop.has(requestId) && cookie !== undefined) traffic.cookies.push(cookie)
  })
  await session.send('Network.enable')
  return traffic
}

/** A page of the host, with a customer of it or with a guest. A cookie of the shop is in the browser, too. */
async function visitHost(
  screen: BrowserContextOptions,
  {
    customer,
    lang = 'en',
    ownClock = false,
    ...change
  }: { customer?: string; lang?: string; ownClock?: boolean } & BrowserContextOptions = {},
) {
  const page = await newVisitor(browser, screen, change)
  if (ownClock) await installClock(page)
  const context = page.context()
  await context.addCookies([
    { name: 'sluice_session', value: await stack.token('somebody-else'), url: stack.url, sameSite: 'Lax' },
    ...(customer === undefined ? [] : [{ name: 'customer', value: customer, url: host.origin }]),
  ])
  const traffic = await watchTraffic(page)
  const complaints = complaintsOf(page)
  await page.goto(`${host.origin}/?lang=${lang}`)
  return { page, traffic, complaints }
}

/** The element of a new sale, which names the host, on a page of it with a customer. */
async function visitElement(
  customer: string,
  change: Record<string, unknown> = {},
  screen = phone,
  more: BrowserContextOptions & { lang?: string } = {},
) {
  const sale = await openSale(stack, { allowedOrigins: [host.origin], ...change })
  host.show(element(sale.saleId))
  return { ...sale, ...(await visitHost(screen, { customer, ...more })) }
}

/** Ends the session that the browser has at the shop. */
const signOutAtShop = (page: Page) => page.context().clearCookies({ name: 'sluice_session' })

const button = (page: Page) => page.locator('sluice-sale [part=button]')
/** The sales of the written orders of a customer. */
const soldTo = async (customer: string) => {
  const found = await control<{ orders: { saleId: string }[] }>(stack, '/orders/find', {
    find: `customer:host|${customer}`,
  })
  return found.orders.map(({ saleId }) => saleId)
}

/** Goes by the page of the order, in the same tab, to the cart of the host, which verifies what it is handed. */
async function reservationAfterPay(page: Page) {
  await soon(() => button(page).textContent()).toMatch(/12\.50/)
  await button(page).click()
  await page.waitForURL(`${host.cart}?**`)
  expect(page.context().pages()).toEqual([page])
  const reservation = new URL(page.url()).searchParams.get('reservation') ?? ''
  const known = createRemoteJWKSet(new URL('/.well-known/jwks.json', stack.url))
  const { payload } = await jwtVerify(reservation, known, {
    ...{ issuer: stack.url, audience: new URL(host.cart).origin, typ: 'reservation+jwt' },
  })
  return payload
}

/** The host's report about an order that it received. */
const report = (orderId: string | undefined, verb: 'confirm' | 'release') =>
  call<{ orderId: string; status: string; retryAfterSeconds?: number }>(
    stack,
    `/api/control/reservations/${orderId}/${verb}`,
    { token: inject('shopKey'), body: verb === 'confirm' ? { reference: '#1042' } : {} },
  )

describe('an element on a page of another site', () => {
  it('counts down, sells one unit to a customer of that site, and shows the last one as sold', async () => {
    const sale = { allowedOrigins: [host.origin], startsAt: Date.now() + 600_000, stock: 1, admissionRatio: 1 }
    const saleId = await createSale(stack, sale, 'warm')
    host.show(element(saleId))
    const { page, traffic, complaints } = await visitHost(phone, { customer: 'ann', ownClock: true })
    await page.evaluate("window.won = []; document.addEventListener('sluice-won', (event) => won.push(event.detail))")
    await textOf(page, 'sluice-sale [part=countdown]').toMatch(/^0?\d:\d\d$/)
    await textOf(page, 'sluice-sale [part=title]').toBe('Stoneware mug')
    await textOf(page, 'sluice-sale [part=price]').toMatch(/0\.10/)
    await soon(() => button(page).getAttribute('aria-disabled')).toBe('true')
    await expectAccessible(page, 'element-phone-waits')
    await control(stack, `/sales/${saleId}/start`, { now: true })
    await fastForwardTo(button(page).filter({ hasText: 'Buy now' }))
    await picture(page, 'element-phone-open')

    await button(page).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await textOf(page, 'sluice-sale [part=status]').toBe('You got it!')
    await soon(() => page.evaluate('won')).toEqual([
      {
        saleId,
        orderId: expect.stringContaining(saleId),
        orderUrl: expect.stringContaining(`${stack.url}/orders/?id=`),
      },
    ])
    await soon(() => button(page).textContent()).toMatch(/0\.10/)
    await textOf(page, 'sluice-sale [part=countdown]').toMatch(/^\d\d:\d\d$/)
    await expectAccessible(page, 'element-phone-won')
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, 'element-phone-won-otherwise')
    expect(traffic.cookies).toEqual([])
    // Where the order is late, the element asks with a request that the shop holds as well.
    const preflights = () => traffic.preflights.filter((line) => line !== 'OPTIONS /api/changes')
    expect(preflights().toSorted()).toEqual([
      expect.stringMatching(`^OPTIONS /api/orders/${saleId}-\\w+$`),
      'OPTIONS /api/pass',
      `OPTIONS /api/sales/${saleId}/orders`,
    ])
    expect(traffic.sent.filter((line) => line === `POST /api/sales/${saleId}/orders`)).toHaveLength(1)
    await soon(() => soldTo('ann')).toEqual([saleId])

    const late = await visitHost(phone, { customer: 'bob' })
    await soon(() => button(late.page).textContent()).toBe('Sold out')
    await expectAccessible(late.page, 'element-phone-sold-out')
    expect([...complaints, ...late.complaints]).toEqual([])

    // The payment begins on the page of the order, to which it returns: with a session, and without a second sign-in.
    await signOutAtShop(page)
    await button(page).click()
    await page.waitForURL(`${stack.url}/local/pay/**`)
    expect(preflights()).toHaveLength(3)
    await page.locator('button[value=pay]').click()
    await page.waitForURL(`${stack.url}/orders/**`)
    await textOf(page, '#who').toContain('ann')
    await textOf(page, '#orders').toContain('Payment received')
    // Of a paid order such a link opens nothing.
    await page.goto(`${page.url()}#pay`)
    await page.reload()
    await textOf(page, '#orders').toContain('Payment received')
    expect(page.url()).toMatch(/\/orders\/\?id=[\w-]+$/)
  })

  it('hands its customer over to the checkout of the shop, which takes the money, on a desktop in Chinese', async () => {
    const sale = { checkoutUrl: host.cart, price: 1250 }
    const shown = await visitElement('liv', sale, desktop, { lang: 'zh-CN', locale: 'zh-CN' })
    const { saleId, page, traffic, complaints } = shown
    await signOutAtShop(page)
    await soon(() => button(page).textContent()).toBe('立即抢购')
    await button(page).click()
    await textOf(page, 'sluice-sale [part=status]').toBe('抢到了！')
    await soon(() => soldTo('liv')).toEqual([saleId])
    expect(traffic.cookies).toEqual([])
    const payload = await reservationAfterPay(page)
    expect(payload).toMatchObject({ sub: 'customer:host|liv', sale: saleId, amount: 1250 })
    expect((await report(payload.jti, 'confirm')).status).toBe(200)

    await page.goto(`${stack.url}/orders/?id=${payload.jti}`)
    await textOf(page, '#who').toContain('liv')
    await textOf(page, '#orders').toContain('付款成功')
    await expectAccessible(page, 'element-desktop-paid-in-shop')
    expect(complaints).toEqual([])
  })

  it('shows what the shop reports late, and what it releases', async () => {
    const sale = { checkoutUrl: host.cart, price: 1250, limitPerShopper: 2 }
    const { page, complaints } = await visitElement('mo', sale)
    await signOutAtShop(page)
    await button(page).click()
    const { jti: ended } = await reservationAfterPay(page)

    // While the shop takes the money, its customer cancels here.
    await page.goto(`${stack.url}/orders/?id=${ended}`)
    await page.click('#give-back')
    await page.locator('#confirm-actions button:not(.button--plain)').click()
    await page.locator('#order[data-status=cancelled]').waitFor()
    const late = await eventually(async () => {
      const { body } = await report(ended, 'confirm')
      return body.retryAfterSeconds === undefined ? body : undefined
    })
    expect(late).toMatchObject({ status: 'paid', orderId: expect.not.stringContaining(String(ended)) })
    await page.goto(`${stack.url}/orders/`)
    await textOf(page, '#orders').toMatch(/Cancelled/)
    await textOf(page, '#orders').toMatch(/Paid/)
    await page.goto(`${stack.url}/orders/?id=${late.orderId}`)
    await textOf(page, '#order-title').toBe('Payment received')

    // The shop gives the money back, and the element sells to this customer again.
    expect((await report(late.orderId, 'release')).status).toBe(200)
    await page.reload()
    await textOf(page, '#order-title').toBe('Refunded')
    await textOf(page, '#order-lead').toContain('The order was cancelled in the shop.')
    await page.goto(`${host.origin}/`)
    await button(page).click()
    const { jti: unpaid } = await reservationAfterPay(page)
    expect((await report(unpaid, 'release')).status).toBe(200)
    await page.goto(`${stack.url}/orders/?id=${unpaid}`)
    await textOf(page, '#order-title').toBe('Order cancelled')
    await textOf(page, '#order-lead').toContain('The order was cancelled in the shop.')
    expect(await faultsOf(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  it('shows a payment in another tab by a request that the shop holds (N9)', async () => {
    const { page, traffic, complaints } = await visitElement('ivy')
    await page.evaluate(
      "window.won = undefined; document.addEventListener('sluice-won', ({ detail }) => (won = detail.orderId))",
    )
    await button(page).click()
    await soon(() => button(page).textContent()).toMatch(/0\.10/)
    const token = String(await page.evaluate("fetch('/sale-token').then((answer) => answer.text())"))
    const orderId = String(await page.evaluate('won'))
    await soon(async () => (await call(stack, `/api/orders/${orderId}/pay`, { token, body: {} })).status).toBe(200)
    await page.waitForRequest(/\/api\/changes\?/)
    await payOnPage(stack, orderId, token)
    await textOf(page, 'sluice-sale [part=status]').toBe('Paid')
    expect(traffic.cookies).toEqual([])
    expect(complaints).toEqual([])
  })

  it('asks a guest to sign in, by an event that the page may answer, and sells once it gives a token', async () => {
    const { saleId } = await openSale(stack, { allowedOrigins: [host.origin] })
    host.show(element(saleId))
    const { page } = await visitHost(phone)
    const link = page.locator('sluice-sale a[part=link]')
    await soon(() => link.textContent()).toBe('Sign in to buy')
    await soon(() => link.getAttribute('href')).toBe(`${stack.url}/api/sign-in?return=%2Fsales%2F${saleId}%2F`)
    expect(await faultsOf(page)).toEqual([])
    await page.context().addCookies([{ name: 'customer', value: 'cem', url: host.origin }])
    // The page opens a sign-in of its own, and then gives tokens.
    await page.evaluate(`document.addEventListener('sluice-sign-in', (event) => {
      event.preventDefault()
      event.target.token = async () => (await fetch('/sale-token')).text()
    })`)
    await link.click()
    await soon(() => button(page).textContent()).toBe('Buy now')
    await button(page).click()
    await textOf(page, 'sluice-sale [part=status]').toBe('You got it!')
    await soon(() => soldTo('cem')).toEqual([saleId])
  })

  it('leads to the page of a sale that does not name this site, and the gate refuses its clicks', async () => {
    const { saleId, page, traffic } = await visitElement('dan', { allowedOrigins: ['https://other.example'] })
    await button(page).click()
    await textOf(page, 'sluice-sale [part=status]').toBe('This website can’t sell it. Buy on the shop’s page.')
    const link = page.locator('sluice-sale a[part=link]')
    await soon(() => link.textContent()).toBe('Buy on the shop’s page')
    await soon(() => link.getAttribute('href')).toBe(`${stack.url}/sales/${saleId}/`)
    expect(traffic.sent).toContain(`POST /api/sales/${saleId}/orders`)
    expect(await soldTo('dan')).toEqual([])
    // With the cookie of the session, which the page may only wish for.
    const read = page.evaluate(
      `fetch('${stack.url}/api/orders', { credentials: 'include' }).then(() => 'read', () => 'blocked')`,
    )
    expect(await read).toBe('blocked')
  })

  it('leads to the page of a sale that asks for more than a click', async () => {
    const { saleId, page } = await visitElement('eli', { challenge: 'pow' }, desktop)
    await textOf(page, 'sluice-sale [part=status]').toBe('This sale needs more details. Continue on its page.')
    await signOutAtShop(page)
    await page.locator('sluice-sale a[part=link]').click()
    await page.waitForURL(`${stack.url}/sales/${saleId}/`)
    // The page of the sale has a session of this customer: no second sign-in.
    await textOf(page, '#who').toContain('eli')
  })

  it('leads to the order as its customer, without a token in a link, the history or a request', async () => {
    const { saleId, page } = await visitElement('lea')
    await button(page).click()
    const link = page.locator('sluice-sale a[part=link]')
    await soon(() => link.textContent()).toBe('View order')
    const href = (await link.getAttribute('href')) ?? ''
    expect(href).toMatch(new RegExp(`^${stack.url}/orders/\\?id=${saleId}-\\w+$`))
    const orderId = new URL(href).searchParams.get('id') ?? ''
    await soon(() => soldTo('lea')).toEqual([saleId])

    // Another person is signed in at the shop: nothing changes without an answer.
    await link.click()
    await textOf(page, '#title').toContain('lea')
    expect(page.url()).toBe(`${stack.url}/customer/#return=${encodeURIComponent(`/orders/?id=${orderId}`)}`)
    await page.goBack()
    await signOutAtShop(page)
    const sent: string[] = []
    page.on('request', (request) => sent.push(JSON.stringify([request.url(), request.headers().referer])))
    host.show(element(saleId, 'sluice-button'))
    await page.goto(`${host.origin}/`)
    await page.locator('sluice-button [part=button]').click()
    await textOf(page, 'sluice-button [part=status]').toBe('You’ve reached the limit per person.')
    await page.locator('sluice-button a[part=link]').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${stack.url}/orders/`)
    await textOf(page, '#orders').toContain('Stoneware mug')
    await textOf(page, '#who').toContain('lea')
    const devtools = await page.context().newCDPSession(page)
    const { entries } = await devtools.send('Page.getNavigationHistory')
    const seen = JSON.stringify([entries, sent.filter((line) => !line.includes('/customer/'))])
    expect(seen).not.toMatch(/token=ey/)
    expect(await faultsOf(page)).toEqual([])
  })

  it('leads to the page of the sale without a token in a second tab, and for a guest', async () => {
    const { saleId, page } = await visitElement('max', { challenge: 'pow' }, desktop)
    const link = page.locator('sluice-sale a[part=link]')
    await soon(() => link.textContent()).toBe('Buy on the shop’s page')
    const isKept = await page.evaluate(`new Promise((resolve) => {
      addEventListener('click', (event) => {
        resolve(event.defaultPrevented)
        event.preventDefault()
      }, { once: true })
      const how = { ctrlKey: true, bubbles: true, composed: true, cancelable: true }
      document.querySelector('sluice-sale').shadowRoot.querySelector('a').dispatchEvent(new MouseEvent('click', how))
    })`)
    expect(isKept).toBe(false)
    await page.context().clearCookies({ name: 'customer' })
    await page.reload()
    await soon(() => link.textContent()).toBe('Buy on the shop’s page')
    await link.click()
    await page.waitForURL(`${stack.url}/sales/${saleId}/`)
  })

  it('is made of a plain place, may be a button alone, and is a link without its script', async () => {
    const { saleId } = await openSale(stack, { allowedOrigins: [host.origin], limitPerShopper: 1 })
    const address = `${stack.url}/sales/${saleId}/`
    host.show(
      `<div data-sluice-sale="${saleId}" data-token-from="/sale-token"><a href="${address}">Mug</a></div>${element(saleId, 'sluice-button')}`,
    )
    const { page } = await visitHost(desktop, { customer: 'fay' })
    await soon(() => button(page).textContent()).toBe('Buy now')
    await soon(() => page.locator('sluice-button [part=button]').textContent()).toBe('Buy now')
    await soon(() => page.locator('sluice-button [part=title]').count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
    await page.locator('sluice-button [part=button]').click()
    await textOf(page, 'sluice-button [part=status]').toBe('You got it!')
    // A framework may move it.
    await page.evaluate("document.querySelector('main').prepend(document.querySelector('sluice-button'))")
    await soon(() => page.locator('sluice-button [part=link]').textContent()).toBe('View order')
    await soon(() => page.locator('sluice-button [part=button]').textContent()).toMatch(/^Pay /)
    // The limit of the sale holds for the other element, too.
    await button(page).click()
    await textOf(page, 'sluice-sale [part=status]').toBe('You’ve reached the limit per person.')
    await soon(() => page.locator('sluice-sale a[part=link]').getAttribute('href')).toBe(`${stack.url}/orders/`)
    await picture(page, 'element-desktop-both')
    const plain = await newVisitor(browser, phone, { javaScriptEnabled: false })
    await plain.goto(`${host.origin}/`)
    await soon(() => plain.getByRole('link', { name: 'Mug' }).first().getAttribute('href')).toBe(address)
  })

  it('has one order although the first answer was lost and the token had ended', async () => {
    const { saleId, page } = await visitElement('old-gus', { limitPerShopper: 5 })
    await soon(() => button(page).textContent()).toBe('Buy now')
    const keys: (string | undefined)[] = []
    let isLost = false
    await page.route(`**/api/sales/${saleId}/orders`, async (route) => {
      const answer = await route.fetch()
      keys.push(route.request().headers()['idempotency-key'])
      if (isLost || answer.status() !== 202) return route.fulfill({ response: answer })
      isLost = true
      return route.abort()
    })
    await button(page).click()
    await textOf(page, 'sluice-sale [part=status]').toBe('You got it!')
    expect(isLost).toBe(true)
    expect(new Set(keys).size).toBe(1)
    await soon(() => soldTo('old-gus')).toEqual([saleId])
  })

  it('shows the code of a coupon, which has nothing to pay', async () => {
    const { page } = await visitElement('jon', { kind: 'coupon', price: 0 })
    await button(page).click()
    await textOf(page, 'sluice-sale [part=status]').toMatch(/^Completed [A-Z0-9]{20}$/)
    await soon(() => page.locator('sluice-sale [part=price]').isVisible()).toBe(false)
    await soon(() => button(page).textContent()).toBe('You got it')
    expect(await faultsOf(page)).toEqual([])
  })

  it('sells again once units have come back, and does not say any more that there are none', async () => {
    const { saleId, page } = await visitElement('kim', { stock: 1, admissionRatio: 1 })
    await soon(() => button(page).textContent()).toBe('Buy now')
    const token = await stack.token('elements-buyer')
    await eventually(async () => {
      const startToken = await startTokenOf(stack, saleId)
      const { body } = await buy(stack, saleId, { token, startToken })
      return body.orderId === undefined ? undefined : writtenOrder(stack, body.orderId, token)
    })
    await button(page).click()
    await textOf(page, 'sluice-sale [part=status]').toBe('Sold out')
    await soon(() => button(page).textContent()).toBe('Sold out')
    const marketer = await stack.token('marketer', { roles: ['marketer'] })
    const added = await call(stack, `/api/control/sales/${saleId}/stock`, {
      token: marketer,
      body: { delta: 5 },
      headers: { 'idempotency-key': `more-${saleId}` },
    })
    expect(added.status).toBe(200)
    // The tab is shown again, which reads the sale at once.
    await soon(async () => {
      await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
      return button(page).textContent()
    }).toBe('Buy now')
    await textOf(page, 'sluice-sale [part=status]').toBe('')
  })

  it('takes no token from another site, and says so to the developer of the page', async () => {
    const { saleId } = await openSale(stack, { allowedOrigins: [host.origin] })
    const foreign = `${stack.url}/sale-token`
    host.show(`<sluice-sale sale="${saleId}" token-from="${foreign}"></sluice-sale>`)
    const { page, traffic, complaints } = await visitHost(phone, { customer: 'hal' })
    await button(page).click()
    await textOf(page, 'sluice-sale [part=status]').toBe('We’re very busy. Please try again in a moment.')
    expect(complaints.join()).toContain(`token-from must be an address of ${host.origin}`)
    expect(traffic.sent.filter((line) => /sale-token|orders/.test(line))).toEqual([])
  })

  it('is a link where it can sell nothing: no token, or a sale that names no site', async () => {
    const [named, unnamed] = await Promise.all([openSale(stack, { allowedOrigins: [host.origin] }), openSale(stack)])
    host.show(`<sluice-sale sale="${named.saleId}"></sluice-sale>${element(unnamed.saleId, 'sluice-button')}`)
    const { page, traffic } = await visitHost(phone, { customer: 'ida' })
    for (const [name, saleId] of [
      ['sluice-sale', named.saleId],
      ['sluice-button', unnamed.saleId],
    ]) {
      const link = page.locator(`${name} a[part=link]`)
      await soon(() => link.getAttribute('href')).toBe(`${stack.url}/sales/${saleId}/`)
      await soon(() => link.textContent()).toBe('Buy on the shop’s page')
    }
    expect(traffic.preflights).toEqual([])
    const pointer = `GET /sales/${named.saleId}/current.json`
    expect(traffic.sent.filter((line) => line === pointer)).toEqual([pointer])
  })
})

describe('the script of the elements on a page without a policy', async () => {
  const script = `${stack.url}/elements.js`
  const text = Buffer.from(await (await fetch(script)).arrayBuffer())
  const integrity = `sha384-${createHash('sha384').update(text).digest('base64')}`
  const strict = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' }
  // Another name of this machine.
  const second = stack.url.replace('localhost', '127.0.0.1')

  it.each([
    ['in a module', `<script type="module" src="${script}"></script>`],
    ['with a query', `<script async src="${script}?ver=6.5"></script>`],
    ['in a module with a query', `<script type="module" src="${script}?ver=6.5"></script>`],
    ['imported', `<script type="module">import('${script}')</script>`],
    [
      'evaluated by a loader',
      `<script>fetch('${script}').then((got) => got.text()).then((text) => (0, eval)(text))</script>`,
    ],
    ['before the element', `<script src="${script}"></script>`],
    ['with its hash', `<script async crossorigin integrity="${integrity}" src="${script}"></script>`],
    ['under an embedder policy', `<script async src="${script}"></script>`, strict],
  ])('knows the shop: %s', async (_, tag, headers: Record<string, string> = {}) => {
    const { saleId } = await openSale(stack, { allowedOrigins: [host.origin] })
    host.show(element(saleId), { script: tag, headers })
    const { page, complaints } = await visitHost(phone, { customer: 'ana' })
    await soon(() => button(page).textContent()).toBe('Buy now')
    expect(complaints).toEqual([])
  })

  it('of two shops asks for each element the one that its link leads to', async () => {
    const [one, two] = await Promise.all([openSale(stack), openSale(stack)])
    const other = element(two.saleId, 'sluice-button').replace(stack.url, second)
    const tags = [script, `${second}/elements.js`].map((src) => `<script src="${src}"></script>`)
    host.show(`${element(one.saleId)}${other}`, { script: tags.join(''), headers: {} })
    const { page } = await visitHost(phone)
    for (const [name, url, saleId] of [
      ['sluice-sale', stack.url, one.saleId],
      ['sluice-button', second, two.saleId],
    ]) {
      await soon(() => page.locator(`${name} a[part=link]`).getAttribute('href')).toContain(`${url}/`)
      const asked = `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('${saleId}/current'))`
      expect(new Set((await page.evaluate(asked)) as string[])).toEqual(
        new Set([`${url}/sales/${saleId}/current.json`]),
      )
    }
  })

  it('gives no token to a shop whose script the page does not have', async () => {
    const { saleId } = await openSale(stack, { allowedOrigins: [host.origin] })
    host.show(element(saleId).replace(stack.url, second), { headers: {} })
    const { page } = await visitHost(phone, { customer: 'bea' })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.reload()
    await soon(() => button(page).textContent()).toBe('Buy now')
    expect(asked.filter((url) => url.startsWith(second))).toEqual([])
  })

  it('fills places that come into the page later, or are drawn anew', async () => {
    const { saleId } = await openSale(stack, { allowedOrigins: [host.origin] })
    const link = `<a href="${stack.url}/sales/${saleId}/">Mug</a>`
    const place = (sale: string) => `<div ${sale} data-token-from="/sale-token">${link}</div>`
    const filled = `data-sluice-sale="${saleId}"`
    host.show('', { headers: {} })
    const { page } = await visitHost(phone, { customer: 'cia' })
    const main = (html: string) => page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(html)}`)
    const isSold = () => soon(() => button(page).allTextContents()).toEqual(['Buy now'])
    await main(place(filled))
    await isSold()
    await page.evaluate(`document.querySelector('[data-sluice-sale]').innerHTML = ${JSON.stringify(link)}`)
    await isSold()
    await page.evaluate('document.body.replaceWith(document.body.cloneNode(true))')
    await isSold()
    await main(place(''))
    await soon(() => button(page).count()).toBe(0)
    await page.evaluate(`document.querySelector('main div').setAttribute('data-sluice-sale', '${saleId}')`)
    await isSold()
    await main(`<section><p>${place(filled)}</p></section>`)
    await isSold()
  })

  it.each([
    [
      'style sheets that a script makes',
      'window.CSSStyleSheet = class { constructor() { throw new TypeError("Illegal constructor") } }',
    ],
    [
      'adopted style sheets',
      'delete Document.prototype.adoptedStyleSheets; delete ShadowRoot.prototype.adoptedStyleSheets',
    ],
    ['shadow trees', 'delete Element.prototype.attachShadow'],
    ['formats of money', 'Intl.NumberFormat = class { constructor() { throw new RangeError("no") } }'],
    ['cancelled requests', 'window.AbortController = undefined'],
  ])('leaves the link inside where a browser lacks %s', async (_, change) => {
    const { saleId } = await openSale(stack, { allowedOrigins: [host.origin] })
    host.show(element(saleId), { headers: {} })
    const page = await newVisitor(browser, phone)
    await page.addInitScript(change)
    const isSaid = Promise.race([
      page.waitForEvent('pageerror'),
      page.waitForEvent('console', (said) => said.type() === 'error'),
    ])
    await page.goto(host.origin)
    await isSaid
    expect(await page.getByRole('link').allTextContents()).toEqual(['Mug'])
    expect(await page.getByRole('link', { name: 'Mug' }).isVisible()).toBe(true)
  })
})
