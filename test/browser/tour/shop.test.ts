/** How the pages for shoppers look, in every state, in both languages, in light and dark. */
import { describe, expect, it } from 'vitest'
import { desktop } from '../browser.ts'
import { openShop } from '../shop.ts'
import { newVisitor } from '../visitor.ts'
import { brandPlaces } from './brand-places.ts'
import { inspect } from './look.ts'
import { orderPlaces } from './order-places.ts'
import { plainPlaces } from './plain-places.ts'
import { salePlaces } from './sale-places.ts'
import { tour } from './tour.ts'

const shop = await openShop({ keepsPages: true })

tour([...(await salePlaces(shop)), ...(await orderPlaces(shop)), ...(await brandPlaces(shop)), ...plainPlaces(shop)])

describe('the tour itself', () => {
  it.each([
    ['nothing', '', []],
    ['a wide link', '<a href="/" style="display: block; width: 900px">All</a>', [/wider/, /wider/]],
    [
      'a link that is cut off',
      '<div style="overflow: hidden"><a href="/" style="display: block; width: 900px">All</a></div>',
      [/wider/, /wider/],
    ],
    [
      'a table that can be scrolled',
      '<div style="overflow: auto" tabindex="0"><p style="width: 900px">All</p></div>',
      [],
    ],
    [
      'a text that is cut off',
      '<p style="overflow: hidden; width: 1em; white-space: nowrap">All of it</p>',
      [/cuts off/, /cuts off/, /high contrast: cuts off/, /of 200 %: cuts off/],
    ],
    [
      'a row that large text makes too wide',
      '<style>@media (min-width: 1000px) { p { width: 50rem } }</style><p>All</p>',
      [/of 200 %: wider/],
    ],
    [
      'a text that is pale in high contrast',
      '<style>@media (forced-colors: active) { p { forced-color-adjust: none; color: #eee; background: #fff } }</style><p>All</p>',
      [/in high contrast: keeps its own colours/],
    ],
    ['a pale text', '<p style="color: #ccc">All</p>', [/in light: color-contrast/]],
    ['a text that is pale in dark', '<p style="color: #444">All</p>', [/in dark on a phone: color-contrast/]],
    ['a picture without a text', '<img src="data:,">', [/image-alt/]],
    [
      'another language',
      '<script>document.documentElement.lang = "zh-CN"</script>',
      [/says that its language/, /says that its language/],
    ],
    ['the name', '<p>Powered by SLUICE</p>', [/says “/, /says “/]],
  ])('finds %s that was planted in a page', async (_, planted, faults) => {
    const page = await newVisitor(shop.browser, desktop)
    await page.setContent(`<!doctype html><html lang="en"><head><title>A page</title>
      <style>body { background: #fff } a { color: inherit } @media (prefers-color-scheme: dark) { body { background: #111; color: #fff } }</style></head>
      <body><main><h1>A page</h1>${planted}</main></body></html>`)
    const found = await inspect(page, 'a page', 'en', () => Promise.resolve([]))
    expect(found).toEqual(faults.map((fault) => expect.stringMatching(fault)))
    await page.context().close()
  })
})
