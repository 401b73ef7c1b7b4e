/*
 * CloudFront Function (cloudfront-js-2.0, viewer-request) of the `/api/*` behaviours: answers what needs no body, no
 * key and no store, before the edge function is paid for. That is every request no page of ours makes, and the clock.
 *
 * It spares the gate work and protects nothing: the gate looks at all of this again, and more closely. A body that is
 * longer than its head says, for one, only the gate can find, which counts bytes.
 */

const sale = '[a-z0-9][a-z0-9-]{1,38}[a-z0-9]'
const order = `${sale}-[a-z2-7]{26}`
const part = '[A-Za-z0-9_-][A-Za-z0-9_.-]{0,66}'
const shopper = '(?![.][.]?$)[A-Za-z0-9_.@|:+-]{1,128}'
const addresses = '[0-9A-Fa-f:][0-9A-Fa-f:.]{1,44}(?:/[0-9]{1,3})?'
const control = `(?:/${part}){1,4}|/blocklist/(?:shopper/${shopper}|ip/${addresses})`

const withToken = true
const withoutToken = false

/** The paths of the gate, letter by letter; what they take, how many bytes of body, and whether a session is needed. */
const routes = [
  route(`/sales/${sale}/(?:orders|packets)`, ['POST'], 2048, withToken),
  route('/time', ['GET'], 0, withoutToken),
  route(`/sales/${sale}/challenge`, ['POST'], 64, withToken),
  route(`/(?:wallet|orders(?:/${order})?)`, ['GET'], 0, withToken),
  route(`/orders/${order}/(?:pay|cancel)`, ['POST'], 64, withToken),
  route('/payments/webhook', ['POST'], 16384, withoutToken),
  route(`/control(?:${control})`, ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 42568, withToken),
]

const json = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i

const notFound = problem(404, 'Not Found', 'not-found', 'There is nothing here', 'No such address.')
const notJson = problem(
  415,
  'Unsupported Media Type',
  'unsupported-media-type',
  'Send JSON',
  'Send the body as JSON with content-type: application/json.',
)
const noToken = problem(
  401,
  'Unauthorized',
  'sign-in-required',
  'Sign in first',
  'Sign in and send one session token.',
)
noToken.headers['www-authenticate'] = { value: 'Bearer' }

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by name; this runtime knows no exports.
function handler(event) {
  const request = event.request
  const found = routeOf(request.uri)
  if (found === undefined) return notFound
  const refusal = refusalOf(request, found)
  if (refusal !== undefined) return refusal
  return request.uri === '/api/time' ? time() : request
}

function routeOf(uri) {
  for (let i = 0; i < routes.length; i++) if (routes[i].path.test(uri)) return routes[i]
  return undefined
}

/** The first thing wrong with the request's head, the cheapest look first. */
function refusalOf(request, found) {
  if (found.methods.indexOf(request.method) < 0) return found.wrongMethod
  const headers = request.headers
  const length = headers['content-length'] === undefined ? 0 : Number(headers['content-length'].value)
  if (length > found.maxBytes) return found.tooLarge
  // Whether a body that is sent in chunks is there at all, only the gate can see.
  if (length > 0 && !isJson(headers['content-type'])) return notJson
  return found.needsToken && !hasOneToken(request) ? noToken : undefined
}

function isJson(type) {
  return type !== undefined && !isRepeated(type) && json.test(type.value)
}

/** Whether it is a good one costs a signature, which is the gate's to check. */
function hasOneToken(request) {
  const token = request.headers.authorization || request.cookies.sluice_session
  return token !== undefined && !isRepeated(token)
}

/** Two values where one is meant: nobody can say which one the next reader would take. */
function isRepeated(entry) {
  return entry.multiValue !== undefined && entry.multiValue.length > 1
}

/** The clock that pages set their countdown by. */
function time() {
  return answer(200, 'OK', 'application/json', `{"now":${Date.now()}}`)
}

function route(path, methods, maxBytes, needsToken) {
  const allow = methods.join(', ')
  const wrongMethod = problem(
    405,
    'Method Not Allowed',
    'method-not-allowed',
    'That method is not allowed here',
    `Use ${allow}.`,
  )
  wrongMethod.headers.allow = { value: allow }
  const tooLarge = problem(
    413,
    'Content Too Large',
    'too-large',
    'The request is too large',
    maxBytes === 0 ? 'Send no body.' : `Send at most ${maxBytes} bytes.`,
  )
  return {
    path: new RegExp(`^/api${path}$`),
    methods: methods,
    maxBytes: maxBytes,
    needsToken: needsToken,
    wrongMethod: wrongMethod,
    tooLarge: tooLarge,
  }
}

/** A problem document (RFC 9457) in the words of `core/outcome.ts`; built once, then given to everybody. */
function problem(status, reason, code, title, detail) {
  const document = {
    type: `urn:sluice:problem:${code}`,
    title: title,
    status: status,
    code: code,
    detail: detail,
  }
  const refusal = answer(status, reason, 'application/problem+json', JSON.stringify(document))
  refusal.headers['x-sluice-gate'] = { value: 'refused' }
  return refusal
}

function answer(status, reason, contentType, text) {
  return {
    statusCode: status,
    statusDescription: reason,
    headers: { 'content-type': { value: contentType }, 'cache-control': { value: 'no-store' } },
    body: { encoding: 'text', data: text },
  }
}
