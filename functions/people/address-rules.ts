/**
 * Knows which parts an address needs in each country. Parts and their order come from Google's libaddressinput, phone
 * numbers from libphonenumber, postal codes from CLDR.
 */
import { getExampleNumber, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { formatAddress } from 'localized-address-format'
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator'
import * as z from 'zod/mini'
import type { AddressForm } from '../../core/api/delivery.ts'
import { maxPhone } from '../../core/body-limits.ts'
import { type Parsed, parse } from '../../core/lib/parse.ts'
import { type AddressPart, addressParts } from '../../core/people/address-parts.ts'
import { type DeliveryRequest, deliveryRequest, type OrderDelivery } from '../../core/people/delivery.ts'

/** Countries where a parcel needs the name of a state, province or prefecture. */
const countriesWithArea: ReadonlySet<string> = new Set(
  'AE AS AU BR CA CN CO CR ES FM GU HK ID IN IT JP KR MH MO MP MX MY NG PR PW TH TR TW UM US VE VI VN'.split(' '),
)

/** Countries where a parcel needs a postal code (libaddressinput), each with an example. China's codes are optional. */
const exampleCodes: ReadonlyMap<string, string> = new Map(
  'AS 96799,AT 1010,AU 2060,AX 22150,BE 4000,BL 97100,BR 40301-110,CA H3Z 2Y7,CH 2544,DE 26133,DK 8660,ES 28039,FI 00550,FK FIQQ 1ZZ,FM 96941,FR 33380,GB EC1Y 8SY,GF 97300,GG GY1 1AA,GL 3900,GP 97100,GR 151 24,GS SIQQ 1ZZ,GU 96910,IM IM2 1AA,IN 110034,IO BBND 1ZZ,IT 00144,JE JE1 1AA,JP 154-0023,KR 03051,LI 9496,LU 4750,MF 97100,MH 96960,MP 96950,MQ 97220,MX 02860,MY 43000,NC 98814,NL 1234 AB,NO 0025,NZ 6001,PF 98709,PL 00-950,PM 97500,PN PCRN 1ZZ,PR 00930,PT 2725-079,PW 96940,RE 97400,RU 125075,SE 114 55,SG 546080,SH STHL 1ZZ,SJ 9170,SM 47890,TC TKCA 1ZZ,TR 01960,TW 104,US 95014,VI 00802-1222,WF 98600,YT 97600,ZA 0083'
    .split(',')
    .map((one) => [one.slice(0, 2), one.slice(3)]),
)

/** Forms of postal codes in use that CLDR lacks: older forms, longer forms, and forms without their letters. */
const otherCodes: Readonly<Record<string, RegExp>> = {
  AR: /^\d{4}$/,
  GB: /^(?:GIR 0AA|BFPO \d{1,4})$/,
  KH: /^\d{6}$/,
  KR: /^\d{3}-\d{3}$/,
  KZ: /^[A-Z]\d\d[A-Z]\d[A-Z]\d$/,
  MU: /^\d{3}[A-Z]{2}\d{3}$/,
  NI: /^\d{5}$/,
  PE: /^(?:LIMA|CALLAO) \d{1,2}$/,
  SA: /^\d{5}-\d{4}$/,
  SV: /^\d{4}$/,
}

/** Returns a placeholder for a part, to find the order of the parts in a formatted address. */
const placeholderOf = (part: AddressPart): string => `{${part}}`

/** Returns the parts of an address in `country`, in the order of its form. */
export function addressFormOf(country: string): AddressForm {
  const marks = Object.fromEntries(
    addressParts.map((part) => [part, part === 'addressLines' ? [placeholderOf(part)] : placeholderOf(part)]),
  )
  const text = formatAddress({ postalCountry: country, ...marks }).join('\n')
  const place = (part: AddressPart) => text.indexOf(placeholderOf(part))
  const parts = addressParts.filter((part) => place(part) >= 0).toSorted((a, b) => place(a) - place(b))
  return { country, parts, required: parts.filter((part) => isRequired(part, country)), examples: examplesOf(country) }
}

/** Returns examples of a phone number and a postal code of `country`, where known. */
function examplesOf(country: string): NonNullable<AddressForm['examples']> {
  const phone = isSupportedCountry(country) ? getExampleNumber(country, examples)?.formatNational() : undefined
  const postalCode = exampleCodes.get(country)
  return { ...(phone !== undefined && { phone }), ...(postalCode !== undefined && { postalCode }) }
}

function isRequired(part: AddressPart, country: string): boolean {
  switch (part) {
    case 'name':
    case 'addressLines':
    case 'locality':
      return true
    case 'administrativeArea':
      return countriesWithArea.has(country)
    case 'postalCode':
      return exampleCodes.has(country)
    case 'organization':
    case 'dependentLocality':
      return false
  }
}

/** Matches text in a script other than Latin. */
const otherScript = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u

/** Returns the address without its country, as on a label: an address in Latin letters in the Latin order of parts. */
export function labelLines({ phone, ...address }: OrderDelivery): string[] {
  const { addressLines, ...texts } = address
  const isLocal = [...addressLines, ...Object.values(texts)].some((text) => otherScript.test(text ?? ''))
  const { organization = '', dependentLocality = '', ...given } = address
  const { locality = '', administrativeArea = '', postalCode = '', ...rest } = given
  return formatAddress(
    { ...rest, organization, dependentLocality, locality, administrativeArea, postalCode },
    isLocal ? 'local' : 'latin',
  )
}

/** Formats a stored phone number for label tools: international, with groups of digits separated by spaces. */
export function labelPhone(stored: string): string {
  const number = parsePhoneNumberFromString(stored)
  if (number === undefined) return stored
  const { ext } = number
  const groups = number.format('INTERNATIONAL', { formatExtension: (text) => text }).replace(/[^\d+]+/g, ' ')
  return ext === undefined ? groups : `${groups} ext. ${ext}`
}

/** Parses `input` to a delivery in one of `countries`, as it is stored, or returns all invalid fields. */
export function readDelivery(
  input: unknown,
  countries: readonly string[],
): Parsed<{ delivery: OrderDelivery; request: DeliveryRequest }> {
  const read = parse(deliveryRequest, input)
  if (read.ok) {
    const { email: _, language: __, phone, ...address } = read.value
    const [fault, ...others] = faultsIn(read.value, countries)
    if (fault !== undefined) return invalidFields([fault, ...others])
    const { postalCountry: country, postalCode: code } = address
    const delivery = {
      ...address,
      ...(code !== undefined && { postalCode: parsePostalCode(country, code) ?? code }),
      phone: parsePhone(country, phone) ?? phone,
    }
    return { ok: true, value: { delivery, request: read.value } }
  }
  // The rules of the country also check the fields that the schema accepts.
  const { field, detail, fields = [field] } = read
  const invalidNames = new Set(fields.map((one) => one.split('.')[0]))
  const rest = parse(partOfRequest, without(input, invalidNames))
  const faults = rest.ok ? faultsIn(rest.value, countries).filter((fault) => !invalidNames.has(fault.field)) : []
  const all = [...fields, ...faults.map((fault) => fault.field)]
  return { ok: false, field, detail, ...(all.length > 1 && { fields: all }) }
}

const partOfRequest = z.partial(deliveryRequest)

function without(input: unknown, names: ReadonlySet<string | undefined>): unknown {
  if (typeof input !== 'object' || input === null) return {}
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.has(name)))
}

