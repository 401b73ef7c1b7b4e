import { describe, expect, it } from 'vitest'
import { isCountry } from '../../../core/people/country.ts'
import type { DeliveryRequest } from '../../../core/people/delivery.ts'
import { formOf, linesOf, readDelivery } from '../../../functions/people/address-rules.ts'
import { berlin, guangzhou } from './delivery-rig.ts'

const everyCountry = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  .flatMap((a) => [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((b) => a + b))
  .filter(isCountry)

describe('the form of a country', () => {
  it('has the parts of its addresses in its own order', () => {
    expect(formOf('DE')).toEqual({
      country: 'DE',
      parts: ['name', 'organization', 'addressLines', 'postalCode', 'locality'],
      required: ['name', 'addressLines', 'postalCode', 'locality'],
    })
    expect(formOf('CN').parts).toEqual([
      ...['postalCode', 'administrativeArea', 'locality', 'dependentLocality'],
      ...['addressLines', 'organization', 'name'],
    ])
    expect(formOf('CN').required).not.toContain('postalCode')
    expect(formOf('US').required).toEqual(['name', 'addressLines', 'locality', 'administrativeArea', 'postalCode'])
    expect(formOf('JP').required).toEqual(['postalCode', 'administrativeArea', 'addressLines', 'name'])
  })

  it('asks in each of them for a name and a line of an address', () => {
    expect(everyCountry.length).toBeGreaterThan(240)
    for (const country of everyCountry) {
      expect(formOf(country).required, country).toEqual(expect.arrayContaining(['name', 'addressLines']))
    }
  })
})

describe('the lines of an address', () => {
  const stored = ({ email, language, ...delivery }: DeliveryRequest) => delivery

  it('are those of the country, in its own script', () => {
    expect(linesOf(stored({ ...guangzhou, postalCode: '510620' }))).toEqual([
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
    expect(linesOf(stored({ ...guangzhou, ...latin }))).toEqual([
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

  it.each(Object.keys(good).flatMap((country) => formOf(country).required.map((part) => [country, part])))(
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
    ['DE', { phone: '+86 138 0013 8000' }, 'phone'],
    ['CN', { phone: '+49 30 80615040' }, 'phone'],
    ['DE', { phone: '12' }, 'phone'],
    ['DE', { phone: 'call +49 30 80615040' }, 'phone'],
    ['DE', { phone: '+49 30 80615040 ext. 7' }, 'phone'],
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

  it('takes a number of a country with the same calling code', () => {
    expect(check('US', { phone: '+1 416 555 0123' })).toMatchObject({ ok: true })
  })
})
