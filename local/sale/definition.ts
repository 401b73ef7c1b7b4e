/**
 * Turns a file and flags into what `/api/control` takes. Nothing is checked here but the form of times, amounts
 * and numbers: the API knows the rules, and its answer names the field.
 */
import { readFileSync } from 'node:fs'
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
  payWithin?: number
  payGrace?: number
  throttle?: string
}

type Fields = Record<string, unknown>

/** A new sale of goods: what the flags leave open about limits is one unit for each shopper. */
export function newDefinition(saleId: string, flags: DefinitionFlags, now: number): Fields {
  return { kind: 'goods', limitPerShopper: 1, maxPerOrder: 1, ...readDefinition(flags, now), saleId }
}

/** The currency that flags or file name, if one does. */
export function currencyOf(flags: DefinitionFlags): string | undefined {
  return flags.currency ?? currencyIn(readFields(flags))
}

/**
 * The fields that the file and the flags give, the flags winning. Times become epoch ms.
 * Throws RangeError for what is no time, amount, throttle or JSON object.
 */
export function readDefinition(flags: DefinitionFlags, now: number): Fields {
  const fields = readFields(flags)
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
    paymentWindowSeconds: flags.payWithin,
    paymentGraceSeconds: flags.payGrace,
    throttle: flags.throttle === undefined ? undefined : readThrottle(flags.throttle),
  }
  for (const [name, value] of Object.entries(given)) if (value !== undefined) fields[name] = value
  for (const name of ['startsAt', 'endsAt']) {
    const value = fields[name]
    if (typeof value === 'string') fields[name] = readTime(value, now)
  }
  return fields
}

function currencyIn({ currency }: Fields): string | undefined {
  return typeof currency === 'string' ? currency : undefined
}

function readFields({ file }: DefinitionFlags): Fields {
  return file === undefined ? {} : readDefinitionFile(file)
}

function readDefinitionFile(file: string): Fields {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new RangeError(`${file} must hold one JSON object`)
  }
  return { ...content }
}

/** `5/60` as the throttle of one shopper: five requests in sixty seconds. */
function readThrottle(text: string): Fields {
  const [, limit, windowSeconds] = /^(\d+)\/(\d+)s?$/.exec(text) ?? []
  if (limit === undefined)
    throw new RangeError(`"${text}" is not a throttle: use requests/seconds, such as 5/60`)
  return { perShopper: { limit: Number(limit), windowSeconds: Number(windowSeconds) } }
}

/** A flag's text as a whole number; the API decides which numbers make sense. */
export function readWhole(text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text)) throw new RangeError(`"${text}" is not a whole number`)
  return Number(text)
}
