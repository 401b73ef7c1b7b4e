/**
 * Turns a file and flags into what `/api/control` takes. Nothing is checked here but the form of times, amounts
 * and numbers: the API knows the rules, and its answer names the field.
 */
import { readFileSync } from 'node:fs'
import { ofFirstWave } from '../../core/packets.ts'
import { ofFirstWindow } from '../../core/windows.ts'
import type { ShownSale } from '../control-client.ts'
import { readAmount } from './amount.ts'
import { readTime } from './time.ts'

/**
 * The flags of `create` and `edit` as commander hands them over. `price`, `total` and the money of a window are in major
 * units of the currency; a file holds the API's own fields, so its amounts are in minor units.
 */
export type DefinitionFlags = {
  file?: string
  kind?: string
  title?: string
  description?: string
  image?: string
  price?: string
  currency?: string
  stock?: number
  packets?: number
  total?: string
  limit?: number
  maxPerOrder?: number
  starts?: string
  ends?: string
  window?: string[]
  validFrom?: string
  validUntil?: string
  payWithin?: number
  payGrace?: number
  admissionRatio?: number
  minLevel?: number
  challenge?: string
  throttleShopper?: string
  throttleIp?: string
  throttleSale?: string
}

type Fields = Record<string, unknown>

/** What an edit need not say again: amounts alone are in the currency of the sale, and half of a pair keeps the other half. */
type Known = Pick<ShownSale, 'currency' | 'packets' | 'coupons'>

/** A new sale, of goods unless a kind is named: what the flags leave open about limits is one unit for each shopper. */
export function newDefinition(saleId: string, flags: DefinitionFlags, now: number): Fields {
  return { kind: 'goods', limitPerShopper: 1, maxPerOrder: 1, ...readDefinition(flags, now), saleId }
}

/** A change of `sale`. */
export function readEdit(flags: DefinitionFlags, sale: Known, now: number): Fields {
  return readDefinition(flags, now, sale)
}

/**
 * The fields that the file and the flags give, the flags winning. Times become epoch ms; with windows, start, end, stock and
 * packets are those of the first; the number of packets is the stock.
 * Throws RangeError for what is no time, amount, throttle, window or JSON object.
 */
export function readDefinition(flags: DefinitionFlags, now: number, known?: Known): Fields {
  refuseBoth(flags, ['window'], ['starts', 'ends', 'stock', 'packets', 'total'])
  refuseBoth(flags, ['packets', 'total'], ['stock'])
  const fields = flags.file === undefined ? {} : readDefinitionFile(flags.file)
  const currency = flags.currency ?? currencyIn(fields) ?? known?.currency
  const given: Fields = {
    kind: flags.kind,
    title: flags.title,
    description: flags.description,
    image: flags.image,
    price: flags.price === undefined ? undefined : readAmount(flags.price, currency),
    currency: flags.currency,
    stock: flags.stock,
    packets: packetsOf(flags, currency, fields.packets ?? known?.packets),
    coupons: couponsOf(flags, fields.coupons ?? known?.coupons),
    limitPerShopper: flags.limit,
    maxPerOrder: flags.maxPerOrder,
    startsAt: flags.starts,
    endsAt: flags.ends,
    windows: flags.window?.map((text) => readWindow(text, currency)),
    paymentWindowSeconds: flags.payWithin,
    paymentGraceSeconds: flags.payGrace,
    admissionRatio: flags.admissionRatio,
    minLevel: flags.minLevel,
    challenge: flags.challenge,
    throttle: throttleOf(flags, fields.throttle),
  }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) fields[name] = value
  return withWhatFollows(withTimes(fields, now))
}

/** Two ways to say the same thing, of which one wins: who gave both meant something else. */
function refuseBoth(
  flags: DefinitionFlags,
  ones: readonly (keyof DefinitionFlags)[],
  others: readonly (keyof DefinitionFlags)[],
): void {
  const one = ones.find((name) => flags[name] !== undefined)
  const other = others.find((name) => flags[name] !== undefined)
  if (one === undefined || other === undefined) return
  const rest = others.map((name) => `--${name}`).join(', ')
  throw new RangeError(`--${one} says that already: leave out ${rest}`)
}

const times = ['startsAt', 'endsAt', 'validFrom', 'validUntil']

