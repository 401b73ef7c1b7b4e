/**
 * The shop's own customers in a real browser: a plain link of the shop signs them in, and no other person. The shop of this
 * file has a sign-in page of its own, to which every sign-in leads.
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, control, eventually, openSale } from '../journey/support.ts'
import { phone } from './browser.ts'
import { consoleOf, enter, mia, pressAndChoose } from './console.ts'
import { inputOf, soon, switchLanguage, textOf } from './reads.ts'
import { openOwnShop } from './shop.ts'
import { overflows } from './shopper.ts'
import { expectNoComplaints, faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser, shopper } = await openOwnShop()
const issuer = 'https://page.example'
const { privateKey, publicKey } = generateKeyPairSync('ed25519')

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token of the shop for a customer, unless `claims` or another key say otherwise. */
function tokenFor(sub: string, claims: object = {}, key = privateKey): string {
  const iat = Math.floor(Date.now() / 1000)
  const all = { iss: issuer, aud: stack.url, sub, iat, exp: iat + 600, ...claims }
  const signed = `${part({ alg: 'EdDSA' })}.${part(all)}`
  return `${signed}.${sign(null, Buffer.from(signed), createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' }))).toString('base64url')}`
}

/** The link by which the shop sends a customer. */
const linkFor = (token: string, back: string) =>
  `${stack.url}/customer/#token=${token}&return=${encodeURIComponent(back)}`

/** The shop: a customer who comes to its page is signed in there as Ann, and finds the link back. */
const shop = createServer(({ url = '/' }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const back = searchParams.get('return') ?? '/'
  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (pathname === '/jwks.json') {
    const { publicKey: another } = generateKeyPairSync('ed25519')
    response.end(JSON.stringify({ keys: [{ ...another.export({ format: 'jwk' }), kid: 'first' }] }))
    return
  }
  if (pathname !== '/login') return response.writeHead(404).end()
  const href = linkFor(tokenFor('ann-4711', { name: 'Ann' }), back).replaceAll('&', '&amp;')
  response.end(`<!doctype html><html lang="en"><title>The shop</title><a href="${href}">To the sale</a>`)
})

beforeAll(async () => {
  await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening))
  const { port } = shop.address() as AddressInfo
  const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), use: 'sig' }] }
  const signInUrl = `http://localhost:${port}/login`
  await control(stack, '/customer-issuers/page', { issuer, signInUrl, jwks }, 'PUT')
  const isKnown = async () => (await call(stack, '/api/orders', { token: tokenFor('first') })).status === 200
  await eventually(async () => (await isKnown()) || undefined)
})
afterAll(() => shop.close())

const visitor = () => newVisitor(browser, phone)

/** Who the gate takes the browser for, by its cookies: `undefined` without a session. */
async function shopperOf(page: Page): Promise<string | undefined> {
  const cookies = await page.context().cookies(stack.url)
  const session = cookies.find(({ name }) => name === 'sluice_session')?.value
  if (session === undefined) return undefined
  return JSON.parse(Buffer.from(session.split('.')[1] ?? '', 'base64url').toString()).sub
}

/** Every address of the history of the tab, the present one too. */
async function historyOf(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page)
  const { entries } = await devtools.send('Page.getNavigationHistory')
  await devtools.detach()
  return entries.map(({ url }) => url)
}

describe('a plain link of the shop', () => {
  it('closes the circle: from the sale to the sign-in of the shop, and back as its customer', async () => {
    const { saleId } = await openSale(stack)
    const path = `/sales/${saleId}/`
    const page = await visitor()
    expectNoComplaints(page)
    await page.goto(stack.url + path)
    await page.click('#who')
    await page.getByText('To the sale').click()
    await page.waitForURL(stack.url + path)
    await textOf(page, '#who').toBe('Ann')
    await soon(() => shopperOf(page)).toBe('ann-4711')
  })

  it('leaves its token nowhere: not in the address, the history, a request, a referrer or the storage', async () => {
    const { saleId } = await openSale(stack)
    const page = await visitor()
    const requests: { url: string; referer: string | undefined }[] = []
    page.on('request', (request) => {
      requests.push({ url: request.url(), referer: request.headers().referer })
    })
    const token = tokenFor('bob-4712', { name: 'Bob' })
    const held = Promise.withResolvers<void>()
    await page.route('**/api/sign-in/customer', (route) => held.promise.then(() => route.continue()))
    const asked = page.waitForRequest('**/api/sign-in/customer')
    await page.goto(linkFor(token, `/sales/${saleId}/`))
    // The address is clean before the gate has the token.
    await asked
    expect(page.url()).toBe(`${stack.url}/customer/#return=%2Fsales%2F${saleId}%2F`)
    held.resolve()
    await page.waitForURL(`${stack.url}/sales/${saleId}/`)
    await textOf(page, '#who').toBe('Bob')
    const stored = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')
    const seen = JSON.stringify([await historyOf(page), requests, stored])
    expect(seen).not.toContain(token)
    expect(seen).not.toContain(token.split('.')[2])
    expect(requests.filter(({ url }) => url.endsWith('/api/sign-in/customer'))).toHaveLength(1)
  })

  it('leads to pages of this site alone, also where it names this site in full', async () => {
    const { saleId } = await openSale(stack)
    const page = await visitor()
    await page.goto(linkFor(tokenFor('ann-4711'), `${stack.url}/sales/${saleId}/?a=1`))
    await page.waitForURL(`${stack.url}/sales/${saleId}/?a=1`)
    for (const back of ['https://evil.example/', '//evil.example/', '/\\evil.example/', 'javascript:alert(1)']) {
      await page.goto(linkFor(tokenFor('ann-4711'), back))
      await page.waitForURL(`${stack.url}/`)
    }
  })

  it('needs no question for a customer who comes again', async () => {
    const page = await visitor()
    await page.goto(linkFor(tokenFor('ann-4711', { name: 'Ann' }), '/wallet/'))
    await page.waitForURL(`${stack.url}/wallet/`)
    await page.goto(linkFor(tokenFor('ann-4711', { name: 'Ann B.' }), '/orders/'))
    await page.waitForURL(`${stack.url}/orders/`)
    await textOf(page, '#who').toBe('Ann B.')
  })
})

