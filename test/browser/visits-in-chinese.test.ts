/** A visit whose only subject is what a page says in Chinese. */
import { expect, it } from 'vitest'
import { openSale } from '../journey/support.ts'
import { askedBy, consoleOf, mia, unfold } from './console.ts'
import { openShop } from './shop.ts'

const { stack, browser } = await openShop()

it('in Chinese the effects of an action are said with measure words, before the sale is paused, ended or rebuilt', async () => {
  const { saleId } = await openSale(stack, { stock: 7 })
  const page = await consoleOf(browser, stack, `#/sale/${saleId}`, { ...mia, locale: 'zh-CN' })
  await page.locator('#live-remaining', { hasText: /^7$/ }).waitFor()
  for (const action of ['pause', 'close']) expect(await askedBy(page, `[data-action=${action}]`)).toContain('剩余 7 件')
  await unfold(page, 'health')
  expect(await askedBy(page, '#recover')).toContain('现有 0 笔订单，共 0 份')
})
