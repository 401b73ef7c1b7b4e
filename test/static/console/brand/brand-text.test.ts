import { describe, expect, it } from 'vitest'
import { type Brand, brand } from '../../../../core/brand.ts'
import { parse } from '../../../../core/lib/parse.ts'
import {
  brandOfTexts,
  inputOf,
  languagesOfBrand,
  linesFor,
  textsOfBrand,
} from '../../../../static/client/console/brand/brand-text.ts'

const whole: Brand = {
  name: 'Lantern',
  logo: `/pictures/${'a'.repeat(32)}-480x120`,
  colours: { light: '#0b5a8a', dark: '#7cc4f0' },
  links: [
    { label: { en: 'Privacy', 'zh-CN': '隐私政策' }, href: '/privacy' },
    { label: { en: 'Terms', 'zh-CN': '服务条款' }, href: 'https://lantern.example/terms', for: 'terms' },
  ],
  support: 'help@lantern.example',
  tagline: { en: 'Light for all', 'zh-CN': '点亮生活' },
  seller: { name: 'Lantern GmbH', address: 'Torstraße 1', email: 'a@lantern.example', phone: '+49 30 1' },
}

const inputWithFault = (change: Partial<ReturnType<typeof textsOfBrand>>) => {
  const read = parse(brand, brandOfTexts({ ...textsOfBrand(whole), ...change }, 'both', undefined))
  return read.ok ? undefined : inputOf(read.field)
}

describe('the form of the brand', () => {
  it('gives back the brand that it was filled with', () => {
    expect(brandOfTexts(textsOfBrand(whole), languagesOfBrand(whole), whole.logo)).toEqual(whole)
    expect(brandOfTexts(textsOfBrand({}), languagesOfBrand({}), undefined)).toEqual({})
  })

  it('asks for the languages of the shop: both, until all of its texts are in one', () => {
    expect([{}, whole].map(languagesOfBrand)).toEqual(['both', 'both'])
    const english: Brand = {
      tagline: { en: 'Light for all' },
      links: [{ label: { en: 'Privacy' }, href: '/privacy' }],
    }
    expect(languagesOfBrand(english)).toBe('en')
    expect(textsOfBrand(english).links).toBe('Privacy | /privacy')
    expect(brandOfTexts(textsOfBrand(english), 'en', undefined)).toEqual(english)
    expect(languagesOfBrand({ ...english, tagline: { 'zh-CN': '点亮生活' } })).toBe('both')
  })

  it('takes a tagline and labels in one of two languages, and neither is required', () => {
    const texts = {
      ...textsOfBrand({}),
      taglineZh: '点亮生活',
      links: 'Privacy | | /privacy\n | 条款 | /terms',
    }
    expect(brandOfTexts(texts, 'both', undefined)).toEqual({
      tagline: { 'zh-CN': '点亮生活' },
      links: [
        { label: { en: 'Privacy' }, href: '/privacy' },
        { label: { 'zh-CN': '条款' }, href: '/terms' },
      ],
    })
    expect(brandOfTexts(texts, 'en', undefined)).not.toHaveProperty('tagline')
  })

  it('writes the lines of the links for the languages that are chosen, and loses no link', () => {
    const lines = 'Privacy | 隐私政策 | /privacy\n | 条款 | /terms\nhalf a line'
    expect(linesFor(lines, 'both', 'en')).toBe('Privacy | /privacy\n条款 | /terms\nhalf a line')
    expect(linesFor('隐私政策 | /privacy', 'zh-CN', 'both')).toBe(' | 隐私政策 | /privacy')
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
    ['taglineEn', { taglineEn: 'x'.repeat(161) }],
    ['taglineZh', { taglineZh: '亮'.repeat(161) }],
  ] as const)('complains at the input %s', (input, change) => {
    expect(inputWithFault(change)).toBe(input)
  })
})
