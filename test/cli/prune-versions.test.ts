/** The versions that are deleted after a rotation, with a fake account instead of AWS. */
import { describe, expect, it } from 'vitest'
import { AwsCliError } from '../../cli/aws-cli.ts'
import { runPruneVersions } from '../../cli/prune-versions.ts'
import { allFunctions } from '../../system/functions.ts'
import { awsOf } from './aws-of.ts'

type Account = { versions: readonly string[]; aliases: readonly object[]; deleted: string[] }

/** Every function has the same versions and aliases; `refuse` is called before each deletion. */
function accountWith(of: Partial<Account> = {}, refuse: (version: string) => string | undefined = () => undefined) {
  const account: Account = {
    versions: ['$LATEST', '9', '10', '11'],
    aliases: [{ Name: 'live', FunctionVersion: '11' }],
    deleted: [],
    ...of,
  }
  const printed: string[] = []
  const regions = new Set<string>()
  const aws = awsOf(async (...args) => {
    const option = (name: string) => args[args.indexOf(name) + 1] ?? ''
    regions.add(option('--region'))
    if (args[1] === 'list-aliases') return { Aliases: account.aliases }
    if (args[1] === 'list-versions-by-function') {
      return { Versions: account.versions.map((Version) => ({ Version, Environment: { Variables: {} } })) }
    }
    const version = option('--qualifier')
    const reason = refuse(version)
    if (args[1] !== 'delete-function' || reason !== undefined) throw new AwsCliError(reason)
    account.deleted.push(`${option('--function-name')}:${version}`)
    return undefined
  })
  const run = (...args: string[]) => runPruneVersions(args, { aws, print: (line) => void printed.push(line) })
  return { account, printed, regions, run }
}

describe('former versions of the functions, which keep a rotated secret', () => {
  it('are deleted of every function of the stage, in its region', async () => {
    const { account, printed, regions, run } = accountWith()
    expect(await run('--stage', 'prod')).toBe(0)
    expect(account.deleted).toEqual(
      allFunctions.flatMap((name) => ['9', '10'].map((version) => `sluice-prod-${name}:${version}`)),
    )
    expect([...regions]).toEqual(['eu-west-1'])
    expect(printed[0]).toBe(`${allFunctions[0]}: 9, 10 deleted`)
  })

  it('include those of the simulated provider, on a stage that has it', async () => {
    const { account, run } = accountWith()
    await run('--stage', 'dev')
    expect(account.deleted).toContain('sluice-dev-payment-simulator:9')
  })

  it('stay where an alias points at them, also after a rollback and with a part of the requests', async () => {
    const routed = { FunctionVersion: '8', RoutingConfig: { AdditionalVersionWeights: { '9': 0.1 } } }
    const { account, run } = accountWith({ versions: ['11', '8', '9', '10', '$LATEST'], aliases: [routed] })
    expect(await run('--stage', 'prod')).toBe(0)
    // The newest one is what CloudFormation points the alias at when nothing of the function changes.
    expect(new Set(account.deleted.map((name) => name.split(':')[1]))).toEqual(new Set(['10']))
  })

  it('are only named in a trial run', async () => {
    const { account, printed, run } = accountWith()
    expect(await run('--stage', 'prod', '--dry-run')).toBe(0)
    expect(account.deleted).toEqual([])
    expect(printed[0]).toBe(`${allFunctions[0]}: 9, 10 would be deleted`)
  })

  it('that AWS keeps are reported, the others deleted all the same, and the exit code is 1', async () => {
    let refusals = 0
    const { account, printed, run } = accountWith({}, (version) =>
      version === '9' && refusals++ === 0 ? 'TooManyRequestsException' : undefined,
    )
    expect(await run('--stage', 'prod')).toBe(1)
    expect(account.deleted).toHaveLength((allFunctions.length - 1) * 2)
    expect(printed[0]).toBe(`✗ ${allFunctions[0]}: TooManyRequestsException`)
    expect(printed.at(-1)).toContain(`may still be in ${allFunctions[0]}:`)
  })

  it('are asked about once where there are no credentials, with the remedy', async () => {
    const { printed, run } = accountWith({}, () => 'Unable to locate credentials')
    expect(await run('--stage', 'prod')).toBe(1)
    expect(printed).toEqual([
      expect.stringMatching(/Unable to locate credentials\n {2}→ Sign in: aws login/),
      expect.stringContaining(`may still be in ${allFunctions.join(', ')}:`),
    ])
  })

  it('are left alone without a stage, with another one, or with an option that does not exist', async () => {
    for (const args of [[], ['--stage', 'own'], ['--stage', 'prod', '--force']]) {
      const { account, run } = accountWith()
      expect(await run(...args)).toBe(2)
      expect(account.deleted).toEqual([])
    }
  })
})
