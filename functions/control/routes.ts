/** `/api/control`: the routes, their bodies, and the words for what came of it. */
import * as z from 'zod/mini'
import { parseIdempotencyKey, parseSaleId, type SaleId } from '../../core/ids.ts'
import { problem } from '../../core/outcome.ts'
import { readJson, whole } from '../../core/parse.ts'
import { maxStock, saleDefinition, saleEdit } from '../../core/sale.ts'
import { type HttpAnswer, invalid, jsonAnswer, problemAnswer } from '../http/answer.ts'
import type { HttpRequest } from '../http/request.ts'
import { createRouter, type PathParts, type Route } from '../http/routes.ts'
import type { Actor } from '../sales/audit.ts'
import type { AuditEntry } from '../sales/sale-book.ts'
import * as control from './control.ts'
import { type LivePorts, readLive } from './live.ts'
import { changeStock, type StockOutcome } from './stock-change.ts'

/** A day's changes, newest first. `day` is `yyyy-mm-dd` (UTC). */
export type AuditReader = { of: (day: string) => Promise<readonly AuditEntry[]> }

export type Ports = control.Ports & LivePorts & { auditReader: AuditReader }

type Context = { ports: Ports; request: HttpRequest; actor: Actor }
type SaleContext = Context & { saleId: SaleId }

const noOptions = z.strictObject({}, 'must be an object')
const startOptions = z.strictObject(
  { now: z.optional(z.boolean('must be true or false')) },
  'must be an object',
)
const stockChange = z.strictObject(
  {
    delta: whole(-maxStock, maxStock).check(z.refine((delta) => delta !== 0, 'must not be 0')),
  },
  'must be a JSON object with delta',
)

/** A route about one sale; an id that cannot be one is a fault of the request. */
function onSale(
  method: Route<Context>['method'],
  path: string,
  run: (context: SaleContext) => Promise<HttpAnswer>,
): Route<Context> {
  return {
    method,
    path: `/api/control/sales/:saleId${path}`,
    run: async (context, parts: PathParts) => {
      const saleId = parseSaleId(parts.saleId)
      return saleId === undefined ? invalid('saleId', 'saleId is not a sale id') : run({ ...context, saleId })
    },
  }
}

function onAction(action: control.Action): Route<Context> {
  return onSale('POST', `/${action}`, async ({ ports, actor, request, saleId }) => {
    const body = readJson(noOptions, request.body || '{}')
    return body.ok
      ? answerOf(await control.act(ports, actor, saleId, action))
      : invalid(body.field, body.detail)
  })
}

/** Answers a marketer's request; who may come here was checked before. */
export const route = createRouter<Context>([
  {
    method: 'GET',
    path: '/api/control/sales',
    run: async ({ ports }) => jsonAnswer(200, { sales: await ports.sales.list() }),
  },
  {
    method: 'POST',
    path: '/api/control/sales',
    run: async ({ ports, actor, request }) => {
      const body = readJson(saleDefinition, request.body)
      return body.ok
        ? answerOf(await control.createSale(ports, actor, body.value), 201)
        : invalid(body.field, body.detail)
    },
  },
  onSale('GET', '', async ({ ports, saleId }) => {
    const record = await ports.sales.find(saleId)
    return record === undefined ? unknownSale() : jsonAnswer(200, record.sale)
  }),
  onSale('PATCH', '', async ({ ports, actor, request, saleId }) => {
    const body = readJson(saleEdit, request.body)
    return body.ok
      ? answerOf(await control.editSale(ports, actor, saleId, body.value))
      : invalid(body.field, body.detail)
  }),
  onSale('DELETE', '', async ({ ports, actor, saleId }) =>
    answerOf(await control.deleteSale(ports, actor, saleId)),
  ),
  onSale('POST', '/start', async ({ ports, actor, request, saleId }) => {
    const body = readJson(startOptions, request.body || '{}')
    return body.ok
      ? answerOf(await control.startSale(ports, actor, saleId, body.value.now === true))
      : invalid(body.field, body.detail)
  }),
  ...(['warm', 'pause', 'resume', 'close'] as const).map(onAction),
  onSale('POST', '/stock', async ({ ports, actor, request, saleId }) => {
    const body = readJson(stockChange, request.body)
    if (!body.ok) return invalid(body.field, body.detail)
    const header = request.headers['idempotency-key']
    const changeId = parseIdempotencyKey(header ?? ports.newId())
    if (changeId === undefined) {
      return invalid('Idempotency-Key', 'Idempotency-Key must be 1 to 64 of A-Z a-z 0-9 _ . : -')
    }
    return answerOfStock(await changeStock(ports, actor, saleId, { changeId, delta: body.value.delta }))
  }),
  onSale('GET', '/live', async ({ ports, saleId }) => {
    const live = await readLive(ports, saleId)
    return live === undefined ? unknownSale() : jsonAnswer(200, live)
  }),
  {
    method: 'GET',
    path: '/api/control/audit',
    run: async ({ ports, request }) => {
      const day = request.query.get('day') ?? new Date(ports.clock()).toISOString().slice(0, 10)
      return isDay(day)
        ? jsonAnswer(200, { day, entries: await ports.auditReader.of(day) })
        : invalid('day', 'day must be a date such as 2026-11-20')
    },
  },
])

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

function unknownSale(): HttpAnswer {
  return problemAnswer(problem('unknown-sale', 'There is no sale of that id.'))
}

type Failure = Exclude<control.Outcome | StockOutcome, { kind: 'done' }>

function answerOf(outcome: control.Outcome, status = 200): HttpAnswer {
  return outcome.kind === 'done' ? jsonAnswer(status, outcome.sale) : failure(outcome)
}

function answerOfStock(outcome: StockOutcome): HttpAnswer {
  if (outcome.kind !== 'done') return failure(outcome)
  return jsonAnswer(200, { total: outcome.total, booked: outcome.booked })
}

const conflicts = {
  conflict: 'Somebody else changed the sale at the same time. Look at it again.',
  'stock-missing': 'Redis has lost the stock of this sale, so nothing was opened.',
  'id-taken': 'That id is taken. An id is never used twice, because caches keep what was published under it.',
} as const

function failure(outcome: Failure): HttpAnswer {
  if (outcome.kind === 'no-sale') return unknownSale()
  if (outcome.kind === 'invalid') return invalid(outcome.field, outcome.detail)
  if (outcome.kind === 'refused') {
    const facts = outcome.field === undefined ? {} : { field: outcome.field }
    return problemAnswer(problem('conflict', outcome.detail, facts))
  }
  const facts = outcome.kind === 'id-taken' ? { field: 'saleId' } : {}
  return problemAnswer(problem('conflict', conflicts[outcome.kind], facts))
}
