/**
 * A sale of its own, from creation to a fulfilled order: the way of one click through every tier. It costs one coupon of a
 * sale that nobody else is told of, and the sale is closed, or deleted where that is possible, whatever happened before.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { readJson } from '../../core/parse.ts'
import { type Ask, gistOf, type Reply } from './ask.ts'
import { hintFor } from './diagnosis.ts'
import { type Check, type Finding, failed, ok } from './finding.ts'

/** If this program is killed before it can close its sale, the sale ends by itself. */
const saleLastsMs = 10 * 60_000

/** Flags are at most a second old everywhere, and a new sale is known a little later. */
const openPatienceMs = 30_000
const buyPatienceMs = 20_000
/** Longer than the window in which messages gather. */
const orderPatienceMs = 30_000
const pollMs = 500

const pointer = z.looseObject({ phase: z.string(), src: z.string() })
const countdown = z.looseObject({ startToken: z.string() })
const won = z.looseObject({ orderId: z.string(), status: z.string() })
const order = z.looseObject({ status: z.string(), coupons: z.optional(z.array(z.string())) })

/** What one step leaves to the next; `mayExist` until it is known that nothing was made. */
type Sale = { saleId: string; mayExist: boolean; isStarted: boolean; src: string; orderId: string }

export type SaleChecks = {
  /** In their order; each needs all before it. */
  steps: Check[]
  /** To be looked at in the end in any case, once the first step was tried; `ask` must not have run out of time. */
  tidyUp: (ask: Ask) => Check
}

/** `token` is a session with the role of marketer; its owner is the shopper, too. */
export function saleChecks(ask: Ask, token: string): SaleChecks {
  const sale: Sale = {
    saleId: `smoke-${Date.now().toString(36)}`,
    mayExist: true,
    isStarted: false,
    src: '',
    orderId: '',
  }
  return {
    steps: [
      create(ask, token, sale),
      start(ask, token, sale),
      opens(ask, sale),
      buy(ask, token, sale),
      fulfilled(ask, token, sale),
    ],
    tidyUp: (later) => tidyUp(later, token, sale),
  }
}

const create = (ask: Ask, token: string, sale: Sale): Check => ({
  name: `create ${sale.saleId}`,
  expected: '201',
  async look() {
    const startsAt = Date.now()
    const definition = {
      saleId: sale.saleId,
      kind: 'coupon',
      title: 'Smoke test',
      description: 'Opened by the smoke test of a deployment, and closed by it a moment later.',
      image: '/assets/pictures/ticket.svg',
      currency: 'EUR',
      stock: 1,
      limitPerShopper: 1,
      maxPerOrder: 1,
      startsAt,
      endsAt: startsAt + saleLastsMs,
    }
    const reply = await ask('/api/control/sales', { method: 'POST', token, body: definition })
    sale.mayExist = reply.status === 201 || reply.status >= 500
    return reply.status === 201 ? ok('201, one coupon') : refused(reply)
  },
})

const start = (ask: Ask, token: string, sale: Sale): Check => ({
  name: 'start it',
  expected: '200',
  async look() {
    const reply = await ask(`/api/control/sales/${sale.saleId}/start`, { method: 'POST', token, body: {} })
    sale.isStarted = reply.status === 200
    return sale.isStarted ? ok('200') : refused(reply)
  },
})

const opens = (ask: Ask, sale: Sale): Check => ({
  name: 'its pointer',
  expected: `open within ${openPatienceMs / 1000} s`,
  look: () =>
    until(openPatienceMs, async () => {
      const reply = await ask(`/sales/${sale.saleId}/current.json`)
      const read = readJson(pointer, reply.text)
      if (reply.status !== 200 || !read.ok) return { isFinal: false, finding: refused(reply) }
      const { phase, src } = read.value
      sale.src = src
      return phase === 'open' ? settled(ok('open')) : { isFinal: false, finding: failed(phase) }
    }),
})

