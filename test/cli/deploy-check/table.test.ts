/** The table of checks before a deployment, over recorded answers of AWS and of databases. */
import { describe, expect, it } from 'vitest'
import { accountChecks } from '../../../cli/deploy-account.ts'
import { stageChecks } from '../../../cli/deploy-stage.ts'
import { type Row, readTable, type TableSurroundings, tableLines } from '../../../cli/deploy-table.ts'
import { AskFailed } from '../../../cli/smoke/ask.ts'
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
  redeem: {},
  checkout: true,
}

const tableOf = (around: Partial<TableSurroundings> = {}): Promise<Row[]> =>
  readTable([...accountChecks, ...stageChecks], {
    ...{ settings: ours, aws: accountWith(), askerOf: databasesWith() },
    ...around,
  })

/** The rows of a name that are not good, in an account with these answers. */
async function faults(name: string, answers: Answers, change: Partial<StageSettings> = {}): Promise<Row[]> {
  const rows = await tableOf({ settings: { ...ours, ...change }, aws: accountWith(answers) })
  return rows.filter((row) => row.name === name && row.state !== 'good')
}

const answer = (value: unknown) => () => value
const withSecret = (name: string, value: unknown): Answers => ({
  'get-secret-value': (option) => {
    const asked = option('--secret-id').split('/')[2] ?? ''
    return secretAnswer(asked === name ? value : secretValues[asked])
  },
})
const withCertificate = (change: object): Answers => ({
  'describe-certificate': answer({ ...certificate, ...change }),
})

describe('the table before a deployment', () => {
  it('has no remedy for an account and a stage that lack nothing', async () => {
    const rows = await tableOf()
    expect(rows.filter(({ state, remedy }) => state !== 'good' || remedy !== undefined)).toEqual([])
    expect([...new Set(rows.map(({ name }) => name))]).toEqual([
      ...['account', 'sender', 'e-mail', 'concurrency', 'certificate', 'behaviours', 'header policies', 'bootstrap'],
      ...['service roles', 'settings', 'secret redis', 'secret payments', 'secret identity', 'secret personal'],
      ...['secret edge', 'secret shops', 'secret checkout', 'databases', 'gate users'],
    ])
    const lines = tableLines(rows)
    expect(lines).toHaveLength(rows.length)
    expect(new Set(lines.map((line) => line.slice(0, 19).search(/\S\s*$/) >= 0 && line[18])).size).toBe(1)
  })

  it('leaves out senders and certificate where the stage has none', async () => {
    const { mail, domain, ...others } = ours
    const names = (await tableOf({ settings: { ...others, signIn: { kind: 'cognito' } } })).map(({ name }) => name)
    expect(names.filter((name) => ['sender', 'e-mail', 'certificate'].includes(name))).toEqual([])
  })

  it('aligns its findings and shows each remedy below its own', () => {
    const rows: Row[] = [
      { name: 'one', state: 'good', finding: 'well' },
      { name: 'another', state: 'bad', finding: 'ill\nand worse', remedy: 'cure' },
    ]
    expect(tableLines(rows)).toEqual(['✓ one      well', '✗ another  ill\n           and worse', '           → cure'])
  })

  it('has one row without credentials', async () => {
    const rows = await tableOf({ aws: accountWith({ 'get-caller-identity': () => refuse('Unable to locate') }) })
    expect(rows).toMatchObject([{ name: 'account', state: 'bad', remedy: expect.stringContaining('Sign in') }])
  })

  it.each(Object.keys(goodAnswers).slice(1))('warns of what it cannot read without the right to %s', async (call) => {
    const denied = { [call]: () => refuse('AccessDenied') }
    const rows = await tableOf({ aws: accountWith({ 'get-role': () => refuse('NoSuchEntity'), ...denied }) })
    const others = rows.filter(({ state }) => state !== 'good')
    expect(others.length).toBeGreaterThan(0)
    for (const { state, finding, remedy } of others)
      expect([state, finding, remedy]).toEqual([
        'warning',
        'not read: An error occurred (AccessDenied)',
        'Allow that call, or check it by hand.',
      ])
  })

  it('warns of an answer in another form', async () => {
    const rows = await faults('bootstrap', { 'get-parameter': answer({}) })
    expect(rows).toMatchObject([{ state: 'warning', finding: expect.stringContaining('not expected') }])
  })
})

