import { describe, expect, it } from 'vitest'
import { type Brand, brand } from '../../../../core/brand.ts'
import { parse } from '../../../../core/lib/parse.ts'
import { brandOfTexts, inputOf, textsFor, textsOfBrand } from '../../../../static/client/console/brand/brand-text.ts'

const whole: Brand = {
  name: 'Lantern',
  logo: `/pictures/${'a'.repeat(32)}-480x120`,
  colours: { light: '#0b5a8a', dark: '#7cc4f0' },
  links: [
    { label: { en: 'Privacy', 'zh-CN': '隐私政策' }, href: '/privacy' },
    { label: { en: 'Terms', 'zh-CN': '服务条款' }, href: 'https://lantern.example/terms' },
  ],
  support: 'help@lantern.example',
  tagline: { en: 'Light for all', 'zh-CN': '点亮生活' },
  seller: { name: 'Lantern GmbH', address: 'Torstraße 1', email: 'a@lantern.example', phone: '+49 30 1' },
}

const inputWithFault = (change: Partial<ReturnType<typeof textsOfBrand>>) => {
  const read = parse(brand, brandOfTexts({ ...textsOfBrand(whole), ...change }, undefined))
  return read.ok ? undefined : inputOf(read.field)
}

describe('the form of the brand', () => {
  it('gives back the brand that it was filled with', () => {
    expect(brandOfTexts(textsOfBrand(whole), whole.logo)).toEqual(whole)
    expect(brandOfTexts(textsOfBrand({}), undefined)).toEqual({})
    const own: Brand = { ...whole, languages: ['de', 'en'], tagline: { de: 'Licht für alle' } }
    expect(brandOfTexts(textsOfBrand({ ...own, links: [] }), whole.logo)).toEqual({ ...own, links: undefined })
  })

  it('shows the languages of the shop: the usual ones, until all of its texts are in one', () => {
    expect([{}, whole].map((one) => textsOfBrand(one).languages)).toEqual(['en zh-CN', 'en zh-CN'])
    const english: Brand = { tagline: { en: 'Light for all' }, links: [{ label: { en: 'Privacy' }, href: '/privacy' }] }
    expect(textsOfBrand(english)).toMatchObject({ languages: 'en', links: 'Privacy | /privacy' })
    expect(brandOfTexts(textsOfBrand(english), undefined)).toEqual(english)
    expect(textsOfBrand({ ...english, tagline: { 'zh-CN': '点亮生活' } }).languages).toBe('en zh-CN')
  })

  it('takes a tagline and labels in one of several languages, and none is required', () => {
    const texts = { ...textsOfBrand({}), tagline: '\n点亮生活', links: 'Privacy | | /privacy\n | 条款 | /terms' }
    expect(brandOfTexts(texts, undefined)).toEqual({
      tagline: { 'zh-CN': '点亮生活' },
      links: [
        { label: { en: 'Privacy' }, href: '/privacy' },
        { label: { 'zh-CN': '条款' }, href: '/terms' },
      ],
    })
    expect(brandOfTexts({ ...texts, languages: 'en', links: '' }, undefined)).toEqual({ languages: ['en'] })
  })

  it('writes its texts for the languages that are chosen, and loses no link', () => {
    const texts = { ...textsOfBrand(whole), links: 'Privacy | 隐私政策 | /privacy\n | 条款 | /terms\nhalf a line' }
    expect(textsFor(texts, ['en'])).toMatchObject({
      ...{ languages: 'en', tagline: 'Light for all' },
      links: 'Privacy | /privacy\n条款 | /terms\nhalf a line',
    })
    expect(textsFor(texts, ['ar', 'zh-CN'])).toMatchObject({
      ...{ languages: 'ar zh-CN', tagline: '\n点亮生活' },
      links: ' | 隐私政策 | /privacy\n | 条款 | /terms\nhalf a line',
    })
  })

  it.each([
    ['name', { name: 'x'.repeat(61) }],
    ['light', { light: 'red' }],
    ['light', { light: '' }],
    ['dark', { dark: '#000000' }],
    ['links', { links: 'Privacy | /privacy' }],
    ['links', { links: 'Privacy | 隐私政策 | /privacy | cookies' }],
    ['sellerPhone', { sellerPhone: '' }],
    ['sellerEmail', { sellerEmail: 'lantern' }],
    ['links', { links: 'Privacy | 隐私政策 | /privacy | more' }],
    ['support', { support: 'nowhere' }],
    ['links', { links: ' | | /privacy' }],
    ['tagline', { tagline: 'x'.repeat(161) }],
    ['tagline', { tagline: `\n${'亮'.repeat(161)}` }],
    ['languages', { languages: 'de de' }],
  ] as const)('complains at the input %s', (input, change) => {
    expect(inputWithFault(change)).toBe(input)
  })
})
