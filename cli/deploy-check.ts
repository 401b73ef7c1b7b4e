/**
 * `npm run deploy -- --check --stage prod --url https://shop.example`: tells whether a deployment is safe now. It reads
 * the public pages of the running shop: the first page lists the sales, and each has a pointer with its times. It needs
 * no credentials, so a workflow can run it before it deploys. Exit code 0: safe, or `--force` is set. 1: a sale is open
 * or starts within the hour, or alarms have no recipient. 2: an option is wrong.
 *
 * `npm run --silent deploy -- --check --redis redis.json > redis-secret.json`: checks the databases in the file before
 * their secret is stored, and prints the value of the secret. Exit code 1: a database is listed wrong or does not
 * answer, or the list lacks the database of a sale of the shop.
 */
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { parseSaleId, type SaleId } from '../core/ids.ts'
import { readJson } from '../core/lib/parse.ts'
import { pointerPath } from '../core/sale/pointer.ts'
import { maxOnIndex } from '../functions/sales/publishing/pages.ts'
import { addressIn } from '../infra/settings/mail.ts'
import { stageWarnings } from '../infra/settings/problems.ts'
import { type StageSettings, stageNamed } from '../infra/settings/stage.ts'
import { asksForHelp } from './asks-for-help.ts'
import { checkRedis, type RedisCheckPorts, type SenderFor, type ShopReader } from './deploy-databases.ts'
import { type CliEnvironment, checkedUrl, exportedToken } from './exported-token.ts'
import { RequestFailed, type SendRequest, summarizeReply } from './smoke/request.ts'

const usage = `npm run deploy -- --check --stage dev|small|prod --url URL [--force]
npm run --silent deploy -- --check --redis FILE [--url URL --token TOKEN] > redis-secret.json

  --url URL     the running shop
  --force       print the reasons against it, and exit with 0
  --redis FILE  fields of the secret sluice/<stage>/redis: asks every database, prints the secret's value
  --token TOKEN a marketer's session (default: SLUICE_TOKEN, for the shop of SLUICE_URL only): with --redis it
                finds the sales that need a database which the list does not have

  Exits with 1 when a sale is open or starts within the hour, the shop does not answer, or a database cannot be used.`

type Stages = Readonly<Record<string, StageSettings>>

/** `environment` has SLUICE_URL and SLUICE_TOKEN; `shopAt` reads the sales of a shop. */
export type DeployCheckPorts = RedisCheckPorts & {
  stages: Stages
  now: number
  environment: CliEnvironment
  shopAt: (endpoint: { url: string; token: string }) => ShopReader
}

/** Prints the reasons not to deploy and returns the exit code. */
export async function runDeployCheck(args: string[], ports: DeployCheckPorts): Promise<number> {
  const { print, now, senderFor } = ports
  const options = asksForHelp(args) ? usage : parseOptions(args, ports)
  if (typeof options === 'string') {
    print(options)
    return asksForHelp(args) ? 0 : 2
  }
  if ('redis' in options) {
    const { redis, shop } = options
    return checkRedis(redis, shop === undefined ? undefined : ports.shopAt(shop), ports)
  }
  const { settings, url, force } = options
  const sales = await checkSales(url, settings.name, now, senderFor)
  const reasons = [...findPlaceholders(settings), ...sales.reasons]
  for (const warning of stageWarnings(settings)) print(`! ${warning}`)
  for (const reason of reasons) print(`✗ ${reason}`)
  if (reasons.length === 0) {
    print('✓ no sale is open or starts within the hour')
    return 0
  }
  if (url === undefined)
    print(
      `Before the first deployment there is none: npm run deploy -- --stage ${settings.name} begins with the table of checks, and npm run preflight -- --stage ${settings.name} --account shows that of the account alone.`,
    )
  print(force ? 'Deploying anyway: --force.' : `Not now. ${forceAdvice}`)
  return force ? 0 : 1
}

/** `shop` is set when a token of the shop was given. */
type Options =
  | { settings: StageSettings; url: string | undefined; force: boolean }
  | { redis: string; shop: { url: string; token: string } | undefined }

