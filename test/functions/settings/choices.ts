/**
 * The settings of a sale that can be combined, what each adds to a definition, and which of them exclude each other. `pairs.ts`
 * draws sales from this table in which every allowed pair occurs.
 */
import { saleKinds } from '../../../core/sale/kinds.ts'

export const choices = {
  kind: saleKinds,
  price: ['paid', 'free'],
  listPrice: ['none', 'set'],
  stock: ['limited', 'unlimited'],
  variants: ['none', 'two'],
  shards: ['one', 'three'],
  limit: ['one', 'several'],
  delivery: ['none', 'asked', 'charged'],
  /** Where shoppers pay. */
  checkout: ['here', 'shop'],
  validity: ['none', 'bounded'],
  windows: ['one', 'two'],
  zone: ['none', 'named'],
  early: ['none', 'level'],
  challenge: ['off', 'pow', 'turnstile'],
  requirePass: ['on', 'off'],
  spread: ['none', 'seconds'],
  /** How its definition comes about. */
  origin: ['new', 'copy'],
  /** The loss while the sale runs: all of Redis's stock, its last changes, or what the gate knows. */
  loss: ['none', 'stock', 'changes', 'gate'],
} as const

type Choices = typeof choices
export type Choice = keyof Choices
export const choiceNames = Object.keys(choices) as Choice[]

/** One value for each choice. */
export type Settings = { [Name in Choice]: Choices[Name][number] }

/** Two values that no sale may have together, and the field that the problem of such a sale names. */
export type Conflict = { of: Partial<Settings>; field: string }

/** Written down from docs/reference/http-api.md, not read from the code that refuses them. */
export const conflicts: readonly Conflict[] = [
  { of: { kind: 'coupon', price: 'paid' }, field: 'price' },
  { of: { kind: 'red-packet', price: 'paid' }, field: 'price' },
  { of: { kind: 'coupon', listPrice: 'set' }, field: 'listPrice' },
  { of: { kind: 'red-packet', listPrice: 'set' }, field: 'listPrice' },
  { of: { kind: 'coupon', variants: 'two' }, field: 'variants' },
  { of: { kind: 'red-packet', variants: 'two' }, field: 'variants' },
  { of: { kind: 'coupon', delivery: 'asked' }, field: 'delivery' },
  { of: { kind: 'red-packet', delivery: 'asked' }, field: 'delivery' },
  { of: { kind: 'coupon', delivery: 'charged' }, field: 'delivery' },
  { of: { kind: 'red-packet', delivery: 'charged' }, field: 'delivery' },
  { of: { price: 'free', delivery: 'charged' }, field: 'delivery.costs' },
  { of: { kind: 'coupon', checkout: 'shop' }, field: 'checkoutUrl' },
  { of: { kind: 'red-packet', checkout: 'shop' }, field: 'checkoutUrl' },
  { of: { price: 'free', checkout: 'shop' }, field: 'checkoutUrl' },
  { of: { price: 'paid', delivery: 'asked', checkout: 'shop' }, field: 'delivery.countries' },
  { of: { price: 'paid', delivery: 'charged', checkout: 'shop' }, field: 'delivery.countries' },
  { of: { kind: 'goods', validity: 'bounded' }, field: 'coupons' },
  { of: { kind: 'red-packet', validity: 'bounded' }, field: 'coupons' },
  { of: { kind: 'red-packet', limit: 'several' }, field: 'limitPerShopper' },
  { of: { kind: 'red-packet', early: 'level' }, field: 'earlyAccess' },
  { of: { kind: 'red-packet', shards: 'three' }, field: 'shards' },
  { of: { kind: 'red-packet', stock: 'unlimited' }, field: 'stock' },
  { of: { shards: 'three', stock: 'unlimited' }, field: 'shards' },
  { of: { variants: 'two', stock: 'unlimited' }, field: 'stock' },
  { of: { windows: 'two', stock: 'unlimited' }, field: 'stock' },
  { of: { requirePass: 'off', spread: 'seconds' }, field: 'spreadSeconds' },
]

