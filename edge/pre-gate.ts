/**
 * Generates the CloudFront Function before the gate: pre-gate.js with the gate's own routes, limits
 * and refusals in front. So both answer alike, and a route or limit is written once.
 */
import { STATUS_CODES } from 'node:http'
import { ordersLookup, walletLookup } from '../core/buy/lookup.ts'
import { corsExposedHeaders, corsMaxAgeSeconds, corsMethods, corsRequestHeaders } from '../core/gate/cors.ts'
import { soldOutForMs } from '../core/gate/edge-entry.ts'
import { passLifeSeconds, passPattern } from '../core/gate/pass.ts'
import { maxMsAhead, maxVersionsAhead, seenPattern } from '../core/gate/seen-version.ts'
import { parseSaleId, type SaleId } from '../core/ids.ts'
import { jsonType } from '../core/lib/json.ts'
import { outcomes, type ProblemCode } from '../core/outcome.ts'
import { soldOut } from './checks/capacity.ts'
import { noPass, notYourTurn } from './checks/pass.ts'
import { ended, notStarted, paused } from './checks/phase.ts'
import { methodNotAllowedResponse, notFoundResponse, notJson, tooLarge } from './checks/request.ts'
import { withoutToken } from './checks/shopper.ts'
import type { EdgeResponse } from './cloudfront.ts'
import { clockSlackSeconds } from './memory/passes.ts'
import { problemResponse } from './problem-response.ts'
import { routes, slash } from './routes.ts'
import { generateViewerFunction } from './viewer-function.ts'

type PreGateRoute = { paths: readonly string[]; methods: readonly string[]; maxBytes: number; needsSession: boolean }

/** The clock is answered here and never reaches the gate. */
const clock: PreGateRoute = { paths: ['/api/time'], methods: ['GET'], maxBytes: 0, needsSession: false }

/**
 * Paths of `redeem` are paths of `control` as well, that of `customer` joins those of `session`, and that of
 * `of-sale` those of `delivery`: each row takes bytes, and the gate checks all of it again.
 */
const { redeem: _, customer, session, 'of-sale': ofSale, delivery, ...others } = routes
const ofPreGate = {
  ...others,
  delivery: { ...delivery, paths: [...delivery.paths, ...ofSale.paths] },
  session: { ...session, paths: [...session.paths, ...customer.paths] },
}

/** The routes that want units, whose clicks the store of CloudFront's functions may refuse. */
const clicks: ReadonlySet<string> = new Set(['buy', 'claim'] satisfies (keyof typeof routes)[])

/** The routes that pages of other sites may call. The gate decides which pages sell what (`checkSaleOrigin`). */
const corsRoutes: ReadonlySet<string> = new Set([
  'buy',
  'claim',
  'pass',
  'orders',
  'order-change',
] satisfies (keyof typeof routes)[])

/** The gate gives the same answer to shoppers who are not invited (edge/checks/early-access.ts). */
const notInvited = problemResponse('level-too-low', 'This sale is only for invited members.')

const anyOrigin = { 'access-control-allow-origin': '*' }

/** `code` is the text of pre-gate.js, which begins with a comment and its imports. */
export function generatePreGate(code: string): string {
  const tables = {
    codes: JSON.stringify(Object.fromEntries(answered.map(entryOf))),
    jsonType: String(jsonType),
    passPattern: String(passPattern),
    passSeconds: String(passLifeSeconds + clockSlackSeconds),
    soldOutForMs: String(soldOutForMs),
    seenPattern: String(seenPattern),
    maxVersions: String(maxVersionsAhead),
    maxMsAhead: String(maxMsAhead),
    methodsText: detailText(methodNotAllowedResponse(['%'])),
    noBodyText: detailText(tooLarge(0)),
    maxBytesText: detailText(tooLarge(anyBytes)).replace(String(anyBytes), '%'),
    walletLookup: JSON.stringify(walletLookup),
    ordersLookup: JSON.stringify(ordersLookup(anySale).replace(anySale, '')),
    notFound: `() => ${problemText(notFoundResponse)}`,
    notJson: `() => ${problemText(notJson)}`,
    noToken: `() => ${problemText(withoutToken)}`,
    noPass: `() => ${problemText(noPass)}`,
    notInvited: `() => ${problemText(notInvited)}`,
    paused: `() => ${problemText(paused)}`,
    notStarted: `(now) => ${problemText(notStarted(0), { now: 'now' })}`,
    notYourTurn: `(seconds) => ${problemText(notYourTurn(0), { retryAfterSeconds: 'seconds' })}`,
    ended: `(lookup) => ${problemText(ended('goods', anySale), { lookup: 'lookup' })}`,
    soldOut: `(lookup) => ${problemText(soldOut('goods', anySale), { lookup: 'lookup' })}`,
    preflightHeaders: headersText({
      ...anyOrigin,
      'access-control-allow-methods': corsMethods.join(', '),
      'access-control-allow-headers': corsRequestHeaders.join(', '),
      'access-control-max-age': String(corsMaxAgeSeconds),
    }),
    corsHeaders: headersText({ ...anyOrigin, 'access-control-expose-headers': corsExposedHeaders.join(', ') }),
    routes: `[\n${Object.entries({ ...ofPreGate, clock })
      .map(routeText)
      .join('')}]`,
  }
  return generateViewerFunction(code, tables)
}

