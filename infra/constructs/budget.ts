import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import type { Construct } from 'constructs'

/** Per cent of the budget: spent, and forecast for the end of the month. */
const notices = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const

/**
 * An e-mail when the account costs more than expected. It counts the whole account, because cost allocation tags are off
 * by default. Upstash's bill is not included.
 */
export function addBudget(scope: Construct, stage: string, monthlyDollars: number, address: string): void {
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