/** The fields with every time, also of windows and coupons, in epoch ms. */
function withTimes(fields: Fields, now: number): Fields {
  const timed = { ...fields }
  for (const name of times) {
    const value = fields[name]
    if (typeof value === 'string') timed[name] = readTime(value, now)
  }
  const { windows, coupons } = fields
  if (isFields(coupons)) timed.coupons = withTimes(coupons, now)
  if (Array.isArray(windows)) {
    timed.windows = windows.map((saleWindow: unknown) =>
      isFields(saleWindow) ? withTimes(saleWindow, now) : saleWindow,
    )
  }
  return timed
}

/** An edit of windows or packets must say anew what follows from them. */
function withWhatFollows(fields: Fields): Fields {
  const { windows } = fields
  const wave = ofFirstWave(windows)
  const packets = wave?.totalAmount === undefined ? fields.packets : wave
  const count = isFields(packets) && packets.count !== undefined ? { packets, stock: packets.count } : {}
  return { ...fields, ...count, ...(windows === undefined ? {} : ofFirstWindow(windows)) }
}

function currencyIn({ currency }: Fields): string | undefined {
  return typeof currency === 'string' ? currency : undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readDefinitionFile(file: string): Fields {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!isFields(content)) throw new RangeError(`${file} must hold one JSON object`)
  return { ...content }
}

/** The throttles that flags name, beside those of the file; undefined when flags name none. */
function throttleOf({ throttleShopper, throttleIp, throttleSale }: DefinitionFlags, inFile: unknown) {
  const named = Object.entries({ perShopper: throttleShopper, perIp: throttleIp, perSale: throttleSale })
  const rules = named.flatMap(([scope, text]) => (text === undefined ? [] : [[scope, readThrottle(text)]]))
  if (rules.length === 0) return undefined
  return { ...(isFields(inFile) ? inFile : {}), ...Object.fromEntries(rules) }
}

/** The packets that flags name, beside what is known of them; undefined when flags name none. */
function packetsOf({ packets, total }: DefinitionFlags, currency: string | undefined, known: unknown) {
  if (packets === undefined && total === undefined) return undefined
  return {
    ...(isFields(known) ? known : {}),
    ...(packets === undefined ? {} : { count: packets }),
    ...(total === undefined ? {} : { totalAmount: readAmount(total, currency) }),
  }
}

/** From when until when coupons are good, beside what is known of it; `none` takes a side away. */
function couponsOf({ validFrom, validUntil }: DefinitionFlags, known: unknown): Fields | undefined {
  if (validFrom === undefined && validUntil === undefined) return undefined
  const said = {
    ...(isFields(known) ? known : {}),
    ...(validFrom && { validFrom }),
    ...(validUntil && { validUntil }),
  }
  return Object.fromEntries(Object.entries(said).filter(([, time]) => time !== 'none'))
}

/** `5/60` as a throttle: five requests in sixty seconds. */
function readThrottle(text: string): Fields {
  const [, limit, windowSeconds] = /^(\d+)\/(\d+)s?$/.exec(text) ?? []
  if (limit === undefined)
    throw new RangeError(`"${text}" is not a throttle: use requests/seconds, such as 5/60`)
  return { limit: Number(limit), windowSeconds: Number(windowSeconds) }
}

/** `+1h,+3h,50` as a window: its start, its end and its units; `+1h,+3h,50,200.00` as one whose 50 packets hold 200.00. */
function readWindow(text: string, currency: string | undefined): Fields {
  const [startsAt, endsAt, units, total, ...more] = text.split(',').map((part) => part.trim())
  if (!startsAt || !endsAt || !units || total === '' || more.length > 0) {
    throw new RangeError(
      `"${text}" is not a window: use start,end,units, such as +1h,+3h,50, or start,end,packets,total for red packets`,
    )
  }
  const saleWindow = { startsAt, endsAt, stock: readWhole(units) }
  return total === undefined ? saleWindow : { ...saleWindow, totalAmount: readAmount(total, currency) }
}

/** A flag's text as a whole number; the API decides which numbers make sense. */
export function readWhole(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new RangeError(`"${text}" is not a whole number`)
  return Number(text)
}

/** A flag's text as a number that may have decimals. */
export function readNumber(text: string): number {
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(text)) throw new RangeError(`"${text}" is not a number`)
  return Number(text)
}
