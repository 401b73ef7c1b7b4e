/** Validates the path to which sign-in returns. Only paths of this site are allowed, to prevent open redirects. */
import { urlIn } from '../lib/url-in.ts'

const site = 'https://same-site.invalid'

/** Enough for every page of the shop. A longer path would not fit into the cookie that stores it. */
const maxLength = 1024

/**
 * Returns `text` if it is a path on this site, else `/`. It checks the path after URL parsing, because dot segments, encoded
 * dots and backslashes can produce a path that begins with `//`, which names another host.
 */
export function safeReturnPath(text: string | null): string {
  const url = text?.startsWith('/') ? urlIn(text, site) : undefined
  if (url === undefined) return '/'
  const { origin, pathname, search, hash } = url
  const path = pathname + search + hash
  return origin === site && !pathname.startsWith('//') && path.length <= maxLength ? path : '/'
}
