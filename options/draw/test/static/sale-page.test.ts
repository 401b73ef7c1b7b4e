/** The page of a sale that draws, and what other pages say of it. */
import { expect, it } from 'vitest'
import { renderSalePage } from '../../../../templates/pages/sale.ts'
import { renderIndexPage } from '../../../../templates/pages/shop.ts'
import { assets, everyPage, published, sale } from '../../../../test/templates/every-page.ts'

const draw = { opensAt: 1, closesAt: 3_600_000, commitSeconds: 120, claimSeconds: 7200 }

it('has the times of its draw, and a script and a style that no other page has', () => {
  const drawn = { ...sale, draw }
  const page = renderSalePage(drawn, assets, published)
  expect(page).toContain('data-opens-at="1" data-closes-at="3600000" data-drawn-at="3720000"')
  expect(page).toContain('&quot;zh-CN&quot;:&quot;2 小时&quot;')
  // Between times that end with a Latin zone, Arabic would show the day of the second one before the dash.
  expect(page).toMatch(/<dd><bdi><time [^\n]*<\/bdi> – <bdi><time [^\n]*<\/bdi><\/dd>/)
  expect(page).toContain('href="/draw/?sale=mug"')
  const card = (one: typeof sale) => renderIndexPage([one], assets, {}).split('<li class="card"')[1]
  expect(card(drawn)).toContain('>by draw<')
  expect(card(sale)).not.toContain('by draw')
  expect(page).toMatch(/<p class="clock__next"><span[^>]*>Only winners of the draw can buy</)
  expect(page).not.toContain('id="early"')
  for (const part of ['enter-draw.js', 'enter-draw.css']) {
    expect(page, part).toContain(`/assets/${part}"`)
    // The console knows the address for its preview.
    for (const [name, other] of everyPage.filter(([name]) => name !== 'console'))
      expect(other, name).not.toContain(part)
  }
})

it('has its times in the zone of the sale without any script', () => {
  const summer = Date.UTC(2026, 6, 1, 10)
  const times = { timeZone: 'Europe/Berlin', startsAt: summer, endsAt: summer + 3_600_000 }
  const entries = { ...draw, opensAt: summer - 7_200_000, closesAt: summer - 3_600_000 }
  const drawn = { ...sale, ...times, draw: entries }
  const page = renderSalePage(drawn, assets, published)
  for (const time of ['10:00 AM', '11:00 AM', '11:02 AM']) expect(page).toContain(`>(Jul 1, ${time} GMT+2)</small>`)
})
