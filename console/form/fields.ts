/**
 * The fields of the sale form: a field is one row, with its path in the API, the kind of its value and its bounds. The
 * settings are rows already (`core/sale/settings.ts`); here are those of windows, variants, pictures and languages, and how
 * each kind of value is typed. The words are in `sale/setting-words.ts`.
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

/** The inputs of a setting: one, and two of a rule. Pictures and costs have rows of their own. */
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

/** What stands in for the address of a picture while it is uploaded begins with it. */
export const uploadPrefix = 'upload:'

const goods = { kinds: ['goods'] } as const

/** `*` is the number of a row, a language, a country, or the id of a variant. */
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

/** The path with `*` for the number of its row, its language, its country or its variant. */
export const patternOf = (path: string): string =>
  path.replace(/\.\d+\./, '.*.').replace(/(?<=^translations\.|\.(?:names|alts|units|costs)\.)[\w-]+/, '*')

/** The field at that path; undefined for a path of the API that no input fills. */
export const fieldRowAt = (path: string): FieldRow | undefined => fields.get(path) ?? fields.get(patternOf(path))

/** What the text of a value depends on: `zone` is undefined for that of the browser. */
export type Terms = { currency: string; zone: string | undefined }

type Attributes = {
  inputmode?: 'decimal' | 'numeric' | 'url'
  autocapitalize?: 'none' | 'characters'
  spellcheck?: boolean
  list?: string
  maxlength?: number
}

type Kind = {
  /** What is typed as the API has it; core refuses NaN, which stands for what cannot be read. */
  read(text: string, terms: Terms): unknown
  /** A value as it is typed; without it as it is. */
  print?(value: unknown, terms: Terms): string
  /** What is wrong with a value of its own; the words get the bounds as `min` and `max`. */
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
    // No digits for nothing: `0.00` would be wrong once the currency is one without cents.
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

/** Why `sale` no longer lets the field or the list change. The control function decides; this only spares dead ends. */
export function lockOf(path: string, sale: Sale | undefined): Key | undefined {
  const [field = ''] = path.split('.')
  if (sale === undefined || /^variants\.\d+\.name/.test(path)) return undefined
  if (field === 'saleId' || (field === 'shards' && sale.warmed)) return 'form.locked'
  if (sale.warmed && shelved(sale).includes(field)) return keyFor(sale.kind, 'form.onShelf')
  if (sale.warmed && plansOf(sale).some(({ free }) => !free.has(field))) return 'form.locked'
  return sale.epoch > 0 && !editableOnceStarted.has(field) ? 'form.locked' : undefined
}

/** Fields that an edit cannot change once the stock is loaded: a limited stock, or all fields of red packets. */
const shelved = ({ kind }: Sale): readonly string[] =>
  kind === 'red-packet' ? ['currency', 'packets', 'windows'] : ['stock', 'variants']
