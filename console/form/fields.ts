/**
 * Declares the fields of the sale form by their paths in the API: the kind of the value and its bounds. Settings come from
 * `core/sale/settings.ts`; this module adds windows, variants, pictures and languages, and converts the kinds of values.
 */
import { maxAlternativeText, maxPictureAddress } from '../../core/body-limits.ts'
import { plainText } from '../../core/lib/text.ts'
import { majorText } from '../../core/money.ts'
import { maxPacketAmount } from '../../core/packets/packets.ts'
import { plansOf, type Sale } from '../../core/sale/sale.ts'
import {
  editableOnceStarted,
  maxPrice,
  maxStock,
  type SettingName,
  settingNames,
  settingOf,
} from '../../core/sale/settings.ts'
import { maxVariantName } from '../../core/sale/variants.ts'
import { type Key, keyFor } from '../parts/kind-words.ts'
import {
  countryCodes,
  currencyCode,
  decimalNumber,
  fromLocalInput,
  minutesText,
  secondsOfMinutes,
  toLocalInput,
  typedAmount,
  typedOrigins,
  wholeNumber,
} from '../parts/typed.ts'

type Setting = ReturnType<typeof settingOf>
type KindName = Exclude<Setting['as'], 'rule' | 'pictures' | 'costs'> | 'address'

export type FieldRow = Pick<Setting, 'range' | 'optional' | 'kinds' | 'perWindow'> & { as: KindName }

/** Returns the inputs of a setting: one, or two for a rule. Pictures and costs are lists of rows. */
export function inputsOf(name: SettingName): readonly string[] {
  const { as } = settingOf(name)
  if (as === 'rule') return [`${name}.limit`, `${name}.windowSeconds`]
  return as === 'pictures' || as === 'costs' ? [] : [name]
}

const ofSettings = settingNames.flatMap((name) =>
  inputsOf(name).map((path): [string, FieldRow] => {
    const { as, ...setting } = settingOf(name)
    if (as !== 'rule') return [path, { ...setting, as: as as KindName }]
    return [path, { as: 'units', range: path.endsWith('.limit') ? setting.range : [1, 3600] }]
  }),
)

/** The prefix of the id that replaces the address of a picture during its upload. */
export const uploadPrefix = 'upload:'

const goods = { kinds: ['goods'] } as const

/** In paths `*` stands for a row number, a language, a country or the id of a variant. */
const ofRows: Readonly<Record<string, FieldRow>> = {
  'windows.*.startsAt': { as: 'time' },
  'windows.*.endsAt': { as: 'time' },
  'windows.*.stock': { as: 'units', range: [1, maxStock] },
  'windows.*.totalAmount': { as: 'money', range: [1, maxPacketAmount], kinds: ['red-packet'] },
  'windows.*.units.*': { as: 'units', range: [0, maxStock], ...goods },
  'variants.*.name': { as: 'text', range: [1, maxVariantName], ...goods },
  'variants.*.id': { as: 'id', range: [1, 16], ...goods },
  'variants.*.stock': { as: 'units', range: [0, maxStock], ...goods },
  'variants.*.names.*': { as: 'text', range: [1, maxVariantName], optional: true, ...goods },
  'pictures.*.src': { as: 'address', range: [1, maxPictureAddress] },
  'pictures.*.alt': { as: 'text', range: [1, maxAlternativeText] },
  'pictures.*.alts.*': { as: 'text', range: [1, maxAlternativeText], optional: true },
  'delivery.costs.*': { as: 'money', range: [0, maxPrice], optional: true, ...goods },
  'translations.*.title': { ...settingOf('translations.en.title'), as: 'text' },
  'translations.*.description': { ...settingOf('translations.en.description'), as: 'text' },
}

const fields: ReadonlyMap<string, FieldRow> = new Map([...ofSettings, ...Object.entries(ofRows)])

export const fieldPaths: readonly string[] = [...fields.keys()]

