/** Where sign-in may send a shopper back to: a path of this site and nothing else, or a link could lead away. */
import { urlIn } from '../lib/url-in.ts'

const site = 'https://same-site.invalid'

/** Room for any page of the shop; a longer one would not fit into the cookie that remembers it. */
const maxLength = 1024

/**
 * `text` when it is a path on this site, else the shop. Judged after the browser's own parser has resolved it, because
 * dot segments, encoded dots and backslashes can leave a path that begins with `//`, which names another host.
 */
export function safeReturnPath(text: string | null): string {
  const url = text?.startsWith('/') ? urlIn(text, site) : undefined
  if (url === undefined) return '/'
  const { origin, pathname, search, hash } = url
  const path = pathname + search + hash
  return origin === site && !pathname.startsWith('//') && path.length <= maxLength ? path : '/'
}
