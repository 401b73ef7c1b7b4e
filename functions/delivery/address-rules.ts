/**
 * What an address needs in each country. The parts and their order are those of Google's
 * libaddressinput, phone numbers those of libphonenumber, postal codes those of CLDR.
 */
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { formatAddress } from 'localized-address-format'
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import { type AddressPart, addressParts } from '../../core/address-parts.ts'
import type { AddressForm } from '../../core/api/delivery.ts'
import type { DeliveryRequest, OrderDelivery } from '../../core/delivery.ts'
import type { Parsed } from '../../core/parse.ts'

/** Countries where a parcel needs the name of a state, province or prefecture. */
const withArea: ReadonlySet<string> = new Set(
  'AE AS AU BR CA CN CO CR ES FM GU HK ID IN IT JP KR MH MO MP MX MY NG PR PW TH TR TW UM US VE VI VN'.split(
    ' ',
  ),
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

/** The delivery as it is stored, in one of `countries`, or the first field that is wrong. */
export function checkDelivery(request: DeliveryRequest, countries: readonly string[]): Parsed<OrderDelivery> {
  const { email, language, phone: given, ...address } = request
  const country = address.postalCountry
  if (!countries.includes(country)) return wrong('postalCountry', `must be one of ${countries.join(', ')}`)
  const form = formOf(country)
  const missing = form.required.find((part) => address[part] === undefined)
  if (missing !== undefined) return wrong(missing, 'must be given in this country')
  const strange = addressParts.find((part) => address[part] !== undefined && !form.parts.includes(part))
  if (strange !== undefined) return wrong(strange, 'is not part of an address in this country')
  if (!isPostalCode(address.postalCode, country))
    return wrong('postalCode', 'must be a postal code of the country')
  const phone = phoneIn(country, given)
  if (phone === undefined) return wrong('phone', 'must be a phone number of the country')
  return { ok: true, value: { ...address, phone } }
}

function wrong(field: keyof DeliveryRequest, what: string): Parsed<never> {
  return { ok: false, field, detail: `${field} ${what}` }
}

function isPostalCode(code: string | undefined, country: string): boolean {
  if (code === undefined || !postcodeValidatorExistsForCountry(country)) return true
  return postcodeValidator(code.toUpperCase(), country)
}

/** In E.164. Countries that share a calling code, such as the US and Canada, share their numbers. */
function phoneIn(country: string, text: string): string | undefined {
  const isKnown = isSupportedCountry(country)
  const number = parsePhoneNumberFromString(text, {
    extract: false,
    ...(isKnown && { defaultCountry: country }),
  })
  if (number === undefined || !number.isValid() || number.ext !== undefined) return undefined
  if (isKnown && number.countryCallingCode !== getCountryCallingCode(country)) return undefined
  return number.number
}
