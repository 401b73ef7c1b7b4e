/** A sale's definition by the marketer, and its state in the system. */
import * as z from 'zod/mini'
import { maxDescription, maxImage, maxTitle, maxWindows } from './body-limits.ts'
import { maxQuantity } from './buy-request.ts'
import { parseSaleId } from './ids.ts'
import { isCurrency } from './money.ts'
import { maxPacketAmount, maxPackets, ofFirstWave } from './packets.ts'
import { readBy, whole } from './parse.ts'
import { type Available, flags, type Phase, phaseAt } from './phase.ts'
import { nextWindow, ofFirstWindow } from './windows.ts'

const text = (maxLength: number) =>
  z
    .string('must be a string')
    .check(
      z.trim(),
      z.minLength(1, 'must not be empty'),
      z.maxLength(maxLength, `must be at most ${maxLength} characters`),
    )

/** Latest time accepted anywhere, epoch ms: the year 9999, so that every time can be printed. */
const maxTime = 253_402_300_799_999

/**
 * Units a sale may hold: one counter in one Redis hash, exact far beyond this. -1 means unlimited
 * (S4).
 */
export const maxStock = 10_000_000

/**
 * Admissions per unit of stock (G5), at most three decimals: counted exactly in whole thousandths.
 */
const admissionRatio = z.number('must be a number').check(
  z.gte(1, 'must be at least 1'),
  z.lte(100, 'must be at most 100'),
  z.refine((ratio) => Number.isInteger(Math.round(ratio * 1e9) / 1e6), 'must have at most 3 decimals'),
)

const throttleRule = (maxLimit: number) =>
  z.strictObject({ limit: whole(1, maxLimit), windowSeconds: whole(1, 3600) }, 'must be an object')

const throttle = {
  perShopper: throttleRule(1000),
  perIp: throttleRule(1_000_000),
  perSale: throttleRule(1_000_000),
}

/**
 * `totalAmount` is what the packets of that window hold together, in minor units; nothing else has
 * one.
 */
const saleWindow = z.strictObject(
  {
    startsAt: whole(0, maxTime),
    endsAt: whole(0, maxTime),
    stock: whole(1, maxStock),
    totalAmount: z.optional(whole(1, maxPacketAmount)),
  },
  'must be an object with startsAt, endsAt and stock',
)

/** The number of packets, and their total in minor units (P1). */
const packets = z.strictObject(
  { count: whole(1, maxPackets), totalAmount: whole(1, maxPacketAmount) },
  'must be an object with count and totalAmount',
)

/** When the coupons of a sale can be redeemed, epoch ms; each bound is optional. */
const coupons = z.strictObject(
  { validFrom: z.optional(whole(0, maxTime)), validUntil: z.optional(whole(0, maxTime)) },
  'must be an object with validFrom, validUntil or both',
)

/**
 * `goods` are paid for. A `coupon` costs nothing and comes with a code for each unit. A
 * `red-packet` sale hands out money: each unit is a packet that one shopper claims.
 */
export const saleKinds = ['goods', 'coupon', 'red-packet'] as const
export type SaleKind = (typeof saleKinds)[number]

/** Request limits per shopper, address and sale, in each instance of the gate (R2-R4). */
export const defaultThrottle = {
  perShopper: { limit: 5, windowSeconds: 60 },
  perIp: { limit: 3000, windowSeconds: 60 },
  perSale: { limit: 2000, windowSeconds: 1 },
}

const fields = {
  saleId: readBy(
    parseSaleId,
    'must be 3 to 40 lower-case letters, digits or hyphens, with no hyphen at either end',
  ),
  kind: z.enum(saleKinds, 'must be "goods", "coupon" or "red-packet"'),
  title: text(maxTitle),
  description: text(maxDescription),
  image: z
    .string('must be a string')
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
  admissionRatio,
  minLevel: whole(0, 1_000_000),
  challenge: z.enum(['off', 'pow'], 'must be "off" or "pow"'),
  throttle: z.strictObject(
    {
      perShopper: z._default(throttle.perShopper, defaultThrottle.perShopper),
      perIp: z._default(throttle.perIp, defaultThrottle.perIp),
      perSale: z._default(throttle.perSale, defaultThrottle.perSale),
    },
    'must be an object',
  ),
  windows: z
    .array(saleWindow, 'must be a list')
    .check(z.maxLength(maxWindows, `must be at most ${maxWindows} windows`)),
  packets: z.optional(packets),
  coupons: z.optional(coupons),
}

const packetsFitKind = z.refine<{ kind: SaleKind; packets?: unknown }>(
  ({ kind, packets }) => (kind === 'red-packet') === (packets !== undefined),
  { message: 'is required for red packets, and not allowed otherwise', path: ['packets'] },
)

/**
 * Defaults: 15 minutes to pay (O8), two more for a payment on its way, a fifth more admissions than
 * units (G5), five requests a minute (R2), no level and no challenge. `windows`, when there are
 * any, are the windows of the sale in their order; `startsAt`, `endsAt` and `stock` are then those
 * of the first (R7).
 */
