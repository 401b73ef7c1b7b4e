/**
 * The pages of a shop with a brand. The tour's shop has none, because other tests share it: what a brand
 * changes in a page is put into it on its way, by the functions that publish it.
 */
import type { Page } from '@playwright/test'
import type { Brand } from '../../../core/brand.ts'
import { baseName } from '../../../core/sale/pictures.ts'
import { brandLink, brandStyle, footer, wordmark } from '../../../templates/pages/brand.ts'
import { openSale } from '../../journey/support.ts'
import { type Place, place, state } from './tour.ts'
import { shows, type Tour, take, type View, visit } from './visits.ts'

const brand: Brand = {
  name: 'Lantern & Co.',
  logo: baseName('c'.repeat(32), { width: 480, height: 120 }),
  colours: { light: '#0b5a8a', dark: '#7cc4f0' },
  tagline: { en: 'Light for all', 'zh-CN': '点亮生活' },
  links: [
    { label: { en: 'Privacy', 'zh-CN': '隐私政策' }, href: 'https://lantern.example/privacy' },
    { label: { en: 'Terms of use', 'zh-CN': '使用条款' }, href: 'https://lantern.example/terms' },
  ],
  support: 'help@lantern.example',
}

const logo =
  '<svg xmlns="http://www.w3.org/2000/svg" width="480" height="120"><rect width="480" height="120" fill="#0b5a8a"/></svg>'

async function putOn(page: Page): Promise<void> {
  await page.route(/\/(?:sales\/[^/]+\/|orders\/|wallet\/|accessibility\/)?$/, async (route) => {
    const response = await route.fetch()
    const plain = await response.text()
    const body = plain
      .replace('<script type="module"', `${brandLink(brand).html}$&`)
      .replace(wordmark({}).html, wordmark(brand).html)
      .replace(footer({}).html, footer(brand).html)
    await route.fulfill({ response, body })
  })
  const style = brandStyle(brand)
  await page.route('**/brand/*.css', (route) => route.fulfill({ body: style?.body ?? '', contentType: 'text/css' }))
  await page.route('**/pictures/*', (route) => route.fulfill({ body: logo, contentType: 'image/svg+xml' }))
}

export async function brandPlaces(tour: Tour): Promise<Place[]> {
  const { stack } = tour
  const { saleId } = await openSale(stack, { maxPerOrder: 2, limitPerShopper: 2 })
  const at = (name: string, path: string, shown: string) =>
    state(name, async (page) => {
      await take(page, { at: path, shown })
      await page.locator('.foot a').last().waitFor()
      await shows(page, '.wordmark img')
    })
  const open = async (view: View) => {
    const page = await visit(tour, view, `tour-lee-${view.name}`)
    await putOn(page)
    return page
  }
  return [
    place('a shop with a brand', open, [
      at('at a sale', `/sales/${saleId}/`, '#buy[aria-disabled=false]'),
      at('at the orders', '/orders/', '#orders .empty'),
      at('at the wallet', '/wallet/', '#wallet .empty'),
      at('at the accessibility statement', '/accessibility/', '#assessed'),
    ]),
  ]
}
