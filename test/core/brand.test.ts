import { describe, expect, it } from 'vitest'
import { type Brand, brandRecord, brandTextIn, offeredLanguages, supportHref } from '../../core/brand.ts'
import { parse } from '../../core/lib/parse.ts'

const whole: Brand = {
  name: 'Lantern & Co.',
  logo: `/pictures/${'a'.repeat(32)}-480x120`,
  colours: { light: '#0b5a8a', dark: '#7cc4f0' },
  links: [{ label: { en: 'Privacy', 'zh-CN': '隐私政策' }, href: 'https://lantern.example/privacy' }],
  support: 'help@lantern.example',
  tagline: { en: 'Light for all', 'zh-CN': '点亮生活' },
  seller: {
    ...{ name: 'Lantern GmbH', address: 'Torstraße 1, Berlin', email: 'a@lantern.example', phone: '+49 30 1' },
    taxId: 'DE123456789',
  },
}

const faultOf = (brand: unknown) => {
  const read = parse(brandRecord, { revision: 0, brand })
  return read.ok ? undefined : `${read.field}: ${read.detail}`
}

describe('a brand', () => {
  it('may have every part, or none', () => {
    expect(faultOf(whole)).toBeUndefined()
    expect(faultOf({})).toBeUndefined()
    expect(faultOf({ ...whole, support: 'https://lantern.example/help', links: [] })).toBeUndefined()
  })

  it.each([
    ['brand.name', { name: '' }],
    ['brand.name', { name: 'x'.repeat(61) }],
    ['brand.name', { name: 'Lantern \u202eoC' }],
    ['brand.name', { name: 'Lantern\nCo.' }],
    ['brand.logo', { logo: 'https://lantern.example/logo.png' }],
    ['brand.logo', { logo: '/assets/pictures/mug.svg' }],
    ['brand.colours.light', { colours: { ...whole.colours, light: 'red' } }],
    ['brand.colours', { colours: '#bf3617' }],
    ['brand.links', { links: Array.from({ length: 7 }, () => whole.links?.[0]) }],
    ['brand.links.0.href', { links: [{ ...whole.links?.[0], href: '//lantern.example' }] }],
    ['brand.links.0.href', { links: [{ ...whole.links?.[0], href: 'javascript:alert(1)' }] }],
    ['brand.links.0.href', { links: [{ ...whole.links?.[0], href: 'http://lantern.example' }] }],
    ['brand.links.0.label', { links: [{ href: '/', label: {} }] }],
    ['brand.links.0.label.German', { links: [{ href: '/', label: { en: 'Terms', German: 'AGB' } }] }],
    ['brand.links.0.for', { links: [{ ...whole.links?.[0], for: 'cookies' }] }],
    ['brand.seller.phone', { seller: { ...whole.seller, phone: undefined } }],
    ['brand.seller.email', { seller: { ...whole.seller, email: 'lantern.example' } }],
    ['brand.seller.fax', { seller: { ...whole.seller, fax: '1' } }],
    ['brand.tagline', { tagline: {} }],
    ['brand.support', { support: '/help' }],
    ['brand.support', { support: 'call us' }],
    ['brand.tagline.en', { tagline: { en: '', 'zh-CN': '点亮' } }],
    ['brand.font', { font: 'Comic Sans' }],
  ])('with a wrong %s is refused by that name', (field, change) => {
    expect(faultOf({ ...whole, ...change })).toMatch(new RegExp(`^${field}: `))
  })

  it('has its texts in one language or in both; readers of the missing one see the other', () => {
    const english = { en: 'Light for all' }
    const chinese = { 'zh-CN': '隐私政策' }
    expect(faultOf({ tagline: english, links: [{ href: '/privacy', label: chinese }] })).toBeUndefined()
    expect([brandTextIn(english, 'zh-CN'), brandTextIn(chinese, 'en')]).toEqual(['Light for all', '隐私政策'])
    expect(brandTextIn({ ...english, 'zh-CN': '点亮生活' }, 'zh-CN')).toBe('点亮生活')
  })

  it('with a colour that is hard to read is refused with the ratio that was measured', () => {
    expect(faultOf({ colours: { light: '#ff8a69', dark: '#7cc4f0' } })).toMatch(
      /^brand\.colours\.light: .*contrast of 2\.\d\d?:1.*at least 4\.5:1$/,
    )
    expect(faultOf({ colours: { light: '#0b5a8a', dark: '#0b5a8a' } })).toMatch(/^brand\.colours\.dark: /)
  })

  it('says which languages the shop offers, its own first', () => {
    const english = { tagline: { en: 'Light for all' } }
    expect([{}, whole, english].map(offeredLanguages)).toEqual([['en', 'zh-CN'], ['en', 'zh-CN'], ['en']])
    expect(offeredLanguages({ ...english, languages: ['ar', 'en'] })).toEqual(['ar', 'en'])
    expect(faultOf({ languages: [] })).toMatch(/^brand\.languages: .*at least one/)
    expect(faultOf({ languages: ['de', 'de'] })).toMatch(/^brand\.languages: .*once/)
    expect(faultOf({ languages: ['German'] })).toMatch(/^brand\.languages\.0: .*language tag/)
    expect(faultOf({ tagline: { German: 'Licht' } })).toMatch(/^brand\.tagline/)
  })

  it('leads to its support by email or by the web', () => {
    expect(supportHref('help@lantern.example')).toBe('mailto:help@lantern.example')
    expect(supportHref('https://lantern.example/help')).toBe('https://lantern.example/help')
  })
})
