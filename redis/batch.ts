/** Many orders in one call of a script: as one argument, so that a script needs no unbounded list of them. */

/** Orders one call may name: a script unpacks them onto a stack of bounded size, and nobody else is served meanwhile. */
export const maxOrdersPerCall = 200

/** `items` as one argument, `separator` between them. @throws RangeError when there are more than a call may name */
export function inOneArgument(items: readonly string[], separator: ' ' | '\n'): string {
  if (items.length > maxOrdersPerCall) {
    throw new RangeError(`${items.length} orders in one call; at most ${maxOrdersPerCall}`)
  }
  return items.join(separator)
}
