/** The dialog with an operator, with an account and a Redis of Upstash in memory. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { AwsCliError } from '../../cli/aws-cli.ts'
import { runSetup } from '../../cli/setup.ts'
import { RequestFailed, type SmokeReply } from '../../cli/smoke/request.ts'
import { encodeConfig, parseConfig } from '../../edge/config.ts'
import { createSessionTokens } from '../../edge/memory/tokens.ts'
import { readEnvironment } from '../../functions/lib/env.ts'
import { type SigningKey, tokenSigner } from '../../functions/lib/session-token.ts'
import { personalVariables } from '../../functions/people/delivery-settings.ts'
import { signInVariables } from '../../functions/people/sign-in-settings.ts'
import { secretFields } from '../../infra/constructs/secrets.ts'
import { readChoices, stageChoices, WrongSettings, withChoices } from '../../infra/settings/choices.ts'
import { dev } from '../../infra/settings/dev.ts'
import { refuseBadSettings } from '../../infra/settings/problems.ts'
import { prod } from '../../infra/settings/prod.ts'
import { small } from '../../infra/settings/small.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { newFolder } from '../folders.ts'
import { accountWith } from './deploy-check/account.ts'

const url = 'https://calm-fox-1.upstash.io'
const gateUrl = 'https://wise-owl-2.upstash.io'
const databaseToken = 'token-of-the-database'
const home = 'eu-west-1'

/** The beginning of a question, and its answer. */
type Answer = readonly [question: string, answer: string]

const said = (...words: readonly string[]): Answer[] =>
  words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1] ?? ''] as const] : []))

const trial: readonly Answer[] = [
  ['Email address for alarms', 'night@shop.example'],
  ['Domain of the shop', ''],
  ['Stripe’s restricted key', ''],
  ['REST address of the database main', url],
  ['Its token', databaseToken],
]

