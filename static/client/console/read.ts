/**
 * Answers of `/api/control`, from `unknown` to the console's types. Values of an unavailable
 * component stay null and are not 0.
 */
import type { Phase } from '../../../core/phase.ts'
import { fieldsOf, readPhase } from '../wire.ts'
import { number, numbers } from './read-numbers.ts'
import { type ConsoleSale, readSale } from './read-sale.ts'

const parts = ['redis', 'sqs', 'gate'] as const

/** A part that the numbers come from. */
export type Part = (typeof parts)[number]

/**
 * The live numbers. `total` and `available` are -1 for an unlimited stock; `stock` is null while
 * none is loaded. Components in `unavailable` did not answer, and their values are null. `inStep`
 * is true only when Redis and the gate are known to have the newest state of the sale. `frozen`:
 * the stock is being rebuilt, and its values say nothing yet. `sold` are the units of the active
 * `orders`; `drift` is what Redis has booked beyond them, null while orders are on their way.
 * `deadLetters` counts all sales. `admissions`: requests that may still be admitted, -1 without a
 * limit, and `out`, those without a known outcome. `paid` are the paid orders of goods, and `money`
 * that of red packets; null for other kinds and while unknown.
 */
export type Live = {
  sale: ConsoleSale
  phase: Phase
  stock: { total: number; booked: number; available: number } | null
  frozen: boolean
  sold: number
  orders: number
  drift: number | null
  outbox: number | null
  queue: { visible: number; inFlight: number } | null
  deadLetters: number | null
  admissions: { remaining: number; out: number } | null
  paid: { orders: number; amount: number } | null
  money: Money | null
  unavailable: readonly Part[]
  inStep: boolean
  now: number
}

/**
 * The amounts of red packets in minor units: `claimed` is credited to wallets, `left` is not.
 * `returned` is what was left when the budget was closed, null until then.
 */
type Money = { budget: number; claimed: number; left: number; returned: number | null }

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

/** `GET /api/control/sales/{saleId}/live`. */
export function readLive(value: unknown): Live | undefined {
  const live = fieldsOf(value)
  const sale = readSale(live?.sale)
  const written = numbers(live?.orders, ['sold', 'orders'])
  const phase = readPhase(live?.phase)
  const now = number(live, 'now')
  if (live === undefined || sale === undefined || phase === undefined) return undefined
  if (written === null || now === null) return undefined
  const frozen = live.frozen === true
  const unavailable = Array.isArray(live.unavailable) ? live.unavailable : []
  return {
    sale,
    phase,
    stock: frozen ? null : numbers(live.stock, ['total', 'booked', 'available']),
    frozen,
    ...written,
    drift: number(live, 'drift'),
    outbox: number(live, 'outbox'),
    queue: numbers(live.queue, ['visible', 'inFlight']),
    deadLetters: number(live, 'deadLetters'),
    admissions: numbers(live.admissions, ['remaining', 'out']),
    paid: numbers(live.paid, ['orders', 'amount']),
    money: readMoney(live.money),
    unavailable: parts.filter((part) => unavailable.includes(part)),
    inStep: live.inStep === true,
    now,
  }
}

function readMoney(value: unknown): Money | null {
  const amounts = numbers(value, ['budget', 'claimed', 'left'])
  return amounts && { ...amounts, returned: number(fieldsOf(value), 'returned') }
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
