/** The table of checks before a deployment, over recorded answers of AWS and of databases. */
import { describe, expect, it } from 'vitest'
import { accountChecks } from '../../../cli/deploy-account.ts'
import { stageChecks } from '../../../cli/deploy-stage.ts'
import { type CheckRow, readTable, type TablePorts, tableLines } from '../../../cli/deploy-table.ts'
import { RequestFailed } from '../../../cli/smoke/request.ts'
import { dev } from '../../../infra/settings/dev.ts'
import { prod } from '../../../infra/settings/prod.ts'
import type { StageSettings } from '../../../infra/settings/stage.ts'
import { writerRights } from '../../../system/redis-rights.ts'
import {
  type Answers,
  accountWith,
  certificate,
  concurrency,
  databasesWith,
  edgeSecret,
  goodAnswers,
  refuse,
  secretAnswer,
  secretValues,
} from './account.ts'

const arn = 'arn:aws:acm:us-east-1:123456789012:certificate/1'
const ours: StageSettings = {
  ...prod,
  alarmEmail: 'night@shop.example',
  signIn: { kind: 'cognito', email: { from: 'Shop <codes@shop.example>' } },
  mail: { from: 'orders@mail.example' },
  domain: { name: 'www.shop.example', certificateArn: arn },
  ...{ redeem: {}, checkout: true },
}

const tableOf = (ports: Partial<TablePorts> = {}): Promise<CheckRow[]> =>
  readTable([...accountChecks, ...stageChecks], {
    ...{ settings: ours, aws: accountWith(), senderFor: databasesWith(), ...ports },
  })

type Case = [row: string, found: RegExp, answers: Answers, change?: Partial<StageSettings>]

/** The rows that are not good, each as a text. */
async function faultsOf(answers: Answers, change: object = {}, senderFor = databasesWith()): Promise<string[]> {
  const rows = await tableOf({ settings: { ...ours, ...change }, aws: accountWith(answers), senderFor })
  const others = rows.filter(({ state }) => state !== 'good')
  return others.map(({ name, state, finding, remedy }) => `${name}, ${state}: ${finding} → ${remedy}`)
}

const says = (call: string, value: unknown): Answers => ({ [call]: () => value })
const refuses = (call: string, reason: string): Answers => ({ [call]: () => refuse(reason) })
const withSecret = (name: string, value: unknown): Answers => ({
  'get-secret-value': (option) => {
    const asked = option('--secret-id').split('/')[2] ?? ''
    return secretAnswer(asked === name ? value : secretValues[asked])
  },
})
const withCertificate = (change: object) => says('describe-certificate', { ...certificate, ...change })
const payments = (change: object) => withSecret('payments', { ...secretValues.payments, ...change })
const otherPolicies = (count: number) => Array.from({ length: count }, (_, at) => `other-${at}`)
const sandbox = says('get-account', { ProductionAccessEnabled: false, SendingEnabled: true })
const trial = { isProduction: false }