describe('a link that would sign a person in as another one', () => {
  it('asks first, and changes nothing when the person stays', async () => {
    const page = await shopper('mallory-s-victim', '/wallet/')
    await page.goto(linkFor(tokenFor('mallory', { name: 'Mallory' }), '/orders/'))
    await textOf(page, '#title').toBe('Continue as Mallory?')
    await textOf(page, '#lead').toContain('You are signed in as mallory-s-victim.')
    await page.locator('#title:focus').waitFor()
    await soon(() => shopperOf(page)).toBe('mallory-s-victim')
    expect(page.url()).not.toContain('token')
    await page.click('#stay')
    await page.waitForURL(`${stack.url}/orders/`)
    await soon(() => shopperOf(page)).toBe('mallory-s-victim')
    await textOf(page, '#who').toBe('mallory-s-victim')
  })

  it('takes the other session away when the person goes on, by keyboard', async () => {
    const page = await shopper('ann', '/wallet/')
    await page.goto(linkFor(tokenFor('bob-4712', { name: 'Bob' }), '/orders/'))
    await page.locator('#title:focus').waitFor()
    await page.keyboard.press('Tab')
    await page.locator('#continue:focus').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${stack.url}/orders/`)
    await textOf(page, '#who').toBe('Bob')
    await soon(() => shopperOf(page)).toBe('bob-4712')
  })

  it('asks also where both have the same name, and when the page is open already', async () => {
    const page = await visitor()
    await page.goto(linkFor(tokenFor('ann-4711', { name: 'Ann' }), '/wallet/'))
    await page.waitForURL(`${stack.url}/wallet/`)
    await page.goto(`${stack.url}/customer/`)
    await textOf(page, '#title').toBe('Couldn’t sign in')
    // Only the fragment changes.
    await page.goto(linkFor(tokenFor('ann-4799', { name: 'Ann' }), '/orders/'))
    await textOf(page, '#lead').toContain('another customer with the name Ann')
    expect(page.url()).toBe(`${stack.url}/customer/#return=%2Forders%2F`)
    await switchLanguage(page)
    await textOf(page, '#title').toBe('以“Ann”的身份登录？')
    await page.setViewportSize({ width: 360, height: 740 })
    await picture(page, 'customer-asks-zh')
    await soon(() => overflows(page)).toBe(false)
    expect(await faultsOf(page)).toEqual([])
  })
})

describe('a link that opens no session says why, and goes nowhere by itself', () => {
  const foreign = generateKeyPairSync('ed25519').privateKey
  const now = Math.floor(Date.now() / 1000)

  it.each([
    ['it has expired', () => tokenFor('ann-4711', { iat: now - 700, exp: now - 100 })],
    ['another key has signed it', () => tokenFor('ann-4711', {}, foreign)],
    ['it is for another shop', () => tokenFor('ann-4711', { aud: 'https://other.example' })],
    ['it is no token', () => 'x'],
    ['it has no token', () => ''],
  ])('%s', async (_, make) => {
    const page = await visitor()
    const visited: string[] = []
    page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
    await page.goto(linkFor(make(), '/wallet/'))
    await textOf(page, '#title').toBe('Couldn’t sign in')
    await page.locator('#title:focus').waitFor()
    const again = await page.getAttribute('#again', 'href')
    expect(again).toBe('/api/sign-in?return=%2Fwallet%2F')
    await soon(() => page.getAttribute('#who', 'href')).toBe(again)
    await soon(() => shopperOf(page)).toBe(undefined)
    expect(new Set(visited)).toEqual(new Set(['/customer/']))
  })

  it('the shop has blocked the customer', async () => {
    const token = tokenFor('eve-4713')
    await control(stack, '/blocklist/shopper/customer:page|eve-4713', undefined, 'PUT')
    await soon(async () => (await call(stack, '/api/orders', { token })).status).toBe(403)
    const page = await visitor()
    await page.goto(linkFor(token, '/wallet/'))
    await textOf(page, '#title').toBe('You can’t sign in here')
    await soon(() => page.locator('#again').count()).toBe(0)
  })

  it('the gate does not answer, until it does', async () => {
    const page = await visitor()
    await page.route('**/api/sign-in/customer', (route) => route.abort())
    await page.goto(linkFor(tokenFor('ann-4711', { name: 'Ann' }), '/wallet/'))
    await textOf(page, '#title').toBe('Sign-in isn’t available')
    await page.click('#retry')
    await textOf(page, '#title').toBe('Sign-in isn’t available')
    await page.unrouteAll()
    await page.click('#retry')
    await page.waitForURL(`${stack.url}/wallet/`)
    await textOf(page, '#who').toBe('Ann')
  })

  it('the browser keeps no cookies', async () => {
    const page = await visitor()
    const body = { shopperId: 'customer:page|ann-4711', name: 'Ann', expiresInSeconds: 600 }
    await page.route('**/api/sign-in/customer', (route) => route.fulfill({ json: body }))
    await page.goto(linkFor(tokenFor('ann-4711'), '/wallet/'))
    await textOf(page, '#title').toBe('Your browser blocks cookies')
  })
})

