/** One command from an empty account, with a fake account, a fake CDK and a fake shop. */
import { describe, expect, it } from 'vitest'
import { AwsRefused } from '../../cli/aws-cli.ts'
import { runDeploy } from '../../cli/deploy.ts'
import type { Reply } from '../../cli/smoke/ask.ts'
import { small } from '../../infra/settings/small.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'

const shopUrl = 'https://d111111abcdef8.cloudfront.net'

/** As a shop sets it, with addresses of its own. */
const ours: StageSettings = {
  ...small,
  alarmEmail: 'night@shop.example',
  signIn: { kind: 'cognito', email: { from: 'codes@shop.example' } },
}

const secrets = [
  ...['redis', 'payments', 'identity', 'personal'].map((name) => `eu-west-1 sluice/small/${name}`),
  'us-east-1 sluice/small/edge',
]

type Account = {
  secrets: readonly string[]
  bootstrapped: readonly string[]
  /** Whether the pages have been deployed before. */
  runs: boolean
  settings: StageSettings
  /** What the CDK ends with, by its first argument. */
  ends: Readonly<Record<string, number>>
  /** Refuses every call of this service. */
  denied: string
  index: string
}

async function deploy(change: Partial<Account> = {}, ...flags: string[]) {
  const account: Account = {
    ...{ secrets, bootstrapped: [], runs: false, settings: ours, ends: {}, denied: '', index: '' },
    ...change,
  }
  const printed: string[] = []
  const cdk: string[] = []
  const missing = (reason: string): never => {
    throw new AwsRefused(`An error occurred: ${reason}`)
  }
  const aws = async (...args: readonly string[]) => {
    const option = (name: string) => args[args.indexOf(name) + 1] ?? ''
    const region = option('--region')
    if (args[0] === account.denied) missing('(AccessDenied)')
    if (args[1] === 'get-caller-identity') return { Account: '123456789012' }
    if (args[1] === 'describe-secret') {
      const id = option('--secret-id')
      const isThere = account.secrets.includes(`${region} ${id}`)
      return isThere ? { Name: id } : missing('(ResourceNotFoundException) Secrets Manager can’t find it')
    }
    if (args[1] === 'get-parameter')
      return account.bootstrapped.includes(region) ? { Parameter: {} } : missing('(ParameterNotFound)')
    const stack = option('--stack-name')
    const isDeployed = account.runs || cdk.some((call) => call.startsWith('deploy'))
    if (!isDeployed) return missing(`Stack with id ${stack} does not exist`)
    const outputs = stack.endsWith('-edge') ? [{ OutputKey: 'ShopUrl', OutputValue: shopUrl }] : []
    return { Stacks: [{ Outputs: outputs }] }
  }
  const code = await runDeploy(['--stage', 'small', ...flags], {
    stages: { small: account.settings },
    aws,
    cdk: async (...args) => {
      cdk.push(args.join(' '))
      return account.ends[args[0] ?? ''] ?? 0
    },
    askerOf: () => async (): Promise<Reply> => ({ status: 200, headers: new Headers(), text: account.index }),
    now: 1_800_000_000_000,
    print: (line) => void printed.push(line),
  })
  return { code, cdk, text: printed.join('\n') }
}

const deployment = 'deploy sluice-small/*'

describe('the deployment of a stage', () => {
  it('bootstraps both regions of an empty account, deploys, and says what is left to do', async () => {
    const { code, cdk, text } = await deploy()
    expect(cdk).toEqual([
      'bootstrap aws://123456789012/eu-west-1',
      'bootstrap aws://123456789012/us-east-1',
      deployment,
    ])
    expect(text).toContain('✓ the first deployment')
    expect(text).toContain(`✓ deployed: ${shopUrl}`)
    expect(text).toContain('set signIn.shopUrl in infra/settings/small.ts')
    expect(code).toBe(0)
  })

  it('asks nothing more once the shop has an address, and no terminal with --yes', async () => {
    const known: StageSettings = { ...ours, domain: { name: 'shop.example', certificateArn: 'arn' } }
    const done = await deploy({ settings: known, bootstrapped: ['eu-west-1', 'us-east-1'] }, '--yes')
    expect(done.cdk).toEqual([`${deployment} --require-approval never`])
    expect(done.text).not.toContain('!')
  })

  it('changes nothing while a secret is missing, or the settings are still the example’s', async () => {
    const without = await deploy({ secrets: secrets.filter((name) => !/personal|edge/.test(name)) })
    expect([without.code, without.cdk]).toEqual([1, []])
    expect(without.text).toContain('✗ the secret sluice/small/personal in eu-west-1 is missing')
    expect(without.text).toContain('✗ the secret sluice/small/edge in us-east-1 is missing')
    const example = await deploy({ settings: small })
    expect([example.code, example.cdk]).toEqual([1, []])
    expect(example.text).toContain('alarmEmail of infra/settings/small.ts is still the example')
  })

  it('does not take a refused call for a missing secret, stack or bootstrap', async () => {
    for (const denied of ['sts', 'secretsmanager', 'ssm', 'cloudformation']) {
      const { code, cdk, text } = await deploy({ denied })
      expect([code, cdk, text.includes('(AccessDenied)')], denied).toEqual([1, [], true])
    }
  })

  it('waits for the sales of the running shop, unless it is forced', async () => {
    // A link to a sale whose pointer is not one: the check cannot know when it is open.
    const open = { runs: true, index: '<a href="/sales/lamp/">Lamp</a>', bootstrapped: ['eu-west-1', 'us-east-1'] }
    const stopped = await deploy(open)
    expect([stopped.code, stopped.cdk]).toEqual([1, []])
    expect(stopped.text).toMatch(/✗ .*lamp/)
    expect((await deploy(open, '--force')).cdk).toEqual([deployment])
    const quiet = await deploy({ ...open, index: '' })
    expect([quiet.code, quiet.cdk]).toEqual([0, [deployment]])
    expect(quiet.text).toContain('✓ no sale is open')
  })

  it('ends with the step that failed', async () => {
    expect(await deploy({ ends: { bootstrap: 1 } })).toMatchObject({ code: 1, cdk: [expect.any(String)] })
    expect((await deploy({ ends: { deploy: 1 } })).code).toBe(1)
    expect(await deploy({}, '--now')).toMatchObject({ code: 2, cdk: [] })
  })
})