describe('the table before a deployment', () => {
  it('has no remedy for a complete account and stage', async () => {
    const rows = await tableOf()
    expect(rows.filter(({ state, remedy }) => state !== 'good' || remedy !== undefined)).toEqual([])
    expect([...new Set(rows.map(({ name }) => name))]).toEqual([
      ...[
        'account',
        'plan',
        'sender',
        'email',
        'concurrency',
        'certificate',
        'behaviours',
        'header policies',
        'bootstrap',
      ],
      ...['service roles', 'settings', 'secret redis', 'secret payments', 'secret identity', 'secret personal'],
      ...['secret edge', 'secret shops', 'secret checkout', 'databases', 'gate users'],
    ])
  })

  it('leaves out senders and certificate where the stage has none', async () => {
    const { mail, domain, ...others } = ours
    const names = (await tableOf({ settings: { ...others, signIn: { kind: 'cognito' } } })).map(({ name }) => name)
    expect(names.filter((name) => ['sender', 'email', 'certificate'].includes(name))).toEqual([])
  })

  it('aligns its findings and shows each remedy below its own', () => {
    const rows: CheckRow[] = [
      { name: 'one', state: 'good', finding: 'well' },
      { name: 'another', state: 'bad', finding: 'ill\nand worse', remedy: 'cure' },
    ]
    expect(tableLines(rows)).toEqual(['✓ one      well', '✗ another  ill\n           and worse', '           → cure'])
  })

  it('has one row without credentials', async () => {
    const faults = await faultsOf(refuses('get-caller-identity', 'Unable to locate credentials'))
    expect(faults).toEqual([expect.stringMatching(/^account, bad: .*Unable to locate .* → Sign in/)])
  })

  it.each([
    ['the AWS CLI is not installed', /→ Install the AWS CLI/],
    ['You must specify a region. You can also configure your region by running "aws configure".', /→ Name a Region/],
    ['The config profile (shop) could not be found', /→ Set AWS_PROFILE/],
    ['Error when retrieving token from sso: Token has expired and refresh failed', /→ Sign in again/],
    ['An error occurred (ExpiredToken) when calling GetCallerIdentity: The token has expired', /→ Sign in again/],
    ['(SignatureDoesNotMatch): Signature expired: 20261130T07 is now earlier than 20261130T08', /→ Set the clock/],
    ['An error occurred (InvalidClientTokenId): The security token is invalid', /→ The keys are wrong/],
    ['Could not connect to the endpoint URL: "https://sts.eu-west-1.amazonaws.com/"', /→ Check the network/],
    ['An error occurred (AccessDenied)', /→ Sign in with the AWS CLI/],
  ])('has a specific remedy if the account cannot be read: %s', async (reason, remedy) => {
    expect(await faultsOf(refuses('get-caller-identity', reason))).toEqual([expect.stringMatching(remedy)])
  })

  it.each(Object.keys(goodAnswers).slice(1))('warns of what it cannot read without the right to %s', async (call) => {
    const faults = await faultsOf(refuses(call, 'AccessDenied'))
    expect(faults.length).toBeGreaterThan(0)
    for (const fault of faults) expect(fault).toMatch(/^[\w -]+, warning: not read: .*AccessDenied.* → Allow that call/)
  })

  it.each<Case>([
    [
      'plan',
      /blocked: .*free plan.* → Upgrade to the paid/,
      says('get-account-plan-state', { accountPlanType: 'FREE' }),
    ],
    [
      'sender',
      /bad: .* does not know shop\.example.* → .*create-email-id/,
      refuses('get-email-identity', 'NotFoundException'),
    ],
    ['sender', /bad: .* not verified shop\.exa/, says('get-email-identity', { VerifiedForSendingStatus: false })],
    ['email', /blocked: .*sandbox.* → .*no shopper can sign up; --force/, sandbox],
    ['email', /warning: .*sandbox.* → .*verify the addresses/, sandbox, trial],
    ['email', /blocked: .*paused/, says('get-account', { ProductionAccessEnabled: true, SendingEnabled: false })],
    ['concurrency', /bad: 10 .*reserves 5\d\d, others 0, .*keeps 100/, says('get-account-settings', concurrency(10))],
    ['concurrency', /bad: 1000 .*others 400.* → .*days/, says('get-account-settings', concurrency(1000, 600))],
    [
      'concurrency',
      /warning: 10 .*reserves 0/,
      says('get-account-settings', concurrency(10)),
      { functions: dev.functions },
    ],
    ['certificate', /bad: it is PENDING_VALIDATION → .*CNAME/, withCertificate({ Status: 'PENDING_VALIDATION' })],
    [
      'certificate',
      /bad: it is for shop\.example, not/,
      withCertificate({ SubjectAlternativeNames: ['shop.example'] }),
    ],
    ['certificate', /warning: .*not renew.* → .*method DNS: AWS/, withCertificate({ Type: 'IMPORTED' })],
    [
      'certificate',
      /warning: .*not renew/,
      withCertificate({ DomainValidationOptions: [{ ValidationMethod: 'EMAIL' }] }),
    ],
    ['certificate', /warning: .*renewal is FAILED/, withCertificate({ RenewalSummary: { RenewalStatus: 'FAILED' } })],
    [
      'certificate',
      /bad: .*does not exist .*request-cert/,
      refuses('describe-certificate', 'ResourceNotFoundException'),
    ],
    [
      'certificate',
      /bad: it is in eu, and .*us-east-1/,
      {},
      { domain: { name: 'x.example', certificateArn: 'arn:aws:acm:eu:1' } },
    ],
    [
      ...(['behaviours', /bad: \d+ .* of 25 .*Cache behaviors per distribution/] as const),
      says('list-service-quotas', { Quotas: [{ QuotaName: 'Cache behaviors per distribution', Value: 25 }] }),
    ],
    ['header policies', /bad: 6 .* 15 others, of 20/, says('list-response-headers-policies', otherPolicies(15))],
    ['bootstrap', /warning: not read: .*not expected/, says('get-parameter', {})],
    [
      ...([
        'service roles',
        /bad: .*Replicator is missing, and cdk-\w+-cfn-exec-role-\d{12}-us-east-1 .*create-service/,
      ] as const),
      says('simulate-principal-policy', 'implicitDeny'),
    ],
    ['settings', /bad: alarmEmail .* → .*npm run setup/, {}, { alarmEmail: 'alarms@example.com' }],
    [
      'settings',
      /warning: .*a proxy asks/,
      {},
      { signIn: { kind: 'cognito', secondFactor: { notRequired: 'a proxy asks' } } },
    ],
    ['secret edge', /bad: sluice\/prod\/edge is missing in us-east-1 → .*npm run setup/, withSecret('edge', undefined)],
    ['secret payments', /bad: webhookSecret is empty.* → .*--change stripe$/, payments({ webhookSecret: '' })],
    ['secret payments', /apiKey is missing; webhookSecret must/, payments({ apiKey: undefined, webhookSecret: 'x' })],
    ['secret payments', /Standard/, payments({ webhookSecret: 'whsec_x' }), { ...trial, simulatesPayments: true }],
    [
      'secret identity',
      /sessionKeys must .*; cookieKeys must/,
      withSecret('identity', { sessionKeys: '[]', cookieKeys: '["x"]' }),
    ],
    ['secret personal', /bad: keys is missing → docs/, withSecret('personal', {})],
    ['secret personal', /bad: body must be an object/, withSecret('personal', 'text')],
    ['secret shops', /bad: keys must be an object in JSON/, withSecret('shops', { keys: 'x' })],
    ['secret checkout', /bad: keys must be a list in JSON/, withSecret('checkout', { keys: '["x"]' })],
    ['secret edge', /bad: config readerToken is not text/, withSecret('edge', edgeSecret({ readerToken: '' }))],
    ['secret edge', /bad: config is empty/, withSecret('edge', { config: '' })],
    ['secret edge', /bad: config must be settings in base64url/, withSecret('edge', { config: 'x'.repeat(9000) })],
    [
      'secret edge',
      /bad: config has \d+ characters/,
      withSecret('edge', edgeSecret({ challengeKeys: ['x'.repeat(9000)] })),
    ],
    ['secret redis', /bad: stockDatabases is missing; gateToken is missing/, withSecret('redis', { gateUrl: 'x' })],
  ])('shows what is wrong with %s: %s', async (row, found, answers, change) => {
    const [first = ''] = await faultsOf(answers, change)
    expect([first.split(', ')[0], first]).toEqual([row, expect.stringMatching(found)])
  })

  it.each<[row: string, answers: Answers]>([
    ['header policies', says('list-response-headers-policies', otherPolicies(14))],
    ['header policies', says('list-response-headers-policies', null)],
    ['behaviours', says('list-service-quotas', { Quotas: [] })],
    // The stage is deployed: what is taken is its own.
    ['concurrency', { ...says('get-account-settings', concurrency(1000, 434)), ...says('describe-stacks', {}) }],
    ['service roles', { ...says('get-role', {}), ...says('simulate-principal-policy', 'explicitDeny') }],
    // `cdk bootstrap` is still to make the role.
    ['service roles', refuses('simulate-principal-policy', 'NoSuchEntity')],
    ['the secret of a provider', payments({ webhookSecret: 'whsec_x' })],
  ])('accepts %s that are enough', async (_, answers) => {
    expect(await faultsOf(answers)).toEqual([])
  })

  it('says how to restore a deleted secret', async () => {
    const faults = await faultsOf(refuses('get-secret-value', 'it was marked for deletion'))
    expect(faults.at(-3)).toMatch(/restore-secret --region us-east-1 --secret-id sluice\/prod\/edge$/)
  })

  it('names the environments to bootstrap', async () => {
    const aws = accountWith({
      'get-parameter': (option) => (option('--region') === 'us-east-1' ? '5' : refuse('ParameterNotFound')),
    })
    const rows = (await tableOf({ aws })).filter(({ name }) => name === 'bootstrap')
    expect(rows.map(({ state, finding, bootstraps }) => [state, finding.split(':')[0], bootstraps])).toEqual([
      ['good', 'eu-west-1 is not bootstrapped', 'aws://123456789012/eu-west-1'],
      ['good', 'us-east-1 has version 5, and 6 is needed', 'aws://123456789012/us-east-1'],
    ])
  })

  it('never shows the value of a secret', async () => {
    const broken = payments({ apiKey: 'planted-value', webhookSecret: 'planted-value' })
    const senderFor = databasesWith({ reader: undefined, owner: [] })
    const text = tableLines(await tableOf({ aws: accountWith(broken), senderFor })).join('\n')
    expect(text).not.toMatch(/planted-value|whsec_a|rk_live|"d"/)
  })
})