describe('a row of the account', () => {
  type Case = [name: string, state: Row['state'], finding: RegExp, remedy: RegExp, answers: Answers, change?: object]
  const sandbox = { 'get-account': answer({ ProductionAccessEnabled: false, SendingEnabled: true }) }
  const others = (count: number) => Array.from({ length: count }, (_, at) => `other-${at}`)
  it.each<Case>([
    [
      ...(['sender', 'bad', /does not know shop\.example/, /create-email-identity --region eu-west-1/] as const),
      { 'get-email-identity': () => refuse('NotFoundException') },
      { mail: undefined },
    ],
    [
      ...(['sender', 'bad', /has not verified mail\.example/, /^Wait, or add .* get-email-identity --region/] as const),
      {
        'get-email-identity': (option) => ({ VerifiedForSendingStatus: option('--email-identity') !== 'mail.example' }),
      },
    ],
    ['e-mail', 'waits', /sandbox/, /no shopper can sign up; --force/, sandbox],
    ['e-mail', 'warning', /sandbox/, /verify the addresses/, sandbox, { isProduction: false }],
    [
      ...(['e-mail', 'waits', /paused/, /AWS Support/] as const),
      { 'get-account': answer({ ProductionAccessEnabled: true, SendingEnabled: false }) },
    ],
    [
      ...([
        'concurrency',
        'bad',
        /^10 .* reserves 566, others 0, and AWS keeps 100/,
        /Service Quotas, eu-west-1/,
      ] as const),
      { 'get-account-settings': answer(concurrency(10)) },
    ],
    [
      ...(['concurrency', 'bad', /^1000 .* others 335/, /days/] as const),
      { 'get-account-settings': answer(concurrency(1000, 665)) },
    ],
    [
      ...(['concurrency', 'warning', /^10 .* reserves 0, .* count on 1000/, /Service Quotas/] as const),
      { 'get-account-settings': answer(concurrency(10)) },
      { functions: dev.functions },
    ],
    ['certificate', 'bad', /PENDING_VALIDATION/, /CNAME/, withCertificate({ Status: 'PENDING_VALIDATION' })],
    [
      ...(['certificate', 'bad', /for shop\.example, not for www/, /request-certificate --region us-east-1/] as const),
      withCertificate({ SubjectAlternativeNames: ['shop.example'] }),
    ],
    ['certificate', 'warning', /does not renew/, /--validation-method DNS/, withCertificate({ Type: 'IMPORTED' })],
    [
      ...(['certificate', 'warning', /does not renew/, /which AWS renews/] as const),
      withCertificate({ DomainValidationOptions: [{ ValidationMethod: 'EMAIL' }] }),
    ],
    [
      ...(['certificate', 'warning', /PENDING_VALIDATION/, /CNAME/] as const),
      withCertificate({ RenewalSummary: { RenewalStatus: 'PENDING_VALIDATION' } }),
    ],
    [
      ...(['certificate', 'bad', /does not exist/, /request-certificate/] as const),
      { 'describe-certificate': () => refuse('ResourceNotFoundException') },
    ],
    [
      ...(['certificate', 'bad', /in eu-west-1, and CloudFront reads us-east-1/, /request-certificate/] as const),
      {},
      { domain: { name: 'www.shop.example', certificateArn: arn.replace('us-east-1', 'eu-west-1') } },
    ],
    [
      ...(['behaviours', 'bad', /31 cache behaviours of 25/, /Cache behaviors per distribution/] as const),
      { 'list-service-quotas': answer({ Quotas: [{ QuotaName: 'Cache behaviors per distribution', Value: 25 }] }) },
    ],
    [
      ...(['header policies', 'bad', /6 .* beside 15 others, of 20/, /Response headers policies/] as const),
      { 'list-response-headers-policies': answer(others(15)) },
    ],
    [
      ...([
        'service roles',
        'bad',
        /Replicator is missing, and cdk-hnb659fds-cfn-exec-role-123456789012-us-east-1/,
      ] as const),
      /create-service-linked-role --aws-service-name replicator\.lambda/,
      { 'simulate-principal-policy': answer('implicitDeny') },
    ],
  ])('%s is %s: %s', async (name, state, finding, remedy, answers, change) => {
    const [first] = await faults(name, answers, change)
    expect(first).toEqual({
      ...{ name, state },
      ...{ finding: expect.stringMatching(finding), remedy: expect.stringMatching(remedy) },
    })
  })

  it.each<[name: string, answers: Answers]>([
    ['header policies', { 'list-response-headers-policies': answer(others(14)) }],
    ['header policies', { 'list-response-headers-policies': answer(null) }],
    ['behaviours', { 'list-service-quotas': answer({ Quotas: [] }) }],
    // The stage is deployed: what is taken is its own.
    ['concurrency', { 'get-account-settings': answer(concurrency(1000, 434)), 'describe-stacks': answer({}) }],
    ['service roles', { 'get-role': answer({ Role: {} }), 'simulate-principal-policy': () => refuse('unasked') }],
    // `cdk bootstrap` is still to make the role.
    ['service roles', { 'simulate-principal-policy': () => refuse('NoSuchEntity') }],
  ])('%s is good', async (name, answers) => {
    expect(await faults(name, answers)).toEqual([])
  })

  it('names the environments that are to be bootstrapped', async () => {
    const aws = accountWith({
      'get-parameter': (option) => (option('--region') === 'us-east-1' ? '5' : refuse('ParameterNotFound')),
    })
    const rows = (await tableOf({ aws })).filter(({ name }) => name === 'bootstrap')
    expect(rows).toMatchObject(
      [
        { state: 'good', finding: /not bootstrapped/, bootstraps: 'aws://123456789012/eu-west-1' },
        { state: 'good', finding: /version 5, and 6 is needed/, bootstraps: 'aws://123456789012/us-east-1' },
      ].map((row) => ({ ...row, finding: expect.stringMatching(row.finding) })),
    )
  })
})