function parseOptions(
  args: string[],
  { environment, stages }: Pick<DeployCheckPorts, 'environment' | 'stages'>,
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
    const settings = stageNamed(stages, stage)
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

/** Returns a problem for each example value of the repository that a production stage still has. */
export function findPlaceholders({ name, isProduction, alarmEmail = '', signIn }: StageSettings): string[] {
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

export const forceAdvice = 'Wait, or deploy anyway with --force (docs/how-to/operations.md, "Deployments").'

/** Returns the reasons not to deploy now. `isKnown` is false when the shop did not answer: any of its sales may be open. */
export async function checkSales(url: string | undefined, stage: string, now: number, senderFor: SenderFor) {
  const unknown = (...lines: string[]) => ({ reasons: [lines.join('\n  ')], isKnown: false })
  const risk = 'Its sales are unknown. If one is open, its shoppers may meet a cold gate or a rollback.'
  if (url === undefined) return unknown(`The address of the shop is missing (ShopUrl of sluice-${stage}-edge).`, risk)
  try {
    return { reasons: await findBlockingSales(senderFor(url), now), isKnown: true }
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error
    const answer = `The shop cannot be read: GET ${new URL('/', url).href} gave ${error.message}.`
    const others = `If its API answers, this lists the sales: npm run sale -- list --url ${url}`
    return unknown(answer, risk, explainFailure(error.message, stage), others)
  }
}

function explainFailure(answer: string, stage: string): string {
  const dns = `that its name points to the output DistributionDomain of sluice-${stage}-edge`
  const causes: readonly (readonly [RegExp, string])[] = [
    [/ENOTFOUND|EAI_AGAIN/, `The name does not resolve yet: check ${dns}`],
    [/CERT|TLS|SSL|SIGNED/, `The certificate is not of this name: check domain.certificateArn, and ${dns}`],
    [
      /^(?:403|5)/,
      `CloudFront refuses: check the secret sluice/${stage}/edge, sluice-${stage}-access and the firewall`,
    ],
  ]
  const [, cause] = causes.find(([sign]) => sign.test(answer)) ?? [answer, `Check ${dns}`]
  return `${cause} (docs/how-to/deploy.md).`
}

/** No sale may start within this time after a deployment: a new gate starts cold, and a rollback takes minutes. */
const quietMs = 3_600_000

/** The fields of a pointer that the check reads; times are epoch ms. */
export type SaleTimes = { phase: string; startsAt: number; endsAt: number; nextStartsAt: number | null }

const pointer: z.ZodMiniType<SaleTimes> = z.object({
  phase: z.string(),
  startsAt: z.number(),
  endsAt: z.number(),
  nextStartsAt: z.nullable(z.number()),
})

/** Returns why a sale forbids a deployment at `now`, or undefined if it does not. */
export function reasonToWait({ phase, startsAt, endsAt, nextStartsAt }: SaleTimes, now: number): string | undefined {
  if (phase === 'ended' || phase === 'draft') return undefined
  if (startsAt <= now && now < endsAt && phase !== 'sold-out') return 'is open, or may open at any moment'
  const starts = [startsAt, nextStartsAt ?? 0].filter((at) => at > now && at - now <= quietMs)
  if (starts.length === 0) return undefined
  return `starts in ${Math.ceil((Math.min(...starts) - now) / 60_000)} min`
}

/**
 * Returns one line for each reason not to deploy now. A sale that cannot be read is a reason.
 * @throws RequestFailed when the first page cannot be read
 */
export async function findBlockingSales(request: SendRequest, now: number): Promise<string[]> {
  const index = await request('/')
  if (index.status !== 200) throw new RequestFailed(summarizeReply(index))
  // `templates/pages/shop.ts` renders this name of the page.
  if (!index.text.includes('<body data-page="shop"'))
    throw new RequestFailed(`a page of another site (${summarizeReply(index)})`)
  const saleIds = saleIdsOn(index.text)
  const reasons = await Promise.all(
    saleIds.map(async (saleId) => {
      const reply = await request(`/${pointerPath(saleId)}`).catch((error: Error) => error)
      if (reply instanceof Error) return `${saleId} cannot be read (${reply.message})`
      const read = readJson(pointer, reply.text)
      if (reply.status !== 200 || !read.ok) return `${saleId} cannot be read (${reply.status})`
      const reason = reasonToWait(read.value, now)
      return reason === undefined ? undefined : `${saleId} ${reason}`
    }),
  )
  const found = reasons.filter((reason) => reason !== undefined)
  // The page lists at most so many sales, and an unlisted one may be open.
  if (saleIds.length >= maxOnIndex) found.push(`the shop lists ${saleIds.length} sales and may have more`)
  return found
}

function saleIdsOn(page: string): SaleId[] {
  const named = [...page.matchAll(/href="\/sales\/([^"/]+)\/"/g)].map(([, name]) => parseSaleId(name))
  return [...new Set(named.filter((saleId) => saleId !== undefined))]
}
