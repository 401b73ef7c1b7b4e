import { expect, it } from 'vitest'
import { pageTemplates } from '../../../../functions/sales/publishing/templates.ts'
import { aSale } from '../../../redis/support.ts'

/** A stand-in for the manifest of any build: every asset has a path. */
const assets = new Proxy<Record<string, string>>({}, { get: (_, name) => `/assets/${String(name)}` })

const published = { now: 0, shopUrl: 'https://shop.example', brand: {} }

it('the page templates give red packets their stage, and every other kind the sale page', () => {
  const { salePage } = pageTemplates(assets)
  const packets = { kind: 'red-packet', packets: { count: 10, totalAmount: 1000 } } as const
  expect(salePage(aSale(packets), published)).toContain('id="stage"')
  for (const kind of ['goods', 'coupon'] as const)
    expect(salePage(aSale({ kind }), published)).not.toContain('id="stage"')
})