/** A person with an account, which is empty at first, and Redis databases that know one token each. */
function operator(settings: StageSettings = small) {
  const file = pathToFileURL(join(newFolder('setup'), `${settings.name}.json`))
  const values = new Map<string, string>()
  const state = {
    deleted: new Set<string>(),
    outputs: {} as Record<string, string>,
    marketers: 0,
    account: '123456789012',
    concurrency: 1000,
    refusesAcl: false,
    /** Calls of AWS that changed something, and all arguments. */
    changes: [] as string[],
    args: [] as string[],
    users: new Map<string, readonly string[]>(),
    tokens: new Set([databaseToken]),
  }
  const call = async (input: string | undefined, ...args: readonly string[]) => {
    state.args.push(...args)
    const option = (name: string) => args[args.indexOf(name) + 1] ?? ''
    const id = `${option('--region')} ${args.includes('--name') ? option('--name') : option('--secret-id')}`
    switch (args[1]) {
      case 'get-caller-identity':
        return { Account: state.account }
      case 'describe-secret':
        if (!values.has(id)) throw new AwsCliError('(ResourceNotFoundException)')
        return state.deleted.has(id) ? { DeletedDate: 1 } : {}
      case 'get-secret-value':
        return values.get(id)
      case 'create-secret':
      case 'put-secret-value':
        expect(option('--secret-string')).toBe('file:///dev/stdin')
        expect(values.has(id)).toBe(args[1] === 'put-secret-value')
        state.changes.push(`${args[1]} ${id}`)
        values.set(id, input ?? '')
        return {}
      case 'describe-stacks': {
        const output = /OutputKey=='(\w+)'/.exec(option('--query'))?.[1] ?? ''
        const found = state.outputs[output]
        if (found === undefined) throw new AwsCliError('Stack with id … does not exist')
        return [found]
      }
      case 'list-users-in-group':
        return { Users: Array.from({ length: state.marketers }, () => ({})) }
      case 'get-account-settings':
        return { ConcurrentExecutions: state.concurrency, UnreservedConcurrentExecutions: state.concurrency }
      default:
        return accountWith()(...args)
    }
  }
  const redis = (host: string, token = '', words: readonly string[] = []): { result: unknown } | { error: string } => {
    if (!state.tokens.has(token)) return { error: 'WRONGPASS invalid or missing auth token' }
    if (words[0] === 'PING') return { result: 'PONG' }
    if (words[0] === 'DEL') return { result: 0 }
    if (words[0] === 'GET') return { result: null }
    if (state.refusesAcl) return { error: 'NOPERM this user has no permissions to run the ACL command' }
    const made = `${words[2]}-token-${host}-${state.users.size}`
    if (words[1] === 'GENTOKEN') return { result: made }
    state.users.set(words[2] ?? '', words.slice(3))
    return { result: 'OK' }
  }
  const senderFor =
    (address: string) =>
    async (path: string, request: { token?: string; body?: unknown } = {}) => {
      const { host } = new URL(address)
      if (!host.endsWith('.upstash.io')) throw new RequestFailed('no answer (ENOTFOUND)')
      const body = request.body as readonly string[]
      const answer =
        path === '/' ? redis(host, request.token, body) : body.map((words) => redis(host, request.token, [...words]))
      return { status: 200, headers: new Headers(), text: JSON.stringify(answer) } satisfies SmokeReply
    }
  /** Runs the command with these answers, in their order and no others. */
  async function setup(answers: readonly Answer[], ...flags: string[]) {
    const left = [...answers]
    const lines: string[] = []
    const marketers: string[] = []
    const answerTo = (isHidden: boolean) => async (question: string) => {
      const [expected, answer] = left.shift() ?? ['no question', '']
      expect(question.slice(0, expected.length)).toBe(expected)
      lines.push(isHidden ? question : `${question}${answer}`)
      return answer
    }
    const code = await runSetup(['--stage', settings.name, ...flags], {
      stages: { [settings.name]: settings },
      fileOf: () => file,
      aws: Object.assign((...args: readonly string[]) => call(undefined, ...args), { withInput: call }),
      senderFor,
      dialog: { ask: answerTo(false), askHidden: answerTo(true), print: (line) => void lines.push(line) },
      makeMarketer: async (_aws, { poolId }) => void marketers.push(poolId),
    })
    expect(left).toEqual([])
    return { code, text: lines.join('\n'), lines, marketers }
  }
  const fieldsOf = (name: string): Record<string, string> =>
    JSON.parse(values.get(`${name === 'edge' ? 'us-east-1' : home} sluice/${settings.name}/${name}`) ?? '{}')
  const chosen = () => JSON.parse(readFileSync(file, 'utf8'))
  /** The settings of the gate with the secret. */
  function edge() {
    const { issuer, audience } = settings.session
    const open = encodeConfig({ issuer, audience, origins: ['self'], challengeCost: 1 })
    const parsed = parseConfig(['d111111abcdef8.cloudfront.net', `${open}~${fieldsOf('edge').config}`])
    if (!parsed.ok) throw new Error(parsed.problems.join())
    return parsed.config
  }
  const sessionKeys = (): SigningKey[] => JSON.parse(fieldsOf('identity').sessionKeys ?? '[]')
  return { setup, state, values, fieldsOf, chosen, edge, sessionKeys, file }
}

/** A stage that was set up for a trial. */
async function trialShop() {
  const one = operator()
  const { text: first } = await one.setup(trial)
  one.state.changes = []
  return { ...one, first }
}

