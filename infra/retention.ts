/** The resources and logs that outlive a stack or a deployment, and for how long. */
import { RemovalPolicy } from 'aws-cdk-lib'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'

/**
 * Keeps the resource when it is replaced, leaves its template, or its stack is deleted. Removes it when the deployment that
 * creates it fails; otherwise its name would be taken and no later deployment could succeed.
 */
export const retain = RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE

const known = new Set<number>(Object.values(RetentionDays).filter((value) => typeof value === 'number'))

/** @throws RangeError for a number of days that CloudWatch Logs does not offer */
export function retentionOf(days: number): RetentionDays {
  if (!known.has(days)) throw new RangeError(`CloudWatch Logs offers no retention of ${days} days`)
  return days
}
