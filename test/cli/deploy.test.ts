/** One command from an empty account, with a fake account, a fake CDK and a fake shop. */
import { describe, expect, it } from 'vitest'
import { runDeploy } from '../../cli/deploy.ts'
import { RequestFailed, type SmokeReply } from '../../cli/smoke/request.ts'
import { small } from '../../infra/settings/small.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { awsOf } from './aws-of.ts'
import { accountWith, databasesWith, refuse, secretAnswer, secretValues } from './deploy-check/account.ts'

const shopUrl = 'https://d111111abcdef8.cloudfront.net'
const noShop = 'https://shop.invalid'

/** The settings of a shop, with its own addresses. */
const ours: StageSettings = {
  ...small,
  alarmEmail: 'night@shop.example',
  signIn: { kind: 'cognito', email: { from: 'codes@shop.example' } },
}

type Account = {
  /** Last names of secrets that do not exist. */
  without: readonly string[]
  bootstrapped: readonly string[]
  /** Stacks by their last name; what the CDK deploys is complete afterwards. */
  stacks: Readonly<Record<string, string>>
  protectedStacks: readonly string[]
  /** The address of a shop without a domain in `data` and `app`. */
  addresses: Readonly<Record<string, string>>
  settings: StageSettings
  /** The exit code of the CDK by its first argument, or by the stack that it deploys: `app again` with a parameter. */
  ends: Readonly<Record<string, number>>
  /** The state of each stack whose deployment ends with an error. */
  failsAs: string
  /** Refuses every call of this service. */
  denied: string
  /** The first page of the shop, or the code of the network's error. */
  index: string | { code: string }
}

const stackNames = ['data', 'app', 'edge', 'access', 'site']
const complete = Object.fromEntries(stackNames.map((name) => [name, 'UPDATE_COMPLETE']))

async function deploy(change: Partial<Account> = {}, ...flags: string[]) {
  const account: Account = {
    ...{ without: [], bootstrapped: [], stacks: {}, protectedStacks: [], settings: ours, ends: {}, denied: '' },
    ...{ failsAs: 'CREATE_FAILED', index: '<body data-page="shop">', addresses: {} },
    ...change,
  }
  const without = account.settings.domain === undefined ? { data: noShop, app: noShop, ...account.addresses } : {}
  const addresses = new Map(Object.entries(without))
  const printed: string[] = []
  const cdk: string[] = []
  const states = new Map(Object.entries(account.stacks))
  const recorded = accountWith({
    'get-secret-value': (option) => {
      const name = option('--secret-id').split('/')[2] ?? ''
      return secretAnswer(account.without.includes(name) ? undefined : secretValues[name])
    },
    'get-parameter': (option) =>
      account.bootstrapped.includes(option('--region')) ? '25' : refuse('ParameterNotFound'),
    'describe-stacks': (option) => {
      const stack = option('--stack-name').replace('sluice-small-', '')
      const status = states.get(stack)
      if (status === undefined) return refuse(`Stack with id sluice-small-${stack} does not exist`)
      // CloudFormation computes the outputs of a stack once it is complete.
      const hasOutputs = stack === 'edge' && /^(?:CREATE|UPDATE)_COMPLETE$/.test(status)
      const isProtected = account.protectedStacks.includes(stack)
      const address = addresses.get(stack)
      return {
        ...{ StackStatus: status, EnableTerminationProtection: isProtected },
        ...(address !== undefined && { Parameters: [{ ParameterKey: 'ShopUrl', ParameterValue: address }] }),
        ...(hasOutputs && { Outputs: [{ OutputKey: 'ShopUrl', OutputValue: shopUrl }] }),
      }
    },
  })
  const code = await runDeploy(['--stage', 'small', ...flags], {
    stages: { small: account.settings },
    aws: awsOf(async (...args) => (args[0] === account.denied ? refuse('AccessDenied') : recorded(...args))),
    cdk: async (...args) => {
      cdk.push(args.join(' '))
      const [verb = '', id = ''] = args
      const stack = id.replace('sluice-small/', '')
      const given = / --parameters sluice-small-\w+:ShopUrl=(\S+)/.exec(args.join(' '))?.[1]
      const end = account.ends[verb] ?? account.ends[given === undefined ? stack : `${stack} again`] ?? 0
      if (verb === 'deploy' && account.ends[stack] !== 0)
        states.set(stack, end === 0 ? 'UPDATE_COMPLETE' : account.failsAs)
      if (end === 0 && given !== undefined) addresses.set(stack, given)
      return end
    },
    stacksIn: (_, stage) =>
      stackNames.map((name) => {
        const region = name === 'edge' ? 'us-east-1' : 'eu-west-1'
        return { id: `sluice-${stage}/${name}`, name: `sluice-${stage}-${name}`, region }
      }),
    senderFor:
      (url) =>
      async (target, request): Promise<SmokeReply> => {
        if (target === '/pipeline') return databasesWith()(url)(target, request)
        if (typeof account.index === 'object') throw new RequestFailed(`no answer (${account.index.code})`)
        return { status: 200, headers: new Headers(), text: account.index }
      },
    now: 1_800_000_000_000,
    print: (line) => void printed.push(line),
  })
  return { code, cdk, text: printed.join('\n'), addresses: Object.fromEntries(addresses) }
}

