/**
 * Turns a file and flags into what `/api/control` takes. Nothing is checked here but the form of times, amounts
 * and numbers: the API knows the rules, and its answer names the field.
 */
import { readFileSync } from 'node:fs'
import { ofFirstSlot } from '../../core/slots.ts'
import type { ShownSale } from '../control-client.ts'
import { readAmount } from './amount.ts'
import { readTime } from './time.ts'

/**
 * The flags of `create` and `edit` as commander hands them over. `price` is in major units of `currency`, or of
 * `priceCurrency` where none is given; a file holds the API's own fields, so its price is in minor units.
 */
export type DefinitionFlags = {
  file?: string
  kind?: string
  title?: string
  description?: string
  image?: string
  price?: string
  priceCurrency?: string
  currency?: string
  stock?: number
  limit?: number
  maxPerOrder?: number
  starts?: string
  ends?: string
  slot?: string[]
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

/** A new sale of goods: what the flags leave open about limits is one unit for each shopper. */
export function newDefinition(saleId: string, flags: DefinitionFlags, now: number): Fields {
  return { kind: 'goods', limitPerShopper: 1, maxPerOrder: 1, ...readDefinition(flags, now), saleId }
}

/** A change of `sale`: a price alone is meant in its currency. */
export function readEdit(flags: DefinitionFlags, sale: Pick<ShownSale, 'currency'>, now: number): Fields {
  return readDefinition({ ...flags, priceCurrency: sale.currency }, now)
}

/**
 * The fields that the file and the flags give, the flags winning. Times become epoch ms; with windows, start, end and
 * stock are those of the first.
 * Throws RangeError for what is no time, amount, throttle, window or JSON object.
 */
export function readDefinition(flags: DefinitionFlags, now: number): Fields {
  if (flags.slot !== undefined && [flags.starts, flags.ends, flags.stock].some((flag) => flag !== undefined))
    throw new RangeError('--slot says start, end and units: leave out --starts, --ends and --stock')
  const fields = flags.file === undefined ? {} : readDefinitionFile(flags.file)
  const currency = flags.currency ?? currencyIn(fields) ?? flags.priceCurrency
  const given: Fields = {
    kind: flags.kind,
    title: flags.title,
    description: flags.description,
    image: flags.image,
    price: flags.price === undefined ? undefined : readAmount(flags.price, currency),
    currency: flags.currency,
    stock: flags.stock,
    limitPerShopper: flags.limit,
    maxPerOrder: flags.maxPerOrder,
    startsAt: flags.starts,
    endsAt: flags.ends,
    slots: flags.slot?.map(readSlot),
    paymentWindowSeconds: flags.payWithin,
    paymentGraceSeconds: flags.payGrace,
    admissionRatio: flags.admissionRatio,
    minLevel: flags.minLevel,
    challenge: flags.challenge,
    throttle: throttleOf(flags, fields.throttle),
  }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) fields[name] = value
  return withFirstSlot(withTimes(fields, now), now)
}

function withTimes(fields: Fields, now: number): Fields {
  const timed = { ...fields }
  for (const name of ['startsAt', 'endsAt']) {
    const value = fields[name]
    if (typeof value === 'string') timed[name] = readTime(value, now)
  }
  return timed
}

/** An edit of the windows must say anew what follows from the first of them. */
function withFirstSlot(fields: Fields, now: number): Fields {
  if (!Array.isArray(fields.slots)) return fields
  const slots = fields.slots.map((slot: unknown) => (isFields(slot) ? withTimes(slot, now) : slot))
  return { ...fields, slots, ...ofFirstSlot(slots) }
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

/** `5/60` as a throttle: five requests in sixty seconds. */
function readThrottle(text: string): Fields {
  const [, limit, windowSeconds] = /^(\d+)\/(\d+)s?$/.exec(text) ?? []
  if (limit === undefined)
    throw new RangeError(`"${text}" is not a throttle: use requests/seconds, such as 5/60`)
  return { limit: Number(limit), windowSeconds: Number(windowSeconds) }
}

/** `+1h,+3h,50` as a window: its start, its end and its units. */
function readSlot(text: string): Fields {
  const [startsAt, endsAt, units, ...more] = text.split(',').map((part) => part.trim())
  if (!startsAt || !endsAt || !units || more.length > 0)
    throw new RangeError(`"${text}" is not a window: use start,end,units, such as +1h,+3h,50`)
  return { startsAt, endsAt, stock: readWhole(units) }
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
