/**
 * `npm run deploy -- --stage small`: deploys a stage, from an account that has its secrets and nothing else, or onto the
 * running shop. It looks before it changes anything: at the account, the settings, every secret, and the sales of the
 * running shop; and it bootstraps the regions that need it. May be repeated.
 *
 * With `--check` first it deploys nothing (`deploy-check.ts`), with `--prune` it deletes former versions
 * (`prune-versions.ts`).
 *
 * Exit code 0: deployed. 1: something is missing, or a step failed. 2: an option is wrong.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DefaultStackSynthesizer } from 'aws-cdk-lib'
import * as z from 'zod/mini'
import { secretsOfStage } from '../infra/constructs/secrets.ts'
import type { StageSettings } from '../infra/settings/stage.ts'
import { stages as deployed } from '../infra/settings/stages.ts'
import { edgeHome } from '../system/edge-regions.ts'
import { type AwsCli, AwsRefused, awsCli, readAws } from './aws-cli.ts'
import { controlClient } from './control-client.ts'
import { placeholdersIn, reasonsOf, runDeployCheck } from './deploy-check.ts'
import type { AskerOf } from './deploy-databases.ts'
import { runPruneVersions } from './prune-versions.ts'
import { asker } from './smoke/ask.ts'

const usage = `npm run deploy -- --stage dev|small|prod [--yes] [--force]

  --yes     do not ask before permissions change (needed without a terminal)
  --force   deploy although a sale is open or starts within the hour`

export type DeploySurroundings = {
  stages: Readonly<Record<string, StageSettings>>
  aws: AwsCli
  /** Runs the CDK with its own output; resolves with its exit code. */
  cdk: (...args: readonly string[]) => Promise<number>
  askerOf: AskerOf
  now: number
  print: (line: string) => void
}

type Options = { settings: StageSettings; yes: boolean; force: boolean }

/** Prints each step and returns the exit code. */
export async function runDeploy(args: string[], around: DeploySurroundings): Promise<number> {
  const { aws, cdk, print, stages } = around
  const options = optionsIn(args, stages)
  if (options === undefined) {
    print(usage)
    return 2
  }
  const { settings, yes } = options
  try {
    const account = await accountOf(aws)
    print(`✓ account ${account}`)
    const problems = [...placeholdersIn(settings), ...(await missingSecrets(aws, settings))]
    if (problems.length === 0) problems.push(...(await reasonsToWait(options, around)))
    if (problems.length > 0) {
      for (const problem of problems) print(`✗ ${problem}`)
      print('Nothing was changed.')
      return 1
    }
    for (const region of await regionsToBootstrap(aws, settings)) {
      print(`… bootstrap of ${region}`)
      if ((await cdk('bootstrap', `aws://${account}/${region}`)) !== 0) return 1
    }
    const approval = yes ? ['--require-approval', 'never'] : []
    if ((await cdk('deploy', `sluice-${settings.name}/*`, ...approval)) !== 0) return 1
    for (const line of nextSteps(settings, await shopUrlOf(aws, settings))) print(line)
    return 0
  } catch (error) {
    if (!(error instanceof AwsRefused)) throw error
    print(`✗ ${error.message}`)
    return 1
  }
}

function optionsIn(args: string[], stages: DeploySurroundings['stages']): Options | undefined {
  try {
    const flag = { type: 'boolean' } as const
    const options = { stage: { type: 'string' }, yes: flag, force: flag } as const
    const { stage = '', yes = false, force = false } = parseArgs({ args, options }).values
    const settings = stages[stage]
    return settings && { settings, yes, force }
  } catch {
    return undefined
  }
}

const identity = z.object({ Account: z.string().check(z.regex(/^\d{12}$/)) })

async function accountOf(aws: AwsCli): Promise<string> {
  return readAws(identity, await aws('sts', 'get-caller-identity')).Account
}

const description = z.object({ DeletedDate: z.optional(z.unknown()) })