type RuleFault = { field: keyof DeliveryRequest; what: string }

function faultsIn(request: z.infer<typeof partOfRequest>, countries: readonly string[]): RuleFault[] {
  const { postalCountry: country, postalCode, phone } = request
  if (country === undefined) return []
  if (!countries.includes(country)) return [{ field: 'postalCountry', what: `must be one of ${countries.join(', ')}` }]
  const form = addressFormOf(country)
  const ofCountry = `must be a phone number of the country${exampleHint(form.examples?.phone)}`
  const missing = form.required.filter((part) => request[part] === undefined)
  const unexpected = addressParts.filter((part) => request[part] !== undefined && !form.parts.includes(part))
  return [
    ...missing.map((field) => ({ field, what: 'must be given in this country' })),
    ...unexpected.map((field) => ({ field, what: 'is not part of an address in this country' })),
    ...(postalCode === undefined ||
    unexpected.includes('postalCode') ||
    parsePostalCode(country, postalCode) !== undefined
      ? []
      : [
          {
            field: 'postalCode' as const,
            what: `must be a postal code of the country${exampleHint(form.examples?.postalCode)}`,
          },
        ]),
    ...(phone === undefined || parsePhone(country, phone) !== undefined
      ? []
      : [{ field: 'phone' as const, what: `${ofCountry}, or one with + and a country code` }]),
  ]
}

const exampleHint = (example: string | undefined) => (example === undefined ? '' : `, such as ${example}`)

function invalidFields(faults: readonly [RuleFault, ...RuleFault[]]): Parsed<never> {
  const [{ field, what }] = faults
  const fields = faults.map((fault) => fault.field)
  return { ok: false, field, detail: `${field} ${what}`, ...(fields.length > 1 && { fields }) }
}

/**
 * Returns the postal code as the country writes it: people omit its space or hyphen, or prefix the letters of the country.
 * Returns undefined for an invalid code. A country without postal codes accepts any text.
 */
function parsePostalCode(country: string, text: string): string | undefined {
  if (!postcodeValidatorExistsForCountry(country)) return text
  const isCode = (code: string) => postcodeValidator(code, country) || otherCodes[country]?.test(code) === true
  const typed = text.toUpperCase().replace(/[\s\p{Pd}ー−〒]+/gu, '-')
  const prefix = /^(?:[A-Z]{2}-?|[A-Z]-)(?=[\d-]+$)/
  for (const code of [typed.replace(prefix, ''), typed]) {
    const plain = code.replaceAll('-', '')
    // Labels write a code without a gap in France and Brunei, elsewhere with a space if it has letters and a hyphen if not.
    const order = /FR|BN/.test(country) ? [''] : /[A-Z]/.test(plain) ? [' ', '-'] : ['-', ' ']
    const split = order.flatMap((mark) => [...plain].map((_, at) => `${plain.slice(0, at)}${mark}${plain.slice(at)}`))
    const found = [...split, plain, code].find(isCode)
    if (found !== undefined) return found
  }
  return undefined
}

/** Matches an extension of a Chinese or Japanese number; libphonenumber knows those of other languages. */
const localExtension = /[\s(]*(?:转|轉|分机|分機|内線)[\s:]*(\d+)\)?$/u

/** Returns a phone number in E.164, with ` ext. ` before its extension. A number without `+` is one of `country`. */
function parsePhone(country: string, text: string): string | undefined {
  const national = isSupportedCountry(country) ? { defaultCountry: country } : {}
  const number = parsePhoneNumberFromString(text.replace(localExtension, ' ext. $1'), { extract: false, ...national })
  if (number?.isValid() !== true) return undefined
  const stored = number.ext === undefined ? number.number : `${number.number} ext. ${number.ext}`
  return stored.length <= maxPhone ? stored : undefined
}
