/** A sale as the marketer defines it, and the state the system keeps beside it. */
import * as z from 'zod/mini'
import { maxQuantity } from './buy-request.ts'
import { parseSaleId } from './ids.ts'
import { isCurrency } from './money.ts'
import { readBy, whole } from './parse.ts'
import type { Flag } from './phase.ts'

const text = (maxLength: number) =>
  z
    .string('must be text')
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(maxLength, `must be at most ${maxLength} characters`),
    )

/** The texts a marketer writes, in characters. */
const maxTitle = 120
const maxDescription = 4000
const maxImage = 500

/** JSON may write one character as six bytes (`\u4f60`). */
const maxCharacterBytes = 6

/** Field names, ids, numbers and punctuation come to about 600 bytes; the rest is room for white space. */
const restOfDefinitionBytes = 2048

/**
 * Largest body, in bytes, of a call to `/api/control`: a definition with every text at its limit, as wasteful as
 * JSON allows. No other call is bigger.
 */
export const maxControlBodyBytes =
  (maxTitle + maxDescription + maxImage) * maxCharacterBytes + restOfDefinitionBytes

/** Latest time accepted anywhere, epoch ms: the year 9999, so that every time can be printed. */
const maxTime = 253_402_300_799_999

/** Units a sale may hold: one counter in one Redis hash, exact far beyond this. -1 means unlimited (S4). */
export const maxStock = 10_000_000

const fields = {
  saleId: readBy(parseSaleId, 'must be 3 to 40 lower-case letters, digits or inner hyphens'),
  kind: z.literal('goods', 'must be "goods"'),
  title: text(maxTitle),
  description: text(maxDescription),
  image: z
    .string('must be text')
    .check(
      z.maxLength(maxImage, `must be at most ${maxImage} characters`),
      z.regex(
        /^(?:https:\/\/[^\s"'<>]+|\/[A-Za-z0-9_./-]+)$/,
        'must be an https address or a path on this site',
      ),
    ),
  price: whole(0, 1_000_000_000),
  currency: z
    .string('must be an ISO 4217 code')
    .check(z.refine((code) => isCurrency(code), 'must be an ISO 4217 code such as "CNY" or "EUR"')),
  stock: whole(-1, maxStock),
  limitPerShopper: whole(1, maxQuantity),
  maxPerOrder: whole(1, maxQuantity),
  startsAt: whole(0, maxTime),
  endsAt: whole(0, maxTime),
  paymentWindowSeconds: whole(1, 86_400),
  paymentGraceSeconds: whole(0, 3600),
  throttle: z.strictObject(
    {
      perShopper: z.strictObject(
        { limit: whole(1, 1000), windowSeconds: whole(1, 3600) },
        'must be an object',
      ),
    },
    'must be an object',
  ),
}

/** Defaults: 15 minutes to pay (O8), two more for a payment on its way, five requests a minute (R2). */
export const saleDefinition = z
  .strictObject(
    {
      ...fields,
      paymentWindowSeconds: z._default(fields.paymentWindowSeconds, 900),
      paymentGraceSeconds: z._default(fields.paymentGraceSeconds, 120),
      throttle: z._default(fields.throttle, { perShopper: { limit: 5, windowSeconds: 60 } }),
    },
    'must be a JSON object that defines a sale',
  )
  .check(
    z.refine((s) => s.endsAt > s.startsAt, { message: 'must be after startsAt', path: ['endsAt'] }),
    z.refine((s) => s.maxPerOrder <= s.limitPerShopper, {
      message: 'must be at most limitPerShopper',
      path: ['maxPerOrder'],
    }),
  )

export type SaleDefinition = z.infer<typeof saleDefinition>

/** Any part of a definition but its id and kind; the whole is checked again once the edit is applied. */
export const saleEdit = z.partial(
  z.strictObject(
    Object.fromEntries(
      Object.entries(fields).filter(([name]) => name !== 'saleId' && name !== 'kind'),
    ) as Omit<typeof fields, 'saleId' | 'kind'>,
    'must be a JSON object with the fields to change',
  ),
)

export type SaleEdit = z.infer<typeof saleEdit>

/** What can still change after the first opening, when shoppers already hold promises made under the rest. */
export const editableOnceStarted = ['title', 'description', 'image', 'endsAt', 'throttle'] as const

/**
 * What the system keeps: the flag, the opening it belongs to (`epoch`, `startToken`), and `version`, which
 * rises with every published change. `startToken` is null until the sale is first started.
 */
export type SaleState = {
  flag: Flag
  epoch: number
  startToken: string | null
  version: number
  warmed: boolean
  createdAt: number
  updatedAt: number
}

export type Sale = SaleDefinition & SaleState