describe('npm run setup, for an empty account', () => {
  it('asks five things for a trial without a domain, and says what is left', async () => {
    const { setup, state, chosen } = operator()
    const { code, text } = await setup(trial)
    state.concurrency = 10
    expect((await setup([])).text).toMatch(/! concurrency {2}10 concurrent .*\n +→ Ask for more.*\nLeft to do:/)
    expect(code).toBe(0)
    expect(text).toMatchInlineSnapshot(`
      "✓ account 123456789012
      Email address for alarms: night@shop.example
      Domain of the shop (Enter: none, it gets an address of CloudFront): 
      Stripe’s restricted key (rk_…; Enter: a trial that simulates payments): 
      ✓ infra/settings/small.json is written: commit it
      ✓ the secret sluice/small/payments is stored
      REST address of the database main (https://….upstash.io): https://calm-fox-1.upstash.io
      Its token, not the read-only one: 
      ✓ the secret sluice/small/redis is stored
      ✓ the secret sluice/small/identity is stored
      ✓ the secret sluice/small/personal is stored
      ✓ the Redis user gate-reader exists
      ✓ the Redis user gate-writer exists
      ✓ the secret sluice/small/edge is stored
      Left to do:
      1. npm run deploy -- --stage small
      2. confirm both emails that AWS sends to night@shop.example
      3. npm run setup -- --stage small: it makes the first marketer"
    `)
    expect(chosen()).toEqual({ alarmEmail: 'night@shop.example', simulatesPayments: true })
    expect(state.changes).toHaveLength(5)
  })

  it('stores secrets that the functions and the gate read, whose keys belong together', async () => {
    const { fieldsOf, edge, sessionKeys, state } = await trialShop()
    for (const name of ['redis', 'identity', 'personal', 'edge'] as const)
      expect(Object.keys(fieldsOf(name)).toSorted()).toEqual([...secretFields[name]].toSorted())
    expect(fieldsOf('payments')).toEqual({
      apiKey: expect.stringMatching(/^[\w+/]{43}=$/),
      webhookSecret: expect.stringMatching(/^whsec_[\w+/]{32}$/),
    })
    const { SIGN_IN_SESSION_KEYS, SIGN_IN_COOKIE_KEYS } = signInVariables
    const { sessionKeys: keys, cookieKeys } = fieldsOf('identity')
    const variables = { SIGN_IN_SESSION_KEYS: keys, SIGN_IN_COOKIE_KEYS: cookieKeys }
    readEnvironment({ SIGN_IN_SESSION_KEYS, SIGN_IN_COOKIE_KEYS }, variables)
    const { PERSONAL_KEYS } = personalVariables
    readEnvironment({ PERSONAL_KEYS }, { PERSONAL_KEYS: fieldsOf('personal').keys })
    const [key] = sessionKeys()
    if (key === undefined) throw new Error('a key signs')
    const sign = await tokenSigner(key)
    const life = { ...small.session, expiresInSeconds: 60 }
    expect(
      await createSessionTokens(edge(), Date.now).verify(await sign({ shopperId: 'ann' as never }, life)),
    ).toMatchObject({
      shopperId: 'ann',
    })
    expect(edge()).toMatchObject({ gateUrl: url, readerToken: expect.stringMatching(/^gate-reader-token/) })
    expect(state.users.get('gate-writer')).toEqual(
      expect.arrayContaining(['reset', 'on', expect.stringMatching(/^>gate-writer-token/), '~gate:*:admissions']),
    )
  })
})

