/** The schema of a sale: its definition by the marketer, and its state. */
import * as z from 'zod/mini'
import { maxWindows } from '../body-limits.ts'
import { type Language, maxLanguages } from '../language.ts'
import { maxTime, whole } from '../lib/parse.ts'
import { languageTag, line, linesByLanguage } from '../lib/text.ts'
import { type OptionFieldName, optionFields, optionSchemas } from '../options.ts'
import { maxPacketAmount, packetsOfFirstWindow } from '../packets/packets.ts'
import { type SaleKind, saleKinds } from './kinds.ts'
import { type Available, flags, type Phase, phaseAt } from './phase.ts'
import { pictureUrl } from './pictures.ts'
import type { SaleFault } from './sale-field.ts'
import { maxStock, type SettingName, settingNames, settings, settingValue } from './settings.ts'
import { allUnits, isVariantId, maxVariantName, maxVariants, type Variant } from './variants.ts'
import { type EarlyAccess, earlyAccessMs, fieldsOfFirstWindow, nextWindow } from './windows.ts'

/**
 * `totalAmount` is the sum of the packets of the window, in minor units, for red packets only. `units` are the units of
 * each variant by its id, if the sale has variants.
 */
const saleWindow = z.strictObject(
  {
    startsAt: whole(0, maxTime),
    endsAt: whole(0, maxTime),
    stock: whole(1, maxStock),
    totalAmount: z.optional(whole(1, maxPacketAmount)),
    units: z.optional(
      z.record(z.string().check(z.refine(isVariantId, 'must be the id of a variant')), whole(0, maxStock)),
    ),
  },
  'must be an object with startsAt, endsAt and stock',
)

/** Returns the plans of the option fields that the sale has. */
export const plansOf = (sale: object) =>
  optionFields.flatMap(({ name, plan }) => (plan && settingValue(sale, name) !== undefined ? [plan] : []))

/** True when only shoppers on the list of the sale may buy it. */
export const isInvitedOnly = (sale: object): boolean => plansOf(sale).some(({ invitedOnly }) => invitedOnly)

export const earliestStart = (sale: object, now: number): number =>
  Math.max(now, ...plansOf(sale).map((plan) => plan.earliestDrawStart(sale)))

export const defaultThrottle = {
  perShopper: settings['throttle.perShopper'].default,
  perIp: settings['throttle.perIp'].default,
}

const throttle = { perShopper: settings['throttle.perShopper'].schema, perIp: settings['throttle.perIp'].schema }

type Settings = typeof settings
type PlainName = Exclude<SettingName, `${string}.${string}`>

const plainNames = settingNames.filter((name): name is PlainName => !name.includes('.'))

/** The schemas of settings that are fields, and not members of one. */
const plainSchemas = Object.fromEntries(plainNames.map((name) => [name, settings[name].schema])) as {
  [Name in PlainName]: Settings[Name]['schema']
}

/** The schemas of the plain settings, with their defaults. */
const plainWithDefaults = Object.fromEntries(
  plainNames.map((name) => {
    const setting = settings[name]
    return [name, 'default' in setting ? z._default(setting.schema, setting.default) : setting.schema]
  }),
) as {
  [Name in PlainName]: Settings[Name] extends { default: unknown }
    ? z.ZodMiniDefault<Settings[Name]['schema']>
    : Settings[Name]['schema']
}

const variants = z
  .array(
    z.strictObject(
      {
        id: z.string().check(z.refine(isVariantId, 'must be 1 to 16 lower-case letters, digits or inner hyphens')),
        name: line(maxVariantName),
        names: linesByLanguage(maxVariantName),
        stock: whole(0, maxStock),
      },
      'must be an object with id, name and stock',
    ),
    'must be a list',
  )
  .check(z.maxLength(maxVariants, `must be at most ${maxVariants}`))
/** Returns a check that reports `message` at the field `path` unless `holds` is true. */
const rule = <Checked>(path: string, message: string, holds: (checked: NoInfer<Checked>) => boolean) =>
  z.refine<Checked>(holds, { message, path: path.split('.') })

const translatedTexts = 'must be an object with title, description or both'

