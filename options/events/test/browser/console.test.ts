/** The addresses that receive events in the console, in a real browser. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { complaintsOf, phone } from '../../../../test/browser/browser.ts'
import { choose, consoleOf, mia } from '../../../../test/browser/console.ts'
import { soon } from '../../../../test/browser/reads.ts'
import { openOwnShop } from '../../../../test/browser/shop.ts'
import { control } from '../../../../test/journey/support.ts'

const { stack, browser } = await openOwnShop()

const open = (path: string, change = {}) => consoleOf(browser, stack, path, { ...mia, ...change })

describe('the addresses that receive events', () => {
  const received: { type: string }[] = []
  const receiver = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push(JSON.parse(body))
    response.writeHead(204).end()
  })
  let url: string
  beforeAll(async () => {
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening))
    url = `http://localhost:${(receiver.address() as AddressInfo).port}/events`
  })
  afterAll(() => void receiver.close())

  it('are added with a secret that is shown once, tried, disabled and removed', async () => {
    const page = await open('#/events')
    const wrong = complaintsOf(page)
    await page.locator('#endpoints', { hasText: 'No address receives events yet.' }).waitFor()
    await page.fill('#field-event-name', 'ERP')
    await page.keyboard.press('Enter')
    await page.locator('#field-event-name-error', { hasText: 'Enter 1 to 32' }).waitFor()
    await page.fill('#field-event-name', 'erp')
    await page.fill('#field-event-url', 'http://shop.example')
    await page.keyboard.press('Enter')
    await page.locator('#field-event-url-error', { hasText: 'Enter an https address.' }).waitFor()
    await page.fill('#field-event-url', url)
    await page.fill('#field-event-types', 'order.paid, order.lost')
    await page.keyboard.press('Enter')
    await page.locator('#field-event-types-error', { hasText: 'Enter event types' }).waitFor()
    await page.fill('#field-event-types', 'order.paid, order.cancelled')
    await page.keyboard.press('Enter')
    await page.locator('#event-secret', { hasText: /whsec_[A-Za-z0-9+/]{43}=/ }).waitFor()
    await page.locator('[data-endpoint=erp]', { hasText: 'Enabled · order.paid, order.cancelled' }).waitFor()

    await page.click('#test-erp')
    await page.locator('#status', { hasText: 'Delivered: response 204.' }).waitFor()
    expect(received).toMatchObject([{ type: 'endpoint.test' }])
    await page.click('#log-erp')
    await page.locator('#deliveries', { hasText: 'Nothing was sent there yet.' }).waitFor()
    await page.click('#enable-erp')
    await page.locator('[data-endpoint=erp]', { hasText: 'Disabled' }).waitFor()

    await page.reload()
    await page.locator('[data-endpoint=erp]').waitFor()
    await soon(() => page.locator('#event-secret').count()).toBe(0)
    await page.click('#rotate-erp')
    await choose(page, 'rotate')
    await page.locator('[data-endpoint=erp]', { hasText: 'The previous secret signs until' }).waitFor()
    await page.click('[data-remove=erp]')
    await choose(page, 'remove')
    await page.locator('#endpoints', { hasText: 'No address receives events yet.' }).waitFor()
    expect(wrong).toEqual([])
  })

  it('are shown to a viewer, who changes none, on a phone and in Chinese', async () => {
    await control(stack, '/event-endpoints/erp', { url }, 'PUT')
    const viewer = { name: 'vera', roles: ['viewer' as const], screen: phone, locale: 'zh-CN' }
    const page = await open('#/events', viewer)
    const wrong = complaintsOf(page)
    await page.locator('[data-endpoint=erp]', { hasText: '已启用' }).waitFor()
    await soon(() => page.locator('#endpoint-form').count()).toBe(0)
    await soon(() => page.locator('#test-erp').count()).toBe(0)
    expect(wrong).toEqual([])
    await control(stack, '/event-endpoints/erp', undefined, 'DELETE')
  })
})
