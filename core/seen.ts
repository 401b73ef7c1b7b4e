/**
 * What the page that sends a click has seen of its sale. CloudFront's function passes on what is newer
 * than its own entry of the sale (edge-entry.ts), so old facts refuse no page.
 */

export const seenHeader = 'x-sluice-seen'

/**
 * The header's value. `unitsAt` is the time of the last pointer of an open sale with units left, epoch
 * ms, 0 without one.
 */
export function seenText(version: number, unitsAt: number): string {
  return `${version}.${unitsAt}`
}
