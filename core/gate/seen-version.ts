/**
 * The header in which a page says with a click what it has seen of its sale. CloudFront's function passes on what is newer
 * than its own entry of the sale (edge-entry.ts), so old facts refuse no page.
 */

export const seenHeader = 'x-sluice-seen'

/** Returns the header's value. `unitsAt`: the last pointer of an open sale with units left, epoch ms, 0 without one. */
export function seenText(version: number, unitsAt: number): string {
  return `${version}.${unitsAt}`
}

/** The header's two numbers, each no longer than a page can send. */
export const seenPattern = /^(\d{1,9})\.(\d{1,15})$/

/**
 * How far ahead of the edge a page can be: versions after the entry of the sale, and ms from now of the pointer. A sale
 * has a new version with each change by a marketer and with each window, and clocks of the edge differ by seconds.
 */
export const maxVersionsAhead = 1000
export const maxMsAhead = 60_000
