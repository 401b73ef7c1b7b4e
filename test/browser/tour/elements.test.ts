/**
 * How the elements look on a page of another site, under a strict policy and without third-party cookies: on each
 * screen, in both languages, light and dark.
 */
import { describe, expect, inject, it } from 'vitest'
import { buy, eventually, openSale, shopAt } from '../../journey/support.ts'
import { assessedStates } from '../../recorded-assessment.ts'
import { desktop, phone } from '../browser.ts'
import { openHostOf } from '../host-page.ts'
import { soon } from '../reads.ts'
import { overflows } from '../shopper.ts'
import { expectNoComplaints, faultsOf, newVisitor, picture } from '../visitor.ts'

const stack = shopAt(inject('shopUrl'))
const { browser, host } = await openHostOf(stack, 'looks')

const element = (saleId: string, name = 'sluice-sale') =>
  `<${name} sale="${saleId}" token-from="/sale-token"></${name}>`

/** An open sale, one that starts later, one that is sold out, and the button of the first alone. */
async function elementsOfThreeSales(): Promise<string> {
  const named = { allowedOrigins: [host.origin], translations: { 'zh-CN': { title: '粗陶马克杯' } } }
  const startsAt = Date.now() + 3_600_000
  const [open, early, out] = await Promise.all([
    openSale(stack, named),
    openSale(stack, { ...named, startsAt, endsAt: startsAt + 3_600_000 }),
    openSale(stack, { ...named, stock: 1, admissionRatio: 1 }),
  ])
  const { saleId, startToken } = out
  const token = await stack.token('takes-the-last')
  await eventually(async () => (await buy(stack, saleId, { token, startToken })).body.orderId)
  const sales = [open.saleId, early.saleId, saleId].map((id) => element(id))
  return [...sales, element(open.saleId, 'sluice-button')].join('')
}

host.show(await elementsOfThreeSales())

const words = {
  en: { buy: 'Buy now', early: 'Not started yet', out: 'Sold out', signIn: 'Sign in to buy' },
  'zh-CN': { buy: '立即抢购', early: '尚未开始', out: '已抢完', signIn: '登录后购买' },
} as const

let faults = 0

describe.each(Object.entries({ phone, desktop }))('the elements on a %s', (name, screen) => {
  it.each(Object.entries(words))('have no fault in %s, light and dark', async (lang, word) => {
    const page = await newVisitor(browser, screen)
    expectNoComplaints(page)
    await page.context().addCookies([{ name: 'customer', value: 'reader', url: host.origin }])
    await page.goto(`${host.origin}/?lang=${lang}`)
    const buttons = page.locator('[part=button]')
    await soon(() => buttons.allTextContents()).toEqual([word.buy, word.early, word.out, word.buy])
    const look = async (what: string) => {
      const found = await faultsOf(page)
      await picture(page, `elements-${name}-${lang}-${what}`)
      if (await overflows(page)) found.push('wider than the screen')
      faults += found.length
      expect(found, what).toEqual([])
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await look(colorScheme)
    }
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
    await look('contrast')
    await page.emulateMedia({ forcedColors: 'none' })
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    await look('large')
    await page.evaluate("document.documentElement.style.fontSize = ''")
    if (name === 'phone') await page.setViewportSize({ width: 320, height: 640 })
    await look('narrow')

    await page.context().clearCookies({ name: 'customer' })
    await page.reload()
    await soon(() => page.locator('sluice-button a[part=link]').textContent()).toBe(word.signIn)
    await look('guest')
    await page.context().close()
  })
})

it('are in the accessibility statement', () => {
  // Open, early, sold out, and of a guest.
  const states = 4
  expect(assessedStates({ name: 'the elements', states, faults })).toBe(states)
})
