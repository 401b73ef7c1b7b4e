/** The period of every metric is a minute: CloudWatch keeps finer data only for hours. */
import { Duration } from 'aws-cdk-lib'
import { MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'

export const minute = Duration.minutes(1)

export const perMinute = { period: minute, statistic: Stats.SUM }
export const highest = { period: minute, statistic: Stats.MAXIMUM }

/**
 * A sum in which missing data is zero. Alarms on DynamoDB metrics ignore missing data in any case and would never end.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
 */
export function filledSum(metrics: readonly Metric[], label: string): MathExpression {
  return new MathExpression({
    expression: 'SUM(FILL(METRICS(), 0))',
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
    period: minute,
    label,
  })
}
