/** Times that sort as text, for Redis scripts and DynamoDB indexes. */

/** A time in epoch ms, 15 digits wide: text order is time order up to the year 9999. */
export function sortableTime(time: number): string {
  return String(time).padStart(15, '0')
}
