/**
 * `npm run deploy -- --stage small`: deploys a stage, into an account that has only its secrets, or onto the running
 * shop. First it prints a table of checks (`deploy-table.ts`), and stops if a row is bad. Then it bootstraps the regions
 * that need it and deploys the stacks. After a failure, the next run resumes where it stopped.
 *
 * With `--check` as the first argument it deploys nothing (`deploy-check.ts`), with `--prune` it deletes former versions
 * (`prune-versions.ts`).
 *
 * Exit code 0: deployed. 1: something is missing, or a step failed. 2: an option is wrong.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { CloudAssembly } from 'aws-cdk-lib/cx-api'
import * as z from 'zod/mini'
import { type StageSettings, stageNamed } from '../infra/settings/stage.ts'
import { stages as deployed } from '../infra/settings/stages.ts'
import { edgeHome } from '../system/edge-regions.ts'
import { asksForHelp } from './asks-for-help.ts'
import { type AwsCli, AwsCliError, awsCli, findInAws, withRemedy } from './aws-cli.ts'
import { controlClient } from './control-client.ts'
import { accountChecks } from './deploy-account.ts'
import { checkSales, forceAdvice, runDeployCheck } from './deploy-check.ts'
import type { SenderFor } from './deploy-databases.ts'
import { stageChecks } from './deploy-stage.ts'
import { blocked, type CheckRow, good, type RowCheck, readTable, tableLines } from './deploy-table.ts'
import { isMain } from './is-main.ts'
import { runPruneVersions } from './prune-versions.ts'
import { requestSender } from './smoke/request.ts'

const usage = `npm run deploy -- --stage dev|small|prod [--yes] [--force]

  --yes     do not ask before permissions change (needed without a terminal)
  --force   deploy although a sale is open or starts within the hour, the shop does not answer, SES is in its sandbox,
            or the account has the free plan`

export type DeployPorts = {
  stages: Readonly<Record<string, StageSettings>>
  aws: AwsCli
  /** Runs the CDK with its own output; resolves with its exit code. */
  cdk: (...args: readonly string[]) => Promise<number>
  stacksIn: typeof stacksIn
  senderFor: SenderFor
  now: number
  print: (line: string) => void
}

type Options = { settings: StageSettings; yes: boolean; force: boolean }

/** `id` is the name that the CDK uses. */
type StageStack = { id: string; name: string; region: string }

/** Returns the stacks of a stage in a synthesized folder, in the order of deployment. */
export const stacksIn = (folder: string, stage: string): StageStack[] =>
  new CloudAssembly(folder).stacksRecursively
    .filter(({ hierarchicalId }) => hierarchicalId.startsWith(`sluice-${stage}/`))
    .map(({ hierarchicalId: id, stackName: name, environment: { region } }) => ({ id, name, region }))

/** Prints each step and returns the exit code. */
export async function runDeploy(args: string[], ports: DeployPorts): Promise<number> {
  const { aws, cdk, print, stages, stacksIn } = ports
  const options = parseOptions(args, stages)
  if (options === undefined) {
    print(usage)
    return asksForHelp(args) ? 0 : 2
  }
  const { settings, yes, force } = options
  try {
    const sales: RowCheck = { name: 'sales', read: () => checkShopSales(settings, ports) }
    const read = await readTable([...accountChecks, ...stageChecks, sales], { ...ports, settings })
    const rows = read.map((row): CheckRow => (force && row.state === 'blocked' ? { ...row, state: 'warning' } : row))
    for (const line of tableLines(rows)) print(line)
    if (rows.some(({ state }) => state === 'bad' || state === 'blocked')) {
      print('Nothing was changed.')
      return 1
    }
    for (const { bootstraps } of rows) {
      if (bootstraps !== undefined && (await cdk('bootstrap', bootstraps)) !== 0) return 1
    }
    if ((await cdk('synth', '--quiet')) !== 0) return 1
    const approval = yes ? ['--require-approval', 'never'] : []
    const deployStack = async (stack: StageStack, ...parameters: readonly string[]): Promise<boolean> => {
      const keeps = isIncomplete(await readStack(aws, stack)) ? ['--no-rollback'] : []
      const flags = ['--app', 'cdk.out', '--exclusively', ...parameters, ...keeps, ...approval]
      const code = await cdk('deploy', stack.id, ...flags)
      const state = await readStack(aws, stack)
      // The CDK also succeeds when it finds no change to an incomplete stack.
      if (code === 0 && !isIncomplete(state)) return true
      print(recoveryAdvice(stack, state))
      return false
    }
    const stacks = stacksIn('cdk.out', settings.name)
    for (const stack of stacks) {
      if (!(await deployStack(stack))) return 1
      if (!stack.id.endsWith('/edge')) continue
      const address = await readShopUrl(aws, settings)
      for (const reader of stacks) {
        // Only `data` and `app` of a shop without a domain have the parameter. The CDK reuses it in later deployments.
        const { Parameters = [] } = (await readStack(aws, reader)) ?? {}
        const read = Parameters.find(({ ParameterKey }) => ParameterKey === 'ShopUrl')?.ParameterValue ?? address
        if (address === undefined || read === address) continue
        print(`… ${reader.name} once more: the address of the shop is ${address}, and this stack has ${read}`)
        if (!(await deployStack(reader, '--parameters', `${reader.name}:ShopUrl=${address}`))) return 1
      }
    }
    print(`✓ deployed: ${await readShopUrl(aws, settings)}`)
    print('Confirm the emails of both alarm topics, then: npm run smoke -- --url <that address>')
    return 0
  } catch (error) {
    if (!(error instanceof AwsCliError)) throw error
    print(`✗ ${withRemedy(error)}`)
    return 1
  }
}