const fields = {
  kind: z.enum(saleKinds, 'must be "goods", "coupon" or "red-packet"'),
  throttle: z.strictObject(
    {
      perShopper: z._default(throttle.perShopper, defaultThrottle.perShopper),
      perIp: z._default(throttle.perIp, defaultThrottle.perIp),
    },
    'must be an object',
  ),
  windows: z
    .array(saleWindow, 'must be a list')
    .check(z.maxLength(maxWindows, `must be at most ${maxWindows} windows`)),
  /** The number of packets and their total in minor units (P1). */
  packets: z.optional(
    z.strictObject(
      { count: settings['packets.count'].schema, totalAmount: settings['packets.totalAmount'].schema },
      'must be an object with count and totalAmount',
    ),
  ),
  /** Goods only (N1). Their stocks add up to that of the sale. */
  variants: z.optional(variants.check(z.minLength(2, 'must be at least 2'))),
  /** Goods only: the countries of delivery and its costs. Absent or empty: no address is asked for. */
  delivery: z.optional(
    z
      .strictObject(
        {
          countries: settings['delivery.countries'].schema,
          costs: settings['delivery.costs'].schema,
          freeAbove: settings['delivery.freeAbove'].schema,
        },
        'must be an object with countries',
      )
      .check(
        rule(
          'costs',
          'must have each of the countries, and no other',
          ({ countries, costs }) => costs === undefined || haveSameNames(countries, Object.keys(costs)),
        ),
        rule(
          'freeAbove',
          'is only allowed with costs',
          ({ costs, freeAbove }) => costs !== undefined || freeAbove === undefined,
        ),
      ),
  ),
  /** Goods and coupons only: members who may buy before all others. */
  earlyAccess: z.optional(
    z.strictObject(
      { minutes: settings['earlyAccess.minutes'].schema, minLevel: settings['earlyAccess.minLevel'].schema },
      'must be an object with minutes and minLevel',
    ),
  ),
  ...optionSchemas,
  /** Translations of the texts by language; `textIn` reads them. */
  translations: z.optional(
    z
      .record(
        languageTag(),
        z.strictObject(
          {
            title: z.optional(settings['translations.en.title'].schema),
            description: z.optional(settings['translations.en.description'].schema),
          },
          translatedTexts,
        ),
        'must be an object by language',
      )
      .check(
        z.refine((texts) => Object.keys(texts).length <= maxLanguages, `must have at most ${maxLanguages} languages`),
      ),
  ),
  /** The validity of coupons, epoch ms; each bound is optional. */
  coupons: z.optional(
    z.strictObject(
      {
        validFrom: z.optional(settings['coupons.validFrom'].schema),
        validUntil: z.optional(settings['coupons.validUntil'].schema),
      },
      'must be an object with validFrom, validUntil or both',
    ),
  ),
}

const packetsFitKind = rule<{ kind: SaleKind; packets?: unknown }>(
  'packets',
  'is required for red packets, and not allowed otherwise',
  ({ kind, packets }) => (kind === 'red-packet') === (packets !== undefined),
)

const onlyGoods = 'is only allowed for goods'
const onlyPriced = 'is only allowed for goods with a price'
const isRedPacket = ({ kind }: { kind: SaleKind }) => kind === 'red-packet'