/** The same key each time, so that a purchase whose answer was lost is not a second one. */
const buy = (ask: Ask, token: string, sale: Sale): Check => {
  const key = randomUUID()
  return {
    name: 'buy one unit',
    expected: '202 reserved',
    look: () =>
      until(buyPatienceMs, async () => {
        const startToken = await startTokenIn(ask, sale.src)
        if (startToken === undefined)
          return { isFinal: false, finding: failed(`no start token in ${sale.src}`) }
        const reply = await ask(`/api/sales/${sale.saleId}/orders`, {
          method: 'POST',
          token,
          body: { quantity: 1, startToken },
          headers: { 'idempotency-key': key },
        })
        const read = readJson(won, reply.text)
        if ((reply.status !== 202 && reply.status !== 200) || !read.ok) {
          return { isFinal: !isNotYet(reply), finding: refused(reply) }
        }
        sale.orderId = read.value.orderId
        return settled(ok(`${reply.status} ${read.value.status}, ${sale.orderId}`))
      }),
  }
}

/** What an instance of the gate says that has not heard of the sale yet. */
const isNotYet = ({ status }: Reply): boolean => [404, 425, 503].includes(status)

/** Read as text: an ES module with one object in JSON. */
async function startTokenIn(ask: Ask, src: string): Promise<string | undefined> {
  const { text } = await ask(src)
  const read = readJson(countdown, text.slice(text.indexOf('{')))
  return read.ok ? read.value.startToken : undefined
}

const fulfilled = (ask: Ask, token: string, sale: Sale): Check => ({
  name: 'the order',
  expected: `fulfilled, with a code, within ${orderPatienceMs / 1000} s`,
  look: () =>
    until(orderPatienceMs, async () => {
      const reply = await ask(`/api/orders/${sale.orderId}`, { token })
      const read = readJson(order, reply.text)
      if (reply.status !== 200 || !read.ok) return { isFinal: !isNotYet(reply), finding: refused(reply) }
      const { status, coupons = [] } = read.value
      if (status === 'reserved') {
        return {
          isFinal: false,
          finding: failed(
            status,
            'Is the queue of orders connected to write-orders? See its log and the dead letters.',
          ),
        }
      }
      const isWhole = status === 'fulfilled' && coupons.length === 1
      return settled(
        isWhole ? ok('fulfilled, with a code') : failed(`${status} with ${coupons.length} codes`),
      )
    }),
})

/** A sale that never opened is deleted; one that did is closed, and stays in the list for good. */
const tidyUp = (ask: Ask, token: string, sale: Sale): Check => ({
  name: 'tidy up',
  expected: 'the sale closed or deleted',
  async look() {
    if (!sale.mayExist) return ok('nothing was made')
    const path = `/api/control/sales/${sale.saleId}`
    if (!sale.isStarted) {
      const gone = await ask(path, { method: 'DELETE', token })
      if (gone.status === 404) return ok('nothing was made')
      if (gone.status < 300) return ok('deleted')
      // It was started after all, and only the answer was lost.
      if (gone.status !== 409) return leftBehind(gone, sale)
    }
    const closed = await ask(`${path}/close`, { method: 'POST', token, body: {} })
    return closed.status === 200
      ? ok(`closed; ${sale.saleId} stays in the list, as every sale that was started`)
      : leftBehind(closed, sale)
  },
})

function leftBehind(reply: Reply, { saleId }: Sale): Finding {
  return failed(gistOf(reply), `Close it by hand: npm run sale -- close ${saleId} --url … --token …`)
}

const refused = (reply: Reply): Finding => failed(saidBy(reply), hintFor(reply))

const problemDetail = z.looseObject({ detail: z.string() })

/** With the sentence of the problem, which tells what to do about it. */
function saidBy(reply: Reply): string {
  const read = readJson(problemDetail, reply.text)
  return read.ok ? `${gistOf(reply)} (${read.value.detail})` : gistOf(reply)
}

type Glance = { isFinal: boolean; finding: Finding }

const settled = (finding: Finding): Glance => ({ isFinal: true, finding })

/** The first final finding, or the last one when the time is over. */
async function until(patienceMs: number, glance: () => Promise<Glance>): Promise<Finding> {
  const endsAt = Date.now() + patienceMs
  for (;;) {
    const { isFinal, finding } = await glance()
    if (isFinal || Date.now() >= endsAt) return finding
    await sleep(pollMs)
  }
}