describe('the view of issuers in the console', () => {
  const names = async () => {
    const { issuers } = await control<{ issuers: { name: string }[] }>(stack, '/customer-issuers')
    return issuers.map(({ name }) => name)
  }
  const errorAt = (page: Page, field: string) => textOf(page, `#field-customers-${field}-error`)

  it('registers one after a question, names the field that is wrong, and removes it after a question', async () => {
    const page = await consoleOf(browser, stack, '#/settings', mia)
    expectNoComplaints(page)
    await page.click('[href="#/customers"]')
    const first = page.locator('[data-issuer=page]')
    await first.getByText(issuer).waitFor()
    await first.getByText('customer:page|…').waitFor()
    await first.getByText('Pasted here').waitFor()

    await page.click('#issuer-save')
    await errorAt(page, 'name').toContain('lower-case letters')
    await page.locator('#field-customers-name:focus').waitFor()
    await page.fill('#field-customers-name', 'web')
    await errorAt(page, 'name').toBe('')
    await page.fill('#field-customers-issuer', issuer)
    const { port } = shop.address() as AddressInfo
    await page.fill('#field-customers-jwksUrl', `http://localhost:${port}/none.json`)
    await pressAndChoose(page, '#issuer-save', 'save')
    await errorAt(page, 'issuer').toContain('(page)')
    await page.fill('#field-customers-issuer', 'https://web.example')
    await pressAndChoose(page, '#issuer-save', 'save')
    await errorAt(page, 'jwksUrl').toContain('These keys can’t be used: ')
    await page.locator('#field-customers-jwksUrl:focus').waitFor()
    await soon(() => names()).toEqual(['page'])

    await page.fill('#field-customers-jwksUrl', `http://localhost:${port}/jwks.json`)
    await page.click('#issuer-save')
    await page.locator('#confirm[open]', { hasText: 'Anyone who holds one of its private keys' }).waitFor()
    await page.keyboard.press('Escape')
    await soon(() => names()).toEqual(['page'])
    await pressAndChoose(page, '#issuer-save', 'save')
    const added = page.locator('[data-issuer=web]')
    await added.getByText(`http://localhost:${port}/jwks.json`).waitFor()
    await added.getByText('Keys last read').waitFor()
    await inputOf(page, '#field-customers-name').toBe('')
    await soon(() => names()).toEqual(['page', 'web'])

    await page.click('[data-change=web]')
    await inputOf(page, '#field-customers-name').toBe('web')
    await textOf(page, '#issuer-news').toBe('Replaces the entry “web”.')
    await pressAndChoose(page, '[data-remove=web]', 'remove')
    await added.waitFor({ state: 'detached' })
    await page.locator('#field-customers-name:focus').waitFor()
    await soon(() => names()).toEqual(['page'])
  })

  it('never sends a private key, in Chinese as well', async () => {
    const page = await consoleOf(browser, stack, '#/customers', { ...mia, locale: 'zh-CN' })
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'PUT') sent += 1
    })
    await enter(page, { 'customers-name': 'web', 'customers-issuer': 'https://web.example' })
    await page.selectOption('#field-customers-source', 'paste')
    const jwks = JSON.stringify({ keys: [privateKey.export({ format: 'jwk' })] })
    await page.fill('#field-customers-jwks', jwks)
    await page.click('#issuer-save')
    await errorAt(page, 'jwks').toContain('内容包含私钥，未发送')
    expect(sent).toBe(0)
  })

  it('is read-only for a viewer', async () => {
    const page = await consoleOf(browser, stack, '#/customers', { ...mia, name: 'vic', roles: ['viewer'] })
    await page.locator('[data-issuer=page]').waitFor()
    await soon(() => page.locator('#issuer-form, [data-change], [data-remove]').count()).toBe(0)
  })
})

it('the page is for no search engine, and under the strict policy of all pages', async () => {
  const page = await fetch(`${stack.url}/customer/`)
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
  expect(await page.text()).toContain('<meta name="robots" content="noindex">')
})
