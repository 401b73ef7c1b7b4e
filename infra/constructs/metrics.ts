/** How every metric is looked at: minute by minute. Finer is not kept for long, and nothing here is decided in less. */
import { Duration } from 'aws-cdk-lib'
import { MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch'

export const minute = Duration.minutes(1)

export const perMinute = { period: minute, statistic: Stats.SUM }
export const highest = { period: minute, statistic: Stats.MAXIMUM }

/**
 * A sum in which silence is zero. Alarms on metrics of DynamoDB ignore missing data whatever is said, and would ring for ever;
 * filled with zeros they are over when it is over.
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
