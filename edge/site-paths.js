/*
 * CloudFront Function (cloudfront-js-2.0, viewer-request) of the page behaviours: maps the paths of
 * pages to the names of the stored objects. The address of a page ends with a slash; without it the
 * browser is redirected once, so that relative links and the cache have one address per page.
 *
 * The redirect is built only from a path of plain segments. `//elsewhere.example` is not one, so
 * this function cannot redirect to another site.
 */

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by name.
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

/** The query as it came: CloudFront does not decode its names and values. */
function queryOf(query) {
  const pairs = []
  for (const name in query) {
    const given = query[name].multiValue || [query[name]]
    for (let i = 0; i < given.length; i++) pairs.push(`${name}=${given[i].value}`)
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