/** The problems that the function answers. */
const answered = [
  ...(['not-found', 'method-not-allowed', 'too-large', 'unsupported-media-type', 'sign-in-required'] as const),
  ...(['not-started', 'paused', 'ended', 'sold-out', 'not-your-turn', 'level-too-low'] as const),
]

const anySale = toSaleId('any-sale')
const anyBytes = 1

function toSaleId(text: string): SaleId {
  const saleId = parseSaleId(text)
  if (saleId === undefined) throw new Error(`${text} is no sale id`)
  return saleId
}

function entryOf(code: ProblemCode): [string, [number, string | undefined, string]] {
  const { status, title } = outcomes[code]
  return [code, [status, STATUS_CODES[status], title]]
}

/** Headers in CloudFront's form. */
const headersText = (headers: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }])))

/** A call of `route` in pre-gate.js. */
function routeText([name, { paths, methods, maxBytes, needsSession }]: [string, PreGateRoute]): string {
  const traits = [
    needsSession && 'session',
    clicks.has(name) && 'click',
    name === 'claim' && 'claim',
    corsRoutes.has(name) && 'cors',
  ]
  const parts = [methods, maxBytes, traits.filter(Boolean).join(' ')]
  return `  route(${[patternOf(paths), ...parts.map((part) => JSON.stringify(part))].join(', ')}),\n`
}

/** Paths of Hono as one regular expression, which begins with what they have in common. */
function patternOf(paths: readonly string[]): RegExp {
  const shapes = paths.map((path) => path.replace(/:\w+{(.+?)}(?=\/|$)/g, '$1').replaceAll(slash, '/'))
  const common = commonStart(shapes)
  const ends = shapes.map((shape) => shape.slice(common.length))
  return new RegExp(ends.length === 1 ? `^${common}$` : `^${common}(?:${ends.join('|')})$`)
}

/** The parts with which all paths begin, and the slash after them where each path goes on. */
function commonStart([first = '', ...others]: readonly string[]): string {
  let common = first
  const isCommon = (start: string) => others.every((path) => path === start || path.startsWith(`${start}/`))
  while (!isCommon(common)) common = common.slice(0, common.lastIndexOf('/'))
  const goesOn = [first, ...others].every((path) => path.length > common.length)
  return goesOn ? `${common}/` : common
}

/** The detail of a problem; `%` stands in it for what pre-gate.js fills in. */
const detailText = ({ body }: EdgeResponse): string => JSON.stringify(JSON.parse(body).detail)

/**
 * A call of `problem` in pre-gate.js that makes this answer of the gate. `given` are the facts that the
 * function fills in: what stands there instead of a value.
 */
function problemText({ body }: EdgeResponse, given: Readonly<Record<string, string>> = {}): string {
  const { type, title, status, code, detail, ...facts }: Record<string, unknown> = JSON.parse(body)
  const members = Object.entries(facts).map(([name, value]) => `${name}: ${given[name] ?? JSON.stringify(value)}`)
  return `problem(${JSON.stringify(code)}, ${JSON.stringify(detail)}, {${members.join(', ')}})`
}
