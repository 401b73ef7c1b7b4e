/** The shop that an element asks: a page may have the scripts of several. */

/** The stable name of the script or the one with a hash; a query, or the line in a stack, may follow. */
const scriptAddress = /^(\w+:\/\/[^/]+)(?:\/assets)?\/elements\.(?:\w+\.)?js\b/

/** A module has no `currentScript`, but is the first address of a stack. */
const own = [
  (document.currentScript as HTMLScriptElement | null)?.src,
  /https?:[^\s)]+/.exec(new Error().stack ?? '')?.[0],
]

/** The addresses of what scripts of the page have loaded: an address in content that others wrote is none of these. */
const loaded = () =>
  performance
    .getEntriesByType('resource')
    .map((entry) => (/script|fetch|xml/.test((entry as PerformanceResourceTiming).initiatorType) ? entry.name : ''))

/** The origins from which the page has this script: first that of the one that runs, unless a loader evaluated its text. */
const shops = () =>
  [...own, ...[...document.scripts].map(({ src }) => src), ...loaded()].flatMap(
    (address = '') => scriptAddress.exec(address)?.[1] ?? [],
  )

/**
 * The origin of the shop that the link in `element` leads to, if the page has the script of that shop: a link alone must
 * not say who is given the token of a customer. Else that of this script; undefined where nothing says it.
 */
export function shopOf(element: Element): string | undefined {
  const known = shops()
  const link = [...element.querySelectorAll('a')].find(({ origin }) => known.includes(origin))
  return link?.origin ?? known[0]
}
