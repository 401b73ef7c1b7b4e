import { describe, expect, it } from 'vitest'
import { brandEffects, brandEntry, brandOf, entryFor, fieldOf, inputOf } from '../../../console/brand/brand-view.tsx'
import { withPart } from '../../../console/parts/text-parts.ts'
import { type Brand, brand } from '../../../core/brand.ts'
import { parse } from '../../../core/lib/parse.ts'
import { voice } from '../voices.ts'

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

const inputWithFault = (path: string, part: unknown) => {
  const entry = withPart(brandEntry(whole), path, part)
  const read = parse(brand, brandOf(entry, undefined))
  return read.ok ? undefined : inputOf(read.field, entry)
}

describe('the form of the brand', () => {
  it('gives back the brand that it was filled with', () => {
    expect(brandOf(brandEntry(whole), whole.logo)).toEqual(whole)
    expect(brandOf(brandEntry({}), undefined)).toEqual({})
    const own: Brand = { ...whole, languages: ['de', 'en'], tagline: { de: 'Licht für alle' } }
    expect(brandOf(brandEntry({ ...own, links: [] }), whole.logo)).toEqual({ ...own, links: undefined })
  })

  it('shows the languages of the shop: the usual ones, until all of its texts are in one', () => {
    expect([{}, whole].map((one) => brandEntry(one).languages)).toEqual([
      ['en', 'zh-CN'],
      ['en', 'zh-CN'],
    ])
    const english: Brand = { tagline: { en: 'Light for all' }, links: [{ label: { en: 'Privacy' }, href: '/privacy' }] }
    expect(brandEntry(english)).toMatchObject({ ...english, languages: ['en'] })
    expect(brandOf(brandEntry(english), undefined)).toEqual(english)
    expect(brandEntry({ ...english, tagline: { 'zh-CN': '点亮生活' } }).languages).toEqual(['en', 'zh-CN'])
  })

  it('takes a tagline and labels in one of several languages, and none is required', () => {
    const entry = {
      ...brandEntry({}),
      tagline: { en: ' ', 'zh-CN': '点亮生活' },
      links: [
        { label: { en: 'Privacy', 'zh-CN': '' }, href: '/privacy' },
        { label: { 'zh-CN': '条款' }, href: ' /terms' },
      ],
    }
    expect(brandOf(entry, undefined)).toEqual({
      tagline: { 'zh-CN': '点亮生活' },
      links: [
        { label: { en: 'Privacy' }, href: '/privacy' },
        { label: { 'zh-CN': '条款' }, href: '/terms' },
      ],
    })
    expect(brandOf({ ...brandEntry({}), languages: ['en'] }, undefined)).toEqual({ languages: ['en'] })
  })

  it('writes its texts for the languages that are chosen, and loses no link', () => {
    const half = { label: {}, href: '' }
    const links = [whole.links?.[0] ?? half, { label: { 'zh-CN': '条款' }, href: '/terms' }, half]
    const entry = { ...brandEntry(whole), links }
    expect(entryFor(entry, ['en'])).toMatchObject({
      ...{ languages: ['en'], tagline: { en: 'Light for all' } },
      links: [{ label: { en: 'Privacy' } }, { label: { en: '条款' }, href: '/terms' }, { label: { en: '' } }],
    })
    expect(entryFor(entry, ['ar', 'zh-CN'])).toMatchObject({
      ...{ languages: ['ar', 'zh-CN'], tagline: { ar: '', 'zh-CN': '点亮生活' } },
      links: [{ label: { ar: '', 'zh-CN': '隐私政策' } }, { label: { 'zh-CN': '条款' } }, { href: '' }],
    })
  })

  it.each([
    ['name', 'x'.repeat(61)],
    ['colours.light', 'red'],
    ['colours.light', ''],
    ['colours.dark', '#000000'],
    ['links.0.href', ''],
    ['links.1.href', 'cookies'],
    ['links.0.label.zh-CN', 'x'.repeat(41)],
    ['seller.phone', ''],
    ['seller.email', 'lantern'],
    ['support', 'nowhere'],
    ['tagline.en', 'x'.repeat(161)],
    ['tagline.zh-CN', '亮'.repeat(161)],
    ['languages', ['de', 'de']],
  ] as const)('complains at the input %s', (path, part) => {
    expect(inputWithFault(path, part)).toBe(path)
  })

  it('complains at the first label of a link without one, and names the field of each input', () => {
    expect(inputWithFault('links.1.label', { en: '', 'zh-CN': ' ' })).toBe('links.1.label.en')
    const paths = ['links.1.label.en', 'links.0.href', 'tagline.zh-CN', 'seller.taxId']
    expect(paths.map(fieldOf)).toEqual(['links.label', 'links.href', 'tagline', 'seller.taxId'])
  })
})

it('a change of the brand says each field that differs, before and after', () => {
  const before = brandEntry({ name: 'Mugs', support: 'help@mugs.example' })
  const link = { label: { en: 'Terms', 'zh-CN': '' }, href: '/terms' }
  const after = { ...before, name: 'Mugs & Co. ', support: '', links: [link] }
  expect(brandEffects(voice, before, after)).toEqual([
    'Name of the shop: Mugs → Mugs & Co.',
    'Legal links: (empty) → Terms · /terms',
    'Support: help@mugs.example → (empty)',
  ])
})