describe('npm run setup, repeated', () => {
  it('asks nothing and changes nothing', async () => {
    const { setup, state, values, chosen } = await trialShop()
    const before = [new Map(values), chosen()]
    const { code, text } = await setup([])
    expect(code).toBe(0)
    expect([state.changes, values, chosen()]).toEqual([[], ...before])
    expect(text).toContain('✓ the secret sluice/small/redis exists')
  })

  it('goes on where it ended, with the users of the gate made by the token that is stored', async () => {
    const { setup, state, values } = await trialShop()
    for (const id of ['eu-west-1 sluice/small/personal', 'us-east-1 sluice/small/edge']) values.delete(id)
    await setup([])
    expect(state.changes).toEqual([
      'create-secret eu-west-1 sluice/small/personal',
      'create-secret us-east-1 sluice/small/edge',
    ])
  })

  it('knows without its file, from the stored key, that payments are simulated', async () => {
    const { setup, chosen, file } = await trialShop()
    rmSync(file)
    await setup(trial.slice(0, 2))
    expect(chosen()).toEqual({ alarmEmail: 'night@shop.example', simulatesPayments: true })
  })

  it('makes the first marketer once there is a pool, and then says where to sign in', async () => {
    const { setup, state } = await trialShop()
    state.outputs = { UserPoolId: 'eu-west-1_AbC' }
    expect(await setup([])).toMatchObject({
      marketers: ['eu-west-1_AbC'],
      text: expect.stringContaining('1. npm run deploy'),
    })
    state.outputs.ShopUrl = 'https://d1.cloudfront.net'
    state.marketers = 1
    const { marketers, lines } = await setup([])
    expect(marketers).toEqual([])
    expect((await setup([], '--change', 'marketer')).marketers).toEqual(['eu-west-1_AbC'])
    expect(lines.slice(-2)).toEqual([
      '1. npm run smoke -- --url https://d1.cloudfront.net',
      '2. sign in at https://d1.cloudfront.net/console/',
    ])
  })

  it('stops at a secret that is scheduled for deletion, and at a file that is wrong', async () => {
    const { setup, state, file } = await trialShop()
    state.deleted.add('us-east-1 sluice/small/edge')
    const stopped = await setup([])
    expect([stopped.code, stopped.lines.at(-1)]).toEqual([
      1,
      '✗ the secret sluice/small/edge is scheduled for deletion: aws secretsmanager restore-secret --region us-east-1 --secret-id sluice/small/edge',
    ])
    writeFileSync(file, '{"domain":{"name":"Shop"}}')
    const wrong = await setup([])
    expect([wrong.code, wrong.text]).toEqual([
      1,
      expect.stringContaining('small.json: domain.name must be a name in small letters'),
    ])
  })

  it.each([
    '--stage none',
    '--stage constructor',
    '--change all',
    '--rotate session',
    '--step add',
    '--rotate cookie --step add --change redis',
  ])('explains its options for %s', async (flags) => {
    const { code, text } = await operator().setup([], ...flags.split(' '))
    expect([code, text]).toEqual([2, expect.stringContaining('npm run setup -- --stage dev|small|prod')])
  })
})

