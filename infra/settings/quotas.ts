/** Quotas of an account. */

/** New accounts have much less than the documented defaults; `npm run preflight` compares. */
export type Quotas = {
  /** Lambda, home region. If that is a region of the edge (`system/edge-regions.ts`), the gate uses a share of it. */
  functionConcurrency: number
  /** Lambda@Edge, in each of its regions. */
  edgeConcurrency: number
  edgeRequestsPerSecond: number
  distributionRequestsPerSecond: number
  redisCommandsPerSecond: number
  /** Payment pages that the provider's account opens in a second; orders beyond them are queued. */
  paymentPagesPerSecond: number
  /** Emails of SES in the home region: codes of new shoppers, and those of `mail`. */
  mailsPerSecond: number
  mailsPerDay: number
}

/**
 * The documented defaults of AWS and Upstash (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html,
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html,
 * https://upstash.com/docs/redis/overall/billing), and four fifths of what one endpoint of Stripe takes, which leaves
 * room for a burst (https://docs.stripe.com/rate-limits). SES begins with these once an account has left its sandbox
 * (https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas.html).
 */
export const documentedQuotas: Quotas = {
  functionConcurrency: 1000,
  edgeConcurrency: 1000,
  edgeRequestsPerSecond: 10_000,
  distributionRequestsPerSecond: 250_000,
  redisCommandsPerSecond: 10_000,
  paymentPagesPerSecond: 20,
  mailsPerSecond: 14,
  mailsPerDay: 50_000,
}
