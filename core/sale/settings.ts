/**
 * The settings of a sale in the order of the form. The schema of a definition (`core/sale/sale.ts`), the console's form, list
 * and audit, the options of the command line and the rules for edits of a running sale are derived from this table. Its
 * texts are in `console/sale/setting-words.ts`, and `npm run check` compares it with docs/reference/http-api.md.
 */
import * as z from 'zod/mini'
import { maxAlternativeText, maxDescription, maxPictureAddress, maxTitle } from '../body-limits.ts'
import { maxQuantity } from '../buy/limits.ts'
import { challengeKinds } from '../gate/challenge.ts'
import { parseSaleId } from '../ids.ts'
import { maxTime, readBy, whole } from '../lib/parse.ts'
import { maxAddress, secureAddress } from '../lib/secure-address.ts'
import { isTimeZone, line, lines, linesByLanguage } from '../lib/text.ts'
import { isCurrency } from '../money.ts'
import { type OptionFieldName, optionSettings } from '../options.ts'
import { maxPacketAmount, maxPackets } from '../packets/packets.ts'
import { isCountry } from '../people/country.ts'
import type { SaleKind } from './kinds.ts'
import { isPageOrigin, maxOrigins } from './page-origin.ts'
import { isPictureAddress, maxPictures } from './pictures.ts'

/** Maximum stock of a sale: one counter in one Redis hash, exact far beyond this. -1 means unlimited (S4). */
export const maxStock = 10_000_000

/** Five minutes: a sale of a scarce thing is over by then. */
export const maxSpreadSeconds = 300

export const maxEarlyMinutes = 1440

const maxLevel = 1_000_000

/** More than all databases of a shop can handle. */
const maxAdmitPerSecond = 1_000_000

/** For one unit, in minor units. */
export const maxPrice = 1_000_000_000

const maxOrderAmount = maxPrice * maxQuantity

const maxShards = 64

/** More than a shop ships to. There are 250 country codes. */
export const maxCountries = 50

/** Groups of the form. The settings of an option are a group with its name. */
export type SettingGroup = 'what' | 'languages' | 'howMuch' | 'when' | 'validity' | 'rules' | 'gate'

/**
 * `as` is the input format: `money` in major units of the sale's currency, `minutes` for a number of seconds, `rule` as a
 * number of requests and a time, `units` as a number that may be -1, `countries` as a list of codes, `costs` as codes with
 * an amount each, `origins` as a list of URLs, `pictures` as a list of URLs with texts. `range` limits a number, or the
 * length of a text or list. `optional`: it may be empty. `kinds` are the kinds of sale that have the setting (absent: all).
 * `perWindow`: each window has its own value (R7). `editable`: it may change while the sale runs. `gate`: the gate needs it.
 */
type Setting = {
  schema: z.core.$ZodType
  as:
    | 'id'
    | 'text'
    | 'pictures'
    | 'code'
    | 'money'
    | 'units'
    | 'decimal'
    | 'time'
    | 'minutes'
    | 'choice'
    | 'rule'
    | 'countries'
    | 'costs'
    | 'origins'
  group: SettingGroup | OptionFieldName
  default?: unknown
  range?: readonly [number, number]
  optional?: true
  kinds?: readonly SaleKind[]
  perWindow?: true
  editable?: true
  gate?: true
}

const text = (maxLength: number, schema = line) =>
  ({ as: 'text', schema: schema(maxLength), range: [1, maxLength] }) as const

/** Returns the setting of a translated text. If it is empty, the default text is used. */
const translated = (maxLength: number, schema: typeof line) =>
  ({ ...text(maxLength, schema), optional: true, group: 'languages', editable: true }) as const

const number = <Min extends number, Max extends number>(min: Min, max: Max) =>
  ({ as: 'units', schema: whole(min, max), range: [min, max] }) as const

const minutes = (min: number, max: number) => ({ as: 'minutes', schema: whole(min, max), range: [min, max] }) as const

/** Returns the setting of an optional amount. */
const optionalMoney = (max: number) =>
  ({ as: 'money', schema: z.optional(whole(1, max)), range: [1, max], optional: true }) as const

const time = { as: 'time', schema: whole(0, maxTime) } as const

const atGate = { group: 'gate', editable: true, gate: true } as const

/** Returns the setting of at most `maxLimit` requests in up to an hour. */
const rule = (maxLimit: number) =>
  ({
    as: 'rule',
    schema: z.strictObject({ limit: whole(1, maxLimit), windowSeconds: whole(1, 3600) }, 'must be an object'),
    range: [1, maxLimit],
    ...atGate,
  }) as const

const currencyCode = z
  .string('must be an ISO 4217 code')
  .check(z.refine((code) => isCurrency(code), 'must be an ISO 4217 code such as "CNY" or "EUR"'))

const countryCode = z
  .string('must be a country code')
  .check(z.refine(isCountry, 'must be an ISO 3166 code such as "CN" or "DE"'))