describe('an answer of the operator', () => {
  it('is asked for again, with the reason, until it can be used', async () => {
    const { setup, chosen, fieldsOf } = operator()
    const certificate = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1`
    const { text } = await setup([
      ...said('Email address', 'night', 'Email address', 'night@shop.example'),
      ...said('Domain', 'https://shop.example', 'Domain', 'shop.example'),
      ...said('ARN', certificate('eu-west-1'), 'ARN', certificate('us-east-1')),
      ...said('Id of its hosted zone', 'shop.example', 'Id of its hosted zone', 'Z0123456789ABC'),
      ...said('Name of the hosted zone', 'shop.example', 'Stripe’s restricted key', 'pk_live_public'),
      ...said('Stripe’s restricted key', 'rk_live_restricted', 'Signing secret', 'we_1'),
      ...said('Signing secret', 'whsec_new whsec_old', 'Sender', 'Shop', 'Sender', 'Shop <codes@shop.example>'),
      ...said('REST address', 'redis://calm-fox-1.upstash.io', 'REST address', 'https://elsewhere.example'),
      ...said('Its token', databaseToken, 'REST address', url, 'Its token', 'another'),
      ...said('REST address', url, 'Its token', databaseToken),
    ])
    expect(text.match(/^✗ .*/gm)).toEqual([
      '✗ the answer must be an email address, such as alarms@shop.example',
      '✗ the answer must be a name in small letters, such as shop.example',
      '✗ the answer must be the ARN of a certificate in us-east-1',
      '✗ the answer must be the id of a hosted zone, such as Z0123456789ABC',
      '✗ the answer must begin with rk_',
      '✗ the answer must begin with whsec_',
      '✗ the answer must be an email address, such as Shop <sign-in@shop.example>',
      '✗ the answer must begin with https://',
      '✗ database: no answer (ENOTFOUND)',
      '✗ database: WRONGPASS invalid or missing auth token',
      '✗ certificate  it is for *.shop.example, not for shop.example',
    ])
    expect(text).toContain('Signing secret of the webhook https://shop.example/api/payments/webhook')
    expect(fieldsOf('payments')).toEqual({ apiKey: 'rk_live_restricted', webhookSecret: 'whsec_new whsec_old' })
    expect(chosen()).toEqual({
      alarmEmail: 'night@shop.example',
      sender: 'Shop <codes@shop.example>',
      domain: {
        name: 'shop.example',
        certificateArn: certificate('us-east-1'),
        hostedZone: { id: 'Z0123456789ABC', name: 'shop.example' },
      },
      simulatesPayments: false,
    })
  })

  it('has the token of each Redis user where the database refuses to make them', async () => {
    const { setup, state, edge } = operator()
    state.refusesAcl = true
    state.tokens.add('made-by-hand-1').add('made-by-hand-2')
    const { text } = await setup([
      ...trial,
      ['The token of gate-reader', 'mistyped'],
      ['The token of gate-reader', 'made-by-hand-1'],
      ['The token of gate-writer', 'made-by-hand-2'],
    ])
    expect(text).toContain('! The database refuses: NOPERM')
    expect(text).toContain(
      '    ACL GENTOKEN gate-reader\n    ACL SETUSER gate-reader reset on ><token> ~gate:* -@all +get',
    )
    expect(text).toContain('✗ WRONGPASS')
    expect(edge()).toMatchObject({ readerToken: 'made-by-hand-1', writerToken: 'made-by-hand-2' })
  })

  it('names two databases for a large stage, and a key of Stripe', async () => {
    const { setup, fieldsOf, edge } = operator(prod)
    await setup([
      ...trial.slice(0, 2),
      ['Stripe’s restricted key (rk_…): ', ''],
      ['Stripe’s restricted key (rk_…): ', 'rk_live_1'],
      ['Signing secret', 'whsec_1'],
      ['Sender', 'codes@shop.example'],
      ...trial.slice(3),
      ['REST address of the gate’s database', gateUrl],
      ['Its token', databaseToken],
    ])
    const list = [{ name: 'main', url, token: databaseToken, commandsPerSecond: 10_000 }]
    expect(fieldsOf('redis')).toEqual({ stockDatabases: JSON.stringify(list), gateUrl, gateToken: databaseToken })
    expect(edge().gateUrl).toBe(gateUrl)
  })

  it('is the secret of the shop at an issuer of its own, which needs no marketer from us', async () => {
    const claims = { shopperId: 'sub' } as const
    const client = { clientId: 'shop', scope: 'openid', claims }
    const signIn = { kind: 'issuer', issuer: 'https://login.example', ...client } as const
    const { setup, fieldsOf } = operator({ ...small, signIn })
    const { text } = await setup([...trial, ['Secret of the shop at its issuer', 'of the issuer']])
    expect(fieldsOf('identity').clientSecret).toBe('of the issuer')
    expect(text).not.toContain('marketer')
  })
})

describe('one thing that changes', () => {
  it('is the payment provider: a trial becomes a shop that needs a sender, and keeps all else', async () => {
    const { setup, fieldsOf, chosen, state } = await trialShop()
    const answers = said('Stripe’s', 'rk_live_1', 'Signing', 'whsec_1', 'Sender', 'codes@shop.example')
    await setup(answers, '--change', 'stripe')
    expect(fieldsOf('payments')).toEqual({ apiKey: 'rk_live_1', webhookSecret: 'whsec_1' })
    expect(state.changes).toEqual(['put-secret-value eu-west-1 sluice/small/payments'])
    expect(chosen()).toEqual({
      alarmEmail: 'night@shop.example',
      sender: 'codes@shop.example',
      simulatesPayments: false,
      secretsRevision: 2,
    })
  })

  it('is the token of a database: the users of the gate stay', async () => {
    const { setup, state, fieldsOf } = await trialShop()
    state.tokens.add('next')
    const users = new Map(state.users)
    const { text } = await setup(
      said('REST address of the database main', url, 'Its token', 'next', 'REST address of the gate', ''),
      '--change',
      'redis',
    )
    expect(fieldsOf('redis')).toMatchObject({
      gateToken: 'next',
      stockDatabases: expect.stringContaining('"token":"next"'),
    })
    expect([state.changes, state.users]).toEqual([['put-secret-value eu-west-1 sluice/small/redis'], users])
    expect(text).toContain('1. npm run deploy')
  })

  it('is the database of the gate, which gets its users, while the keys of the edge stay', async () => {
    const { setup, fieldsOf, edge, state } = await trialShop()
    const { publicKeys, challengeKeys } = edge()
    await setup(
      said('REST address of the database main', '', 'REST address of the gate', gateUrl, 'Its token', databaseToken),
      '--change',
      'redis',
    )
    expect(fieldsOf('redis')).toMatchObject({ gateUrl, stockDatabases: expect.stringContaining(url) })
    expect(edge()).toMatchObject({
      gateUrl,
      publicKeys,
      challengeKeys,
      readerToken: expect.stringContaining('wise-owl'),
    })
    expect(state.changes).toHaveLength(2)
  })

  it('is the users of the gate: the former ones stay until the edge is deployed', async () => {
    const { setup, state, edge } = await trialShop()
    await setup([], '--change', 'gate-users')
    expect([...state.users.keys()]).toEqual(['gate-reader', 'gate-writer', 'gate-reader-2', 'gate-writer-2'])
    expect(edge().readerToken).toMatch(/^gate-reader-2/)
  })

  it('is the widget of Turnstile, which may also go (N4)', async () => {
    const { setup, edge } = await trialShop()
    await setup(said('Site key', '0x4AAA', 'Its secret key', '0x4AAB'), '--change', 'turnstile')
    expect(edge().turnstile).toMatchObject({ siteKey: '0x4AAA', secret: '0x4AAB' })
    await setup(said('Site key', ''), '--change', 'turnstile')
    expect(edge().turnstile).toBeUndefined()
  })

  it('is a damaged secret of the edge, made again with other keys of challenges', async () => {
    const { setup, values, edge } = await trialShop()
    values.set('us-east-1 sluice/small/edge', '{"config":"W10"}')
    expect(await setup([])).toMatchObject({
      code: 1,
      text: expect.stringContaining('--change gate-users makes it again'),
    })
    expect((await setup([], '--change', 'gate-users')).code).toBe(0)
    expect(edge().publicKeys).toHaveLength(1)
  })

  it('is a setting alone, which replaces no secret', async () => {
    const { setup, state, chosen } = await trialShop()
    await setup(said('Email address', 'day@shop.example'), '--change', 'alarm-email')
    expect([chosen().alarmEmail, chosen().secretsRevision, state.changes]).toEqual(['day@shop.example', undefined, []])
  })
})

describe('the keys of a stage', () => {
  const keysOf = {
    session: ({ sessionKeys }: Shop) => sessionKeys().map(({ x }) => x),
    cookie: ({ fieldsOf }: Shop) => JSON.parse(fieldsOf('identity').cookieKeys ?? ''),
    personal: ({ fieldsOf }: Shop) => JSON.parse(fieldsOf('personal').keys ?? ''),
    challenge: ({ edge }: Shop) => edge().challengeKeys,
  }
  type Shop = Awaited<ReturnType<typeof trialShop>>

  it.each(['session', 'cookie', 'personal', 'challenge'] as const)('are rotated in three steps: %s', async (name) => {
    const shop = await trialShop()
    const step = async (what: string) => {
      const { code, text } = await shop.setup([], '--rotate', name, '--step', what)
      return [code, keysOf[name](shop), text] as const
    }
    const [first] = keysOf[name](shop)
    expect(await step('use')).toEqual([
      1,
      [first],
      expect.stringContaining('✗ there is one key: add the next one first'),
    ])
    const [, [, next]] = await step('add')
    expect(next).not.toBe(first)
    expect(await step('use')).toEqual([0, [next, first], expect.stringContaining('✓ Deploy, then drop, ')])
    expect(await step('drop')).toEqual([0, [next], expect.stringContaining('✓ Deploy.')])
    expect(shop.chosen().secretsRevision).toBe(4)
    await step('add')
    await step('add')
    expect((await step('add'))[2]).toContain('✗ there are 3 keys: drop the last one first')
  })

  it('of sessions are at the edge before they sign, and as long as they may', async () => {
    const shop = await trialShop()
    const verifies = async (key: SigningKey | undefined) => {
      const sign = await tokenSigner(key ?? shop.sessionKeys()[0] ?? expect.fail())
      const token = await sign({ shopperId: 'ann' as never }, { ...small.session, expiresInSeconds: 60 })
      return (await createSessionTokens(shop.edge(), Date.now).verify(token)) !== undefined
    }
    await shop.setup([], '--rotate', 'session', '--step', 'add')
    const [former, next] = shop.sessionKeys()
    expect([await verifies(former), await verifies(next)]).toEqual([true, true])
    await shop.setup([], '--rotate', 'session', '--step', 'use')
    await shop.setup([], '--rotate', 'session', '--step', 'drop')
    expect([await verifies(former), await verifies(next)]).toEqual([false, true])
  })

  it('do not become more than the header of the origins takes', async () => {
    const shop = await trialShop()
    await shop.setup(
      [
        ['Site key', 's'],
        ['Its secret key', 'x'.repeat(300)],
      ],
      '--change',
      'turnstile',
    )
    await shop.setup([], '--rotate', 'challenge', '--step', 'add')
    const { code, text } = await shop.setup([], '--rotate', 'challenge', '--step', 'add')
    expect([code, text]).toEqual([
      1,
      expect.stringMatching(/✗ the secret of the edge: \d+ characters, 816 at most: drop keys/),
    ])
  })

  it('and no other secret is printed, or an argument of the AWS CLI', async () => {
    const shop = await trialShop()
    const printed: string[] = []
    for (const name of Object.keys(keysOf))
      for (const step of ['add', 'use']) printed.push((await shop.setup([], '--rotate', name, '--step', step)).text)
    printed.push(shop.first, ...shop.state.args)
    const { readerToken, writerToken, challengeKeys } = shop.edge()
    const { apiKey = '', webhookSecret = '' } = shop.fieldsOf('payments')
    const secrets = [databaseToken, apiKey, webhookSecret, readerToken, writerToken, ...challengeKeys]
    secrets.push(...keysOf.cookie(shop), ...keysOf.personal(shop), ...shop.sessionKeys().map(({ d }) => d))
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(10)
      expect(printed.some((text) => text.includes(secret))).toBe(false)
    }
  })
})

describe('npm run setup ends with one line for', () => {
  const keysWith = (name: string, text: string) => (keys: string) =>
    keys.replace(RegExp(`"${name}":"[^"]*`), `"${name}":"${text}`)
  it.each<[string, string, (text: string) => string]>([
    ['redis', 'gateUrl', () => 'calm-fox'],
    ['redis', 'gateToken', () => ''],
    ['redis', 'stockDatabases', () => ''],
    ['identity', 'sessionKeys', () => '[]'],
    ['identity', 'sessionKeys', keysWith('d', 'AAAA')],
    ['identity', 'sessionKeys', keysWith('x', 'A'.repeat(43))],
  ])('a secret %s whose %s is damaged', async (secret, field, damaged) => {
    const { setup, values, fieldsOf } = await trialShop()
    const fields = fieldsOf(secret)
    values.set(`${home} sluice/small/${secret}`, JSON.stringify({ ...fields, [field]: damaged(fields[field] ?? '') }))
    const { code, lines } = await setup([])
    expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(`^✗ ${field} `)])
  })

  it.each([
    [{ account: '$(id)\n' }, 'Account must be 12 digits'],
    [{ outputs: { ShopUrl: 'https://$(id)' } }, '0 must be an address or an id'],
  ])('an account with %j', async (change, fault) => {
    const { setup, state } = await trialShop()
    Object.assign(state, change)
    const { code, lines } = await setup([])
    expect([code, lines.at(-1)]).toEqual([1, `✗ an answer that was not expected: ${fault}`])
  })
})

