/** What an account may use of the cloud, apart from what a stage sets. */

/** New accounts may use much less than the documented defaults. `npm run preflight` compares. */
export type Quotas = {
  /** Lambda, home region. Where that is one of the edge's (`system/edge-regions.ts`), the gate takes its share of it. */
  functionConcurrency: number
  /** Lambda@Edge, in each region of its own. */
  edgeConcurrency: number
  edgeRequestsPerSecond: number
  distributionRequestsPerSecond: number
  redisCommandsPerSecond: number
}

/**
 * What AWS and Upstash document as their defaults
 * (https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html,
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html,
 * https://upstash.com/docs/redis/overall/billing).
 */
export const documentedQuotas: Quotas = {
  functionConcurrency: 1000,
  edgeConcurrency: 1000,
  edgeRequestsPerSecond: 10_000,
  distributionRequestsPerSecond: 250_000,
  redisCommandsPerSecond: 10_000,
}
