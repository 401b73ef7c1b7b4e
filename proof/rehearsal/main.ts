/**
 * `npm run rehearse`: runs `npm run deploy` for every stage without an AWS account: an emulated CloudFormation in this
 * process executes the requests of the CDK's command line. Exits with 1 when a step does not end as expected.
 */
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Command, Option } from 'commander'
import { build, dist } from '../../build.ts'
import { runDeploy, stacksIn } from '../../cli/deploy.ts'
import { secretFields, secretsOfStage } from '../../infra/constructs/secrets.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { stages } from '../../infra/settings/stages.ts'
import { createCdkApp } from '../../infra/stage.ts'
import { spawnChild } from '../../local/child.ts'
import { listen } from '../../local/listen.ts'
import { accountId, isEmulated } from './account.ts'
import { CloudFormation } from './cloudformation.ts'
import { cliOf, cloudServer } from './server.ts'

/** `must` is the expected result: the state of the stacks and the counts of changed resources. */
type Step = { name: string; isLater?: true; fault?: string; must: RegExp }

/** Each scenario has its own account. */
const scenarios: Readonly<Record<string, readonly Step[]>> = {
  whole: [
    { name: 'first deployment', must: /^complete: [1-9]\d* created/ },
    { name: 'second deployment', must: /^complete: 0 created, 0 updated, 0 deleted$/ },
    { name: 'raised secretsRevision', isLater: true, must: /^complete: .* [1-9]\d* updated/ },
  ],
  broken: [
    { name: 'failure of the distribution', fault: 'AWS::CloudFront::Distribution', must: /^failed: [1-9]\d* created/ },
    { name: 'same command again', must: /^complete: [1-9]\d* created/ },
  ],
}

type RehearsalOptions = { folder: string; print: (line: string) => void; scenarios?: readonly string[] }
type Scenario = RehearsalOptions & { settings: StageSettings; output: string; cloud: CloudFormation; url: string }

/** Prints each step; resolves with true when all ended as expected. */
export async function rehearse(example: StageSettings, options: RehearsalOptions): Promise<boolean> {
  // The validator and cdk-nag run in `npm run synth`.
  process.env.CDK_VALIDATION = 'false'
  // Replaces the example addresses as a shop would.
  const { signIn } = example
  const isOwn = signIn.kind === 'cognito' && signIn.email !== undefined
  const own = isOwn ? { ...signIn, email: { from: 'codes@shop.example' } } : signIn
  const settings = { ...example, alarmEmail: 'night@shop.example', signIn: own }
  const variants = [settings, { ...settings, secretsRevision: settings.secretsRevision + 1 }].map((stage, at) => {
    const outdir = join(options.folder, `${stage.name}-${at}`)
    return { settings: stage, output: createCdkApp({ dist, stages: [stage], outdir }).synth().directory }
  })
  for (const play of options.scenarios ?? Object.keys(scenarios)) {
    const cloud = new CloudFormation()
    const { secrets, arns } = cloud.account
    for (const { id, region } of secretsOfStage(settings))
      secrets.set(`${region} ${id}`, secretFields[id.split('/').at(-1) as keyof typeof secretFields])
    arns.add(`arn:aws:ses:${settings.region}:${accountId}:identity/shop.example`)
    const { url, stop } = await listen(cloudServer(cloud), 0)
    try {
      for (const step of scenarios[play] ?? []) {
        const variant = variants[step.isLater ? 1 : 0]
        if (variant && !(await runStep(step, { ...options, ...variant, cloud, url }))) return false
      }
    } finally {
      await stop()
    }
    if (play === 'whole') options.print(listNotedTypes(cloud))
  }
  return true
}

async function runStep({ name, fault, must }: Step, play: Scenario): Promise<boolean> {
  const { cloud, print, settings, output } = play
  const start = performance.now()
  const lines: string[] = []
  for (const { events } of cloud.stacks.values()) events.length = 0
  cloud.account.fault = fault === undefined ? undefined : { stack: `sluice-${settings.name}-edge`, type: fault }
  const cdk = async (command = '', target = '', ...flags: readonly string[]) => {
    if (command === 'bootstrap') cloud.account.bootstrap(target.split('/').at(-1) ?? '')
    if (command !== 'deploy') return 0
    print(`  … cdk deploy ${target}`)
    const args = [cdkProgram, command, target, ...flags.map((flag) => (flag === 'cdk.out' ? output : flag))]
    const { code, lastLines } = await spawnChild({ command: process.execPath, args, env: environmentOf(play) }).exited
    if (code !== 0) lines.push(...lastLines)
    return code
  }
  const code = await runDeploy(['--stage', settings.name, '--yes'], {
    ...{ stages: { [settings.name]: settings }, aws: cliOf(cloud), cdk, now: Date.now() },
    stacksIn: (_, stage) => stacksIn(output, stage),
    // The shop has no sales.
    senderFor: () => async () => ({ status: 200, headers: new Headers(), text: '<body data-page="shop">' }),
    print: (line) => void lines.push(line),
  })
  const stacks = [...cloud.stacks.values()]
  const ends = stacks.flatMap(({ events }) =>
    events.map(({ ResourceType, ResourceStatus }) => ResourceType + ResourceStatus),
  )
  const count = (verb: string) =>
    ends.filter((end) => end.endsWith(`${verb}_COMPLETE`) && !end.includes('::Stack')).length
  const isComplete = code === 0 && stacks.every(({ facts }) => /^(?:CREATE|UPDATE)_COMPLETE$/.test(facts.StackStatus))
  const counts = `${count('CREATE')} created, ${count('UPDATE')} updated, ${count('DELETE')} deleted`
  const end = `${isComplete ? 'complete' : 'failed'}: ${counts}`
  const isGood = must.test(end)
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  print(`${isGood ? '✓' : '✗'} ${settings.name}, ${name}: ${stacks.length} stacks ${end} (${seconds} s)`)
  for (const line of isGood ? [] : lines) print(`  ${line}`)
  return isGood
}

const cdkProgram = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk')
const environmentOf = ({ folder, url }: Scenario): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env.PATH, HOME: folder, CI: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true' },
  ...{ AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: 'rehearsal', AWS_SECRET_ACCESS_KEY: 'rehearsal' },
})

/** Lists the resource types of which only format, order, names and references were checked. */
function listNotedTypes({ stacks }: CloudFormation): string {
  const types = [...stacks.values()].flatMap(({ resources }) => [...resources.values()].map(({ made }) => made.type))
  const counted = Map.groupBy(types.filter((type) => !isEmulated(type)).sort(), (type) => type.replace('AWS::', ''))
  return `  only noted: ${[...counted].map(([type, all]) => `${all.length} ${type}`).join(', ')}`
}

if (import.meta.main) {
  const { stage } = new Command('rehearse')
    .description('Deploy every stage into a CloudFormation on this machine, as npm run deploy does.')
    .addOption(new Option('--stage <name>', 'rehearse this stage only').choices(Object.keys(stages)))
    .parse()
    .opts<{ stage?: string }>()
  const folder = join(import.meta.dirname, '../../.cache/rehearsal')
  await build()
  try {
    for (const settings of Object.values(stages).filter(({ name }) => stage === undefined || name === stage))
      if (!(await rehearse(settings, { folder, print: console.log }))) process.exitCode = 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
