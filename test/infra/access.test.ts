/** Rights: only our distribution calls the functions, and each function may do what its code does, and nothing else. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { allFunctions, type FunctionName, httpFunctions } from '../../system/functions.ts'
import { readableBundles } from './readable-bundles.ts'
import { describeStage, type JsonObject, listOf, only, stackNames, stringsIn } from './support.ts'

type Statement = { Effect: string; Action: unknown; Resource: unknown; Condition?: JsonObject; Principal?: unknown }

/** With e-mails and events, so that it has every function. */
const described = describeStage('full')
const everyFunction: readonly FunctionName[] = [...allFunctions, 'mail', 'events']

describe('the function URLs', () => {
  it('are open to our distribution alone, with both rights that a function URL requires', () => {
    const permissions = Object.values(described.resources('access', 'AWS::Lambda::Permission'))
    const granted = permissions.map(({ Properties }) => {
      expect(Properties.Principal).toBe('cloudfront.amazonaws.com')
      const source = stringsIn(Properties.SourceArn).join('')
      expect(source).toContain(':distribution/')
      expect(source).toContain('sluice-full-edge')
      if (Properties.Action === 'lambda:InvokeFunctionUrl') expect(Properties.FunctionUrlAuthType).toBe('AWS_IAM')
      else expect(Properties.InvokedViaFunctionUrl).toBe(true)
      return `${Properties.Action} ${Properties.FunctionName}`
    })
    const expected = httpFunctions.flatMap((name) =>
      ['lambda:InvokeFunction', 'lambda:InvokeFunctionUrl'].map((action) => `${action} sluice-full-${name}:live`),
    )
    expect(granted.toSorted()).toEqual(expected.toSorted())
    for (const stack of stackNames) {
      if (stack !== 'access') expect(described.resources(stack, 'AWS::Lambda::Permission'), stack).toEqual({})
    }
  })
})

describe('the public objects', () => {
  it('are readable by our distribution only, and only over TLS', () => {
    const { Properties } = only(described.resources('access', 'AWS::S3::BucketPolicy'))
    const { Statement } = Properties.PolicyDocument as { Statement: Statement[] }
    const [tls, ...rights] = Statement
    expect(tls).toMatchObject({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } })
    expect(rights.map(({ Action }) => Action)).toEqual(['s3:GetObject', 's3:ListBucket'])
    for (const { Effect, Principal, Condition } of rights) {
      expect({ Effect, Principal }).toEqual({ Effect: 'Allow', Principal: { Service: 'cloudfront.amazonaws.com' } })
      expect(stringsIn(Condition).join('')).toContain('AWS:SourceArn')
      expect(stringsIn(Condition).join('')).toContain('sluice-full-edge')
    }
  })
})

/** Statements of the roles of one stack, by the policy's name. */
function statementsOf(stack: 'app' | 'edge' | 'site'): [policy: string, statement: Statement][] {
  return Object.values(described.resources(stack, 'AWS::IAM::Policy')).flatMap(({ Properties }) => {
    const { Statement } = Properties.PolicyDocument as { Statement: Statement[] }
    return Statement.map((statement): [string, Statement] => [String(Properties.PolicyName), statement])
  })
}

/** The roles that the CDK gives its own functions: one copies the site, one sets the retention of logs. */
const isOfCdk = (policy: string) => /^(?:CustomCDKBucketDeployment|LogRetention)/.test(policy)