/** `windows` are in chronological order. With windows, `startsAt`, `endsAt` and `stock` are those of the first (R7). */
const definition = z
  .strictObject(
    {
      ...plainWithDefaults,
      ...fields,
      throttle: z._default(fields.throttle, defaultThrottle),
      windows: z._default(fields.windows, []),
    },
    'must be a JSON object that defines a sale',
  )
  .check(
    rule('endsAt', 'must be after startsAt', ({ startsAt, endsAt }) => endsAt > startsAt),
    rule('maxPerOrder', 'must be at most limitPerShopper', (one) => one.maxPerOrder <= one.limitPerShopper),
    rule('price', 'must be 0 for coupons and red packets', ({ kind, price }) => kind === 'goods' || price === 0),
    rule('listPrice', 'must be above price', ({ price, listPrice }) => listPrice === undefined || listPrice > price),
    rule('listPrice', onlyGoods, ({ kind, listPrice }) => kind === 'goods' || listPrice === undefined),
    packetsFitKind,
    rule(
      'spreadSeconds',
      'must be 0 while requirePass is off: a pass says who may buy when',
      ({ requirePass, spreadSeconds }) => requirePass === 'on' || spreadSeconds === 0,
    ),
    rule(
      'packets.totalAmount',
      'must be at least one minor unit for each packet',
      ({ packets }) => packets === undefined || packets.totalAmount >= packets.count,
    ),
    rule('limitPerShopper', 'must be 1 for red packets', (one) => !isRedPacket(one) || one.limitPerShopper === 1),
    rule(
      'shards',
      'must be 1 for red packets: their sale is in one database',
      (one) => !isRedPacket(one) || one.shards === 1,
    ),
    rule('shards', 'must be 1 for an unlimited stock', ({ stock, shards }) => shards === 1 || stock !== -1),
    rule('stock', 'must be the number of packets', (one) => !isRedPacket(one) || one.stock !== -1),
    rule('variants', onlyGoods, ({ kind, variants }) => kind === 'goods' || variants === undefined),
    rule(
      'stock',
      'must be the sum of the stocks of all variants',
      ({ variants, stock }) => variants === undefined || stock === stockOfVariants(variants),
    ),
    rule('delivery', onlyGoods, ({ kind, delivery }) => kind === 'goods' || delivery === undefined),
    // A free order is complete before its address is known.
    rule('delivery.costs', onlyPriced, ({ price, delivery }) => delivery?.costs === undefined || price > 0),
    // A free order is complete at once, so there is nothing to pay in the shop.
    rule('checkoutUrl', onlyPriced, ({ price, checkoutUrl }) => checkoutUrl === undefined || price > 0),
    rule(
      'delivery.countries',
      'must be absent or empty while checkoutUrl is set: the shop asks for the address',
      (one) => one.checkoutUrl === undefined || countriesOf(one).length === 0,
    ),
    rule('earlyAccess', 'is not allowed for red packets', (one) => !isRedPacket(one) || one.earlyAccess === undefined),
    rule('earlyAccess.minutes', 'must end before the sale does, in each of its windows', ({ earlyAccess, ...sale }) =>
      leavesTime(earlyAccess, sale),
    ),
    z.check(({ value, issues }) => {
      for (const find of [faultOfVariants, faultOfWindows, ...optionFields.flatMap(({ fault }) => fault ?? [])]) {
        const fault = find(value)
        if (fault !== undefined) issues.push({ code: 'custom', input: value, ...fault })
      }
    }),
    rule('coupons', 'is only allowed for coupons', ({ kind, coupons }) => kind === 'coupon' || coupons === undefined),
    rule(
      'coupons.validUntil',
      'must be after validFrom, and after the end of the sale',
      ({ coupons, endsAt, windows }) =>
        (coupons?.validUntil ?? maxTime) > Math.max(endsAt, windows.at(-1)?.endsAt ?? 0, coupons?.validFrom ?? 0),
    ),
  )

function haveSameNames(names: readonly string[], others: readonly string[]): boolean {
  return names.length === others.length && names.every((name) => others.includes(name))
}

function holdsMoney({ stock, totalAmount }: SaleWindow): boolean {
  return totalAmount !== undefined && totalAmount >= stock
}

type Rows = { kind: SaleKind; windows: readonly SaleWindow[]; variants?: readonly Variant[] | undefined }

/** Returns a fault for the first variant that repeats the name or the id of an earlier one. */
function faultOfVariants({ variants = [] }: Rows): SaleFault | undefined {
  for (const field of ['name', 'id'] as const) {
    const texts = variants.map((one) => one[field])
    const row = texts.findIndex((text, i) => texts.indexOf(text) < i)
    if (row >= 0) return { path: ['variants', row, field], message: 'must not be that of another variant' }
  }
  return undefined
}

