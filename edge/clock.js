/*
 * CloudFront Function (cloudfront-js-2.0, viewer-response) of the pointer: adds the time, so that a
 * page learns it with every poll and makes no request of its own for it. It also runs for answers
 * from the cache and for 304, and not for errors of the origin.
 *
 * A browser must not store the answer: after Back, or for a tab that it restores, it takes what it has
 * stored, however old, and the page would count down by a time that has passed. CloudFront's own cache
 * follows the header of the origin.
 *
 * The name of the header is that of core/gate/cors.ts.
 */

// biome-ignore lint/correctness/noUnusedVariables: CloudFront calls it by name.
function handler(event) {
  const response = event.response
  response.headers['x-sluice-now'] = { value: `${Date.now()}` }
  response.headers['cache-control'] = { value: 'no-store' }
  return response
}
