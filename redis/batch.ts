/**
 * Many orders in one script call, as one argument, so that a script needs no unbounded argument
 * list.
 */

/**
 * Orders per call: a script unpacks them onto a bounded stack, and Redis serves no other client
 * meanwhile.
 */
export const maxOrdersPerCall = 200

/**
 * `items` as one argument, `separator` between them. @throws RangeError when there are more than a
 * call may name
 */
export function inOneArgument(items: readonly string[], separator: ' ' | '\n'): string {
  if (items.length > maxOrdersPerCall) {
    throw new RangeError(`${items.length} orders in one call; at most ${maxOrdersPerCall}`)
  }
  return items.join(separator)
}
