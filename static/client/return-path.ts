/**
 * Where sign-in may send a shopper back to: a path of this site and nothing else, or a link could
 * lead away.
 */

const site = 'https://same-site.invalid'

/**
 * `text` when it is a path on this site, else the shop. Judged after the browser's own parser has
 * resolved it, because dot segments, encoded dots and backslashes can leave a path that begins with
 * `//`, which names another host.
 */
export function safeReturnPath(text: string | null): string {
  if (text === null || !text.startsWith('/') || !URL.canParse(text, site)) return '/'
  const { origin, pathname, search, hash } = new URL(text, site)
  return origin === site && !pathname.startsWith('//') ? pathname + search + hash : '/'
}

/** The sign-in page's address that leads back to `path`. */
export function signInPath(path: string): string {
  return `/sign-in/?return=${encodeURIComponent(path)}`
}