/** The secrets that do not exist. Their values are not read; CloudFormation refuses one without a field. */
async function missingSecrets(aws: AwsCli, settings: StageSettings): Promise<string[]> {
  const found = await Promise.all(
    secretsOfStage(settings).map(async ({ id, region }) => {
      const named = `the secret ${id} in ${region}`
      const answer = await unlessMissing('ResourceNotFoundException', () =>
        aws('secretsmanager', 'describe-secret', '--region', region, '--secret-id', id),
      )
      if (answer === undefined) return `${named} is missing (docs/how-to/deploy.md, "5. Secrets")`
      const { DeletedDate } = readAws(description, answer)
      return DeletedDate === undefined ? undefined : `${named} is scheduled for deletion: restore it`
    }),
  )
  return found.filter((problem) => problem !== undefined)
}

/** The sales of the running shop that a deployment would disturb. A shop without pages has never sold. */
async function reasonsToWait(
  { settings, force }: Options,
  { aws, askerOf, now, print }: DeploySurroundings,
): Promise<string[]> {
  const site = await outputsOf(aws, settings.region, `sluice-${settings.name}-site`)
  if (site === undefined) {
    print('✓ the first deployment')
    return []
  }
  const reasons = await reasonsOf(await shopUrlOf(aws, settings), now, askerOf)
  if (reasons.length === 0) print('✓ no sale is open or starts within the hour')
  if (!force) return reasons
  for (const reason of reasons) print(`! ${reason}`)
  return []
}

async function regionsToBootstrap(aws: AwsCli, { region }: StageSettings): Promise<string[]> {
  const name = `/cdk-bootstrap/${DefaultStackSynthesizer.DEFAULT_QUALIFIER}/version`
  const missing: string[] = []
  for (const one of new Set([region, edgeHome])) {
    const answer = await unlessMissing('ParameterNotFound', () =>
      aws('ssm', 'get-parameter', '--region', one, '--name', name),
    )
    if (answer === undefined) missing.push(one)
  }
  return missing
}

const stackList = z.object({
  Stacks: z.array(
    z.object({ Outputs: z._default(z.array(z.object({ OutputKey: z.string(), OutputValue: z.string() })), []) }),
  ),
})

/** The outputs of a stack by name; undefined for a stack that does not exist. */
async function outputsOf(aws: AwsCli, region: string, stack: string): Promise<Map<string, string> | undefined> {
  const answer = await unlessMissing('does not exist', () =>
    aws('cloudformation', 'describe-stacks', '--region', region, '--stack-name', stack),
  )
  if (answer === undefined) return undefined
  const outputs = readAws(stackList, answer).Stacks.flatMap(({ Outputs }) => Outputs)
  return new Map(outputs.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]))
}

const shopUrlOf = async (aws: AwsCli, { name }: StageSettings): Promise<string | undefined> =>
  (await outputsOf(aws, edgeHome, `sluice-${name}-edge`))?.get('ShopUrl')

/** What no template can do. */
function nextSteps({ name, signIn, domain }: StageSettings, shopUrl = 'unknown'): string[] {
  const file = `infra/settings/${name}.ts`
  const isKnown = domain !== undefined || signIn.kind !== 'cognito' || signIn.shopUrl === shopUrl
  return [
    `✓ deployed: ${shopUrl}`,
    'Confirm the e-mails of both alarm topics, then: npm run smoke -- --url <that address>',
    ...(isKnown
      ? []
      : [
          `! No sign-in can come back yet: set signIn.shopUrl in ${file} and shopUrl of the secret sluice/${name}/payments to that address, raise secretsRevision, and run this command again.`,
        ]),
  ]
}

/** @throws AwsRefused for every other refusal */
async function unlessMissing(sign: string, ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AwsRefused && error.message.includes(sign)) return undefined
    throw error
  }
}

const runCdk = (...args: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn('npx', ['cdk', ...args], { stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [first, ...rest] = process.argv.slice(2)
  const shared = { askerOf: asker, now: Date.now(), print: console.log }
  if (first === '--check') {
    const { SLUICE_URL: url, SLUICE_TOKEN: token } = process.env
    const around = {
      ...{ ...shared, stages: deployed, complain: console.error },
      ...{ environment: { url, token }, shopAt: controlClient },
    }
    process.exitCode = await runDeployCheck(rest, around)
  } else if (first === '--prune') process.exitCode = await runPruneVersions(rest, { aws: awsCli, print: console.log })
  else
    process.exitCode = await runDeploy(process.argv.slice(2), { ...shared, stages: deployed, aws: awsCli, cdk: runCdk })
}
