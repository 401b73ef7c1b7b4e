/*
 * CloudFront Function (cloudfront-js-2.0, viewer-request) of the `/api/*` behaviours. It answers what it can decide without the
 * body, so that the gate does not run: the clock, requests that no page of ours sends, and clicks that cannot win because they
 * are too early, too late, sold out, without a pass, uninvited, or before the shopper's turn. This only saves work of the gate,
 * which checks everything again and counts the bytes of the body. It never admits: an unknown case is forwarded.
 *
 * Its store has one JSON entry for each sale (`EdgeEntry` of core/gate/edge-entry.ts), which is some seconds late
 * (docs/guide/gate.md). A page sends `x-sluice-seen: <version>.<ms>`: the version of the sale that it has seen, and the time of
 * its last pointer that showed units. A click whose page has seen newer facts than the entry is judged by its pass alone, so no
 * page is refused by old facts.
 *
 * Pages of other sites may call the buying routes: this function answers their preflights and adds CORS headers to its own
 * answers. The distribution's policy adds them to all other answers (core/gate/cors.ts).
 *
 * The build prepends these names (`tables` of pre-gate.ts), so that this function and the gate answer alike:
 *
 *   routes                  [{ path: RegExp, methods: string[], maxBytes, needsSession, isClick, isClaim, allowsCors }]
 *   codes                   { [problem code]: [status, reason phrase, title] }
 *   jsonType, passPattern, seenPattern                  RegExp
 *   passSeconds, soldOutForMs, maxVersions, maxMsAhead  number
 *   walletLookup, ordersLookup, methodsText, noBodyText, maxBytesText  string; `%` stands for what is filled in
 *   preflightHeaders, corsHeaders  headers in CloudFront's form
 *   notFound, notJson, noToken, noPass, notInvited, paused  () => response, a problem of the gate
 *   notStarted(now), notYourTurn(seconds), ended(lookup), soldOut(lookup)  => response
 */
import cf from 'cloudfront'
// biome-ignore lint/style/useNodejsImportProtocol: CloudFront has its own module of this name.
import crypto from 'crypto'

const store = cf.kvs()

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by name.
async function handler(event) {
  const request = event.request
  const route = routeOf(request.uri)
  if (route === undefined) return notFound()
  const hasOrigin = route.allowsCors && request.headers.origin !== undefined
  if (hasOrigin && request.method === 'OPTIONS') {
    return { statusCode: 204, statusDescription: 'No Content', headers: preflightHeaders }
  }
  let refusal = refusalOf(request, route)
  if (refusal === undefined && route.isClick) {
    refusal = await refusalOfClick(request, route)
  }
  if (refusal === undefined) return request.uri === '/api/time' ? time() : request
  if (hasOrigin) for (const name in corsHeaders) refusal.headers[name] = corsHeaders[name]
  return refusal
}

function routeOf(uri) {
  for (let i = 0; i < routes.length; i++) if (routes[i].path.test(uri)) return routes[i]
}

/** Returns the refusal of a request by its method and headers, the cheapest check first. */
function refusalOf(request, route) {
  if (route.methods.indexOf(request.method) < 0) return wrongMethod(route.methods)
  const headers = request.headers
  const length = headers['content-length'] === undefined ? 0 : Number(headers['content-length'].value)
  if (length > route.maxBytes) return tooLarge(route.maxBytes)
  // Without `content-length` only the gate can see whether there is a body. The unsubscribe request of a mail program is a
  // form (RFC 8058).
  if (length > 0 && request.uri !== '/api/unsubscribe' && !isJson(headers['content-type'])) return notJson()
  return route.needsSession && !hasOneToken(request) ? noToken() : undefined
}

/**
 * Returns the refusal of a click that cannot win, in the order of the gate, except that an invitation, which the gate checks
 * late, comes before the turn. Returns undefined for any other click, and for one
 * whose entry is unreadable. A click needs a pass even if the sale has no entry, is frozen, or its page claims newer facts.
 * Otherwise a forged header would be enough to reach the gate.
 */
