/**
 * Alarms, logs, metrics and the budget of the edge: all that is not needed to serve. A stack of its own, because a failed
 * deployment of the gate's stack cannot be rolled back at once: CloudFront removes the gate's replicas hours later.
 */
import { Stack, type StackProps } from 'aws-cdk-lib'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { CfnMonitoringSubscription } from 'aws-cdk-lib/aws-cloudfront'
import { Construct } from 'constructs'
import { AccessLog } from '../constructs/access-log.ts'
import { AlarmTopic, createAlarms } from '../constructs/alarm.ts'
import { edgeAlarmRows } from '../constructs/edge-alarms.ts'
import { createEdgeDashboard } from '../constructs/edge-dashboard.ts'
import { ReplicaLogs } from '../constructs/edge-function.ts'
import { FirewallLog } from '../constructs/firewall.ts'
import type { WatchedEdge } from '../constructs/watched.ts'
import type { StageSettings } from '../settings/stage.ts'

export type WatchStackProps = StackProps & {
  settings: StageSettings
  watched: WatchedEdge
  firewallArn: string | undefined
}

export class WatchStack extends Stack {
  constructor(scope: Construct, id: string, { settings, watched, firewallArn, ...props }: WatchStackProps) {
    super(scope, id, props)
    const { name, size, alarmEmail, monthlyBudgetDollars, keep } = settings
    const { distributionId } = watched
    const { topic } = new AlarmTopic(this, 'AlarmTopic', { stage: name, email: alarmEmail })
    if (alarmEmail !== undefined) addBudget(new Construct(this, 'Budget'), name, monthlyBudgetDollars, alarmEmail)
    const alarms = createAlarms(this, edgeAlarmRows, watched, { size, topic })
    if (size === 'full') {
      createEdgeDashboard(this, watched, alarms)
      // These are eight billed metrics, of which the alarms need one: that of `gate-unavailable`.
      new CfnMonitoringSubscription(this, 'Metrics', {
        distributionId,
        monitoringSubscription: {
          realtimeMetricsSubscriptionConfig: { realtimeMetricsSubscriptionStatus: 'Enabled' },
        },
      })
    }
    new AccessLog(this, 'AccessLog', { settings, distributionId })
    if (firewallArn !== undefined)
      new FirewallLog(this, 'FirewallLog', { stage: name, logDays: keep.logDays, firewallArn })
    new ReplicaLogs(this, 'ReplicaLogs', settings)
  }
}

/** Thresholds in per cent of the budget: spent, and forecast for the end of the month. */
const notices = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const

/**
 * Sends an email when the account costs more than expected. It counts the whole account, because cost allocation tags are off
 * by default. Upstash's bill is not included.
 */
function addBudget(scope: Construct, stage: string, monthlyDollars: number, address: string): void {
  new CfnBudget(scope, 'Budget', {
    budget: {
      ...{ budgetName: `sluice-${stage}-budget`, budgetType: 'COST', timeUnit: 'MONTHLY' },
      budgetLimit: { amount: monthlyDollars, unit: 'USD' },
    },
    notificationsWithSubscribers: notices.map((notice) => ({
      notification: { ...notice, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
      subscribers: [{ subscriptionType: 'EMAIL', address }],
    })),
  })
}
