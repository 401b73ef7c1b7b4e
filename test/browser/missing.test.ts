/** The page at an unknown address. */
import { describe, expect, it } from 'vitest'
import { complaintsOf, desktop, phone } from './browser.ts'
import { openShop } from './shop.ts'
import { faultsOf, newVisitor, picture } from './visitor.ts'

const { stack, browser } = await openShop()

describe('the page of an unknown address', () => {
  it.each([
    { screen: 'phone', colorScheme: 'light' as const },
    { screen: 'phone', colorScheme: 'dark' as const },
    { screen: 'desktop', colorScheme: 'light' as const },
    { screen: 'desktop', colorScheme: 'dark' as const },
  ])(
    'is a complete, accessible page of the shop in both languages: $screen, $colorScheme',
    async ({ screen, colorScheme }) => {
      const page = await newVisitor(browser, screen === 'phone' ? phone : desktop, { colorScheme })
      const wrong = complaintsOf(page)
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() >= 400) refused.push(new URL(response.url()).pathname)
      })
      const answer = await page.goto(`${stack.url}/sales/there-is-none/`)
      expect(answer?.status()).toBe(404)
      // Everything that the page requests exists: its style, and its icon if the browser requests one.
      expect(refused).toEqual(['/sales/there-is-none/'])
      expect(await page.locator('h1').allTextContents()).toEqual(['Page not found', '页面不存在'])
      const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      expect(paper).toBe(colorScheme === 'light' ? 'rgb(246, 244, 238)' : 'rgb(20, 19, 18)')
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
      expect(await faultsOf(page)).toEqual([])
      expect(wrong).toEqual([])
      await picture(page, `missing-${screen}-${colorScheme}`)
      await page.context().close()
    },
    30_000,
  )

  it('leads to the shop and to the orders', async () => {
    const page = await newVisitor(browser, phone)
    for (const [words, path] of [
      ['Go to the shop', '/'],
      ['我的订单', '/orders/'],
    ] as const) {
      await page.goto(`${stack.url}/nothing.html`)
      await page.click(`text=${words}`)
      await page.waitForURL(stack.url + path)
      expect(await page.title()).not.toContain('not found')
    }
    await page.context().close()
  }, 30_000)
})