async function refusalOfClick(request, route) {
  const saleId = request.uri.split('/')[3]
  const entry = await read(`sale:${saleId}`)
  const sale = entry === undefined ? {} : parsed(entry)
  if (sale === undefined) return undefined
  const now = Date.now()
  const seen = clientState(request, sale.version, now)
  const matchesKind = route.isClaim === (sale.kind === 'red-packet')
  const isCurrent = matchesKind && sale.flag !== 'frozen' && seen.version <= sale.version
  const refusal = isCurrent ? refusalForPhase(saleId, sale, now) : undefined
  if (refusal !== undefined) return refusal
  const isMarkedSoldOut = isCurrent && sale.soldOutAt !== null
  const isRecent = isMarkedSoldOut && now - sale.soldOutAt < soldOutForMs
  if (isRecent && seen.unitsAt <= sale.soldOutAt) return soldOut(lookupOf(sale.kind, saleId))
  // The gate checks the stock before the turn. With an old mark only the gate knows whether units are left, so that this
  // function checks the pass alone.
  if (sale.requirePass === 'off') return undefined
  const keys = await read('pass-keys')
  if (keys === undefined) return undefined
  return refusalForPass(request, keys, now, isCurrent && !isMarkedSoldOut ? sale : undefined)
}

function refusalForPhase(saleId, sale, now) {
  const isOver = now >= sale.endsAt
  if (sale.flag === 'closed' || (isOver && sale.nextStartsAt === null)) return ended(lookupOf(sale.kind, saleId))
  if (sale.flag === 'paused') return paused()
  return sale.flag === 'off' || now < sale.startsAt || isOver ? notStarted(now) : undefined
}

/**
 * Returns undefined if the pass is valid, its turn has come and its shopper is invited where the sale requires it, or if the
 * store does not have its key. Without `sale`, turns and invitations are not checked.
 */
function refusalForPass(request, keys, now, sale) {
  const text = passOf(request)
  const match = text === undefined ? null : passPattern.exec(text)
  if (match === null) return noPass()
  const seconds = Number(match[2]) - now / 1000
  if (seconds <= 0 || seconds > passSeconds) return noPass()
  const key = keyOf(keys, Math.floor(Number(match[2]) / 86400))
  if (key === undefined) return undefined
  if (!isEqual(hmac(key, `v1.${match[1]}.${match[2]}`, 'base64url'), match[3])) return noPass()
  if (sale === undefined) return undefined
  if (sale.listKey !== null && !isEqual(hmac(sale.listKey, match[1], 'base64url'), invitationOf(request)))
    return notInvited()
  const leftMs = turnMs(match[1], sale) - (now - sale.startsAt)
  return leftMs > 0 ? notYourTurn(Math.ceil(leftMs / 1000)) : undefined
}

/** When the shopper's turn comes, ms after the start (core/gate/spread.ts). */
function turnMs(shopperHash, sale) {
  const spreadMs = sale.spreadSeconds * 1000
  if (spreadMs === 0 || sale.turnKey === null) return 0
  const digits = hmac(sale.turnKey, shopperHash, 'hex').slice(0, 8)
  return Math.floor((parseInt(digits, 16) / 4294967296) * spreadMs)
}

function hmac(key, text, encoding) {
  return crypto.createHmac('sha256', key).update(text).digest(encoding)
}

/** Compares in constant time. */
function isEqual(a, b) {
  if (a.length !== b.length) return false
  let diff = 0
  for (let i = 0; i < a.length; i++) diff |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return diff === 0
}

/** The key of a day in `<day> <key> <day> <key> ...`. */
function keyOf(keys, day) {
  const words = keys.split(' ')
  for (let i = 0; i + 1 < words.length; i += 2) if (Number(words[i]) === day) return words[i + 1]
}

