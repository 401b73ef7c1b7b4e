/** Converts the schemas of the API to JSON Schema 2020-12, which OpenAPI 3.1 uses. */
import * as z from 'zod/mini'
import { parseUploadId } from '../../core/api/pictures.ts'
import { isSolvedChallenge, isStartToken } from '../../core/buy/limits.ts'
import { idShapes, parseIdempotencyKey, parseOrderId, parseSaleId, parseShopperId } from '../../core/ids.ts'
import { parserOf } from '../../core/lib/parse.ts'
import { parseOrderNumber } from '../../core/orders/order-number.ts'
import { parseCarrier, parseLink, parseTracking } from '../../core/orders/shipment.ts'
import { countryIn } from '../../core/people/delivery.ts'
import { phases } from '../../core/sale/phase.ts'
import type { Countdown, EmbeddedProduct, Pointer } from '../../core/sale/pointer.ts'
import { isVariantId } from '../../core/sale/variants.ts'

type Definition = { type: string; fn?: object; transform?: object; in?: z.core.$ZodType; out?: z.core.$ZodType }
type Overridden = { zodSchema: z.core.$ZodType; jsonSchema: Record<string, unknown>; path: (string | number)[] }

/** The only numbers of the API that are not integers. */
const fractions: ReadonlySet<unknown> = new Set(['admissionRatio', 'rate', 'share'])

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def as Definition

/**
 * Returns the JSON Schema of a request (`input`) or an answer (`output`). Answers allow more members, because newer
 * versions add some.
 * @throws for a parser without a schema in this file
 */
export function jsonSchemaOf(schema: z.core.$ZodType, io: 'input' | 'output'): JsonSchema {
  const override = ({ zodSchema, jsonSchema, path }: Overridden) => {
    Object.assign(jsonSchema, ofParser(zodSchema, io, path))
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    delete jsonSchema.readOnly
    if (jsonSchema.type === 'number' && !path.some((part) => fractions.has(part))) jsonSchema.type = 'integer'
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  }
  const { $schema, ...made } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override })
  return made
}

function ofParser(schema: z.core.$ZodType, io: 'input' | 'output', path: (string | number)[]): JsonSchema | undefined {
  const { type, fn, in: first, out: last } = definitionOf(schema)
  if (type === 'custom') {
    const shape = shapeBehind(fn)
    if (shape === undefined)
      throw new Error(`no JSON Schema for the parser at ${path.join('.')}; add it to static/api/json-schema.ts`)
    return shape
  }
  if (type !== 'pipe' || first === undefined || last === undefined) return undefined
  // A transform that fills in defaults accepts the input of the next step.
  if (definitionOf(first).type === 'transform') return jsonSchemaOf(last, io)
  return shapeBehind(definitionOf(last).transform)
}

function shapeBehind(used: object | undefined): JsonSchema | undefined {
  return used && shapes.get(parserOf.get(used) ?? used)
}

export type JsonSchema = Readonly<Record<string, unknown>>

const text = (pattern: string, description: string): JsonSchema => ({ type: 'string', pattern, description })

export const idempotencyKeyShape = text(
  '^[A-Za-z0-9_.:-]{1,64}$',
  'The key of a call: a repeat with it has no second effect.',
)

/** The schemas of our own parsers. Zod cannot describe a function. */
const shapes: ReadonlyMap<unknown, JsonSchema> = new Map<unknown, JsonSchema>([
  [parseSaleId, text(`^${idShapes.sale}$`, 'The id of a sale.')],
  [parseShopperId, text(`^${idShapes.shopper}$`, 'The id of a shopper: `sub` of the session token.')],
  [parseOrderNumber, text('^[1-9][0-9]{8,14}$', 'What people call the order by; its last digit is a check digit.')],
  [parseOrderId, text(`^${idShapes.order}$`, 'The id of an order. It begins with the id of its sale.')],
  [parseIdempotencyKey, idempotencyKeyShape],
  [parseUploadId, text('^[0-9a-f]{32}$', 'The id of an upload.')],
  [parseCarrier, { type: 'string', minLength: 1, description: 'The name of a carrier, at most 32 characters.' }],
  [parseTracking, { type: 'string', minLength: 1, description: 'A tracking number, at most 64 characters.' }],
  [parseLink, text('^https://', 'Where a shopper follows a shipment, at most 500 characters.')],
  [countryIn, text('^[A-Z]{2}$', 'An ISO 3166 code.')],
  [isVariantId, text('^[a-z0-9](?:[a-z0-9-]{0,14}[a-z0-9])?$', 'The id of a variant.')],
  [
    isStartToken,
    text('^[A-Za-z0-9_-]{22,64}$', 'The start token of the countdown, which it has once the sale is started.'),
  ],
  [isSolvedChallenge, text('^[A-Za-z0-9+/=_-]{1,1800}$', 'The solved challenge, in a sale that asks for one.')],
])

const whole = { type: 'integer' }
const time = { type: 'integer', description: 'Epoch ms.' }
const saleId = { type: 'string', pattern: `^${idShapes.sale}$` }

const pointer: Readonly<Record<keyof Pointer, JsonSchema>> = {
  saleId,
  version: { ...whole, description: 'The version of the countdown, which is part of its path.' },
  at: { ...time, description: 'When the publisher began to read, epoch ms.' },
  phase: { enum: phases },
  startsAt: time,
  endsAt: time,
  nextStartsAt: { type: ['integer', 'null'], description: 'The start of the window after this one.' },
  src: { type: 'string', description: 'The path of the countdown as a module; with `.json` as JSON.' },
  remaining: { ...whole, description: 'Units that are left; -1 for an unlimited stock.' },
  variants: { type: 'object', additionalProperties: whole, description: 'What is left of each variant.' },
}

const countdown: Readonly<Record<keyof Countdown, JsonSchema>> = {
  saleId,
  version: whole,
  started: { type: 'boolean' },
  startsAt: time,
  endsAt: time,
  requirePass: { enum: ['on', 'off'], description: 'Absent: a click needs a pass.' },
  spreadSeconds: { ...whole, description: 'Each shopper has a turn within this many seconds after the start.' },
  turnKey: { type: 'string', description: 'From it and a pass follows the turn of a shopper.' },
  earlyMinutes: { ...whole, description: 'How many minutes from the start only members may buy.' },
  startToken: {
    type: 'string',
    description: 'What a click sends, once the sale is started. The start brings another one within seconds.',
  },
}

const product: Readonly<Record<keyof EmbeddedProduct, JsonSchema>> = {
  title: { type: 'string' },
  titles: { type: 'object', additionalProperties: { type: 'string' }, description: 'Titles by language.' },
  price: { ...whole, description: 'Of one unit, in minor units.' },
  currency: { type: 'string' },
  digits: { ...whole, description: 'Digits of the price that are behind the point.' },
  onPage: { const: true, description: 'Only the page of the sale sells it: it asks for more than a click.' },
}

const objectOf = (properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
})

/** The schemas of the public objects of `core/sale/pointer.ts`. */
export const pointerSchema = objectOf(pointer, ['variants'])
const optionalOfCountdown = ['requirePass', 'spreadSeconds', 'turnKey', 'earlyMinutes', 'startToken']
export const countdownSchema = objectOf(
  {
    ...countdown,
    product: {
      ...objectOf(product, ['titles', 'onPage']),
      description: 'In JSON alone, of a sale that pages of other sites may sell.',
    },
  },
  [...optionalOfCountdown, 'product'],
)