const bootstrapped = ['eu-west-1', 'us-east-1']
const call = (name: string, ...flags: string[]) =>
  ['deploy', `sluice-small/${name}`, '--app cdk.out --exclusively', ...flags].join(' ')
const again = (name: string) => call(name, `--parameters sluice-small-${name}:ShopUrl=${shopUrl}`)
/** Without a domain. */
const created = [
  ...['synth --quiet', ...['data', 'app', 'edge'].map((name) => call(name, '--no-rollback'))],
  ...[again('data'), again('app'), ...['access', 'site'].map((name) => call(name, '--no-rollback'))],
]
const updated = ['synth --quiet', ...stackNames.map((name) => call(name))]
const known = { data: shopUrl, app: shopUrl }
const running = { stacks: complete, addresses: known, bootstrapped }

describe('the deployment of a stage', () => {
  it('bootstraps both regions of an empty account, deploys, gives the shop the address that CloudFront chose, and says what is left to do', async () => {
    const { code, cdk, text, addresses } = await deploy()
    expect(cdk).toEqual([
      'bootstrap aws://123456789012/eu-west-1',
      'bootstrap aws://123456789012/us-east-1',
      ...created,
    ])
    expect(text).toMatch(/✓ sales +the first deployment$/m)
    expect(text).toContain(`✓ deployed: ${shopUrl}`)
    for (const name of ['data', 'app'])
      expect(text).toContain(`… sluice-small-${name} once more: the address of the shop is ${shopUrl}`)
    expect([code, addresses]).toEqual([0, known])
  })

  it.each([
    ['after the distribution', {}, ['data', 'app']],
    ['between the two stacks', { data: shopUrl }, ['app']],
    ['after both', known, []],
  ])('gives the address that is missing after a run was cut off %s', async (_, addresses, missing) => {
    const stacks = { data: 'CREATE_COMPLETE', app: 'CREATE_COMPLETE', edge: 'CREATE_COMPLETE' }
    const done = await deploy({ stacks, addresses, bootstrapped })
    expect([done.code, done.addresses]).toEqual([0, known])
    expect(done.cdk).toEqual([...updated.slice(0, 4), ...missing.map(again), ...created.slice(-2)])
  })

  it('stops if a stack cannot be given the address', async () => {
    const cut = await deploy({ bootstrapped, ends: { 'app again': 1 }, failsAs: 'UPDATE_ROLLBACK_COMPLETE' })
    expect([cut.code, cut.cdk, cut.addresses]).toEqual([1, created.slice(0, 6), { ...known, app: noShop }])
    expect(cut.text).toContain('✗ sluice-small-app in eu-west-1 is UPDATE_ROLLBACK_COMPLETE. Fix the cause above')
  })

  it('deploys each stack of a stage with a domain once, and asks for no terminal with --yes', async () => {
    const settings: StageSettings = {
      ...ours,
      domain: { name: 'www.shop.example', certificateArn: 'arn:aws:acm:us-east-1:1:x' },
    }
    const done = await deploy({ settings, bootstrapped }, '--yes')
    expect(done.cdk.slice(1)).toEqual(stackNames.map((name) => call(name, '--no-rollback --require-approval never')))
    expect(done.text).not.toContain('!')
  })

  it('changes nothing while a secret is missing, or the settings are still the example’s', async () => {
    const without = await deploy({ without: ['personal', 'edge'] })
    expect([without.code, without.cdk]).toEqual([1, []])
    expect(without.text).toMatch(
      /✗ secret personal +sluice\/small\/personal is missing in eu-west-1\n +→ npm run setup/,
    )
    expect(without.text).toMatch(/✗ secret edge +sluice\/small\/edge is missing in us-east-1/)
    expect(without.text).toMatch(/\nNothing was changed\.$/)
    const example = await deploy({ settings: small })
    expect([example.code, example.cdk]).toEqual([1, []])
    expect(example.text).toContain('alarmEmail of infra/settings/small.ts is still the example')
  })

  it('stops without credentials or access to the stacks, and continues without access to secrets or the bootstrap version', async () => {
    for (const denied of ['sts', 'cloudformation']) {
      const { code, cdk, text } = await deploy({ denied })
      expect([code, cdk, text.includes('(AccessDenied)')], denied).toEqual([1, [], true])
    }
    for (const denied of ['secretsmanager', 'ssm']) {
      const { code, cdk, text } = await deploy({ denied, bootstrapped })
      expect([code, cdk, /! .*not read: .*\(AccessDenied\)/.test(text)], denied).toEqual([0, created, true])
    }
  })

  it('waits for the sales of the running shop, unless it is forced', async () => {
    // A link to a sale whose pointer is not one: the check cannot know when it is open.
    const index = '<body data-page="shop"><a href="/sales/lamp/">Lamp</a>'
    const open = { ...running, index }
    const stopped = await deploy(open)
    expect([stopped.code, stopped.cdk]).toEqual([1, []])
    expect(stopped.text).toMatch(/✗ sales .*lamp.*\n +→ Wait, or deploy anyway with --force/)
    expect((await deploy(open, '--force')).cdk).toEqual(updated)
    const quiet = await deploy(running)
    expect([quiet.code, quiet.cdk]).toEqual([0, updated])
    expect(quiet.text).toMatch(/✓ sales +no sale is open/)
  })

  it('says why it cannot read the running shop, and that --force deploys anyway', async () => {
    const unresolved = { ...running, index: { code: 'ENOTFOUND' } }
    const stopped = await deploy(unresolved)
    expect([stopped.code, stopped.cdk]).toEqual([1, []])
    expect(stopped.text).toMatch(/✗ sales +The shop cannot be read: GET .* gave no answer \(ENOTFOUND\)\./)
    expect(stopped.text).toContain('The name does not resolve yet')
    expect(stopped.text).toContain('→ Wait, or deploy anyway with --force')
    const forced = await deploy(unresolved, '--force')
    expect([forced.code, forced.cdk]).toEqual([0, updated])
    expect(forced.text).toMatch(/! sales +The shop cannot be read/)
  })

  it.each([
    ['CREATE_FAILED', { edge: 'CREATE_COMPLETE', index: { code: 'ENOTFOUND' } }],
    ['UPDATE_FAILED', { edge: 'CREATE_COMPLETE', index: { code: 'ENOTFOUND' } }],
    ['ROLLBACK_COMPLETE', { edge: 'ROLLBACK_COMPLETE', index: '' }],
    ['REVIEW_IN_PROGRESS', { edge: 'CREATE_FAILED', index: '' }],
  ])('resumes a first deployment that left the pages %s', async (site, { edge, index }) => {
    const begun = { data: 'CREATE_COMPLETE', app: 'CREATE_COMPLETE', edge, site }
    const { code, cdk, text } = await deploy({ stacks: begun, addresses: known, bootstrapped, index })
    expect(text).toContain(`the first deployment goes on: the stack of the pages is ${site}`)
    const keeps = edge === 'CREATE_COMPLETE' ? [] : ['--no-rollback']
    expect(cdk).toEqual([
      ...['synth --quiet', call('data'), call('app'), call('edge', ...keeps)],
      ...[call('access', '--no-rollback'), call('site', '--no-rollback')],
    ])
    expect(code).toBe(0)
  })

  it('waits for the sales of a shop whose first deployment was not completed, but which has pages', async () => {
    const index = '<body data-page="shop"><a href="/sales/lamp/">Lamp</a>'
    const { code, cdk } = await deploy({ stacks: { ...complete, site: 'CREATE_FAILED' }, index, bootstrapped })
    expect([code, cdk]).toEqual([1, []])
  })

  it('keeps the resources of a failed creation, and resumes in the next run', async () => {
    const cut = await deploy({ bootstrapped, ends: { edge: 1 } })
    expect([cut.code, cut.cdk]).toEqual([1, created.slice(0, 4)])
    expect(cut.text).toContain(
      `✗ sluice-small-edge in us-east-1 is CREATE_FAILED. Fix the cause above, then run the same command again.
  What it made is kept, and the next run goes on from there.
  If the CDK asks to roll back first, answer y: the stack is then deleted and created again.`,
    )
    const stacks = { data: 'CREATE_COMPLETE', app: 'CREATE_COMPLETE', edge: 'CREATE_FAILED' }
    const next = await deploy({ bootstrapped, stacks })
    expect([next.code, next.cdk]).toEqual([0, ['synth --quiet', call('data'), call('app'), ...created.slice(3)]])
  })

  it.each([
    ['ROLLBACK_COMPLETE', 'The next run deletes it and creates it again.'],
    ['ROLLBACK_FAILED', 'The next run deletes it and creates it again.'],
    [
      'DELETE_FAILED',
      'aws cloudformation delete-stack --region eu-west-1 --stack-name sluice-small-data --deletion-mode FORCE_DELETE_STACK',
    ],
    ['CREATE_IN_PROGRESS', 'CloudFormation is still at work: wait until it ends.'],
  ])('says how to proceed with a stack that is %s, and with its protection', async (failsAs, way) => {
    const { text } = await deploy({ bootstrapped, ends: { data: 1 }, failsAs, protectedStacks: ['data'] })
    expect(text).toContain(way)
    const allow =
      'Allow its deletion first: aws cloudformation update-termination-protection --region eu-west-1 --stack-name sluice-small-data --no-enable-termination-protection'
    expect(text.includes(allow)).toBe(failsAs !== 'CREATE_IN_PROGRESS')
  })

  it('rolls a complete stack back, and only asks to repeat the command', async () => {
    const ends = { app: 1 }
    const { code, text } = await deploy({ ...running, ends, failsAs: 'UPDATE_ROLLBACK_COMPLETE' })
    expect(code).toBe(1)
    expect(text.split('\n').at(-1)).toBe(
      '✗ sluice-small-app in eu-west-1 is UPDATE_ROLLBACK_COMPLETE. Fix the cause above, then run the same command again.',
    )
  })

  it('stops at a stack to which the CDK found no change although it is not complete', async () => {
    const stacks = { data: 'CREATE_FAILED' }
    const { code, cdk, text } = await deploy({ bootstrapped, stacks, ends: { data: 0 } })
    expect([code, cdk]).toEqual([1, created.slice(0, 2)])
    expect(text).toContain('sluice-small-data in eu-west-1 is CREATE_FAILED')
  })

  it('ends with the step that failed', async () => {
    expect(await deploy({ ends: { bootstrap: 1 } })).toMatchObject({ code: 1, cdk: [expect.any(String)] })
    expect((await deploy({ ends: { synth: 1 } })).cdk.at(-1)).toBe('synth --quiet')
    expect((await deploy({ ends: { deploy: 1 } })).code).toBe(1)
    expect(await deploy({}, '--now')).toMatchObject({ code: 2, cdk: [] })
  })
})