/** Returns the first conflict of a window with the one before it, the kind of sale or the variants. */
function faultOfWindows({ kind, windows, variants }: Rows): SaleFault | undefined {
  for (const [row, one] of windows.entries()) {
    const fault = (field: keyof SaleWindow, message: string): SaleFault => ({ path: ['windows', row, field], message })
    if (one.endsAt <= one.startsAt) return fault('endsAt', 'must be after its startsAt')
    if (one.startsAt < (windows[row - 1]?.endsAt ?? 0))
      return fault('startsAt', 'must not be before the end of the window before it')
    if (holdsMoney(one) !== (kind === 'red-packet'))
      return fault('totalAmount', 'must be at least one minor unit per packet, and only for red packets')
    if (!fitsVariants(one, variants))
      return fault('units', 'must be those of every variant, which add up to the stock; only with variants')
  }
  return undefined
}

/** True when early access leaves some time for all others in each window. */
function leavesTime(
  earlyAccess: EarlyAccess | undefined,
  { windows, ...own }: Pick<SaleWindow, 'startsAt' | 'endsAt'> & { windows: readonly SaleWindow[] },
): boolean {
  const ms = earlyAccessMs(earlyAccess)
  return ms === 0 || [own, ...windows].every(({ startsAt, endsAt }) => startsAt + ms < endsAt)
}

/** Returns the maximum spread in seconds with which every turn, after early access, is before the end of its window. */
export function maxSpreadFor({
  earlyAccess,
  windows,
  ...own
}: Pick<SaleDefinition, 'earlyAccess' | 'windows' | 'startsAt' | 'endsAt'>): number {
  const shortest = Math.min(...[own, ...windows].map(({ startsAt, endsAt }) => endsAt - startsAt))
  return Math.max(0, Math.ceil((shortest - earlyAccessMs(earlyAccess)) / 1000) - 1)
}

export function stockOfVariants(variants: readonly Pick<Variant, 'stock'>[]): number {
  return variants.reduce((sum, { stock }) => sum + stock, 0)
}

function fitsVariants(one: SaleWindow, variants: readonly Variant[] | undefined): boolean {
  if (variants === undefined || one.units === undefined) return variants === one.units
  const names = Object.keys(one.units)
  return (
    allUnits(one.units) === one.stock &&
    names.length === variants.length &&
    variants.every(({ id }) => names.includes(id))
  )
}

export const saleDefinition = z.pipe(z.transform(withDerivedFields), definition)

/**
 * Derives absent fields of a definition: `startsAt`, `endsAt` and `stock` from the first window, the price 0 of coupons and
 * red packets, and the limit of one red packet per shopper.
 */
function withDerivedFields(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  const given: Record<string, unknown> = { ...input }
  const free = given.kind === 'coupon' || given.kind === 'red-packet' ? { price: 0 } : {}
  const first = 'windows' in given ? fieldsOfFirstWindow(given.windows) : fieldsOfVariants(given.variants)
  return { ...free, ...(given.kind === 'red-packet' ? fieldsOfRedPackets(given) : {}), ...first, ...input }
}

/** Returns the stock of a sale without windows: the sum of its variants. */
function fieldsOfVariants(variants: unknown): Record<string, unknown> {
  const list: unknown[] = Array.isArray(variants) ? variants : []
  const stocks = list.flatMap((one) => (typeof one === 'object' && one !== null && 'stock' in one ? [one.stock] : []))
  const known = stocks.filter((stock) => typeof stock === 'number')
  return known.length === 0 ? {} : { stock: known.reduce((sum, stock) => sum + stock, 0) }
}

function fieldsOfRedPackets({ packets, windows }: Record<string, unknown>): Record<string, unknown> {
  const batch = packets ?? packetsOfFirstWindow(windows)
  // The missing list is the fault to report, not its count.
  if (batch === undefined) return { limitPerShopper: 1, maxPerOrder: 1, stock: 0 }
  const count = typeof batch === 'object' && batch !== null && 'count' in batch ? { stock: batch.count } : {}
  return { limitPerShopper: 1, maxPerOrder: 1, ...count, packets: batch }
}

export type SaleDefinition = z.infer<typeof definition>
export type SaleWindow = z.infer<typeof saleWindow>
export type ThrottleRule = { limit: number; windowSeconds: number }

