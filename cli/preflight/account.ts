/**
 * Reads quotas of the account from AWS: Lambda concurrency in each region, and requests per second of a distribution. A
 * quota that cannot be read counts as the documented default, and the report says so.
 */
import * as z from 'zod/mini'
import { documentedQuotas, type Quotas } from '../../infra/settings/quotas.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { edgeHome, edgeRegions } from '../../system/edge-regions.ts'
import { type AwsCli, AwsCliError, readAws } from '../aws-cli.ts'

/** `problem` says why the documented default is used. */
export type QuotaReading = { quota: keyof Quotas; amount: number; from: string; problem?: string }

export type AccountReading = { quotas: Quotas; readings: readonly QuotaReading[] }

/** Reads all quotas. Rejects for programming errors only: a quota that cannot be read has a `problem`. */
export async function readAccount(
  aws: AwsCli,
  { region, quotas: set }: Pick<StageSettings, 'region' | 'quotas'>,
): Promise<AccountReading> {
  const readings: QuotaReading[] = [
    ...(await Promise.all([
      readQuota('functionConcurrency', `Lambda account settings, ${region}`, () => readConcurrency(aws, region)),
      readEdgeConcurrency(aws),
      readQuota('mailsPerSecond', `SES, ${region}`, async () => (await readSending(aws, region)).MaxSendRate),
      readQuota('mailsPerDay', `SES, ${region}`, async () => mailsIn24Hours(await readSending(aws, region))),
      readQuota('distributionRequestsPerSecond', 'Service Quotas, CloudFront', () => readDistributionRequests(aws)),
    ])),
    await readQuota('edgeRequestsPerSecond', 'Lambda@Edge', async () => {
      throw new AwsCliError('only AWS Support can read it')
    }),
  ]
  // These are limits of other providers.
  const { paymentPagesPerSecond, redisCommandsPerSecond } = set
  const quotas = { ...documentedQuotas, paymentPagesPerSecond, redisCommandsPerSecond }
  for (const { quota, amount } of readings) quotas[quota] = amount
  return { quotas, readings }
}

async function readQuota(quota: keyof Quotas, from: string, read: () => Promise<number>): Promise<QuotaReading> {
  try {
    return { quota, amount: await read(), from }
  } catch (error) {
    if (!(error instanceof AwsCliError)) throw error
    return { quota, amount: documentedQuotas[quota], from, problem: error.message }
  }
}

const lambdaSettings = z.object({ AccountLimit: z.object({ ConcurrentExecutions: z.number() }) })

const readConcurrency = async (aws: AwsCli, region: string): Promise<number> =>
  readAws(lambdaSettings, await aws('lambda', 'get-account-settings', '--region', region)).AccountLimit
    .ConcurrentExecutions

const sending = z.object({ SendQuota: z.object({ MaxSendRate: z.number(), Max24HourSend: z.number() }) })

const readSending = async (aws: AwsCli, region: string) =>
  readAws(sending, await aws('sesv2', 'get-account', '--region', region)).SendQuota

/** SES says -1 for no limit. */
const mailsIn24Hours = ({ Max24HourSend: max }: { Max24HourSend: number }): number =>
  max < 0 ? Number.MAX_SAFE_INTEGER : max

/** Returns the smallest quota of all regions, since the crowd's region is unknown. An unread region counts as the default. */
async function readEdgeConcurrency(aws: AwsCli): Promise<QuotaReading> {
  const quota = 'edgeConcurrency'
  const from = `Lambda account settings, ${edgeRegions.length} regions`
  const results = await Promise.all(
    edgeRegions.map((region) => readQuota(quota, region, () => readConcurrency(aws, region))),
  )
  const amount = Math.min(...results.map((one) => one.amount))
  const failed = results.filter(({ problem }) => problem !== undefined)
  if (failed.length === 0) return { quota, amount, from: `${from}, the least of them` }
  const names = failed.length === edgeRegions.length ? 'all' : failed.map((one) => one.from).join(', ')
  return { quota, amount, from, problem: `not read in ${names}: ${failed[0]?.problem}` }
}

const quotaList = z.object({ Quotas: z.array(z.object({ QuotaName: z.string(), Value: z.number() })) })

/** Finds a CloudFront quota by its name in Service Quotas, because its code is not documented; undefined if it is not listed. */
export async function findListedQuota(aws: AwsCli, name: string): Promise<number | undefined> {
  const list = ['service-quotas', 'list-service-quotas', '--service-code', 'cloudfront', '--region', edgeHome]
  return readAws(quotaList, await aws(...list)).Quotas.find(({ QuotaName }) => QuotaName === name)?.Value
}

const requestsName = 'Requests per second per distribution'

async function readDistributionRequests(aws: AwsCli): Promise<number> {
  const found = await findListedQuota(aws, requestsName)
  if (found === undefined) throw new AwsCliError(`it does not list "${requestsName}"`)
  return found
}