/** Returns the path with `*` for its row number, language, country or variant. */
export const patternOf = (path: string): string =>
  path.replace(/\.\d+\./, '.*.').replace(/(?<=^translations\.|\.(?:names|alts|units|costs)\.)[\w-]+/, '*')

/** Returns the field at that path; undefined for a path without an input. */
export const fieldRowAt = (path: string): FieldRow | undefined => fields.get(path) ?? fields.get(patternOf(path))

/** The context of a value's text. `zone` is undefined for the zone of the browser. */
export type Terms = { currency: string; zone: string | undefined }

type Attributes = {
  inputmode?: 'decimal' | 'numeric' | 'url'
  autocapitalize?: 'none' | 'characters'
  spellcheck?: boolean
  list?: string
  maxlength?: number
}

type Kind = {
  /** Converts typed text to the value of the API. Invalid numbers become NaN, which core rejects. */
  read(text: string, terms: Terms): unknown
  /** Converts a value to text; `String` by default. */
  print?(value: unknown, terms: Terms): string
  /** The error of an invalid value, with the arguments `min` and `max`. */
  error: Key
  input?: Attributes
}

const verbatim = { autocapitalize: 'none', spellcheck: false } as const

export const kinds: Readonly<Record<KindName, Kind>> = {
  id: { read: plainText, error: 'error.saleId', input: verbatim },
  text: { read: (text) => text, error: 'error.required' },
  address: {
    read: (text) => text.trim(),
    error: 'error.image',
    input: { inputmode: 'url', spellcheck: false, list: 'pictures' },
  },
  code: {
    read: currencyCode,
    error: 'error.currency',
    input: { autocapitalize: 'characters', list: 'currencies', maxlength: 3 },
  },
  money: {
    read: (text, { currency }) => typedAmount(text, currency),
    // `0.00` would be wrong in a currency without cents.
    print: (value, { currency }) => (value === 0 ? '0' : majorText(Number(value), currency)),
    error: 'error.price',
    input: { inputmode: 'decimal' },
  },
  units: { read: wholeNumber, error: 'error.whole', input: { inputmode: 'numeric' } },
  decimal: { read: decimalNumber, error: 'error.ratio', input: { inputmode: 'decimal' } },
  time: {
    read: (text, { zone }) => fromLocalInput(text, zone),
    print: (value, { zone }) => toLocalInput(Number(value), zone),
    error: 'error.time',
  },
  minutes: {
    read: secondsOfMinutes,
    print: (value) => minutesText(Number(value)),
    error: 'error.minutes',
    input: { inputmode: 'decimal' },
  },
  choice: { read: (text) => text, error: 'error.required' },
  countries: { read: countryCodes, print: listText, error: 'error.countries' },
  origins: {
    read: typedOrigins,
    print: listText,
    error: 'error.origins',
    input: { ...verbatim, inputmode: 'url' },
  },
}

function listText(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : ''
}

/** Returns why a field of `sale` is locked; undefined if it is not. The control function decides. */
export function lockOf(path: string, sale: Sale | undefined): Key | undefined {
  const [field = ''] = path.split('.')
  if (sale === undefined || /^variants\.\d+\.name/.test(path)) return undefined
  if (field === 'saleId' || (field === 'shards' && sale.warmed)) return 'form.locked'
  if (sale.warmed && fixedOnceWarmed(sale).includes(field)) return keyFor(sale.kind, 'form.onShelf')
  if (sale.warmed && plansOf(sale).some(({ free }) => !free.has(field))) return 'form.locked'
  return sale.epoch > 0 && !editableOnceStarted.has(field) ? 'form.locked' : undefined
}

/** The fields that are fixed once the sale is warmed. */
const fixedOnceWarmed = ({ kind }: Sale): readonly string[] =>
  kind === 'red-packet' ? ['currency', 'packets', 'windows'] : ['stock', 'variants']
