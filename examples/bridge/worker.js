/**
 * Works off the journal: the events of one order or sale one after the other, those of different ones side by side.
 * It retries failed calls. An event that the shop refuses is dead-lettered, and blocks only later events of its order or sale.
 */
import { Busy, byVariant, linesOf, Rejected, unitsIn } from './order.js'
import { createLimit, settleMs } from './pace.js'

const longestRetryMs = 300_000

/** An order without a counterpart in the shop is remembered for as long as an older event of it can arrive. */
const forgottenAfterMs = 45 * 86_400_000

/** @typedef {import('./journal.js').Entry} Entry @typedef {import('./journal.js').Facts} Facts */

/**
 * @param {{ journal: import('./journal.js').Journal, shop: import('./order.js').Shop, sales: Record<string, import('./order.js').Sale>, clock: import('./pace.js').Clock, atOnce: number, log: (line: string) => void, fail: (failure: unknown) => void }} ports
 */
export function createWorker({ journal, shop, sales, clock, atOnce, log, fail }) {
  const limit = createLimit(atOnce)
  /** @type {Map<string, Entry[]>} */
  const lanes = new Map()
  let pausedUntil = 0
  let isStarted = false

  /**
   * What to do for each type, and what is known afterwards. Other types are not kept.
   * @type {Record<string, (entry: Entry) => Promise<{ subject: string, facts: Facts }>>}
   */
  const handlers = {
    'order.paid': createOrder,
    'order.confirmed': createOrder,
    'order.cancelled': endOrder,
    'order.refunded': endOrder,
    'stock.taken': (entry) => changeStock(entry, -1),
    'stock.returned': (entry) => changeStock(entry, 1),
  }

  /** @param {Entry} entry */
  async function createOrder(entry) {
    const data = orderOf(entry)
    const subject = data.orderId
    const known = journal.facts.get(subject)
    // An event that comes after a later one of its order has nothing left to do.
    if (known?.shop !== undefined || known?.ended) return { subject, facts: {} }
    const lines = linesOf(unitsIn(sales, data.saleId, data.quantity, byVariant(data)), data.amount)
    const { orderId, shopperId, currency, amount } = data
    const order = { orderId, shopperId, at: entry.event.timestamp, currency, amount, lines }
    return { subject, facts: { shop: await shop.create(order, memoryOf(entry)) } }
  }

  /** @param {Entry} entry */
  async function endOrder(entry) {
    const { orderId, saleId, quantity, variant, unitsReturned } = orderOf(entry)
    const known = journal.facts.get(orderId)
    if (known?.shop !== undefined && !known.ended) await shop.end(known.shop)
    /** @type {Facts} */
    const facts = { ended: true, saleId }
    if (known?.shop === undefined) facts.until = clock.now() + forgottenAfterMs
    // Only one event of an order returns its units.
    if (unitsReturned && !known?.units) {
      Object.assign(facts, { units: { quantity, variant }, endedAt: Date.parse(entry.event.timestamp) })
      facts.restocked = (facts.endedAt ?? 0) > (returnedAt(saleId) ?? Number.POSITIVE_INFINITY)
      if (facts.restocked) await restock(orderId, facts, entry)
    }
    return { subject: orderId, facts }
  }

  /**
   * Units that come back after the sale has given its stock back are not in what it gave back.
   * @param {string} orderId @param {Facts} facts @param {Entry} entry
   */
  async function restock(orderId, { saleId, units }, entry) {
    if (saleId === undefined || units === undefined) return
    const changes = unitsIn(sales, saleId, units.quantity, byVariant(units))
    await shop.adjust(`restock-${orderId}`, changes, memoryOf(entry))
  }

  /** @param {Entry} entry @param {1 | -1} sign */
  async function changeStock(entry, sign) {
    const data = /** @type {import('./order.js').StockData} */ (entry.event.data)
    const units = unitsIn(sales, data.saleId, data.quantity, data.units)
    const changes = units.map(({ product, quantity }) => ({ product, quantity: quantity * sign }))
    await shop.adjust(
      entry.id,
      changes.filter(({ quantity }) => quantity !== 0),
      memoryOf(entry),
    )
    const subject = saleSubject(data.saleId)
    if (sign === -1) return { subject, facts: {} }
    const returned = Date.parse(entry.event.timestamp)
    // Orders that ended later, but whose events came earlier.
    for (const [orderId, known] of journal.facts) {
      if (known.saleId !== data.saleId || known.restocked || !((known.endedAt ?? 0) > returned)) continue
      await restock(orderId, known, entry)
      await journal.append({ subject: orderId, facts: { restocked: true } })
    }
    return { subject, facts: { returnedAt: returned } }
  }

  /** When the sale gave its stock back, also by an event that is still to be worked off. @param {string} saleId */
  function returnedAt(saleId) {
    const subject = saleSubject(saleId)
    const waiting = lanes.get(subject)?.find(({ event }) => event.type === 'stock.returned')
    return waiting ? Date.parse(waiting.event.timestamp) : journal.facts.get(subject)?.returnedAt
  }

  /** @param {Entry} entry @returns {import('./order.js').Memory} */
  const memoryOf = (entry) => ({
    note: entry.note ?? {},
    save: (note) => journal.append({ id: entry.id, note: { ...entry.note, ...note } }),
  })

  /** Works off one lane until it is empty or an event of it is dead-lettered. @param {Entry[]} lane */
  async function run(lane) {
    let retryMs = settleMs
    // An earlier process has ended in the middle of it.
    if (lane[0]?.note) await clock.sleep(settleMs)
    for (let entry = lane[0]; entry && entry.deadLetter === undefined; entry = lane[0]) {
      const { id, event } = entry
      await clock.sleep(Math.max(0, pausedUntil - clock.now()))
      try {
        const work = handlers[event.type]
        if (!work) throw new Rejected('this version of the bridge does not know the type')
        const { subject, facts } = await limit(() => work(entry))
        const learned = Object.keys(facts).length > 0 ? [{ subject, facts }] : []
        await journal.append(...learned, { id, done: clock.now() })
        lane.shift()
        retryMs = settleMs
      } catch (failure) {
        const why = failure instanceof Error ? `${failure.message}${causeOf(failure)}` : String(failure)
        if (failure instanceof Rejected) {
          await journal.append({ id, deadLetter: why })
          log(`Dead-lettered ${event.type} ${id}: ${why}`)
        } else if (failure instanceof Busy) {
          pausedUntil = Math.max(pausedUntil, clock.now() + failure.waitMs)
        } else {
          log(`Will try ${event.type} ${id} again in ${retryMs / 1000} s: ${why}`)
          await clock.sleep(retryMs)
          retryMs = Math.min(retryMs * 2, longestRetryMs)
        }
      }
    }
  }

  /** @param {Entry} entry */
  function add(entry) {
    const lane = lanes.get(laneOf(entry.event)) ?? []
    lanes.set(laneOf(entry.event), lane)
    lane.push(entry)
    if (lane.length > 1) {
      if (lane[0]?.deadLetter !== undefined)
        log(`${entry.event.type} ${entry.id} waits for ${lane[0].id}, which is dead-lettered`)
      return
    }
    run(lane).then(() => {
      if (lane.length === 0) lanes.delete(laneOf(entry.event))
    }, fail)
  }

  return {
    /** Begins with what the journal has. */
    start: () => {
      isStarted = true
      journal.entries.forEach(add)
    },
    /**
     * Stores an event and resolves when it is on the disk.
     * @param {string} id
     * @param {import('./order.js').Event} event
     */
    async accept(id, event) {
      if (!Object.hasOwn(handlers, event.type) || journal.has(id)) return
      // The shop has made the order itself, and taken its units.
      if (sales[String(event.data.saleId)]?.paidInShop) return
      // It must name its order or sale, or it could not be kept in order.
      laneOf(event)
      await journal.append({ id, event })
      const entry = journal.entries.get(id)
      if (isStarted && entry && !lanes.get(laneOf(event))?.includes(entry)) add(entry)
    },
    health() {
      const deadLetters = [...journal.entries.values()].filter((entry) => entry.deadLetter !== undefined)
      return {
        waiting: journal.entries.size - deadLetters.length,
        deadLetters: deadLetters.map(({ id, event, deadLetter: why }) => ({ id, type: event.type, why })),
      }
    },
  }
}

/** @param {string} saleId */
const saleSubject = (saleId) => `sale:${saleId}`

/** @param {Entry} entry */
const orderOf = ({ event }) => /** @type {import('./order.js').OrderData} */ (event.data)

/** @param {import('./order.js').Event} event */
function laneOf({ type, data }) {
  const { orderId, saleId } = data
  if (typeof saleId !== 'string') throw new Error(`${type} has no saleId`)
  if (!type.startsWith('order.')) return saleSubject(saleId)
  if (typeof orderId !== 'string') throw new Error(`${type} has no orderId`)
  return orderId
}

/** `fetch` says only in its cause why there was no answer. @param {Error} failure */
const causeOf = ({ cause }) => (cause instanceof Error ? ` (${cause.message})` : '')