/** Valid together, and with every other setting. */
export const plainSettings: Settings = {
  kind: 'goods',
  price: 'paid',
  listPrice: 'none',
  stock: 'limited',
  variants: 'none',
  shards: 'one',
  limit: 'one',
  delivery: 'none',
  checkout: 'here',
  validity: 'none',
  windows: 'one',
  zone: 'none',
  early: 'none',
  challenge: 'off',
  requirePass: 'on',
  spread: 'none',
  origin: 'new',
  loss: 'none',
}

const hourMs = 3_600_000

/** All units of a sale with a limited stock, in one window or in two of half as many. */
const unitsInAll = 12

/** Members may buy so long before all others. */
export const earlyMinutes = 2

/** The level of members, and of those who are none. */
export const levels = { member: 3, other: 0 } as const

/** Ids of variants that are also names: of a member of every object, and of a field in Redis. */
export const variantIds = ['constructor', 'total'] as const

/** A definition as a marketer sends it, with its first window from `startsAt`; it need not be valid. */
export function definitionOf(settings: Settings, saleId: string, startsAt: number): Record<string, unknown> {
  const { kind, windows: many } = settings
  const isRedPacket = kind === 'red-packet'
  const units = many === 'two' ? unitsInAll / 2 : unitsInAll
  const byVariant = { [variantIds[0]]: units / 2 + 1, [variantIds[1]]: units / 2 - 1 }
  const money = { count: units, totalAmount: 100 * units + 7 }
  const hours = many === 'two' ? [0, 2] : []
  const windows = hours.map((hour) => ({
    startsAt: startsAt + hour * hourMs,
    endsAt: startsAt + (hour + 1) * hourMs,
    stock: units,
    ...(isRedPacket && { totalAmount: money.totalAmount }),
    ...(settings.variants === 'two' && { units: byVariant }),
  }))
  return {
    ...{ saleId, kind, title: 'A phone', description: 'One of twelve.', currency: 'CNY' },
    pictures: [{ src: '/assets/phone.svg', alt: 'The product' }],
    ...(many === 'two' ? { windows } : { startsAt, endsAt: startsAt + hourMs }),
    ...priceOf(settings),
    ...(settings.listPrice === 'set' && { listPrice: 2000 }),
    ...(isRedPacket ? (many === 'two' ? {} : { packets: money }) : {}),
    ...(!isRedPacket && settings.variants === 'none' && many === 'one' && { stock: units }),
    ...(settings.variants === 'two' && {
      variants: Object.entries(byVariant).map(([id, stock]) => ({ id, name: `Size ${id}`, stock })),
    }),
    ...(settings.stock === 'unlimited' && { stock: -1 }),
    ...(settings.shards === 'three' && { shards: 3 }),
    ...limitsOf(settings),
    ...(settings.delivery === 'asked' && { delivery: { countries: ['CN', 'DE'] } }),
    ...(settings.delivery === 'charged' && {
      delivery: { countries: ['CN', 'DE'], costs: { CN: 0, DE: 490 }, freeAbove: 2000 },
    }),
    ...(settings.zone === 'named' && { timeZone: 'Asia/Tokyo' }),
    ...(settings.checkout === 'shop' && { checkoutUrl: 'https://shop.example/cart' }),
    ...(settings.validity === 'bounded' && {
      coupons: { validFrom: startsAt, validUntil: startsAt + 30 * 24 * hourMs },
    }),
    ...(settings.early !== 'none' && { earlyAccess: { minutes: earlyMinutes, minLevel: levels.member } }),
    challenge: settings.challenge,
    requirePass: settings.requirePass,
    spreadSeconds: settings.spread === 'none' ? 0 : 20,
    throttle: { perShopper: { limit: 20, windowSeconds: 60 }, perIp: { limit: 100_000, windowSeconds: 60 } },
  }
}

function priceOf({ kind, price }: Settings): object {
  if (price === 'paid') return { price: 1250 }
  return kind === 'goods' ? { price: 0 } : {}
}

function limitsOf({ kind, limit }: Settings): object {
  if (limit === 'several') return { limitPerShopper: 3, maxPerOrder: 2 }
  return kind === 'red-packet' ? {} : { limitPerShopper: 1, maxPerOrder: 1 }
}
