/**
 * `npm run rehearse`: every stage through `npm run deploy` without an account: a CloudFormation in this process executes
 * what the CDK's command line sends. Exit code 1 when a step does not end as it must.
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
import { createApp } from '../../infra/stage.ts'
import { spawnChild } from '../../local/child.ts'
import { listen } from '../../local/listen.ts'
import { accountId, isCarriedOut } from './account.ts'
import { CloudFormation } from './cloudformation.ts'
import { cliOf, cloudServer } from './server.ts'

/** `must` is how it has to end: with the state of the stacks, and what happened to resources. */
type Step = { name: string; isLater?: true; fault?: string; must: RegExp }

/** Each list has an account of its own. */
const plays: Readonly<Record<string, readonly Step[]>> = {
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

type Around = { folder: string; print: (line: string) => void; plays?: readonly string[] }
type Play = Around & { settings: StageSettings; output: string; cloud: CloudFormation; url: string }

/** Prints each step; resolves with whether all ended as they must. */
export async function rehearse(example: StageSettings, around: Around): Promise<boolean> {
  // The validator and cdk-nag run in `npm run synth`.
  process.env.CDK_VALIDATION = 'false'
  // Addresses as a shop sets them, in place of those of the examples.
  const { signIn } = example
  const isOwn = signIn.kind === 'cognito' && signIn.email !== undefined
  const own = isOwn ? { ...signIn, email: { from: 'codes@shop.example' } } : signIn
  const settings = { ...example, alarmEmail: 'night@shop.example', signIn: own }
  const variants = [settings, { ...settings, secretsRevision: settings.secretsRevision + 1 }].map((stage, at) => {
    const outdir = join(around.folder, `${stage.name}-${at}`)
    return { settings: stage, output: createApp({ dist, stages: [stage], outdir }).synth().directory }
  })
  for (const play of around.plays ?? Object.keys(plays)) {
    const cloud = new CloudFormation()
    const { secrets, arns } = cloud.account
    for (const { id, region } of secretsOfStage(settings))
      secrets.set(`${region} ${id}`, secretFields[id.split('/').at(-1) as keyof typeof secretFields])
    arns.add(`arn:aws:ses:${settings.region}:${accountId}:identity/shop.example`)
    const { url, stop } = await listen(cloudServer(cloud), 0)
    try {
      for (const step of plays[play] ?? []) {
        const variant = variants[step.isLater ? 1 : 0]
        if (variant && !(await take(step, { ...around, ...variant, cloud, url }))) return false
      }
    } finally {
      await stop()
    }
    if (play === 'whole') around.print(noted(cloud))
  }
  return true
}

async function take({ name, fault, must }: Step, play: Play): Promise<boolean> {
  const { cloud, print, settings, output } = play
  const start = performance.now()
  const said: string[] = []
  for (const { events } of cloud.stacks.values()) events.length = 0
  cloud.account.fault = fault === undefined ? undefined : { stack: `sluice-${settings.name}-edge`, type: fault }
  const cdk = async (command = '', target = '', ...flags: readonly string[]) => {
    if (command === 'bootstrap') cloud.account.bootstrap(target.split('/').at(-1) ?? '')
    if (command !== 'deploy') return 0
    print(`  … cdk deploy ${target}`)
    const args = [cdkProgram, command, target, ...flags.map((flag) => (flag === 'cdk.out' ? output : flag))]
    const { code, lastLines } = await spawnChild({ command: process.execPath, args, env: environmentOf(play) }).exited
    if (code !== 0) said.push(...lastLines)
    return code
  }
  const code = await runDeploy(['--stage', settings.name, '--yes'], {
    ...{ stages: { [settings.name]: settings }, aws: cliOf(cloud), cdk, now: Date.now() },
    stacksIn: (_, stage) => stacksIn(output, stage),
    // A shop without sales.
    senderFor: () => async () => ({ status: 200, headers: new Headers(), text: '<body data-page="shop">' }),
    print: (line) => void said.push(line),
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
  for (const line of isGood ? [] : said) print(`  ${line}`)
  return isGood
}

const cdkProgram = createRequire(import.meta.url).resolve('aws-cdk/bin/cdk')
const environmentOf = ({ folder, url }: Play): NodeJS.ProcessEnv => ({
  ...{ PATH: process.env.PATH, HOME: folder, CI: 'true', CDK_DISABLE_CLI_TELEMETRY: 'true' },
  ...{ AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: 'rehearsal', AWS_SECRET_ACCESS_KEY: 'rehearsal' },
})

/** Of these only form, order, names and references were tried. */
function noted({ stacks }: CloudFormation): string {
  const types = [...stacks.values()].flatMap(({ resources }) => [...resources.values()].map(({ made }) => made.type))
  const counted = Map.groupBy(types.filter((type) => !isCarriedOut(type)).sort(), (type) => type.replace('AWS::', ''))
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
