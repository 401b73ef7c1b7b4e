/**
 * What an address needs in each country. The parts and their order are those of Google's
 * libaddressinput, phone numbers those of libphonenumber, postal codes those of CLDR.
 */

import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { formatAddress } from 'localized-address-format'
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import * as z from 'zod/mini'
import type { AddressForm } from '../../core/api/delivery.ts'
import { type Parsed, parse } from '../../core/lib/parse.ts'
import { type AddressPart, addressParts } from '../../core/people/address-parts.ts'
import { type DeliveryRequest, deliveryRequest, type OrderDelivery } from '../../core/people/delivery.ts'

/** Countries where a parcel needs the name of a state, province or prefecture. */
const withArea: ReadonlySet<string> = new Set(
  'AE AS AU BR CA CN CO CR ES FM GU HK ID IN IT JP KR MH MO MP MX MY NG PR PW TH TR TW UM US VE VI VN'.split(' '),
)

/** Countries with postal codes that parcels do not need. */
const withoutCode: ReadonlySet<string> = new Set(['AE', 'CN', 'HK', 'IE', 'MO'])

/** Stands for a part where the order of the parts is read off a formatted address. */
const markOf = (part: AddressPart): string => `{${part}}`

/** The parts of an address in `country` as its form asks for them. */
export function formOf(country: string): AddressForm {
  const marks = Object.fromEntries(
    addressParts.map((part) => [part, part === 'addressLines' ? [markOf(part)] : markOf(part)]),
  )
  const text = formatAddress({ postalCountry: country, ...marks }).join('\n')
  const place = (part: AddressPart) => text.indexOf(markOf(part))
  const parts = addressParts.filter((part) => place(part) >= 0).toSorted((a, b) => place(a) - place(b))
  return { country, parts, required: parts.filter((part) => isRequired(part, country)) }
}

function isRequired(part: AddressPart, country: string): boolean {
  switch (part) {
    case 'name':
    case 'addressLines':
    case 'locality':
      return true
    case 'administrativeArea':
      return withArea.has(country)
    case 'postalCode':
      return postcodeValidatorExistsForCountry(country) && !withoutCode.has(country)
    case 'organization':
    case 'dependentLocality':
      return false
  }
}

/** Text in any other script than the Latin one. */
const otherScript = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u

/** The address without its country, as a label has it: in Latin letters in the order of such addresses. */
export function linesOf({ phone, ...address }: OrderDelivery): string[] {
  const { addressLines, ...texts } = address
  const isLocal = [...addressLines, ...Object.values(texts)].some((text) => otherScript.test(text ?? ''))
  const { organization = '', dependentLocality = '', ...given } = address
  const { locality = '', administrativeArea = '', postalCode = '', ...rest } = given
  return formatAddress(
    { ...rest, organization, dependentLocality, locality, administrativeArea, postalCode },
    isLocal ? 'local' : 'latin',
  )
}

type Field = keyof DeliveryRequest

/** The delivery as it is stored, in one of `countries`, or all fields of `input` that are wrong. */
export function readDelivery(
  input: unknown,
  countries: readonly string[],
): Parsed<{ delivery: OrderDelivery; request: DeliveryRequest }> {
  const read = parse(deliveryRequest, input)
  if (read.ok) {
    const { email: _, language: __, phone, ...address } = read.value
    const [fault, ...others] = faultsIn(read.value, countries)
    if (fault !== undefined) return wrong([fault, ...others])
    const delivery = { ...address, phone: phoneIn(address.postalCountry, phone) ?? phone }
    return { ok: true, value: { delivery, request: read.value } }
  }
  // The rules of the country also say what is wrong with the fields that are texts as they should be.
  const { field, detail, fields = [field] } = read
  const unread = new Set(fields.map((one) => one.split('.')[0]))
  const rest = parse(partOfRequest, without(input, unread))
  const faults = rest.ok ? faultsIn(rest.value, countries).filter((fault) => !unread.has(fault.field)) : []
  const all = [...fields, ...faults.map((fault) => fault.field)]
  return { ok: false, field, detail, ...(all.length > 1 && { fields: all }) }
}

const partOfRequest = z.partial(deliveryRequest)

function without(input: unknown, names: ReadonlySet<string | undefined>): unknown {
  if (typeof input !== 'object' || input === null) return {}
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.has(name)))
}

type Given = z.infer<typeof partOfRequest>

type RuleFault = { field: Field; what: string }

function faultsIn(request: Given, countries: readonly string[]): RuleFault[] {
  const { postalCountry: country, postalCode, phone } = request
  if (country === undefined) return []
  if (!countries.includes(country)) return [{ field: 'postalCountry', what: `must be one of ${countries.join(', ')}` }]
  const form = formOf(country)
  const missing = form.required.filter((part) => request[part] === undefined)
  const strange = addressParts.filter((part) => request[part] !== undefined && !form.parts.includes(part))
  return [
    ...missing.map((field) => ({ field, what: 'must be given in this country' })),
    ...strange.map((field) => ({ field, what: 'is not part of an address in this country' })),
    ...(isPostalCode(postalCode, country) || strange.includes('postalCode')
      ? []
      : [{ field: 'postalCode' as const, what: 'must be a postal code of the country' }]),
    ...(phone === undefined || phoneIn(country, phone) !== undefined
      ? []
      : [{ field: 'phone' as const, what: 'must be a phone number of the country' }]),
  ]
}

function wrong(faults: readonly [RuleFault, ...RuleFault[]]): Parsed<never> {
  const [{ field, what }] = faults
  const fields = faults.map((fault) => fault.field)
  return { ok: false, field, detail: `${field} ${what}`, ...(fields.length > 1 && { fields }) }
}

function isPostalCode(code: string | undefined, country: string): boolean {
  if (code === undefined || !postcodeValidatorExistsForCountry(country)) return true
  return postcodeValidator(code.toUpperCase(), country)
}

/** In E.164. Countries that share a calling code, such as the US and Canada, share their numbers. */
function phoneIn(country: string, text: string): string | undefined {
  const isKnown = isSupportedCountry(country)
  const number = parsePhoneNumberFromString(text, { extract: false, ...(isKnown && { defaultCountry: country }) })
  if (number === undefined || !number.isValid() || number.ext !== undefined) return undefined
  if (isKnown && number.countryCallingCode !== getCountryCallingCode(country)) return undefined
  return number.number
}