describe('what was chosen for a stage', () => {
  it('leaves the settings of the repository as they are without a file', () => {
    expect(readChoices(pathToFileURL(join(newFolder('setup'), 'small.json')))).toBeUndefined()
    expect(withChoices(small, undefined)).toBe(small)
  })

  it('makes a trial of a small shop that simulates payments, with the emails of Cognito itself', () => {
    const settings = withChoices(small, { alarmEmail: 'night@shop.example', simulatesPayments: true })
    refuseBadSettings(settings)
    expect(settings).toMatchObject({
      isProduction: false,
      signIn: { kind: 'cognito' },
      alarmEmail: 'night@shop.example',
    })
    expect(settings.signIn).not.toHaveProperty('email')
    expect(() => refuseBadSettings(withChoices(prod, { simulatesPayments: true }))).toThrow('simulatesPayments is set')
  })

  it('is the sender, the domain, the revision of the secrets, and real payments where trials simulate them', () => {
    const chosen = stageChoices.parse({
      sender: 'Shop <codes@shop.example>',
      simulatesPayments: false,
      secretsRevision: 7,
    })
    expect(withChoices(dev, chosen)).toMatchObject({
      ...{ simulatesPayments: false, isProduction: false, secretsRevision: 7 },
      signIn: { kind: 'cognito', email: { from: 'Shop <codes@shop.example>' } },
    })
  })

  it('is read with a byte order mark and in UTF-16, as editors on Windows save it', () => {
    const file = join(newFolder('setup'), 'small.json')
    for (const encoding of ['utf8', 'utf16le'] as const) {
      writeFileSync(file, Buffer.from('\ufeff{"alarmEmail":"night@shop.example"}', encoding))
      expect(readChoices(pathToFileURL(file))).toEqual({ alarmEmail: 'night@shop.example' })
    }
  })

  it.each([
    ['{', 'body must be JSON'],
    ['{"alarmEmail":"night"}', 'alarmEmail must be an email address'],
    ['{"alarmMail":"night@shop.example"}', 'alarmMail is not a known field'],
    ['{"domain":{"name":"shop.example"}}', 'domain.certificateArn is missing'],
    ['{"simulatesPayments":"yes"}', 'simulatesPayments must be true or false'],
    ['{"secretsRevision":0}', 'secretsRevision must be at least 1'],
    ['{"__proto__":{"alarmEmail":"night@shop.example"}}', '__proto__ is not a known field'],
    ['{"alarmEmail":"$(id)@shop.example"}', 'alarmEmail must be an email address'],
    ['{"sender":"\u202eShop <codes@shop.example>"}', 'sender must be an email address'],
    [`{"domain":{"name":"${'a.'.repeat(200)}example"}}`, 'domain.name must be a name in small letters'],
    ['{"domain":{"name":"10.0.0.1"}}', 'domain.name must be a name in small letters'],
    ['{"domain":{"name":"--help"}}', 'domain.name must be a name in small letters'],
    ['{"a\\n\\u001b[2J":1}', 'a\ufffd\ufffd[2J is not a known field'],
  ])('is refused as %s', (json, reason) => {
    const file = join(newFolder('setup'), 'small.json')
    writeFileSync(file, json)
    expect(() => readChoices(pathToFileURL(file))).toThrow(`${file}: ${reason}`)
  })

  it.each(['utf16le', 'latin1'] as const)('is refused in one line in another encoding, such as %s', (encoding) => {
    const file = join(newFolder('setup'), 'small.json')
    writeFileSync(file, Buffer.from('{"sender":"J\u00fcrgen <a@shop.example>"}', encoding))
    for (const path of [file, join(file, '..')]) expect(() => readChoices(pathToFileURL(path))).toThrow(WrongSettings)
  })
})
