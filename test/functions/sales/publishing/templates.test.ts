import { expect, it } from 'vitest'
import { templatesAtFirstPage } from '../../../../functions/sales/publishing/page-templates.ts'
import { pageTemplates } from '../../../../functions/sales/publishing/templates.ts'
import { aSale } from '../../../redis/support.ts'

/** A stand-in for the manifest of any build: every asset has a path. */
const assets = new Proxy<Record<string, string>>({}, { get: (_, name) => `/assets/${String(name)}` })

const shopUrl = 'https://shop.example'
const published = { now: 0, brand: {} }

it('the page templates give red packets their stage, and every other kind the sale page', () => {
  const { salePage } = pageTemplates(assets, shopUrl)
  const packets = { kind: 'red-packet', packets: { count: 10, totalAmount: 1000 } } as const
  expect(salePage(aSale(packets), published)).toContain('id="stage"')
  for (const kind of ['goods', 'coupon'] as const)
    expect(salePage(aSale({ kind }), published)).not.toContain('id="stage"')
})

it('a sale page names the shop by the address of the function that publishes it', async () => {
  const sale = aSale()
  const page = await templatesAtFirstPage(assets, shopUrl).salePage(sale, published)
  expect(page).toContain(`${shopUrl}/sales/${sale.saleId}/`)
})
