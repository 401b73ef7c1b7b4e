/** Finds the shop of an element. A page may have the scripts of several shops. */

/** Matches the script's stable name and its hashed name. A query or a stack position may follow. */
const scriptAddress = /^(\w+:\/\/[^/]+)(?:\/assets)?\/elements\.(?:\w+\.)?js\b/

/** The address of this script. A module has no `currentScript`, but its address comes first in a stack. */
const ownAddresses = [
  (document.currentScript as HTMLScriptElement | null)?.src,
  /https?:[^\s)]+/.exec(new Error().stack ?? '')?.[0],
]

/** Returns the addresses that scripts loaded. Content that others wrote cannot add to them. */
const loaded = () =>
  performance
    .getEntriesByType('resource')
    .map((entry) => (/script|fetch|xml/.test((entry as PerformanceResourceTiming).initiatorType) ? entry.name : ''))

/** Returns the origins that served this script, the running one first unless a loader evaluated its text. */
const shopOrigins = () =>
  [...ownAddresses, ...[...document.scripts].map(({ src }) => src), ...loaded()].flatMap(
    (address = '') => scriptAddress.exec(address)?.[1] ?? [],
  )

/**
 * Returns the origin of the link in `element` if the page has the script of that shop: a link alone must not decide who
 * receives a customer's token. Falls back to the origin of this script; undefined if that is unknown.
 */
export function shopOriginOf(element: Element): string | undefined {
  const known = shopOrigins()
  const link = [...element.querySelectorAll('a')].find(({ origin }) => known.includes(origin))
  return link?.origin ?? known[0]
}
