/** Shared by the dashboards: active alarms on top, graphs side by side below. */
import {
  type Alarm,
  AlarmState,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  PeriodOverride,
} from 'aws-cdk-lib/aws-cloudwatch'
import { Construct } from 'constructs'
import { slicesOf } from '../../core/lib/slices.ts'
import { runbook } from './alarm.ts'
import { minute } from './metrics.ts'

/** CloudWatch's limit of alarms in one widget. */
const alarmsOfWidget = 100

export const fullWidth = 24
export const half = fullWidth / 2

/** Creates a dashboard with its active alarms on top, and these rows. */
export function createDashboard(
  stack: Construct,
  dashboardName: string,
  alarms: readonly Alarm[],
  rows: readonly (readonly IWidget[])[],
): void {
  const scope = new Construct(stack, 'Dashboard')
  const dashboard = new Dashboard(scope, 'Dashboard', { dashboardName, periodOverride: PeriodOverride.INHERIT })
  dashboard.addWidgets(
    ...slicesOf(alarms, alarmsOfWidget).map(
      (some, at) =>
        new AlarmStatusWidget({
          title: at === 0 ? `Active alarms (${runbook})` : 'Further active alarms',
          alarms: some,
          states: [AlarmState.ALARM],
          width: fullWidth,
          height: 3,
        }),
    ),
  )
  for (const row of rows) dashboard.addWidgets(...row)
}

/** Returns a graph; `right` has its own axis. */
export function graph(
  title: string,
  width: number,
  left: readonly IMetric[],
  right: readonly IMetric[] = [],
): GraphWidget {
  return new GraphWidget({ title, width, height: 6, left: [...left], right: [...right], period: minute })
}

/** Returns a graph for a row of three. */
export const smallGraph = (title: string, left: readonly IMetric[], right: readonly IMetric[] = []): GraphWidget =>
  graph(title, fullWidth / 3, left, right)
