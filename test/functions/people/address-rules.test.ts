import { describe, expect, it } from 'vitest'
import { isCountry } from '../../../core/people/country.ts'
import type { DeliveryRequest } from '../../../core/people/delivery.ts'
import { addressFormOf, labelLines, readDelivery } from '../../../functions/people/address-rules.ts'
import { berlin, guangzhou } from './delivery-rig.ts'

const everyCountry = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  .flatMap((a) => [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((b) => a + b))
  .filter(isCountry)

describe('the form of a country', () => {
  it('has the parts of its addresses in its own order', () => {
    expect(addressFormOf('DE')).toEqual({
      country: 'DE',
      parts: ['name', 'organization', 'addressLines', 'postalCode', 'locality'],
      required: ['name', 'addressLines', 'postalCode', 'locality'],
      examples: { phone: '01512 3456789', postalCode: '26133' },
    })
    expect(addressFormOf('CN').parts).toEqual([
      ...['postalCode', 'administrativeArea', 'locality', 'dependentLocality'],
      ...['addressLines', 'organization', 'name'],
    ])
    expect(addressFormOf('CN').required).not.toContain('postalCode')
    expect(addressFormOf('US').required).toEqual([
      'name',
      'addressLines',
      'locality',
      'administrativeArea',
      'postalCode',
    ])
    expect(addressFormOf('JP').required).toEqual(['postalCode', 'administrativeArea', 'addressLines', 'name'])
  })

  it('asks for a postal code only where a parcel needs one', () => {
    const asked = everyCountry.filter((country) => addressFormOf(country).required.includes('postalCode'))
    expect(asked).toEqual(expect.arrayContaining(['AT', 'BR', 'CA', 'FR', 'IN', 'PL', 'SE', 'ZA']))
    for (const country of ['AE', 'CN', 'CR', 'CY', 'HK', 'IE', 'IS', 'KE', 'PE', 'VN', 'XK'])
      expect(asked, country).not.toContain(country)
    expect(asked.length).toBeLessThan(70)
  })

  it('needs a name and a line of an address, and has examples that it accepts itself', () => {
    expect(everyCountry.length).toBeGreaterThan(240)
    for (const country of everyCountry) {
      const { required, examples } = addressFormOf(country)
      expect(required, country).toEqual(expect.arrayContaining(['name', 'addressLines']))
      const parts = Object.fromEntries(required.map((part) => [part, part === 'addressLines' ? ['1 Street'] : 'Town']))
      const rest = { postalCountry: country, email: 'a@example.com', language: 'en' }
      const read = readDelivery({ ...parts, phone: '-', ...examples, ...rest }, [country])
      const isSupported = examples?.phone !== undefined
      expect(read, country).toMatchObject(isSupported ? { ok: true } : { field: 'phone' })
      if (read.ok) expect(read.value.delivery.postalCode, country).toBe(examples?.postalCode)
    }
  })
})

describe('the lines of an address', () => {
  const stored = ({ email, language, ...delivery }: DeliveryRequest) => delivery

  it('are those of the country, in its own script', () => {
    expect(labelLines(stored({ ...guangzhou, postalCode: '510620' }))).toEqual([
      '510620',
      '广东省广州市天河区',
      '天河路 385 号',
      '王小明',
    ])
  })

  it('are in the order of Latin letters where they are written so', () => {
    const latin = {
      ...{ name: 'Wang Xiaoming', addressLines: ['385 Tianhe Road'], dependentLocality: 'Tianhe' },
      ...{ locality: 'Guangzhou', administrativeArea: 'Guangdong', postalCode: '510620' },
    }
    expect(labelLines(stored({ ...guangzhou, ...latin }))).toEqual([
      ...['Wang Xiaoming', '385 Tianhe Road', 'Tianhe', 'Guangzhou', 'Guangdong, 510620'],
    ])
  })
})

/** One good address in each country that the demo sends to. */
const good: Record<string, Record<string, unknown>> = {
  CN: guangzhou,
  DE: berlin,
  US: {
    ...{ name: 'Bo Lee', addressLines: ['548 Market St'], locality: 'San Francisco', administrativeArea: 'CA' },
    ...{ postalCode: '94104-5401', postalCountry: 'US', phone: '(415) 555-2671' },
  },
  GB: {
    ...{ name: 'Cy Hall', addressLines: ['10 Downing St'], locality: 'London', postalCode: 'sw1a 2aa' },
    ...{ postalCountry: 'GB', phone: '+44 20 7946 0018' },
  },
  JP: {
    ...{ name: '山田太郎', addressLines: ['渋谷区神南1-1-1'], administrativeArea: '東京都' },
    ...{ postalCode: '150-0041', postalCountry: 'JP', phone: '03-1234-5678' },
  },
}

function check(country: string, change: Record<string, unknown> = {}) {
  const request = { email: 'a@example.com', language: 'en', ...good[country], ...change }
  return readDelivery(request, Object.keys(good))
}

describe('an address', () => {
  it.each(Object.keys(good))('of %s is accepted, with its phone number in E.164', (country) => {
    const checked = check(country)
    expect(checked, JSON.stringify(checked)).toMatchObject({ ok: true })
    if (checked.ok) expect(checked.value.delivery.phone).toMatch(/^\+\d{8,15}$/)
  })

  it.each(Object.keys(good).flatMap((country) => addressFormOf(country).required.map((part) => [country, part])))(
    'of %s without %s is refused, and names it',
    (country = '', part = '') => {
      expect(check(country, { [part]: undefined })).toMatchObject({ ok: false, field: part })
    },
  )

  it.each([
    ['FR', {}, 'postalCountry'],
    ['DE', { postalCode: '1011' }, 'postalCode'],
    ['US', { postalCode: '10119 Berlin' }, 'postalCode'],
    ['CN', { postalCode: '5106' }, 'postalCode'],
    ['GB', { postalCode: '94104' }, 'postalCode'],
    ['DE', { administrativeArea: 'Berlin' }, 'administrativeArea'],
    ['DE', { phone: '+999 12345678' }, 'phone'],
    ['US', { phone: '030 80615040' }, 'phone'],
    ['DE', { phone: '+48 512' }, 'phone'],
    ['DE', { phone: '12' }, 'phone'],
    ['DE', { phone: 'call +49 30 80615040' }, 'phone'],
    ['DE', { phone: '030 80615040;ext=12345678901234' }, 'phone'],
  ])('of %s with %j is refused for %3$s', (country, change, field) => {
    const postalCountry = country in good ? {} : { ...berlin, postalCountry: country }
    expect(check(country, { ...postalCountry, ...change })).toMatchObject({ ok: false, field })
  })

  it.each([
    ['DE', { postalCode: '1011', phone: '12' }, ['postalCode', 'phone']],
    ['DE', { email: 'ann', postalCode: '1011', phone: '12' }, ['email', 'postalCode', 'phone']],
    [
      'DE',
      { name: '<b>', locality: undefined, administrativeArea: 'Berlin' },
      ['name', 'locality', 'administrativeArea'],
    ],
    ['US', { addressLines: ['1', '-'], postalCode: '1', email: '' }, ['addressLines.1', 'email', 'postalCode']],
    ['DE', { email: 'ann', postalCountry: 'FR', phone: '12' }, ['email', 'postalCountry']],
    ['DE', { postalCountry: 'Germany', phone: '' }, ['postalCountry', 'phone']],
  ])('of %s with %j is refused for all of its wrong fields at once', (country, change, fields) => {
    expect(check(country, change)).toMatchObject({ ok: false, field: fields[0], fields })
  })

  it.each([
    ['JP', '１５０－００４１', '150-0041'],
    ['JP', '1500041', '150-0041'],
    ['JP', '〒150ー0041', '150-0041'],
    ['DE', 'D-10119', '10119'],
    ['DE', '\u202a10119\u202c', '10119'],
    ['DE', '10119\ufe0f', '10119'],
    ['GB', 'sw1a2aa', 'SW1A 2AA'],
    ['GB', 'BFPO61', 'BFPO 61'],
    ['US', '94104 5401', '94104-5401'],
    ['US', '941045401', '94104-5401'],
    ['CN', '５１０６２０', '510620'],
    ['PL', '00 950', '00-950'],
    ['SE', 'SE-11455', '114 55'],
    ['NL', '1234ab', '1234 AB'],
    ['FR', '75 001', '75001'],
    ['KR', '110-110', '110-110'],
    ['IR', '۱۱۳۶۹۱۴۱۳۸', '11369-14138'],
    ['AR', '1425', '1425'],
  ])('of %s may have its postal code as people write it: %s is stored as %s', (country, typed, stored) => {
    const base = good[country] ?? {}
    const { required, examples } = addressFormOf(country)
    const parts = Object.fromEntries(required.map((part) => [part, part === 'addressLines' ? ['1'] : 'Town']))
    const rest = { phone: examples?.phone, postalCountry: country, email: 'a@example.com', language: 'en' }
    const read = readDelivery({ ...parts, ...rest, ...base, postalCode: typed }, [country])
    expect(read).toMatchObject({ ok: true, value: { delivery: { postalCode: stored } } })
  })

  it.each([
    ['DE', '\u202a+49\u00a030 8061\u20115040\u202c', '+493080615040'],
    ['DE', '\u200e０３０ ８０６１ ５０４０', '+493080615040'],
    ['CN', '138\u200b0013\u200b8000', '+8613800138000'],
    ['CN', '13800138000\ufe0f', '+8613800138000'],
    ['CN', '\u3164138\u034f0013\u17b48000\u{e0100}', '+8613800138000'],
    ['DE', '+86 138 0013 8000', '+8613800138000'],
    ['DE', '0048 512 345 678', '+48512345678'],
    ['US', '011 43 660 1234567', '+436601234567'],
    ['US', '+1 416 555 0123', '+14165550123'],
    ['DE', '030 80615040 ext. 7', '+493080615040 ext. 7'],
    ['DE', '+493080615040;ext=7', '+493080615040 ext. 7'],
    ['DE', '+493080615040 ext. 7', '+493080615040 ext. 7'],
    ['CN', '020-38765432 转 123', '+862038765432 ext. 123'],
    ['CN', '+81 3-1234-5678（内線：45）', '+81312345678 ext. 45'],
  ])('of %s takes a phone number as it was pasted: %j', (country, phone, stored) => {
    expect(check(country, { phone })).toMatchObject({ ok: true, value: { delivery: { phone: stored } } })
  })

  it('says with an example what it wants', () => {
    expect(check('DE', { postalCode: '1011' })).toMatchObject({
      detail: 'postalCode must be a postal code of the country, such as 26133',
    })
    expect(check('DE', { phone: '12' })).toMatchObject({
      detail: 'phone must be a phone number of the country, such as 01512 3456789, or one with + and a country code',
    })
  })

  it.each([
    ['a private-use character of an older input method', '李\ue863'],
    ['a private-use character alone', '\ue863'],
    ['a character that has another one as its canonical form', '\ufa19田'],
    ['a character of that kind beyond the first plane', '\u{2f80a}田'],
    ['a variation sequence', '葛\u{e0100}城'],
    ['joiners that change the letters beside them', 'क\u200d्ष می\u200cخواهم'],
    ['letters newer than this runtime knows', '王\u{323b0}\u{3ffe0}'],
    ['a mark that decides the form of a Mongolian letter', 'ᠠ\u180bᠨ\u180eᠠ'],
  ])('keeps in its name %s', (_, name) => {
    expect(check('DE', { name })).toMatchObject({ ok: true, value: { delivery: { name } } })
  })

  it.each([
    ['Jo\u0308rg\u200b', 'Jörg'],
    ['\u3164Ann\u034f \u{e0041}Lee\u2060', 'Ann Lee'],
  ])('has the name %j without what shows nothing and changes nothing, composed', (name, stored) => {
    expect(check('DE', { name })).toMatchObject({ ok: true, value: { delivery: { name: stored } } })
  })

  it.each([
    ["ann+shop/o'neil@example.com", undefined],
    ['a!#$%&*=?^`{|}~@example.com', undefined],
    ['ann@xn--e1afmkfd.xn--p1ai', undefined],
    ['ann@пример.рф', 'ann@xn--e1afmkfd.xn--p1ai'],
    ['\u200fann@example.com\u200f', 'ann@example.com'],
    ['ann\ufe0f@example.com\u3164', 'ann@example.com'],
    [' ａｎｎ＠example.com', 'ann@example.com'],
  ])('takes the email address %j', (email, stored = email) => {
    expect(check('DE', { email })).toMatchObject({ ok: true, value: { request: { email: stored } } })
  })

  it.each([
    ...[
      'ann',
      'ann@localhost',
      'a..b@example.com',
      '.a@example.com',
      'a@-example.com',
      'a@example.c',
      'a b@example.com',
    ],
    ...[
      'a@example.com?x',
      'a@exa_mple.com',
      '"a b"@example.com',
      `${'a'.repeat(65)}@example.com`,
      'a@1.2.3.4',
      'a@пример',
    ],
  ])('is refused with the email address %j', (email) => {
    expect(check('DE', { email })).toMatchObject({ ok: false, field: 'email' })
  })
})