describe('a secret', () => {
  it.each<[secret: string, value: unknown, finding: RegExp]>([
    ['payments', { ...secretValues.payments, webhookSecret: '' }, /^webhookSecret is empty/],
    [
      'payments',
      { ...secretValues.payments, apiKey: undefined, webhookSecret: 'x' },
      /^apiKey is missing; webhookSecret must/,
    ],
    [
      'identity',
      { sessionKeys: '[]', cookieKeys: '["x"]' },
      /^sessionKeys must .*; cookieKeys must .*; clientSecret is missing$/,
    ],
    ['personal', {}, /^keys is missing$/],
    ['personal', 'text', /^body must be an object$/],
    ['shops', { keys: 'x' }, /^keys must be an object in JSON/],
    ['checkout', { keys: '["x"]' }, /^keys must be a list in JSON/],
    ['edge', edgeSecret({ readerToken: '' }), /^config readerToken is not text$/],
    ['edge', { config: '' }, /^config is empty/],
    ['edge', { config: 'x'.repeat(9000) }, /^config must be settings in base64url$/],
    ['edge', edgeSecret({ challengeKeys: ['x'.repeat(9000)] }), /^config has \d+ characters, \d+ at most$/],
    ['redis', { gateUrl: 'x' }, /^stockDatabases is missing; gateToken is missing$/],
  ])('%s whose fields are wrong is not deployed', async (secret, value, finding) => {
    const [first] = await faults(`secret ${secret}`, withSecret(secret, value))
    expect(first).toMatchObject({ state: 'bad', finding: expect.stringMatching(finding) })
    expect(first?.remedy).toContain('npm run setup -- --stage prod')
  })

  it('of simulated payments must be of Standard Webhooks', async () => {
    const value = { ...secretValues.payments, webhookSecret: 'whsec_short' }
    const change = { simulatesPayments: true, isProduction: false }
    expect(await faults('secret payments', withSecret('payments', value), change)).toHaveLength(1)
    expect(await faults('secret payments', withSecret('payments', value))).toEqual([])
  })

  it('is missing, or scheduled for deletion', async () => {
    const gone = (reason: string): Answers => ({ 'get-secret-value': () => refuse(reason) })
    expect(await faults('secret edge', gone('ResourceNotFoundException'))).toMatchObject([
      { state: 'bad', finding: 'sluice/prod/edge is missing in us-east-1', remedy: expect.stringContaining('setup') },
    ])
    expect(await faults('secret edge', gone('it was marked for deletion'))).toMatchObject([
      { state: 'bad', remedy: 'aws secretsmanager restore-secret --region us-east-1 --secret-id sluice/prod/edge' },
    ])
  })

  it('is never printed', async () => {
    const broken = withSecret('payments', { apiKey: 'planted-value', webhookSecret: 'planted-value' })
    const users = databasesWith({ reader: undefined, owner: [] })
    const rows = await tableOf({ aws: accountWith(broken), askerOf: users })
    expect(tableLines(rows).join('\n')).not.toMatch(/planted-value|whsec_a|rk_live|"keys"/)
  })
})