function parseOptions(args: string[], stages: DeployPorts['stages']): Options | undefined {
  try {
    const flag = { type: 'boolean' } as const
    const options = { stage: { type: 'string' }, yes: flag, force: flag } as const
    const { stage = '', yes = false, force = false } = parseArgs({ args, options }).values
    const settings = stageNamed(stages, stage)
    return settings && { settings, yes, force }
  } catch {
    return undefined
  }
}

/** Finds sales of the running shop that a deployment would disturb. A shop without pages has never sold. */
async function checkShopSales(settings: StageSettings, { aws, senderFor, now }: DeployPorts) {
  try {
    const site = await readStack(aws, { region: settings.region, name: `sluice-${settings.name}-site` })
    if (site === undefined) return good('the first deployment')
    const { reasons, isKnown } = await checkSales(await readShopUrl(aws, settings), settings.name, now, senderFor)
    // The pages may exist although the stack was never completed. Then their sales count.
    if (!isKnown && isIncomplete(site))
      return good(`the first deployment goes on: the stack of the pages is ${site.StackStatus}, and no shop answers`)
    if (reasons.length === 0) return good('no sale is open or starts within the hour')
    return reasons.map((reason) => blocked(reason, forceAdvice))
  } catch (error) {
    if (!(error instanceof AwsCliError)) throw error
    return blocked(`The stacks cannot be read: ${error.message}`, forceAdvice)
  }
}

const stackState = z.object({
  StackStatus: z.string(),
  EnableTerminationProtection: z._default(z.boolean(), false),
  Outputs: z._default(z.array(z.object({ OutputKey: z.string(), OutputValue: z.string() })), []),
  Parameters: z._default(z.array(z.object({ ParameterKey: z.string(), ParameterValue: z.string() })), []),
})

type StackState = z.infer<typeof stackState>

/** Reads the state of a stack; undefined when it does not exist. */
const readStack = (aws: AwsCli, { name, region }: Omit<StageStack, 'id'>): Promise<StackState | undefined> => {
  const at = ['--region', region, '--stack-name', name, '--query', 'Stacks[0]']
  return findInAws(aws, 'does not exist', stackState, 'cloudformation', 'describe-stacks', ...at)
}

/**
 * Stacks in these states are deployed without rollback, so that the next run resumes a failed creation: the gate cannot
 * be deleted for hours. UPDATE_FAILED is a creation that failed again; complete stacks are updated with rollback.
 */
const incompleteStatus = /^(?:REVIEW_IN_PROGRESS|CREATE_IN_PROGRESS|CREATE_FAILED|UPDATE_FAILED|ROLLBACK_\w+)$/
const isIncomplete = (state: StackState | undefined) => state === undefined || incompleteStatus.test(state.StackStatus)

/** Says what to do after the deployment of a stack failed. */
function recoveryAdvice({ name, region }: StageStack, state: StackState | undefined): string {
  const { StackStatus = 'missing', EnableTerminationProtection = false } = state ?? {}
  const at = `--region ${region} --stack-name ${name}`
  const unprotect = `aws cloudformation update-termination-protection ${at} --no-enable-termination-protection`
  const allow = EnableTerminationProtection ? `\n  Allow its deletion first: ${unprotect}` : ''
  const kept = `What it made is kept, and the next run goes on from there.
  If the CDK asks to roll back first, answer y: the stack is then deleted and created again.${allow}`
  const stuck = `Before that, delete it: aws cloudformation delete-stack ${at} --deletion-mode FORCE_DELETE_STACK
  Then delete by hand what it could not delete (docs/how-to/deploy.md, "7. Deploy").${allow}`
  const ways: readonly (readonly [RegExp, string])[] = [
    [/^(?:CREATE|UPDATE)_FAILED$/, kept],
    [/^ROLLBACK_(?:COMPLETE|FAILED)$/, `The next run deletes it and creates it again.${allow}`],
    [/^DELETE_FAILED$/, stuck],
    [/_IN_PROGRESS$/, 'CloudFormation is still at work: wait until it ends.'],
  ]
  const found = ways.filter(([sign]) => sign.test(StackStatus)).map(([, way]) => `\n  ${way}`)
  return `✗ ${name} in ${region} is ${StackStatus}. Fix the cause above, then run the same command again.${found.join('')}`
}

async function readShopUrl(aws: AwsCli, { name }: StageSettings): Promise<string | undefined> {
  const edge = await readStack(aws, { name: `sluice-${name}-edge`, region: edgeHome })
  return edge?.Outputs.find(({ OutputKey }) => OutputKey === 'ShopUrl')?.OutputValue
}

const runCdk = (...args: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const child = spawn('npx', ['cdk', ...args], { stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })

if (isMain(import.meta.url)) {
  const [first, ...rest] = process.argv.slice(2)
  const shared = { senderFor: requestSender, now: Date.now(), print: console.log, stages: deployed }
  if (first === '--check') {
    const { SLUICE_URL: url, SLUICE_TOKEN: token } = process.env
    const ports = {
      ...{ ...shared, printError: console.error },
      ...{ environment: { url, token }, shopAt: controlClient },
    }
    process.exitCode = await runDeployCheck(rest, ports)
  } else if (first === '--prune') process.exitCode = await runPruneVersions(rest, { aws: awsCli, print: console.log })
  else process.exitCode = await runDeploy(process.argv.slice(2), { ...shared, aws: awsCli, cdk: runCdk, stacksIn })
}
