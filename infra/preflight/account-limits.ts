/** What AWS and Upstash let an account have: quotas that are raised when asked in time, and one that is not. */
import type { Quotas, StageSettings } from '../settings/stage.ts'
import { edgeRegions } from '../system/edge-regions.ts'
import type { Limits } from './limit.ts'
import type { Plan } from './plan.ts'

/** https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html */
const distributionGigabits = 150

/** Environments of one function that start at once in a region: 1,000 in any ten seconds, so a hundred more each second. */
export const startsAtOnce = 1000
export const startsSource = 'https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html'

const cloudFrontQuotas =
  'https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html'
const lambdaQuotas = 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html'

const turnedAway =
  'The clicks beyond are answered 503 by CloudFront; their buttons rest ten seconds. Nothing is lost.'

/** `quotas` are those of the settings, unless others are to be tried. */
export function accountLimits(
  { isFlippedLate }: Pick<Plan, 'isFlippedLate'>,
  settings: StageSettings,
  quotas: Quotas,
): Limits {
  const file = `infra/settings/${settings.name}.ts`
  const thenWrite = (quota: keyof Quotas) => `then set quotas.${quota} in ${file}`
  return {
    'distribution-requests': {
      name: 'requests/s at the distribution',
      amount: quotas.distributionRequestsPerSecond,
      owner: 'quota',
      follows: 'crowd',
      source: cloudFrontQuotas,
      remedy: (ask) =>
        `${isFlippedLate ? 'Start the sale a minute before its time or earlier, for armed pages look seldom. Else: ' : ''}Service Quotas, us-east-1, Amazon CloudFront, "Requests per second per distribution": ask for ${ask}; ${thenWrite('distributionRequestsPerSecond')}.`,
      consequence: 'CloudFront may answer 503; pages keep their countdown and ask again.',
    },
    'distribution-gigabits': {
      name: 'Gbit/s out of the distribution',
      amount: distributionGigabits,
      owner: 'quota',
      follows: 'crowd',
      source: cloudFrontQuotas,
      remedy: (ask) =>
        `Service Quotas, us-east-1, Amazon CloudFront, "Data transfer rate per distribution": ask for ${ask} Gbit/s.`,
      consequence: 'CloudFront may answer 503.',
    },
    'edge-requests': {
      name: 'edge requests/s, busiest region',
      amount: quotas.edgeRequestsPerSecond,
      owner: 'quota',
      follows: 'crowd',
      source: cloudFrontQuotas,
      remedy: (ask) =>
        `Support case for a quota of CloudFront, Lambda@Edge requests per second: ask for ${ask} in each of the ${edgeRegions.length} regions of Lambda@Edge, those near your shoppers first; ${thenWrite('edgeRequestsPerSecond')}.`,
      consequence: turnedAway,
    },
    'edge-concurrency': {
      name: 'edge concurrency, busiest region',
      amount: quotas.edgeConcurrency,
      owner: 'quota',
      follows: 'crowd',
      source: lambdaQuotas,
      remedy: (ask) =>
        `Service Quotas, AWS Lambda, "Concurrent executions": ask for ${ask} in each of the ${edgeRegions.length} regions of Lambda@Edge, those near your shoppers first; ${thenWrite('edgeConcurrency')}.`,
      consequence: turnedAway,
    },
    'edge-starts': {
      name: 'edge starts, busiest region',
      amount: startsAtOnce,
      owner: 'nobody',
      follows: 'crowd',
      source: startsSource,
      remedy: () =>
        'Not a quota: Lambda starts 1,000 in ten seconds, in each region. Set challenge to "pow", so that pages call the gate over the two minutes before and its environments are warm at the start; talk to AWS support before the date; then run with --accept edge-starts. A faster cold start needs fewer: measure it (--edge-cold-ms).',
      consequence: `${turnedAway} It lasts until enough of them run.`,
    },
    'account-concurrency': {
      name: `Lambda concurrency, ${settings.region}`,
      amount: quotas.functionConcurrency,
      owner: 'quota',
      follows: 'crowd',
      source: lambdaQuotas,
      remedy: (ask) =>
        `Service Quotas, ${settings.region}, AWS Lambda, "Concurrent executions": ask for ${ask}; ${thenWrite('functionConcurrency')}. The gate runs in that region too, out of what is not reserved.`,
      consequence:
        'What has no reservation is throttled: the gate in that region, and functions without one.',
    },
    'redis-commands': {
      name: 'Redis commands/s',
      amount: quotas.redisCommandsPerSecond,
      owner: 'quota',
      follows: 'crowd',
      source: 'https://upstash.com/docs/redis/overall/billing',
      remedy: (ask) =>
        `Give the gate a database of its own (gateUrl of the secret); ask Upstash for ${ask} commands/s, or for read regions of the gate's one; ${thenWrite('redisCommandsPerSecond')}. Fewer are needed when the gate is faster: measure it in a rehearsal (--edge-run-ms).`,
      consequence: 'Upstash lets commands wait; after 0.8 s the gate says "unavailable" and lets nobody in.',
    },
  }
}