const definition = z
  .strictObject(
    {
      ...fields,
      paymentWindowSeconds: z._default(fields.paymentWindowSeconds, 900),
      paymentGraceSeconds: z._default(fields.paymentGraceSeconds, 120),
      admissionRatio: z._default(fields.admissionRatio, 1.2),
      minLevel: z._default(fields.minLevel, 0),
      challenge: z._default(fields.challenge, 'off'),
      throttle: z._default(fields.throttle, defaultThrottle),
      windows: z._default(fields.windows, []),
    },
    'must be a JSON object that defines a sale',
  )
  .check(
    z.refine((s) => s.endsAt > s.startsAt, { message: 'must be after startsAt', path: ['endsAt'] }),
    z.refine((s) => s.maxPerOrder <= s.limitPerShopper, {
      message: 'must be at most limitPerShopper',
      path: ['maxPerOrder'],
    }),
    z.refine(({ windows }) => windows.every(({ startsAt, endsAt }) => endsAt > startsAt), {
      message: 'must each end after their start',
      path: ['windows'],
    }),
    z.refine(({ windows }) => windows.every((one, i) => one.startsAt >= (windows[i - 1]?.endsAt ?? 0)), {
      message: 'must be in order and must not overlap',
      path: ['windows'],
    }),
    z.refine(({ kind, price }) => kind === 'goods' || price === 0, {
      message: 'must be 0 for coupons and red packets',
      path: ['price'],
    }),
    packetsFitKind,
    z.refine(({ packets }) => packets === undefined || packets.totalAmount >= packets.count, {
      message: 'must be at least one minor unit for each packet',
      path: ['packets', 'totalAmount'],
    }),
    z.refine(({ kind, limitPerShopper }) => kind !== 'red-packet' || limitPerShopper === 1, {
      message: 'must be 1 for red packets',
      path: ['limitPerShopper'],
    }),
    z.refine(({ kind, stock }) => kind !== 'red-packet' || stock !== -1, {
      message: 'must be the number of packets',
      path: ['stock'],
    }),
    z.refine(({ kind, windows }) => windows.every((one) => holdsMoney(one) === (kind === 'red-packet')), {
      message: 'must each have a totalAmount of at least one minor unit per packet, and only for red packets',
      path: ['windows'],
    }),
    z.refine(({ kind, coupons }) => kind === 'coupon' || coupons === undefined, {
      message: 'is only allowed for coupons',
      path: ['coupons'],
    }),
    z.refine(
      ({ coupons, endsAt, windows }) =>
        (coupons?.validUntil ?? maxTime) >
        Math.max(endsAt, windows.at(-1)?.endsAt ?? 0, coupons?.validFrom ?? 0),
      {
        message: 'must be after validFrom, and after the end of the sale',
        path: ['coupons', 'validUntil'],
      },
    ),
  )

function holdsMoney({ stock, totalAmount }: SaleWindow): boolean {
  return totalAmount !== undefined && totalAmount >= stock
}

export const saleDefinition = z.pipe(z.transform(withWhatFollows), definition)

/**
 * Optional fields of a definition. Without `startsAt`, `endsAt` and `stock`, the first window
 * defines them; a coupon or a red packet costs nothing; a shopper gets one red packet.
 */
function withWhatFollows(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  const given: Record<string, unknown> = { ...input }
  const free = given.kind === 'coupon' || given.kind === 'red-packet' ? { price: 0 } : {}
  const first = 'windows' in given ? ofFirstWindow(given.windows) : {}
  return { ...free, ...(given.kind === 'red-packet' ? ofRedPackets(given) : {}), ...first, ...input }
}

function ofRedPackets({ packets, windows }: Record<string, unknown>): Record<string, unknown> {
  const wave = packets ?? ofFirstWave(windows)
  // A missing list is the fault to report, not its missing count.
  if (wave === undefined) return { limitPerShopper: 1, maxPerOrder: 1, stock: 0 }
  const count = typeof wave === 'object' && wave !== null && 'count' in wave ? { stock: wave.count } : {}
  return { limitPerShopper: 1, maxPerOrder: 1, ...count, packets: wave }
}

export type SaleDefinition = z.infer<typeof definition>
export type SaleWindow = z.infer<typeof saleWindow>
export type ThrottleRule = { limit: number; windowSeconds: number }

const { saleId, kind, ...editable } = fields

/**
 * Any part of a definition but its id and kind, and any of the throttles; absent fields stay. The
 * whole is checked again once the edit is applied.
 */
export const saleEdit = z.partial(
  z.strictObject(
    { ...editable, throttle: z.partial(z.strictObject(throttle, 'must be an object')) },
    'must be a JSON object with the fields to change',
  ),
)

export type SaleEdit = z.infer<typeof saleEdit>

/**
 * What can still change after the first opening, when reservations exist under the other fields.
 */
export const editableOnceStarted = [
  'title',
  'description',
  'image',
  'endsAt',
  'admissionRatio',
  'minLevel',
  'challenge',
  'throttle',
] as const

/**
 * The system's state: the flag, its epoch (`epoch`, `startToken`), and `version`, which rises with
 * every published change. `startToken` is null until the present window is first opened.
 * `windowIndex` is the window of `startsAt`, `endsAt` and the stock in Redis, 0 for the first or
 * only one. `archivedAt` (epoch ms) is set once the sale was archived: it never changes again, and
 * its keys in Redis are removed.
 */
const state = {
  windowIndex: z.number(),
  flag: z.enum(flags),
  epoch: z.number(),
  startToken: z.nullable(z.string()),
  version: z.number(),
  warmed: z.boolean(),
  createdAt: z.number(),
  updatedAt: z.number(),
  archivedAt: z.optional(z.number()),
}

/** A sale as the API answers it: a definition that was checked when it was stored, and its state. */
export const sale = z.object({ ...fields, ...state }).check(packetsFitKind)

export type Sale = z.infer<typeof sale>

/**
 * True when buying has ended for good at `now` (epoch ms): the sale is closed, or its last window
 * over.
 */
export function hasEnded(sale: Sale, now: number): boolean {
  // The remaining stock makes no difference here.
  return phaseOf(sale, now, -1) === 'ended'
}

/** The phase of a sale at `now` (epoch ms), with all its windows. */
export function phaseOf(sale: Sale, now: number, available: Available): Phase {
  return phaseAt({ ...sale, hasNext: nextWindow(sale) !== undefined }, now, available)
}