const { saleId, ...editable } = plainSchemas
const { kind, ...others } = fields

/** The fields that an edit can remove with null. */
export const removableFields = [
  ...(['listPrice', 'timeZone', 'checkoutUrl', 'earlyAccess'] as const),
  ...optionFields.map(({ name }) => name as OptionFieldName),
]

const parts = { ...editable, ...others }

/**
 * Any part of a definition except its id and kind. Absent fields stay; an empty list of variants removes them. The edited
 * definition is validated again.
 */
export const saleEdit = z.partial(
  z.strictObject(
    {
      ...parts,
      ...(Object.fromEntries(removableFields.map((name) => [name, z.nullable(parts[name])])) as {
        [Name in (typeof removableFields)[number]]: z.ZodMiniNullable<(typeof parts)[Name]>
      }),
      variants,
      throttle: z.partial(z.strictObject(throttle, 'must be an object')),
    },
    'must be a JSON object with the fields to change',
  ),
)

export type SaleEdit = z.infer<typeof saleEdit>

/**
 * The system's state: the flag, its epoch (`epoch`, `startToken`), and `version`, which increases with every published
 * change. `startToken` is null until the current window is first opened. `armed`: started before `startsAt`, when the
 * start token is published (C6). `windowIndex` is the window of `startsAt`, `endsAt` and the stock in Redis, 0 for the
 * first or only one. `databases` are the names of the databases of its shards, empty before it is warmed. `archivedAt`
 * (epoch ms) is set once the sale was archived: it never changes again, and its keys in Redis are removed. `endedAt` (epoch
 * ms) is set once a marketer has ended it. `pausedWithAll`: the call that pauses all sales has paused it, and the call that
 * resumes all resumes it.
 */
const state = {
  windowIndex: z.number(),
  flag: z.enum(flags),
  epoch: z.number(),
  startToken: z.nullable(z.string()),
  version: z.number(),
  warmed: z.boolean(),
  databases: z.readonly(z.array(z.string())),
  createdAt: z.number(),
  updatedAt: z.number(),
  archivedAt: z.optional(z.number()),
  endedAt: z.optional(z.number()),
  pausedWithAll: z.optional(z.boolean()),
  armed: z.optional(z.boolean()),
}

/** A sale in answers of the API. Its definition was validated when it was stored. */
export const sale = z.object({ ...plainSchemas, ...fields, ...state }).check(packetsFitKind)

export type Sale = z.infer<typeof sale>

export function definitionOf(sale: Sale): SaleDefinition {
  const { windowIndex, flag, epoch, startToken, version, warmed, databases, ...others } = sale
  const { createdAt, updatedAt, archivedAt, endedAt, pausedWithAll, armed, ...definition } = others
  return definition
}

export type SaleTexts = Pick<Sale, 'title' | 'description' | 'translations'>

/** Returns title and description in `language`, or else the default ones. */
export function textIn(
  { title, description, translations }: SaleTexts,
  language: Language,
): { title: string; description: string } {
  return { title, description, ...translations?.[language] }
}

/** Returns the URL of the first picture for a space `width` px wide; an empty text without pictures. */
export function pictureOf({ pictures }: Pick<Sale, 'pictures'>, width: number): string {
  const [first] = pictures
  return first === undefined ? '' : pictureUrl(first.src, width)
}

/** Returns the countries of delivery; an empty list if the sale asks for no address. */
export function countriesOf({ delivery }: Pick<Sale, 'delivery'>): readonly string[] {
  return delivery?.countries ?? []
}

/** True when the sale has ended at `now` (epoch ms): it is closed, or its last window is over. */
export function hasEnded(sale: Sale, now: number): boolean {
  // Whether units are left does not matter here.
  return phaseOf(sale, now, -1) === 'ended'
}

/** Returns the phase of a sale at `now` (epoch ms), with all its windows. */
export function phaseOf(sale: Sale, now: number, available: Available, mayRestock = false): Phase {
  return phaseAt({ ...sale, hasNext: nextWindow(sale) !== undefined }, now, available, mayRestock)
}
