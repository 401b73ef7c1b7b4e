/** Where sign-in may send a shopper back to: a path of this site and nothing else, or a link could lead away. */

const nowhere = 'https://same-site.invalid'

/** `text` when it is a path on this site, else the shop. Anything a browser could read as another host is refused. */
export function safeReturnPath(text: string | null): string {
  if (text === null || !/^\/(?![/\\])/.test(text) || !URL.canParse(text, nowhere)) return '/'
  const { origin, pathname, search, hash } = new URL(text, nowhere)
  return origin === nowhere ? pathname + search + hash : '/'
}

/** The sign-in page's address that leads back to `path`. */
export function signInPath(path: string): string {
  return `/sign-in/?return=${encodeURIComponent(path)}`
}
