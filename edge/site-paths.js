/*
 * CloudFront Function (cloudfront-js-2.0, viewer-request) of the page behaviours: maps the paths of
 * pages to the names of the stored objects, and answers 404 for paths that no object can have. The
 * address of a page ends with a slash; without it the browser is redirected once, so that relative
 * links and the cache have one address per page.
 *
 * The redirect is built only from a path of plain segments. `//elsewhere.example` is not one, so
 * this function cannot redirect to another site.
 *
 * The build adds `objects`, `saleObjects`, `missingFrame`, `missingWords`, `missingObject` and `securityHeaders`
 * in front (site-paths.ts).
 */
import cf from 'cloudfront'

const store = cf.kvs()

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by name.
async function handler(event) {
  const request = event.request
  if (request.uri.endsWith('/')) request.uri += 'index.html'
  else if (/^(?:\/[A-Za-z0-9_-]+)+$/.test(request.uri)) return redirect(request)
  if (objects.test(request.uri)) return request
  const sale = saleObjects.exec(request.uri)
  if (sale === null) return missing(request)
  const known = await isKnown(`sale:${sale[1]}`)
  return known ? request : missing(request)
}

/** The bucket decides while the store is unreachable. */
async function isKnown(key) {
  try {
    const found = await store.exists(key)
    return found
  } catch (_error) {
    return true
  }
}

function redirect(request) {
  return {
    statusCode: 301,
    statusDescription: 'Moved Permanently',
    headers: {
      location: { value: `${request.uri}/${queryOf(request.querystring)}` },
      'cache-control': { value: 'public, max-age=300' },
    },
  }
}

/** The query as it came: CloudFront does not decode its names and values. */
function queryOf(query) {
  const pairs = []
  for (const name in query) {
    const given = query[name].multiValue || [query[name]]
    for (let i = 0; i < given.length; i++) pairs.push(`${name}=${given[i].value}`)
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** Clients without a browser read JSON. A response to HEAD has no body. */
function missing(request) {
  const isJson = request.uri.endsWith('.json')
  const answer = { statusCode: 404, statusDescription: 'Not Found', headers: headersOf(request, isJson) }
  if (request.method !== 'HEAD') {
    answer.body = { encoding: 'text', data: isJson ? missingObject : missingPage(request) }
  }
  return answer
}

function missingPage(request) {
  const words = missingWords[languageOf(request)]
  return missingFrame.map((part, at) => part + (at < words.length ? words[at] : '')).join('')
}

/** The first one that the browser prefers, in the order that browsers write, of those that there are; else English. */
function languageOf(request) {
  const header = request.headers['accept-language']
  const tags = header === undefined ? [] : header.value.toLowerCase().split(',')
  const languages = Object.keys(missingWords)
  for (let i = 0; i < tags.length; i++) {
    const tag = tags[i].split(';')[0].trim()
    const exact = languages.find((one) => one.toLowerCase() === tag)
    const found = exact || languages.find((one) => one.split('-')[0] === tag.split('-')[0])
    if (found !== undefined) return found
  }
  return 'en'
}

function headersOf(request, isJson) {
  const headers = { 'cache-control': { value: 'no-store' } }
  for (const name in securityHeaders) headers[name] = securityHeaders[name]
  headers['content-type'] = { value: isJson ? 'application/problem+json' : 'text/html; charset=utf-8' }
  const reloads = reloadsOf(request)
  if (reloads < 2) headers.refresh = { value: `5; url=?reload=${reloads + 1}` }
  return headers
}

/**
 * How often this page has reloaded itself. The page of a new sale appears here some seconds after it
 * was published; all other paths stay missing.
 */
function reloadsOf(request) {
  if (!saleObjects.test(request.uri) || !request.uri.endsWith('.html')) return 2
  return request.querystring.reload === undefined ? 0 : Number(request.querystring.reload.value) || 2
}
