/**
 * What `/api/control` answers, from `unknown` to the console's types. What a dark part would have told stays null:
 * it is not 0.
 */
import { parseSaleId } from '../../../core/ids.ts'
import type { Flag, Phase } from '../../../core/phase.ts'
import type { SaleDefinition, SaleState, Slot } from '../../../core/sale.ts'
import { type Fields, fieldsOf, oneOf, readPhase } from '../wire.ts'

/** A sale without its start token: the console has no use for it. */
export type ConsoleSale = SaleDefinition & Omit<SaleState, 'startToken'>

const parts = ['redis', 'sqs', 'gate'] as const

/** A part that the numbers come from. */
export type Part = (typeof parts)[number]

/**
 * The live numbers. `total` and `available` are -1 when the stock is unlimited; `stock` is null while none is on
 * the shelf. The parts in `dark` did not answer, and what they know is null. `inStep` is false unless Redis is
 * known to have the sale's newest state. `fenced`: the stock is being rebuilt, and what is there of it says nothing
 * yet. `sold` are the units of the `orders` that stand; `drift` is what Redis has booked beyond them, null while some
 * are on their way. `deadLetters` are of all sales. `admissions` are the clicks that may still be let through to the
 * stock, -1 when their number has no bound, and those that were handed `out` and are not settled yet.
 */
export type Live = {
  sale: ConsoleSale
  phase: Phase
  stock: { total: number; booked: number; available: number } | null
  fenced: boolean
  sold: number
  orders: number
  drift: number | null
  outbox: number | null
  queue: { visible: number; inFlight: number } | null
  deadLetters: number | null
  admissions: { remaining: number; out: number } | null
  dark: readonly Part[]
  inStep: boolean
  now: number
}

export type AuditEntry = {
  when: number
  who: string
  what: string
  saleId: string
  before: unknown
  after: unknown
}

/** The members of the list called `name` that can be read; undefined when there is no such list. */
export function readList<T>(
  body: unknown,
  name: string,
  read: (item: unknown) => T | undefined,
): T[] | undefined {
  const list = fieldsOf(body)?.[name]
  return Array.isArray(list) ? list.map(read).filter((item) => item !== undefined) : undefined
}

const flags: readonly Flag[] = ['off', 'on', 'paused', 'closed']
const challenges = ['off', 'pow'] as const

const saleNumbers = [
  'price',
  'stock',
  'limitPerShopper',
  'maxPerOrder',
  'startsAt',
  'endsAt',
  'paymentWindowSeconds',
  'paymentGraceSeconds',
  'admissionRatio',
  'minLevel',
  'slot',
  'epoch',
  'version',
  'createdAt',
  'updatedAt',
] as const

/** A sale as the control function answers it. */
export function readSale(value: unknown): ConsoleSale | undefined {
  const fields = fieldsOf(value) ?? {}
  const { kind, title, description, image, currency, warmed } = fields
  const saleId = parseSaleId(fields.saleId)
  const flag = oneOf(flags, fields.flag)
  const amounts = numbers(fields, saleNumbers)
  const challenge = oneOf(challenges, fields.challenge)
  const throttle = readThrottle(fields.throttle)
  const slots = readSlots(fields.slots)
  if (saleId === undefined || flag === undefined || amounts === null) return undefined
  if (challenge === undefined || throttle === undefined || slots === undefined) return undefined
  if (kind !== 'goods' || typeof warmed !== 'boolean') return undefined
  if (typeof title !== 'string' || typeof description !== 'string') return undefined
  if (typeof image !== 'string' || typeof currency !== 'string') return undefined
  return {
    ...{ saleId, kind, title, description, image, currency, ...amounts, flag, warmed },
    ...{ challenge, throttle, slots },
  }
}

function readThrottle(value: unknown): SaleDefinition['throttle'] | undefined {
  const fields = fieldsOf(value)
  const rule = (scope: string) => numbers(fields?.[scope], ['limit', 'windowSeconds'])
  const [perShopper, perIp, perSale] = [rule('perShopper'), rule('perIp'), rule('perSale')]
  if (perShopper === null || perIp === null || perSale === null) return undefined
  return { perShopper, perIp, perSale }
}

/** All windows or none: a list with a gap would show another sale. */
function readSlots(value: unknown): Slot[] | undefined {
  if (!Array.isArray(value)) return undefined
  const slots = value
    .map((slot) => numbers(slot, ['startsAt', 'endsAt', 'stock']))
    .filter((slot) => slot !== null)
  return slots.length === value.length ? slots : undefined
}

/** `GET /api/control/sales/{saleId}/live`. */
export function readLive(value: unknown): Live | undefined {
  const live = fieldsOf(value)
  const sale = readSale(live?.sale)
  const written = numbers(live?.orders, ['sold', 'orders'])
  const phase = readPhase(live?.phase)
  const now = number(live, 'now')
  if (live === undefined || sale === undefined || phase === undefined) return undefined
  if (written === null || now === null) return undefined
  const fenced = live.fenced === true
  const dark = Array.isArray(live.dark) ? live.dark : []
  return {
    sale,
    phase,
    stock: fenced ? null : numbers(live.stock, ['total', 'booked', 'available']),
    fenced,
    ...written,
    drift: number(live, 'drift'),
    outbox: number(live, 'outbox'),
    queue: numbers(live.queue, ['visible', 'inFlight']),
    deadLetters: number(live, 'deadLetters'),
    admissions: numbers(live.admissions, ['remaining', 'out']),
    dark: parts.filter((part) => dark.includes(part)),
    inStep: live.inStep === true,
    now,
  }
}

export function readEntry(value: unknown): AuditEntry | undefined {
  const entry = fieldsOf(value)
  if (entry === undefined) return undefined
  const when = typeof entry.when === 'number' ? entry.when : Date.parse(String(entry.when))
  const text = (name: string) => (typeof entry[name] === 'string' ? entry[name] : '')
  return {
    when,
    who: text('who'),
    what: text('what'),
    saleId: text('saleId'),
    before: entry.before,
    after: entry.after,
  }
}

/** The number called `name`, or null. */
export function number(fields: Fields | undefined, name: string): number | null {
  const value = fields?.[name]
  return typeof value === 'number' ? value : null
}

/** The named numbers of an object, or null unless all of them are there. */
export function numbers<Name extends string>(
  value: unknown,
  names: readonly Name[],
): Record<Name, number> | null {
  const fields = fieldsOf(value)
  const found = names.map((name): [Name, number | null] => [name, number(fields, name)])
  if (found.some(([, n]) => n === null)) return null
  return Object.fromEntries(found) as Record<Name, number>
}