/** Returns undefined for a missing key, and while the store does not answer. */
async function read(key) {
  try {
    return await store.get(key)
  } catch (_missing) {
    return undefined
  }
}

/** Parses an entry. Returns undefined if the text is no JSON object. */
function parsed(text) {
  try {
    const entry = JSON.parse(text)
    return typeof entry === 'object' && entry !== null ? entry : undefined
  } catch (_unreadable) {
    return undefined
  }
}

/** Reads what the page has seen. Returns zeros for values that are impossibly far ahead of the entry or the clock. */
function clientState(request, version, now) {
  const header = request.headers['x-sluice-seen']
  const match = header === undefined || isRepeated(header) ? null : seenPattern.exec(header.value)
  const seen = match === null ? undefined : { version: Number(match[1]), unitsAt: Number(match[2]) }
  const isPossible = seen !== undefined && seen.version - version <= maxVersions && seen.unitsAt - now <= maxMsAhead
  return isPossible ? seen : { version: 0, unitsAt: 0 }
}

/** Returns the single pass of a request: the header, or without it the cookie. */
function passOf(request) {
  return onlyOf(request.headers['x-sluice-pass'] || request.cookies.sluice_pass)
}

function invitationOf(request) {
  return onlyOf(request.cookies.sluice_invited) || ''
}

function onlyOf(given) {
  return given === undefined || isRepeated(given) ? undefined : given.value
}

function isJson(type) {
  return type !== undefined && !isRepeated(type) && jsonType.test(type.value)
}

/** Verifying the token costs a signature check, which the gate makes. */
function hasOneToken(request) {
  const token = request.headers.authorization || request.cookies.sluice_session
  return token !== undefined && !isRepeated(token)
}

/** A repeated value does not count: the next reader might take the other one. */
function isRepeated(entry) {
  return entry.multiValue !== undefined && entry.multiValue.length > 1
}

/** The clock of the page's countdown. */
function time() {
  return answer(200, 'OK', {}, 'application/json', `{"now":${Date.now()}}`)
}

/** A row of the table of routes. */
// biome-ignore lint/correctness/noUnusedVariables: The generated tables call it.
function route(path, methods, maxBytes, traits) {
  return {
    path: path,
    methods: methods,
    maxBytes: maxBytes,
    needsSession: traits.indexOf('session') >= 0,
    isClick: traits.indexOf('click') >= 0,
    isClaim: traits.indexOf('claim') >= 0,
    allowsCors: traits.indexOf('cors') >= 0,
  }
}

function wrongMethod(methods) {
  const allowed = methods.join(', ')
  const refusal = problem('method-not-allowed', methodsText.replace('%', allowed), {})
  refusal.headers.allow = { value: allowed }
  return refusal
}

function tooLarge(maxBytes) {
  return problem('too-large', maxBytes === 0 ? noBodyText : maxBytesText.replace('%', `${maxBytes}`), {})
}

function lookupOf(kind, saleId) {
  return kind === 'red-packet' ? walletLookup : ordersLookup + saleId
}

/** Builds a problem of the gate on demand, because an instance often serves a single request. */
function problem(code, detail, facts) {
  const status = codes[code][0]
  const body = {
    type: `urn:sluice:problem:${code}`,
    title: codes[code][2],
    status: status,
    code: code,
    detail: detail,
  }
  for (const name in facts) body[name] = facts[name]
  const headers = { 'x-sluice-gate': { value: 'refused' } }
  if (status === 401) headers['www-authenticate'] = { value: 'Bearer' }
  if (facts.retryAfterSeconds) headers['retry-after'] = { value: `${facts.retryAfterSeconds}` }
  return answer(status, codes[code][1], headers, 'application/problem+json', JSON.stringify(body))
}

function answer(status, reason, headers, contentType, body) {
  headers['content-type'] = { value: contentType }
  headers['cache-control'] = { value: 'no-store' }
  return {
    statusCode: status,
    statusDescription: reason,
    headers: headers,
    body: { encoding: 'text', data: body },
  }
}
