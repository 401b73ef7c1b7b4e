/*
 * CloudFront Function (cloudfront-js-2.0, viewer-request) of the `/api/*` behaviours: answers what
 * needs no body, no key and no store before the edge function is paid for. That is the clock, and
 * requests that no page of ours makes. It saves work of the gate and protects nothing: the gate
 * checks all of this again, and counts the bytes of the body.
 *
 * The build adds `jsonType`, `routes`, `notFound`, `notJson` and `noToken` in front, from the
 * tables of the gate (pre-gate.ts). A refusal says what the gate would say.
 */

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by name.
function handler(event) {
  const request = event.request
  const route = routeOf(request.uri)
  if (route === undefined) return notFound
  const refusal = refusalOf(request, route)
  if (refusal !== undefined) return refusal
  return request.uri === '/api/time' ? time() : request
}

function routeOf(uri) {
  for (let i = 0; i < routes.length; i++) if (routes[i].path.test(uri)) return routes[i]
  return undefined
}

/** What is wrong with the request's head, the cheapest check first. */
function refusalOf(request, route) {
  if (route.methods.indexOf(request.method) < 0) return route.wrongMethod
  const headers = request.headers
  const length = headers['content-length'] === undefined ? 0 : Number(headers['content-length'].value)
  if (length > route.maxBytes) return route.tooLarge
  // Only the gate can see whether a chunked request has a body at all.
  if (length > 0 && !isJson(headers['content-type'])) return notJson
  return route.needsSession && !hasOneToken(request) ? noToken : undefined
}

function isJson(type) {
  return type !== undefined && !isRepeated(type) && jsonType.test(type.value)
}

/** Verifying the token costs a signature check, which the gate makes. */
function hasOneToken(request) {
  const token = request.headers.authorization || request.cookies.sluice_session
  return token !== undefined && !isRepeated(token)
}

/** Of two values the next reader might take the other one. */
function isRepeated(entry) {
  return entry.multiValue !== undefined && entry.multiValue.length > 1
}

/** The clock of the page's countdown. */
function time() {
  return answer(200, 'OK', {}, 'application/json', `{"now":${Date.now()}}`)
}

/** Called while the file loads: refusals are built once. */
// biome-ignore lint/correctness/noUnusedVariables: The generated tables call it.
function refusal(status, reason, headers, body) {
  headers['x-sluice-gate'] = { value: 'refused' }
  return answer(status, reason, headers, 'application/problem+json', body)
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
