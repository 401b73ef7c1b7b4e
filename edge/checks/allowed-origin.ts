/**
 * For calls that change something, a shopper's or a marketer's: does a page of ours make it? Browsers name the page
 * in `Origin`. A caller without that header is no browser page, and is believed only with a bearer token, which no
 * browser attaches by itself.
 */
import { type AppCheck, refuse } from '../app-env.ts'
import { headerOf } from '../cloudfront.ts'

export const checkAllowedOrigin: AppCheck = async (c, next) => {
  const { request, memory } = c.env.visit
  if (request.method === 'GET') return next()
  const origin = headerOf(request.headers, 'origin')
  const allowed =
    origin.kind === 'one'
      ? memory.config.origins.has(origin.value)
      : origin.kind === 'absent' && c.var.token.from === 'bearer'
  return allowed ? next() : refuse(c, 'origin-not-allowed', 'Make this call from a page of this shop.')
}
