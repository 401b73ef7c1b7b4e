/** Visits whose only subject is what a page says in Chinese; the same visits in English are beside this file. */
import { describe, expect, it } from 'vitest'
import { control, definition, openSale } from '../journey/support.ts'
import { phone } from './browser.ts'
import { askedBy, consoleOf, mia, unfold } from './console.ts'
import { soon } from './reads.ts'
import { openShop } from './shop.ts'
import { says } from './shopper.ts'
import { arriveAt, newVisitor } from './visitor.ts'

const { stack, browser } = await openShop()

const hourMs = 3_600_000
const marketer = (path: string) => consoleOf(browser, stack, path, { ...mia, locale: 'zh-CN' })

describe('in Chinese', () => {
  it('a shopper signs in by the header, and comes back to the page', async () => {
    const { saleId } = await openSale(stack)
    const page = await newVisitor(browser, phone, { locale: 'zh-CN' })
    // On a busy machine the shop may give up waiting for its issuer. Its page then asks to try again.
    const opened = async () => {
      await page.goto(`${stack.url}/sales/${saleId}/?from=mail`)
      await says(page, '#who', '登录')
      await page.click('#who')
      await page.waitForURL(/\/sign-in/)
      return page.locator('#sign-in').count()
    }
    await expect.poll(opened).toBe(1)
    await says(page, '#sign-in', '继续')
    await page.fill('#shopperId', 'hal')
    await page.click('#sign-in')
    await arriveAt(page, `${stack.url}/sales/${saleId}/?from=mail`)
    await says(page, '#who', 'hal')
  })

  it('the effects of an action are said with measure words, before the sale is paused, ended or rebuilt', async () => {
    const { saleId } = await openSale(stack, { stock: 7 })
    const page = await marketer(`#/sale/${saleId}`)
    await page.locator('#live-remaining', { hasText: /^7$/ }).waitFor()
    for (const action of ['pause', 'close'])
      expect(await askedBy(page, `[data-action=${action}]`)).toContain('剩余 7 件')
    await unfold(page, 'health')
    expect(await askedBy(page, '#recover')).toContain('现有 0 个订单，共 0 件')
  })

  it('the search counts what it found', async () => {
    const startsAt = Date.now() + hourMs
    for (const saleId of ['plum-cup-1', 'plum-cup-2']) {
      const translations = { 'zh-CN': { title: `梅瓶 ${saleId}` } }
      await control(stack, '/sales', definition({ saleId, translations, startsAt, endsAt: startsAt + hourMs }))
    }
    await control(stack, '/sales/plum-cup-1/warm', {})
    await control(stack, '/sales/plum-cup-1/start', {})
    const page = await marketer('')
    await page.fill('#search-find', '梅瓶')
    await says(page, '#search-found', '找到 2 个活动')
    await page.selectOption('#search-state', 'waiting')
    await says(page, '#search-found', '找到 1 个活动')
    await soon(() => page.locator('#sales strong').allTextContents()).toEqual(['梅瓶 plum-cup-2'])
  })
})
