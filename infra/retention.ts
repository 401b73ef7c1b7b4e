/** Days as CloudWatch Logs knows them. */
import { RetentionDays } from 'aws-cdk-lib/aws-logs'

const known = new Set<number>(Object.values(RetentionDays).filter((value) => typeof value === 'number'))

/** @throws RangeError for a number of days that CloudWatch Logs does not offer */
export function retentionOf(days: number): RetentionDays {
  if (!known.has(days)) throw new RangeError(`CloudWatch Logs keeps nothing for ${days} days`)
  return days
}
