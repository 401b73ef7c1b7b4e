/**
 * The same time of day, that many days later, in the zone of this machine or browser. `time` is epoch ms; a
 * change of the clocks makes one of the days shorter or longer.
 */
export function daysLater(time: number, days: number): number {
  const date = new Date(time)
  date.setDate(date.getDate() + days)
  return date.getTime()
}
