/** Who may read the secrets in the environments of functions: the key's policy, evaluated as IAM would. */
import { runSimulation } from '@cloud-copilot/iam-simulate'
import { describe, expect, it } from 'vitest'
import { describeStage } from './support.ts'

const [account, region] = ['123456789012', 'eu-west-1']
const keys = Object.values(describeStage().resources('app', 'AWS::KMS::Key'))
const key = keys.find(({ Properties }) => /functions/.test(String(Properties.Description)))
const functionRole = `arn:aws:iam::${account}:role/function`

const named: Record<string, string> = {
  'AWS::AccountId': account,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
  'AWS::Region': region,
}

/** The policy with the names that CloudFormation puts in. */
const policy = JSON.parse(JSON.stringify(key?.Properties.KeyPolicy), (_, value: unknown) => {
  if (typeof value !== 'object' || value === null) return value
  if ('Ref' in value) return named[String(value.Ref)]
  if ('Fn::GetAtt' in value) return functionRole
  if ('Fn::Join' in value && Array.isArray(value['Fn::Join'])) return value['Fn::Join'][1].join('')
  if ('Fn::Sub' in value) return String(value['Fn::Sub']).replace(/\$\{([\w:]+)\}/g, (_, name) => String(named[name]))
  return value
})

const Version = '2012-10-17'
const everything = { Version, Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] }

/**
 * Whether a role may do it with this key; `via` is the service in whose call it is. The role's own policies allow
 * everything, or with `own` what that says.
 */
async function mayUse(principal: string, action: string, via?: string, own: object[] = [everything]): Promise<boolean> {
  const answer = await runSimulation(
    {
      request: {
        principal,
        action,
        resource: { resource: `arn:aws:kms:${region}:${account}:key/k`, accountId: account },
        contextVariables: {
          'aws:PrincipalArn': principal,
          'kms:CallerAccount': principal.split(':')[4] ?? '',
          ...(via !== undefined && { 'kms:ViaService': `${via}.${region}.amazonaws.com` }),
        },
      },
      identityPolicies: own.map((document, index) => ({ name: `policy-${index}`, policy: document })),
      resourcePolicy: policy,
      serviceControlPolicies: [{ orgIdentifier: 'ou-1', policies: [{ name: 'all', policy: everything }] }],
      resourceControlPolicies: [],
    },
    {},
  )
  if (answer.resultType !== 'single') throw new Error(`${action}: ${JSON.stringify(answer)}`)
  return answer.overallResult === 'Allowed'
}

const deployer = `arn:aws:iam::${account}:role/cdk-hnb659fds-cfn-exec-role-${account}-${region}`
const reader = `arn:aws:iam::${account}:role/reader`

describe('the key of the functions’ environments', () => {
  it('lets a function decrypt without a policy of its own, and do nothing else with it', async () => {
    expect(await mayUse(functionRole, 'kms:Decrypt', 'lambda', [])).toBe(true)
    expect(await mayUse(functionRole, 'kms:Decrypt', undefined, [])).toBe(true)
    expect(await mayUse(functionRole, 'kms:Encrypt')).toBe(false)
    expect(await mayUse(functionRole, 'kms:Encrypt', 'lambda')).toBe(false)
  })

  it.each(['kms:Decrypt', 'kms:CreateGrant', 'kms:ReEncryptFrom', 'kms:GenerateDataKey'])(
    'shows no secret to readers of a configuration, whatever IAM allows them: no %s, also through Lambda',
    async (action) => {
      expect(await mayUse(reader, action)).toBe(false)
      expect(await mayUse(reader, action, 'lambda')).toBe(false)
    },
  )

  it.each([
    ['another role', reader],
    ['a role whose name begins with that of a function', `${functionRole}-2`],
    ['a role of that name in another account', functionRole.replace(account, '999999999999')],
  ])('lets no policy of IAM add %s', async (_, principal) => {
    const allow = { Version, Statement: [{ Effect: 'Allow', Action: 'kms:*', Resource: '*' }] }
    expect(await mayUse(principal, 'kms:Decrypt', undefined, [allow])).toBe(false)
    expect(await mayUse(principal, 'kms:Decrypt', 'lambda', [allow])).toBe(false)
  })

  it('names no role as a principal: KMS refuses one that IAM does not know yet', () => {
    const principals = policy.Statement.map(({ Principal }: { Principal: unknown }) => Principal)
    const [root] = principals
    expect(JSON.stringify(root)).toContain(`arn:aws:iam::${account}:root`)
    expect(principals).toEqual([root, root, { AWS: '*' }])
  })

  it('is used by the role that deploys in calls of Lambda only', async () => {
    for (const action of ['kms:Encrypt', 'kms:Decrypt', 'kms:CreateGrant']) {
      expect(await mayUse(deployer, action, 'lambda'), action).toBe(true)
      expect(await mayUse(deployer, action), action).toBe(false)
      expect(await mayUse(deployer, action, 'secretsmanager'), action).toBe(false)
    }
  })

  it('can be managed by an administrator: no policy locks the account out', async () => {
    for (const action of ['kms:PutKeyPolicy', 'kms:DescribeKey', 'kms:CancelKeyDeletion', 'kms:DisableKey'])
      expect(await mayUse(reader, action), action).toBe(true)
  })

  it('is rotated each year, and a deletion can be cancelled for 30 days', () => {
    expect(key).toMatchObject({ Properties: { EnableKeyRotation: true, PendingWindowInDays: 30 } })
  })
})
