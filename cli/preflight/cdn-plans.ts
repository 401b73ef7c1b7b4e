/**
 * CloudFront's flat-rate plans, which a distribution of ours may have: those with own cache and header policies and more
 * than ten behaviours. They cover requests, data, CloudFront Functions and the firewall with its month; Lambda@Edge is
 * billed by use (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/flat-rate-pricing-plan.html).
 */
import { type CostLine, totalOf } from './sale-cost.ts'

/** US dollars a month, the same everywhere, and the requests that they are for. */
const cdnPlans = [
  { name: 'Business', month: 200, requests: 125_000_000 },
  { name: 'Premium', month: 1000, requests: 500_000_000 },
] as const

/**
 * A sale on a plan, US dollars: `beside` is billed by use, `share` is its requests' share of the month. `salesWithin` are
 * those of its size that the plan is for, and `paysFrom` is how many of them it takes to cost less than by use.
 */
export type CdnPlanCost = {
  name: string
  month: number
  requests: number
  beside: number
  share: number
  salesWithin: number
  paysFrom: number
}

/** `firewallMonth` is what the plan saves of a month without a sale, US dollars. */
export function cdnPlanCosts(sale: readonly CostLine[], requestsOfSale: number, firewallMonth: number): CdnPlanCost[] {
  const covered = totalOf(sale.filter(({ isInCdnPlan }) => isInCdnPlan))
  const beside = totalOf(sale) - covered
  return cdnPlans.map(({ name, month, requests }) => ({
    ...{ name, month, requests, beside },
    share: (month * requestsOfSale) / requests,
    salesWithin: Math.floor(requests / requestsOfSale),
    paysFrom: Math.ceil((month - firewallMonth) / covered),
  }))
}
