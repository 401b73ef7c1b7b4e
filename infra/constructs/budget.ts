/**
 * A mail when the account is about to cost more than was expected. It counts the whole account, because costs are told apart by
 * tags only after somebody has switched that on, and it knows nothing of Upstash's bill.
 */
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { Construct } from 'constructs'

export type BudgetProps = { stage: string; monthlyDollars: number; email: string }

/** Spent already, and expected by the end of the month, in per cent of the budget. */
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
