/**
 * Turnstile in a real browser: the widget in a frame with a policy of its own, its token as a ticket
 * of the gate, and what a shopper sees while it asks, fails or is not there.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import { beforeEach, describe, expect, it } from 'vitest'
import { dist } from '../../build.ts'
import { turnstileOrigin, widgetHeaders } from '../../system/site-headers.ts'
import { control, definition, openSale } from '../journey/support.ts'
import { complaintsOf, desktop, phone } from './browser.ts'
import { openOwnShop } from './shop.ts'
import { faultsOf, newVisitor, picture, signInThrough, waitUntilLit } from './visitor.ts'

const { stack, browser } = await openOwnShop()
beforeEach(() => stack.turnstile.behave({ widget: 'pass', siteverify: 'judge' }))

const state = (page: Page, name: string) =>
  page.locator(`#check[data-state=${name}]`).waitFor({ timeout: 60_000 })
const widgetIn = (page: Page) => page.frameLocator('#check iframe').frameLocator('iframe')

/** What a page sends for the check, and the addresses of other sites that it and its frames load. */
function requestsOf(page: Page) {
  const seen = { asked: [] as Request[], elsewhere: [] as string[] }
  page.on('request', (request) => {
    const url = request.url()
    if (url.endsWith('/challenge')) seen.asked.push(request)
    if (!url.startsWith(stack.url) && !url.startsWith('data:')) seen.elsewhere.push(new URL(url).pathname)
  })
  return seen
}

/** A sale that starts in twenty seconds. */
async function scheduledSale(): Promise<string> {
  const sale = definition({ challenge: 'turnstile', startsAt: Date.now() + 20_000 })
  const saleId = String(sale.saleId)
  await control(stack, '/sales', sale)
  await control(stack, `/sales/${saleId}/start`, {})
  return saleId
}

async function buyOn(page: Page): Promise<void> {
  await waitUntilLit(page)
  await page.click('#buy')
  await page.waitForURL(/\/orders\/\?id=/)
}