describe('a right of ours', () => {
  const ours = [...statementsOf('app'), ...statementsOf('edge'), ...statementsOf('site')].filter(
    ([policy]) => !isOfCdk(policy),
  )

  it('names its actions one by one', () => {
    expect(ours.length).toBeGreaterThan(30)
    for (const [policy, { Action }] of ours) {
      for (const action of listOf(Action)) expect(String(action), policy).toMatch(/^[a-z0-9-]+:[A-Za-z]+$/)
    }
  })

  it('never applies to everything: a star only follows the name of its resource', () => {
    for (const [policy, { Resource }] of ours) {
      for (const resource of listOf(Resource)) {
        const text = stringsIn(resource).join('')
        if (!text.includes('*')) continue
        expect(text, policy).toMatch(
          /sluice-full-site-.*\/(?:pictures\/\*|brand\/\*|sales\/\*\/(?:index\.html|current\.json|countdown\.\*\.js(on)?|draw\/\*))$|sluice-full-uploads-.*\/uploads\/\*$|logs:\*:.*\/sluice\/full\/gate(:\*)?$/,
        )
      }
    }
  })

  it('is in no managed policy of AWS', () => {
    for (const stack of ['app', 'edge', 'site'] as const) {
      for (const [id, { Properties }] of Object.entries(described.resources(stack, 'AWS::IAM::Role'))) {
        if (!isOfCdk(id)) expect(Properties.ManagedPolicyArns, id).toBeUndefined()
      }
    }
  })
})

/** The rights of a function, besides writing its log and passing failed invocations on. */
function rightsOf(name: FunctionName): string[] {
  const policy = name.replace(/-/g, '')
  const own = statementsOf('app').filter(([title]) => title.startsWith(`${policy}RoleDefaultPolicy`))
  const actions = own
    .filter(([, { Resource }]) => !/Failures|Log/.test(stringsIn(Resource).join('')))
    .flatMap(([, { Action }]) => listOf(Action).map(String))
  return [...new Set(actions)].toSorted()
}

