/**
 * Where an order came from: the `utm_source` of the sale page's address. Browsers send that address with each request of
 * the page (`Referer`), so the page itself has no code for it and stores nothing.
 */

/** A source: 1 to 64 of `a-z0-9_.-`; undefined for anything else. */
export function parseOrderSource(text: unknown): string | undefined {
  return typeof text === 'string' && /^[a-z0-9_.-]{1,64}$/.test(text) ? text : undefined
}

/** The source that a page's address names, in small letters; undefined where it names none. */
export function sourceIn(address = ''): string | undefined {
  return parseOrderSource(/[?&]utm_source=([^&#]*)/.exec(address)?.[1]?.toLowerCase())
}