const forOrders: readonly SaleKind[] = ['goods', 'coupon']
const forGoods: readonly SaleKind[] = ['goods']
const forCoupons: readonly SaleKind[] = ['coupon']
const forPackets: readonly SaleKind[] = ['red-packet']

const soldGoods = { group: 'howMuch', kinds: forGoods } as const
const ruleOfGoods = { group: 'rules', kinds: forGoods } as const
const idShape = 'must be 3 to 40 lower-case letters, digits or hyphens, with no hyphen at either end'
const early = { optional: true, group: 'rules', kinds: forOrders, editable: true, gate: true } as const

export const settings = {
  title: {
    ...text(maxTitle),
    group: 'what',
    editable: true,
  },
  saleId: {
    as: 'id',
    schema: readBy(parseSaleId, idShape),
    range: [3, 40],
    group: 'what',
  },
  description: {
    ...text(maxDescription, lines),
    group: 'what',
    editable: true,
  },
  /** In the order of the page. Lists, orders and previews show the first one. */
  pictures: {
    as: 'pictures',
    schema: z
      .array(
        z.strictObject(
          {
            src: z
              .string('must be a string')
              .check(
                z.maxLength(maxPictureAddress, `must be at most ${maxPictureAddress} characters`),
                z.refine(isPictureAddress, 'must be an https address or a path on this site'),
              ),
            // Each shows the product, so none is decorative with an empty text.
            alt: line(maxAlternativeText),
            alts: linesByLanguage(maxAlternativeText),
          },
          'must be an object with src and alt',
        ),
        'must be a list with at least one picture',
      )
      .check(
        z.minLength(1, 'must be a list with at least one picture'),
        z.maxLength(maxPictures, `must have at most ${maxPictures} pictures`),
      ),
    range: [1, maxPictures],
    group: 'what',
    editable: true,
  },
  'translations.en.title': translated(maxTitle, line),
  'translations.en.description': translated(maxDescription, lines),
  'translations.zh-CN.title': translated(maxTitle, line),
  'translations.zh-CN.description': translated(maxDescription, lines),
  'packets.count': { ...number(1, maxPackets), group: 'howMuch', kinds: forPackets, perWindow: true },
  'packets.totalAmount': {
    as: 'money',
    schema: whole(1, maxPacketAmount),
    range: [1, maxPacketAmount],
    group: 'howMuch',
    kinds: forPackets,
    perWindow: true,
  },
  price: {
    as: 'money',
    schema: whole(0, maxPrice),
    ...soldGoods,
  },
  /** The price of a unit elsewhere or before, shown struck through beside the price. */
  listPrice: {
    ...optionalMoney(maxPrice),
    ...soldGoods,
    editable: true,
  },
  stock: {
    ...number(-1, maxStock),
    group: 'howMuch',
    kinds: forOrders,
    perWindow: true,
  },
  currency: {
    as: 'code',
    schema: currencyCode,
    group: 'howMuch',
  },
  /** The databases that the stock is split over (S14). */
  shards: {
    ...number(1, maxShards),
    default: 1,
    group: 'howMuch',
    kinds: forOrders,
  },
  startsAt: {
    ...time,
    group: 'when',
    perWindow: true,
  },
  endsAt: {
    ...time,
    group: 'when',
    perWindow: true,
    editable: true,
  },
  /** Times are shown in this zone in addition to the reader's own. */
  timeZone: {
    as: 'text',
    schema: z.optional(
      z.string('must be a string').check(z.refine(isTimeZone, 'must be an IANA time zone such as "Europe/Berlin"')),
    ),
    range: [1, 64],
    optional: true,
    group: 'when',
    editable: true,
  },
  ...optionSettings,
  'coupons.validFrom': {
    ...time,
    optional: true,
    group: 'validity',
    kinds: forCoupons,
  },
  'coupons.validUntil': {
    ...time,
    optional: true,
    group: 'validity',
    kinds: forCoupons,
  },
  limitPerShopper: {
    ...number(1, maxQuantity),
    group: 'rules',
    kinds: forOrders,
  },
  maxPerOrder: {
    ...number(1, maxQuantity),
    group: 'rules',
    kinds: forOrders,
  },
  /** 15 minutes to pay (O8). */
  paymentWindowSeconds: {
    ...minutes(1, 86_400),
    default: 900,
    ...ruleOfGoods,
  },
  /** Two more minutes for a payment under way. */
  paymentGraceSeconds: {
    ...number(0, 3600),
    default: 120,
    optional: true,
    ...ruleOfGoods,
  },
  /** The countries of delivery. Empty: no address is asked for. */
  'delivery.countries': {
    as: 'countries',
    schema: z.array(countryCode, 'must be a list of country codes').check(
      z.maxLength(maxCountries, `must have at most ${maxCountries} countries`),
      z.refine((codes) => new Set(codes).size === codes.length, 'must name each country once'),
    ),
    range: [0, maxCountries],
    optional: true,
    ...ruleOfGoods,
  },
  /** The cost of delivery by country, for an order of any size. */
  'delivery.costs': {
    as: 'costs',
    schema: z.optional(z.record(countryCode, whole(0, maxPrice), 'must be an object with an amount by country')),
    optional: true,
    ...ruleOfGoods,
  },
  'delivery.freeAbove': {
    ...optionalMoney(maxOrderAmount),
    ...ruleOfGoods,
  },
  /**
   * The checkout of a shop that takes the money itself. Shoppers go there with a signed reservation
   * (functions/orders/reservation-token.ts). Empty: they pay here.
   */
  checkoutUrl: {
    as: 'text',
    schema: z.optional(secureAddress),
    range: [1, maxAddress],
    optional: true,
    ...ruleOfGoods,
  },
  /** Maximum amount of an order that `support` may cancel or refund; with 0 only free orders. */
  supportRefundLimit: { as: 'money', schema: whole(0, maxOrderAmount), default: 0, ...ruleOfGoods, editable: true },
  /** How long members may buy before all others (windows.ts). */
  'earlyAccess.minutes': {
    ...early,
    ...number(1, maxEarlyMinutes),
  },
  'earlyAccess.minLevel': {
    ...early,
    ...number(1, maxLevel),
  },
  /** Admissions per unit of stock (G5). Three decimals, because scripts count in whole thousandths. */
  admissionRatio: {
    as: 'decimal',
    schema: z.number('must be a number').check(
      z.gte(1, 'must be at least 1'),
      z.lte(100, 'must be at most 100'),
      z.refine((ratio) => Number.isInteger(Math.round(ratio * 1e9) / 1e6), 'must have at most 3 decimals'),
    ),
    range: [1, 100],
    default: 1.2,
    group: 'gate',
    editable: true,
  },
  minLevel: {
    ...number(0, maxLevel),
    default: 0,
    ...atGate,
  },
  challenge: {
    as: 'choice',
    schema: z.enum(challengeKinds, 'must be "off", "pow" or "turnstile"'),
    default: 'off',
    ...atGate,
  },
  /** True when a click needs a pass: then CloudFront rejects clicks of bots without a session (pass.ts). */
  requirePass: { as: 'choice', schema: z.enum(['on', 'off'], 'must be "on" or "off"'), default: 'on', ...atGate },
  /** The first seconds of a sale, in which every shopper has one random turn (spread.ts). */
  spreadSeconds: {
    ...number(0, maxSpreadSeconds),
    default: 0,
    ...atGate,
  },
  /**
   * Admissions in a second over all instances of the gate (R4). Empty: 2,000 for each database of the stock
   * (`core/gate/admission-rate.ts`).
   */
  admitPerSecond: {
    as: 'units',
    schema: z.optional(whole(1, maxAdmitPerSecond)),
    range: [1, maxAdmitPerSecond],
    optional: true,
    group: 'gate',
    editable: true,
  },
  /** Pages of other sites that may sell the sale. Empty: only the shop's own pages. */
  allowedOrigins: {
    as: 'origins',
    schema: z.optional(
      z
        .array(
          z
            .string('must be an origin')
            .check(
              z.refine(
                isPageOrigin,
                'must be an origin such as "https://shop.example", or http://localhost with a port',
              ),
            ),
          'must be a list of origins',
        )
        .check(
          z.maxLength(maxOrigins, `must have at most ${maxOrigins} origins`),
          z.refine((origins) => new Set(origins).size === origins.length, 'must name each origin once'),
        ),
    ),
    range: [0, maxOrigins],
    optional: true,
    ...atGate,
  },
  /** Five requests a minute (R2). Each instance of the gate counts separately (R2, R3). */
  'throttle.perShopper': {
    ...rule(1000),
    default: { limit: 5, windowSeconds: 60 },
  },
  'throttle.perIp': {
    ...rule(1_000_000),
    default: { limit: 3000, windowSeconds: 60 },
  },
} as const satisfies Record<string, Setting>

/** A setting, as the path of its field in a definition. */
export type SettingName = keyof typeof settings

export const settingNames = Object.keys(settings) as SettingName[]

export function settingOf(name: SettingName): Setting {
  return settings[name]
}

export function isOfKind(name: SettingName, kind: SaleKind): boolean {
  return settingOf(name).kinds?.includes(kind) ?? true
}

/** Returns the value at a path such as `coupons.validFrom` in a definition; undefined if absent. */
export function settingValue(definition: object, path: string): unknown {
  return path
    .split('.')
    .reduce((value: unknown, part) => (value as Record<string, unknown> | undefined)?.[part], definition)
}

/** Fields that may change while a sale runs. Only the names of variants may. */
export const editableOnceStarted: ReadonlySet<string> = new Set([
  ...settingNames.filter((name) => settingOf(name).editable).map((name) => name.split('.')[0] ?? name),
  'variants',
])