describe('the settings', () => {
  it('may have no value of the example in production', async () => {
    const rows = await faults('settings', {}, { alarmEmail: 'alarms@example.com' })
    expect(rows).toMatchObject([{ state: 'bad', finding: expect.stringContaining('alarmEmail') }])
  })

  it('that give roles without a second factor are shown', async () => {
    const signIn: StageSettings['signIn'] = { kind: 'cognito', secondFactor: { notRequired: 'a proxy asks' } }
    expect(await faults('settings', {}, { signIn })).toMatchObject([{ state: 'warning' }])
  })
})

describe('the databases', () => {
  const rowsIn = async (name: string, around: Partial<TableSurroundings>) =>
    (await tableOf(around)).filter((row) => row.name === name && row.state !== 'good')

  it('must answer and take writes', async () => {
    const rows = await rowsIn('databases', { askerOf: databasesWith({ owner: ['~*', '-@all', '+ping'] }) })
    expect(rows).toMatchObject([
      { state: 'bad', finding: expect.stringMatching(/^main: NOPERM/), remedy: expect.stringContaining('Upstash') },
      { state: 'bad', finding: expect.stringMatching(/^the gate’s database: NOPERM/) },
    ])
  })

  it('should not be shared by the gate and the stock of a large stage', async () => {
    const aws = accountWith({
      ...withSecret('redis', { ...secretValues.redis, gateUrl: 'https://main.example' }),
    })
    expect(await rowsIn('databases', { aws })).toMatchObject([{ state: 'warning' }])
    expect(await rowsIn('databases', { aws, settings: { ...ours, size: 'small' } })).toEqual([])
    expect(await rowsIn('gate users', { aws })).toMatchObject(
      [{ state: 'bad', finding: /gateUrl differs/ }].map((row) => ({
        ...row,
        finding: expect.stringMatching(row.finding),
      })),
    )
  })

  it.each<[what: string, rights: Parameters<typeof databasesWith>[0], finding: RegExp]>([
    ['all rights', { reader: undefined }, /^gate-reader may GET stock:\{deploy-check:0\}, and 2 more/],
    ['the rights of the writer', { reader: writerRights }, /^gate-reader may not GET gate:deploy-check, and/],
    [
      'a key too few',
      { writer: writerRights.slice(1) },
      /^gate-writer may not EVAL gate:deploy-check:admissions, and 6/,
    ],
    [
      'a command too few',
      { writer: writerRights.filter((one) => one !== '+hset') },
      /^gate-writer may not HSET .* and 2/,
    ],
    ['the flags as well', { writer: ['~gate:*', ...writerRights.slice(3)] }, /^gate-writer may GET gate:\{.*, and 0/],
  ])('give a user of the gate neither %s', async (_, rights, finding) => {
    const rows = await rowsIn('gate users', { askerOf: databasesWith(rights) })
    expect(rows).toMatchObject([
      { state: 'bad', finding: expect.stringMatching(finding), remedy: expect.stringContaining('ACL SETUSER gate-') },
    ])
  })

  it('may not answer the users of the gate', async () => {
    const silent = async () => {
      throw new AskFailed('no answer (ENOTFOUND)')
    }
    const refusing = async () => ({ status: 401, headers: new Headers(), text: '{"error":"WRONGPASS"}' })
    for (const [ask, finding] of [
      [silent, /ENOTFOUND/],
      [refusing, /401/],
    ] as const) {
      const rows = await rowsIn('gate users', { askerOf: () => ask })
      expect(rows).toMatchObject([{ state: 'bad' }, { state: 'bad', finding: expect.stringMatching(finding) }])
    }
  })
})