describe('the databases in the table', () => {
  it('must answer and accept writes', async () => {
    const faults = await faultsOf({}, {}, databasesWith({ owner: ['~*', '-@all', '+ping'] }))
    expect(faults).toEqual([
      expect.stringMatching(/^databases, bad: main: NOPERM .* → .*--change redis$/),
      expect.stringMatching(/^databases, bad: the gate’s database: NOPERM/),
    ])
  })

  it('must be the same for functions and gate, and should be two for a large stage', async () => {
    const shared = withSecret('redis', { ...secretValues.redis, gateUrl: 'https://main.example' })
    const differs = expect.stringMatching(/^gate users, bad: gateUrl differs/)
    expect(await faultsOf(shared)).toEqual([expect.stringMatching(/^databases, warning: .*share/), differs])
    expect(await faultsOf(shared, { size: 'small' })).toEqual([differs])
  })

  const silent = async () => {
    throw new RequestFailed('no answer (ENOTFOUND)')
  }
  const refusing = async () => ({ status: 401, headers: new Headers(), text: '{"error":"WRONGPASS"}' })
  const without = (rule: string) => writerRights.filter((one) => one !== rule)
  it.each<[what: string, senderFor: TablePorts['senderFor'], found: RegExp]>([
    ['all rights', databasesWith({ reader: undefined }), /reader may GET stock:\{deploy-check:0\}, and 2 more/],
    ['those of the writer', databasesWith({ reader: writerRights }), /reader may not GET gate:deploy-check, and/],
    ['a key too few', databasesWith({ writer: writerRights.slice(1) }), /writer may not EVAL .*:admissions, and 6/],
    ['a command too few', databasesWith({ writer: without('+hset') }), /writer may not HSET .* and 2/],
    ['the flags as well', databasesWith({ writer: ['~gate:*', ...writerRights] }), /writer may GET gate:\{/],
    ['no answer', () => silent, /reader cannot be checked: .*ENOTFOUND/],
    ['a wrong token', () => refusing, /reader cannot be checked: 401/],
  ])('give no user of the gate %s', async (_, senderFor, found) => {
    const faults = (await faultsOf({}, {}, senderFor)).filter((fault) => fault.startsWith('gate users, bad'))
    expect(faults[0]).toMatch(found)
    expect(faults[0]).toMatch(/--change gate-users$/)
  })
})
