/**
 * Reads quotas of the account from AWS: Lambda concurrency in each region, and requests per second
 * of a distribution. A quota that cannot be read counts as the documented default, and the report
 * says so.
 */
import * as z from 'zod/mini'
import { parse } from '../../core/lib/parse.ts'
import { documentedQuotas, type Quotas } from '../../infra/settings/quotas.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { edgeHome, edgeRegions } from '../../system/edge-regions.ts'
import { type AwsCli, AwsRefused } from '../aws-cli.ts'

/** `problem` says why the documented default is used. */
export type QuotaReading = { quota: keyof Quotas; amount: number; from: string; problem?: string }

export type AccountReading = { quotas: Quotas; readings: readonly QuotaReading[] }

/** Rejects for programming errors only: a quota that cannot be read has a `problem`. */
export async function readAccount(
  aws: AwsCli,
  { name, region, quotas: set }: Pick<StageSettings, 'name' | 'region' | 'quotas'>,
): Promise<AccountReading> {
  const readings = await Promise.all([homeConcurrency(aws, region), edgeConcurrency(aws), distributionRequests(aws)])
  const all: QuotaReading[] = [
    ...readings,
    unread('edgeRequestsPerSecond', 'Lambda@Edge', 'only AWS Support can read it'),
    // Upstash has no API for it, and the settings are closer than the default after the quota was
    // raised.
    {
      quota: 'redisCommandsPerSecond',
      amount: set.redisCommandsPerSecond,
      from: `infra/settings/${name}.ts; AWS does not know it`,
    },
  ]
  const quotas = { ...documentedQuotas, paymentPagesPerSecond: set.paymentPagesPerSecond }
  for (const { quota, amount } of all) quotas[quota] = amount
  return { quotas, readings: all }
}

function unread(quota: keyof Quotas, from: string, problem: string): QuotaReading {
  return { quota, amount: documentedQuotas[quota], from, problem }
}

const lambdaSettings = z.object({ AccountLimit: z.object({ ConcurrentExecutions: z.number() }) })

async function concurrencyIn(aws: AwsCli, region: string): Promise<number> {
  const read = parse(lambdaSettings, await aws('lambda', 'get-account-settings', '--region', region))
  if (!read.ok) throw new AwsRefused(`an answer that was not expected: ${read.detail}`)
  return read.value.AccountLimit.ConcurrentExecutions
}

async function homeConcurrency(aws: AwsCli, region: string): Promise<QuotaReading> {
  const quota = 'functionConcurrency'
  const from = `Lambda account settings, ${region}`
  try {
    return { quota, amount: await concurrencyIn(aws, region), from }
  } catch (error) {
    return unread(quota, from, reasonOf(error))
  }
}

/**
 * The least of all regions, since the crowd's region is unknown. A region that was not read counts
 * as the default.
 */
async function edgeConcurrency(aws: AwsCli): Promise<QuotaReading> {
  const quota = 'edgeConcurrency'
  const from = `Lambda account settings, ${edgeRegions.length} regions`
  const results = await Promise.allSettled(edgeRegions.map((region) => concurrencyIn(aws, region)))
  const amounts = results.map((one) => (one.status === 'fulfilled' ? one.value : documentedQuotas.edgeConcurrency))
  const amount = Math.min(...amounts)
  const failed = results.flatMap((one, index) => (one.status === 'rejected' ? [index] : []))
  const [first] = failed
  if (first === undefined) return { quota, amount, from: `${from}, the least of them` }
  const names = failed.length === edgeRegions.length ? 'all' : failed.map((index) => edgeRegions[index]).join(', ')
  const result = results[first]
  const reason = result?.status === 'rejected' ? reasonOf(result.reason) : ''
  return { quota, amount, from, problem: `not read in ${names}: ${reason}` }
}

const quotaList = z.object({
  Quotas: z.array(z.object({ QuotaName: z.string(), Value: z.number() })),
})

/** The name in Service Quotas; no code of it is documented. */
const requestsName = 'Requests per second per distribution'

async function distributionRequests(aws: AwsCli): Promise<QuotaReading> {
  const quota = 'distributionRequestsPerSecond'
  const from = 'Service Quotas, CloudFront'
  try {
    const answer = await aws(
      ...['service-quotas', 'list-service-quotas', '--service-code', 'cloudfront', '--region', edgeHome],
    )
    const read = parse(quotaList, answer)
    if (!read.ok) return unread(quota, from, `an answer that was not expected: ${read.detail}`)
    const found = read.value.Quotas.find(({ QuotaName }) => QuotaName === requestsName)
    if (found === undefined) return unread(quota, from, `it does not list "${requestsName}"`)
    return { quota, amount: found.Value, from }
  } catch (error) {
    return unread(quota, from, reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof AwsRefused) return error.message
  throw error
}
