/** Rights: only our distribution calls the functions, and who writes what is public; calls.test.ts has each right of a function. */
import { describe, expect, it } from 'vitest'
import { everyFunction, type FunctionName, httpFunctions } from '../../system/functions.ts'
import { describeStage, type JsonObject, listOf, only, type StackName, stackNames, stringsIn } from './support.ts'

type Statement = { Effect: string; Action: unknown; Resource: unknown; Condition?: JsonObject; Principal?: unknown }

/** With all that settings switch on, so that it has every function. */
const described = describeStage('full')

it('the function URLs are open to our distribution alone, with both rights that a function URL requires', () => {
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

it('the public objects are readable by our distribution only, and only over TLS', () => {
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

/** Statements of the roles of one stack, by the policy's name. */
function statementsOf(stack: StackName): [policy: string, statement: Statement][] {
  return Object.values(described.resources(stack, 'AWS::IAM::Policy')).flatMap(({ Properties }) => {
    const { Statement } = Properties.PolicyDocument as { Statement: Statement[] }
    return Statement.map((statement): [string, Statement] => [String(Properties.PolicyName), statement])
  })
}

/** The roles that the CDK gives its own functions: one copies the site, one sets the retention of logs. */
const isOfCdk = (policy: string) => /^(?:CustomCDKBucketDeployment|LogRetention)/.test(policy)

describe('a right of ours', () => {
  const ours = stackNames.flatMap(statementsOf).filter(([policy]) => !isOfCdk(policy))

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
          /sluice-full-site-.*\/(?:pictures\/\*|brand\/\*|sales\/\*\/(?:index\.html|current\.json|countdown\.\*\.js(on)?|[a-z]+\/\*))$|sluice-full-uploads-.*\/uploads\/\*$|logs:\*:.*\/sluice\/full\/gate-2(:\*)?$/,
        )
      }
    }
  })

  it('is in no managed policy of AWS', () => {
    for (const stack of stackNames) {
      for (const [id, { Properties }] of Object.entries(described.resources(stack, 'AWS::IAM::Role'))) {
        if (!isOfCdk(id)) expect(Properties.ManagedPolicyArns, id).toBeUndefined()
      }
    }
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
})
