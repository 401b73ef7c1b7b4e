/**
 * An e-mail when the account costs more than expected. It counts the whole account, because cost
 * allocation tags are off by default. Upstash's bill is not included.
 */
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { Construct } from 'constructs'

export type BudgetProps = { stage: string; monthlyDollars: number; email: string }

/** Per cent of the budget: spent, and forecast for the end of the month. */
const notices = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const

export class Budget extends Construct {
  constructor(scope: Construct, id: string, { stage, monthlyDollars, email }: BudgetProps) {
    super(scope, id)
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetName: `sluice-${stage}-budget`,
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: monthlyDollars, unit: 'USD' },
      },
      notificationsWithSubscribers: notices.map((notice) => ({
        notification: { ...notice, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
        subscribers: [{ subscriptionType: 'EMAIL', address: email }],
      })),
    })
  }
}
