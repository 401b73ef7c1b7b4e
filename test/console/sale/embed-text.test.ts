import { describe, expect, it } from 'vitest'
import { embedText } from '../../../console/sale/embed-text.ts'

const sale = {
  kind: 'sale',
  origin: 'https://sale.shop.example',
  saleId: 'mug',
  title: 'Tom & Ann’s <b>mug</b>',
} as const
const link = '  <a href="https://sale.shop.example/sales/mug/">Tom &amp; Ann’s &lt;b&gt;mug&lt;/b&gt;</a>'

describe('the code that puts a sale on a site', () => {
  it('is the two tags of docs/how-to/embed.md, with the title as text', () => {
    expect(embedText('tags', sale).split('\n')).toEqual([
      '<script async crossorigin src="https://sale.shop.example/elements.js"></script>',
      '<sluice-sale sale="mug" token-from="/sale-token">',
      link,
      '</sluice-sale>',
    ])
  })

  it('needs no unknown tag where an editor removes them', () => {
    expect(embedText('place', sale).split('\n')).toEqual([
      '<script async crossorigin src="https://sale.shop.example/elements.js"></script>',
      '<div data-sluice-sale="mug" data-token-from="/sale-token">',
      link,
      '</div>',
    ])
  })
  it('is of the button alone where that is chosen', () => {
    const button = { ...sale, kind: 'button' } as const
    expect(embedText('tags', button)).toContain('<sluice-button sale="mug" token-from="/sale-token">')
    expect(embedText('place', button)).toContain('<div data-sluice-button="mug" data-token-from="/sale-token">')
  })
})
