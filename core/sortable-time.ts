/** Times where only text can be compared: in a script of Redis and in an index of DynamoDB. */

/** A time in epoch ms, 15 digits wide, so that the order of texts is the order of times up to the year 9999. */
export function sortableTime(time: number): string {
  return String(time).padStart(15, '0')
}
