/**
 * The header in which a click names the newest state that its page knows. If that is newer than the entry of the sale
 * (edge-entry.ts), CloudFront forwards the click, so a stale entry rejects no page.
 */

export const seenHeader = 'x-sluice-seen'

/** Returns the header's value. `unitsAt` is the time of the last pointer with units left, epoch ms, 0 without one. */
export function seenText(version: number, unitsAt: number): string {
  return `${version}.${unitsAt}`
}

/** The two numbers, each limited to the digits that a page can send. */
export const seenPattern = /^(\d{1,9})\.(\d{1,15})$/

/**
 * Maximum lead of a page: versions after the entry of the sale, and ms between now and its pointer. Every change by a
 * marketer and every window makes a new version, and clocks of edge locations differ by seconds.
 */
export const maxVersionsAhead = 1000
export const maxMsAhead = 60_000
