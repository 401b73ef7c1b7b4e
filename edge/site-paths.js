/*
 * CloudFront Function (cloudfront-js-2.0, viewer-request) of the page behaviours: turns the paths people see
 * into the names of the stored objects. A page is addressed with its closing slash; without it the browser
 * is sent there once, so that relative links and the cache know one address per page.
 *
 * The redirect is built only from a path of plain segments. `//elsewhere.example` is not one, so nobody can
 * be sent to another site from here.
 */

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by name; this runtime knows no exports.
function handler(event) {
  const request = event.request
  if (request.uri.endsWith('/')) {
    request.uri += 'index.html'
    return request
  }
  if (/^(?:\/[A-Za-z0-9_-]+)+$/.test(request.uri)) {
    return {
      statusCode: 301,
      statusDescription: 'Moved Permanently',
      headers: {
        location: { value: `${request.uri}/${queryOf(request.querystring)}` },
        'cache-control': { value: 'public, max-age=300' },
      },
    }
  }
  return request
}

/** The query as it came: CloudFront hands over its names and values still encoded. */
function queryOf(query) {
  const pairs = []
  for (const name in query) {
    const given = query[name].multiValue || [query[name]]
    for (let i = 0; i < given.length; i++) pairs.push(`${name}=${given[i].value}`)
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
