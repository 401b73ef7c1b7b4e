import { describe, expect, it } from 'vitest'
import { type Brand, brand } from '../../../core/brand.ts'
import { parse } from '../../../core/parse.ts'
import { brandOfTexts, inputOf, textsOfBrand } from '../../../static/client/console/brand-text.ts'

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
}

const inputWithFault = (change: Partial<ReturnType<typeof textsOfBrand>>) => {
  const read = parse(brand, brandOfTexts({ ...textsOfBrand(whole), ...change }, undefined))
  return read.ok ? undefined : inputOf(read.field)
}

describe('the form of the brand', () => {
  it('gives back the brand that it was filled with', () => {
    expect(brandOfTexts(textsOfBrand(whole), whole.logo)).toEqual(whole)
    expect(brandOfTexts(textsOfBrand({}), undefined)).toEqual({})
  })

  it.each([
    ['name', { name: 'x'.repeat(61) }],
    ['light', { light: 'red' }],
    ['light', { light: '' }],
    ['dark', { dark: '#000000' }],
    ['links', { links: 'Privacy | /privacy' }],
    ['links', { links: 'Privacy | 隐私政策 | /privacy | more' }],
    ['support', { support: 'nowhere' }],
    ['taglineEn', { taglineEn: '' }],
    ['taglineZh', { taglineZh: '' }],
  ] as const)('complains at the input %s', (input, change) => {
    expect(inputWithFault(change)).toBe(input)
  })
})
