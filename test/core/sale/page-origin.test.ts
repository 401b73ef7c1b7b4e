import { describe, expect, it } from 'vitest'
import { isPageOrigin, maxOrigins } from '../../../core/sale/page-origin.ts'
import { settings } from '../../../core/sale/settings.ts'

describe('the origin of a page that may sell a sale', () => {
  it.each([
    'https://shop.example',
    'https://www.shop.example:8443',
    'https://xn--bcher-kva.example',
    'http://localhost:8080',
    'http://localhost',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
  ])('is an exact one: %s', (text) => {
    expect(isPageOrigin(text)).toBe(true)
  })

  it.each([
    'http://shop.example',
    'https://shop.example/',
    'https://shop.example/page',
    'https://shop.example:443',
    'https://SHOP.example',
    'https://*.shop.example',
    'https://*',
    '*',
    'null',
    '',
    'https://',
    'https://ann@shop.example',
    'https://shop.example?x',
    'https://bücher.example',
    'http://localhost.evil.example',
    'http://127.0.0.2',
    'file://',
    'ftp://localhost',
    'https://shop.example https://evil.example',
    `https://${'a'.repeat(270)}.example`,
  ])('is nothing else: %s', (text) => {
    expect(isPageOrigin(text)).toBe(false)
  })

  it('is in a list of at most twenty different ones', () => {
    const { schema } = settings.allowedOrigins
    const some = (count: number) => Array.from({ length: count }, (_, i) => `https://shop-${i}.example`)
    expect(schema.safeParse(some(maxOrigins)).success).toBe(true)
    expect(schema.safeParse([]).success).toBe(true)
    expect(schema.safeParse(undefined).success).toBe(true)
    expect(schema.safeParse(some(maxOrigins + 1)).success).toBe(false)
    expect(schema.safeParse([...some(1), ...some(1)]).success).toBe(false)
    expect(schema.safeParse('https://shop.example').success).toBe(false)
    expect(maxOrigins).toBe(20)
  })
})