/** The rights that the event source needs in a consumer's role, to receive messages from the queue. */
const consuming = [
  'sqs:ReceiveMessage',
  'sqs:ChangeMessageVisibility',
  'sqs:GetQueueUrl',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
]
/** Likewise, to read the stream of the table. */
const streaming = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
  (action) => `dynamodb:${action}`,
)
const reading = ['dynamodb:GetItem', 'dynamodb:BatchGetItem']
const writing = ['dynamodb:PutItem', 'dynamodb:UpdateItem']
const changing = ['dynamodb:GetItem', ...writing, 'dynamodb:BatchWriteItem']
const checking = ['dynamodb:ConditionCheckItem']
const removing = ['s3:DeleteObject']
const publishing = ['s3:GetObject', 's3:PutObject', 's3:ListBucket']
const sending = ['sqs:SendMessage']
const edgeStore = ['DescribeKeyValueStore', 'GetKey', 'UpdateKeys'].map(
  (action) => `cloudfront-keyvaluestore:${action}`,
)
const readingSecret = ['secretsmanager:GetSecretValue']
const managing = [
  ...readingSecret,
  ...edgeStore,
  ...reading,
  'dynamodb:Query',
  ...changing,
  ...publishing,
  ...removing,
  ...sending,
  ...['sqs:GetQueueAttributes', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'],
]

const expected: Record<FunctionName, readonly string[]> = {
  reserve: [...sending, ...readingSecret],
  orders: [...readingSecret, ...reading, 'dynamodb:Query'],
  'order-changes': [...readingSecret, ...reading, ...changing, ...publishing, ...sending, ...checking],
  delivery: [
    ...[...reading, 'dynamodb:Query', ...writing, 'dynamodb:DeleteItem', 'dynamodb:BatchWriteItem'],
    ...[...checking, 's3:GetObject', 's3:ListBucket'],
  ],
  wallet: ['dynamodb:BatchGetItem', 'dynamodb:Query'],
  'held-reads': [...readingSecret, ...reading, 'dynamodb:Query'],
  payments: [...readingSecret, ...changing, ...publishing, ...sending],
  'sign-in': ['dynamodb:PutItem'],
  draws: [
    ...[...readingSecret, ...reading, 'dynamodb:Query', ...writing, 'dynamodb:DeleteItem'],
    ...['dynamodb:BatchWriteItem', 's3:GetObject', 's3:ListBucket', 's3:PutObject'],
  ],
  control: [...managing, 'dynamodb:DeleteItem'],
  'write-orders': [...readingSecret, ...reading, ...writing, ...publishing, ...sending, ...consuming],
  'cancel-unpaid': [...readingSecret, ...reading, ...changing, ...publishing, ...sending, ...consuming],
  pictures: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject', 's3:ListBucket'],
  reconcile: [...managing, ...consuming],
  canary: ['dynamodb:PutItem'],
  mail: [...reading, ...writing, 'ses:SendEmail', ...streaming],
  events: [
    ...['dynamodb:GetItem', 'dynamodb:Query', ...writing, ...sending],
    ...['events:PutEvents', ...consuming, ...streaming],
  ],
}

describe('a function', () => {
  it.each(everyFunction)('%s has the rights of its work and no other', (name) => {
    expect(rightsOf(name)).toEqual([...new Set(expected[name])].toSorted())
  })

  it.each(everyFunction)('%s has no right that its code never uses', (name) => {
    const usable = actionsIn(name)
    const forThePlatform = [...consuming, ...streaming].filter((action) => expected[name].includes(action))
    // Without s3:ListBucket S3 answers 403 for a missing object; no command needs it.
    const unused = rightsOf(name).filter(
      (action) => !usable.has(action) && !forThePlatform.includes(action) && action !== 's3:ListBucket',
    )
    expect(unused).toEqual([])
  })
})

it('changes the store of the CloudFront Functions of its stage, and no other', () => {
  const rights = statementsOf('app').filter(([, { Action }]) =>
    listOf(Action).some((action) => String(action).startsWith('cloudfront-keyvaluestore:')),
  )
  expect(rights.map(([policy]) => policy.replace(/RoleDefaultPolicy.*/, '')).toSorted()).toEqual([
    'control',
    'reconcile',
  ])
  const [id] = Object.keys(described.resources('data', 'AWS::CloudFront::KeyValueStore'))
  for (const [, { Resource }] of rights) expect(stringsIn(Resource).join()).toContain(id)
})

describe('the public objects of sales', () => {
  /** Key patterns of the bucket in a role: names, and stars behind the bucket's own name. */
  const writableBy = (name: FunctionName) =>
    statementsOf('app')
      .filter(([title]) => title.startsWith(`${name.replace(/-/g, '')}RoleDefaultPolicy`))
      .filter(([, { Action }]) => listOf(Action).includes('s3:PutObject'))
      .flatMap(([, { Resource }]) => listOf(Resource))
      .map((resource) =>
        stringsIn(resource)
          .join('')
          .replace(/^.*eu-west-1\//, ''),
      )
      .toSorted()

  it('are written by the functions that publish sales', () => {
    for (const name of ['control', 'reconcile'] as const)
      expect(writableBy(name), name).toEqual([
        'accessibility/index.html',
        'brand/*',
        'customer/index.html',
        'index.html',
        'orders/index.html',
        'sales/*/countdown.*.js',
        'sales/*/countdown.*.json',
        'sales/*/current.json',
        'sales/*/index.html',
        'wallet/index.html',
      ])
  })

  it('get their pictures from a function that can write nothing else there, and read none', () => {
    expect(writableBy('pictures')).toEqual(['pictures/*', 'uploads/*'])
    const others = everyFunction.filter((name) => name !== 'pictures')
    for (const name of others) {
      const resources = writableBy(name).filter((object) => /pictures|uploads/.test(object))
      expect(resources, name).toEqual([])
    }
    const reads = statementsOf('app')
      .filter(([title, { Action }]) => title.startsWith('pictures') && listOf(Action).includes('s3:GetObject'))
      .map(([, { Resource }]) => stringsIn(Resource).join(''))
    expect(reads).toHaveLength(1)
    expect(reads[0]).toMatch(/sluice-full-uploads-.*\/uploads\/\*$/)
  })

  it('get their pointers from functions that change the units left, which can write no page and no script', () => {
    for (const name of ['order-changes', 'payments', 'write-orders', 'cancel-unpaid'] as const) {
      expect(
        writableBy(name).filter((object) => object !== '.well-known/jwks.json'),
        name,
      ).toEqual(['sales/*/countdown.*.js', 'sales/*/countdown.*.json', 'sales/*/current.json'])
    }
  })

  it('stand beside the keys of reservations, which the function writes that signs them', () => {
    const writers = everyFunction.filter((name) => writableBy(name).includes('.well-known/jwks.json'))
    expect(writers).toEqual(['order-changes'])
  })

  it('are not writable by other functions', () => {
    for (const name of ['reserve', 'orders', 'wallet'] as const) expect(writableBy(name), name).toEqual([])
  })
})

/** Commands of the SDK and actions of SQS, by the right that each requires. */
const rightFor: Record<string, string> = {
  Get: 'dynamodb:GetItem',
  BatchGet: 'dynamodb:BatchGetItem',
  Query: 'dynamodb:Query',
  Put: 'dynamodb:PutItem',
  PutItem: 'dynamodb:PutItem',
  Update: 'dynamodb:UpdateItem',
  Delete: 'dynamodb:DeleteItem',
  ConditionCheck: 'dynamodb:ConditionCheckItem',
  BatchWrite: 'dynamodb:BatchWriteItem',
  SendMessage: 'sqs:SendMessage',
  SendMessageBatch: 'sqs:SendMessage',
  ReceiveMessage: 'sqs:ReceiveMessage',
  DeleteMessageBatch: 'sqs:DeleteMessage',
  ChangeMessageVisibilityBatch: 'sqs:ChangeMessageVisibility',
  GetQueueAttributes: 'sqs:GetQueueAttributes',
  GetSecretValue: 'secretsmanager:GetSecretValue',
  SendEmail: 'ses:SendEmail',
  PutEvents: 'events:PutEvents',
  GetObject: 's3:GetObject',
  PutObject: 's3:PutObject',
  DeleteObject: 's3:DeleteObject',
  DescribeKeyValueStore: 'cloudfront-keyvaluestore:DescribeKeyValueStore',
  GetKey: 'cloudfront-keyvaluestore:GetKey',
  UpdateKeys: 'cloudfront-keyvaluestore:UpdateKeys',
}

const bundles = await readableBundles()

/** The commands and actions that some line of `code` names. */
function commandsIn(code: string): string[] {
  const named = code.matchAll(
    /new (\w+?)Command\d*\(|\bsqs\d*\(["'](\w+)["']|["'](?:DynamoDB_\d+|secretsmanager)\.(\w+)["']/g,
  )
  return [...named].map(([, command, action, target]) => command ?? action ?? target ?? '')
}

/** Every right that some line of ours in the function's bundle could use. */
function actionsIn(name: FunctionName): Set<string> {
  const text = bundles.get(name)
  if (text === undefined) throw new Error(`nothing was made of ${name}`)
  const own = text
    .split(/^\/\/ (?=[\w@.-]+\/)/m)
    .filter((part) => part.startsWith('functions/'))
    .join('\n')
  const inTransactions = [...own.matchAll(/\b(Put|Update|Delete|ConditionCheck): ?\{/g)].map(([, item]) => item ?? '')
  return new Set([...commandsIn(own), ...inTransactions].flatMap((command) => rightFor[command] ?? []))
}

it('knows every command that our adapters send', () => {
  const adapters = [
    'dead-letters.sqs',
    'queue-depth.sqs',
    'send.sqs',
    'visibility.sqs',
    'site.s3',
    'pictures.s3',
    'edge-store.cloudfront',
    'mailer.ses',
    'stock-list.secretsmanager',
    'event-bus.eventbridge',
  ].map((name) => `entries/adapters/${name}`)
  for (const adapter of [...adapters, 'table/people/mail-log', 'table/batch', 'table/query']) {
    const source = readFileSync(new URL(`../../functions/${adapter}.ts`, import.meta.url), 'utf8')
    expect(commandsIn(source), adapter).not.toEqual([])
    for (const command of commandsIn(source)) {
      expect(rightFor[command], `${adapter}: ${command}`).toBeDefined()
    }
  }
})