describe('Turnstile in a real browser (N4)', () => {
  it('runs by itself before the start, moves nothing on the page, and its ticket goes with the click', async () => {
    const saleId = await scheduledSale()
    const page = await newVisitor(browser, desktop)
    const wrong = complaintsOf(page)
    const { asked } = requestsOf(page)
    await signInThrough(page, stack.url, 'ann', `/sales/${saleId}/`)
    await page.locator('#check').waitFor()
    const left = page.locator('.left')
    const before = await left.boundingBox()
    await state(page, 'passed')
    expect(await page.locator('#main').getAttribute('data-phase')).toBe('scheduled')
    expect(await left.boundingBox()).toEqual(before)
    await picture(page, 'turnstile-desktop')
    expect(await faultsOf(page)).toEqual([])
    const [challenge, answer] = asked.map((request) => request.postDataJSON())
    expect(challenge).toEqual({})
    expect(Object.keys(answer)).toEqual(['token'])
    const bought = page.waitForRequest(
      (request) => request.url().endsWith('/orders') && request.method() === 'POST',
    )
    await buyOn(page)
    expect((await bought).postDataJSON().challenge).toMatch(/^[0-9a-f]{32}_\d{10}_/)
    expect(asked).toHaveLength(2)
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it('asks a shopper on a Chinese phone to confirm, in the frame, by the keyboard too', async () => {
    stack.turnstile.behave({ widget: 'ask' })
    const { saleId } = await openSale(stack, { challenge: 'turnstile' })
    const page = await newVisitor(browser, phone, { locale: 'zh-CN', colorScheme: 'dark' })
    const wrong = complaintsOf(page)
    await signInThrough(page, stack.url, 'bai', `/sales/${saleId}/`)
    await state(page, 'asking')
    expect(await page.locator('#check-words').textContent()).toBe('请完成下方的安全验证。')
    expect(await page.locator('#check iframe').getAttribute('title')).toBe('安全验证')
    expect(await page.locator('#buy').getAttribute('aria-disabled')).toBe('true')
    await picture(page, 'turnstile-asks-phone')
    expect(await faultsOf(page)).toEqual([])
    await page.locator('#buy').focus()
    await page.keyboard.press('Tab')
    await widgetIn(page).locator('button:focus', { hasText: '确认' }).waitFor()
    await page.keyboard.press('Enter')
    await state(page, 'passed')
    await picture(page, 'turnstile-passed-phone')
    await buyOn(page)
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it.each(['widget', 'siteverify'] as const)(
    'says so when the %s refuses, and the shopper can try again from the keyboard',
    async (part) => {
      stack.turnstile.behave(part === 'widget' ? { widget: 'fail' } : { siteverify: 'bad' })
      const { saleId } = await openSale(stack, { challenge: 'turnstile' })
      const page = await newVisitor(browser, phone)
      await signInThrough(page, stack.url, `cat-${part}`, `/sales/${saleId}/`)
      await state(page, 'failed')
      expect(await page.locator('#check-words').textContent()).toBe('The security check failed.')
      expect(await page.locator('#buy').textContent()).toBe('Not verified')
      await picture(page, `turnstile-failed-${part}`)
      expect(await faultsOf(page)).toEqual([])
      stack.turnstile.behave({ widget: 'pass', siteverify: 'judge' })
      await page.locator('#buy').focus()
      await page.keyboard.press('Tab')
      await page.locator('#check-again:focus').waitFor()
      await page.keyboard.press('Enter')
      await state(page, 'passed')
      await buyOn(page)
      await page.context().close()
    },
  )

  it('waits while Turnstile gives no verdict, and goes on by itself (I6)', async () => {
    stack.turnstile.behave({ siteverify: 'broken' })
    const { saleId } = await openSale(stack, { challenge: 'turnstile' })
    const page = await newVisitor(browser, phone)
    await signInThrough(page, stack.url, 'dan', `/sales/${saleId}/`)
    await state(page, 'waiting')
    expect(await page.locator('#buy').getAttribute('aria-disabled')).toBe('true')
    stack.turnstile.behave({ siteverify: 'judge' })
    await state(page, 'passed')
    await buyOn(page)
    await page.context().close()
  })

  it('fails with a way to try again when its script cannot be loaded', async () => {
    const { saleId } = await openSale(stack, { challenge: 'turnstile' })
    const page = await newVisitor(browser, phone)
    await page.route('**/api.js*', (route) => route.abort(), { times: 1 })
    await signInThrough(page, stack.url, 'eve', `/sales/${saleId}/`)
    await state(page, 'failed')
    await page.click('#check-again')
    await state(page, 'passed')
    await page.context().close()
  })

  it('fails with a way to try again when the widget never ends', async () => {
    stack.turnstile.behave({ widget: 'silent' })
    const { saleId } = await openSale(stack, { challenge: 'turnstile' })
    const page = await newVisitor(browser, phone)
    await page.clock.install()
    await signInThrough(page, stack.url, 'ida', `/sales/${saleId}/`)
    await widgetIn(page).locator('#words', { hasText: 'Verifying' }).waitFor()
    await page.clock.fastForward(60_000)
    await state(page, 'failed')
    await page.context().close()
  })

  it('takes its square form where there is no room for the wide one', async () => {
    stack.turnstile.behave({ widget: 'ask' })
    const { saleId } = await openSale(stack, { challenge: 'turnstile' })
    const page = await newVisitor(browser, { ...phone, viewport: { width: 320, height: 640 } })
    await signInThrough(page, stack.url, 'fay', `/sales/${saleId}/`)
    await state(page, 'asking')
    const box = await page.frameLocator('#check iframe').locator('iframe').boundingBox()
    expect([box?.width, box?.height]).toEqual([150, 140])
    const overflows = await page.locator('html').evaluate((html) => html.scrollWidth > html.clientWidth)
    expect(overflows).toBe(false)
    await picture(page, 'turnstile-narrow')
    await page.context().close()
  })

  it('works with the page and the policy of a deployment, and Turnstile at its own address', async () => {
    const { saleId } = await openSale(stack, { challenge: 'turnstile' })
    const page = await newVisitor(browser, desktop)
    const wrong = complaintsOf(page)
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
    await signInThrough(page, stack.url, 'gus', `/sales/${saleId}/`)
    await state(page, 'passed')
    await buyOn(page)
    expect(loaded).toEqual(expect.arrayContaining(['/turnstile/v0/api.js', '/turnstile/v0/widget']))
    expect(wrong).toEqual([])
    await page.context().close()
  })

  it('loads nothing of another site for a sale with a proof of work, or for a guest', async () => {
    const work = await openSale(stack, { challenge: 'pow' })
    const page = await newVisitor(browser, phone)
    const { elsewhere } = requestsOf(page)
    await signInThrough(page, stack.url, 'hal', `/sales/${work.saleId}/`)
    await state(page, 'passed')
    const guest = await newVisitor(browser, phone)
    const ofGuest = requestsOf(guest)
    const { saleId } = await openSale(stack, { challenge: 'turnstile' })
    await guest.goto(`${stack.url}/sales/${saleId}/`)
    await waitUntilLit(guest)
    expect([...elsewhere, ...ofGuest.elsewhere]).toEqual([])
    expect(await page.locator('iframe').count()).toBe(0)
    await page.context().close()
    await guest.context().close()
  })
})
