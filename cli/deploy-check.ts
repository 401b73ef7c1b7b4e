/**
 * `npm run deploy -- --check --stage prod --url https://shop.example`: whether a deployment is safe
 * now. Exit code 0: it is, or `--force` is set. 1: a sale is open or starts within the hour, or
 * alarms have no recipient. 2: an option is wrong.
 *
 * `npm run --silent deploy -- --check --redis redis.json > redis-secret.json`: whether the databases
 * in the file can be used, before their secret is stored; prints its value. Exit code 1: a database
 * is listed wrong or does not answer, or the list lacks the database of a sale of the shop.
 */
import { parseArgs } from 'node:util'
import { addressIn } from '../infra/settings/mail.ts'
import { warningsOf } from '../infra/settings/problems.ts'
import type { StageSettings } from '../infra/settings/stage.ts'
import type { AskerOf } from './deploy-check/databases.ts'
import type { ShopReader } from './deploy-check/placed-sales.ts'
import { checkRedis, type RedisSurroundings } from './deploy-check/redis.ts'
import { salesInTheWay } from './deploy-check/sales.ts'
import { checkedUrl, type Environment, exportedToken } from './exported-token.ts'
import { AskFailed } from './smoke/ask.ts'

const usage = `npm run deploy -- --check --stage dev|small|prod --url URL [--force]
npm run --silent deploy -- --check --redis FILE [--url URL --token TOKEN] > redis-secret.json

  --url URL     the running shop
  --force       print the reasons against it, and deploy anyway
  --redis FILE  fields of the secret sluice/<stage>/redis: asks every database, prints the secret's value
  --token TOKEN a marketer's session (default: SLUICE_TOKEN, for the shop of SLUICE_URL only): with --redis it
                finds the sales that need a database which the list does not have

  Exits with 1 when a sale is open or starts within the hour, or a database cannot be used.`

type Stages = Readonly<Record<string, StageSettings>>

/** `environment` has SLUICE_URL and SLUICE_TOKEN; `shopAt` reads the sales of a shop. */
export type DeployCheckSurroundings = RedisSurroundings & {
  stages: Stages
  now: number
  environment: Environment
  shopAt: (endpoint: { url: string; token: string }) => ShopReader
}

/** Prints the reasons not to deploy and returns the exit code. */
export async function runDeployCheck(args: string[], around: DeployCheckSurroundings): Promise<number> {
  const { print, now, askerOf } = around
  const options = optionsIn(args, around)
  if (typeof options === 'string') {
    print(options)
    return 2
  }
  if ('redis' in options) {
    const { redis, shop } = options
    return checkRedis(redis, shop === undefined ? undefined : around.shopAt(shop), around)
  }
  const { settings, url, force } = options
  const reasons = [...placeholdersIn(settings), ...(await reasonsOf(url, now, askerOf))]
  for (const warning of warningsOf(settings)) print(`! ${warning}`)
  for (const reason of reasons) print(`✗ ${reason}`)
  if (reasons.length === 0) {
    print('✓ no sale is open or starts within the hour')
    return 0
  }
  print(force ? 'Deploying anyway: --force.' : 'Not now. Wait, or use --force (docs/how-to/operations.md).')
  return force ? 0 : 1
}

/** `token` is that of the shop, if one was given for it. */
type Options =
  | { settings: StageSettings; url: string | undefined; force: boolean }
  | { redis: string; shop: { url: string; token: string } | undefined }

function optionsIn(
  args: string[],
  { environment, stages }: Pick<DeployCheckSurroundings, 'environment' | 'stages'>,
): Options | string {
  let values: { stage?: string; url?: string; force?: boolean; redis?: string; token?: string }
  try {
    const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
    const options = { stage: text, url: text, force: flag, redis: text, token: text }
    values = parseArgs({ args, options }).values
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${usage}`
  }
  const { stage, url = '', force, redis, token } = values
  if (url !== '' && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return `${url} is not an address\n\n${usage}`
  if (redis === undefined) {
    const settings = stages[stage ?? '']
    if (settings === undefined || token !== undefined) return usage
    return { settings, url: url === '' ? undefined : url, force: force ?? false }
  }
  if (stage !== undefined || force !== undefined) return usage
  if (url === '') return token === undefined ? { redis, shop: undefined } : usage
  const exported = token === undefined ? exportedToken(environment, url) : { ok: true as const, token }
  if (!exported.ok) return exported.detail
  if (exported.token === undefined) return `the sales of ${url} need a marketer's token: --token or SLUICE_TOKEN`
  return { redis, shop: { url: checkedUrl(url, '--url'), token: exported.token } }
}

/** Example values of the repository that no deployment may use. */
export function placeholdersIn({ name, isProduction, alarmEmail = '', signIn }: StageSettings): string[] {
  if (!isProduction) return []
  const sender = signIn.kind === 'cognito' ? (signIn.email?.from ?? '') : ''
  const uses = [
    ['alarmEmail', alarmEmail, 'alarms would have no recipient'],
    ['signIn.email.from', addressIn(sender) ?? '', 'SES sends nothing from it, so nobody could sign up'],
  ] as const
  return uses
    .filter(([, address]) => address.endsWith('@example.com'))
    .map(([setting, , effect]) => `${setting} of infra/settings/${name}.ts is still the example's: ${effect}`)
}

/** What keeps a deployment from now: a shop that is unknown or does not answer may have an open sale. */
export async function reasonsOf(url: string | undefined, now: number, askerOf: AskerOf): Promise<string[]> {
  if (url === undefined) return ['the address of the shop is missing, so its sales are unknown']
  try {
    return await salesInTheWay(askerOf(url), now)
  } catch (error) {
    if (error instanceof AskFailed) return [`${url}: ${error.message}`]
    throw error
  }
}
