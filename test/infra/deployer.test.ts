/** The rights to deploy, read from the deployed template; validation.test.ts has the template checked. */
import { App, DefaultStackSynthesizer } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { repository as tree } from '../../checks/tree.ts'
import { deployment } from '../../checks/workflows.ts'
import { requirements } from '../../cli/deploy-account.ts'
import { parse } from '../../core/lib/parse.ts'
import { withChoices } from '../../infra/settings/choices.ts'
import { dev } from '../../infra/settings/dev.ts'
import { prod } from '../../infra/settings/prod.ts'
import { small } from '../../infra/settings/small.ts'
import { type DeployerProps, DeployerStack, diffEnvironment, subjectOf } from '../../infra/stacks/deployer.ts'
import { newFolder } from '../folders.ts'
import { listOf, unvalidated } from './support.ts'

const named = (...names: string[]) => names.map((name) => ({ name, region: 'eu-central-1' }))
const usual: DeployerProps = { repository: 'octo-org/sluice', stages: named('dev', 'small', 'prod') }

function deployer(change: Partial<DeployerProps> = {}): Template {
  const app = new App({ outdir: newFolder('synth') })
  const stack = new DeployerStack(app, 'deployer', { ...usual, ...change })
  return unvalidated(() => Template.fromStack(stack))
}

const statement = z.looseObject({
  Effect: z.literal('Allow'),
  Action: z.string(),
  Principal: z.optional(z.unknown()),
  Condition: z.optional(z.record(z.string(), z.record(z.string(), z.string()))),
  Resource: z.optional(z.unknown()),
})
const policy = z.object({ Version: z.string(), Statement: z.array(statement) })
const roleProperties = z.looseObject({
  AssumeRolePolicyDocument: policy,
  MaxSessionDuration: z.number(),
  Policies: z.array(z.object({ PolicyName: z.string(), PolicyDocument: policy })),
  ManagedPolicyArns: z.optional(z.array(z.unknown())),
})

const issuer = 'token.actions.githubusercontent.com'

/** Every role by the subject it trusts. */
function rolesOf(template: Template): Map<string, z.infer<typeof roleProperties>> {
  const found = Object.values(template.findResources('AWS::IAM::Role')).map(({ Properties }) => {
    const read = parse(roleProperties, Properties)
    if (!read.ok) throw new Error(read.detail)
    const subject = read.value.AssumeRolePolicyDocument.Statement[0]?.Condition?.StringEquals?.[`${issuer}:sub`]
    return [subject ?? 'any subject', read.value] as const
  })
  return new Map(found)
}

/** An ARN as people write it. */
function written(value: unknown): string {
  const texts = JSON.stringify(value).matchAll(/"(?:Ref|Fn::Join)":|"((?:[^"\\]|\\.)*)"/g)
  return [...texts]
    .map(([, text]) => text ?? '')
    .join('')
    .replaceAll('AWS::', '$')
}

const resourcesOf = (role: z.infer<typeof roleProperties> | undefined): unknown =>
  role?.Policies[0]?.PolicyDocument.Statement[0]?.Resource

describe('a role of the deployer', () => {
  const template = deployer()
  const roles = rolesOf(template)

  it('trusts one environment of one repository, by its exact name', () => {
    expect([...roles.keys()].toSorted()).toEqual(
      ['dev', 'prod', 'prod-look', 'small', 'small-look'].map((name) => `repo:octo-org/sluice:environment:${name}`),
    )
    for (const [subject, { AssumeRolePolicyDocument }] of roles) {
      expect(AssumeRolePolicyDocument.Statement).toEqual([
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRoleWithWebIdentity',
          Principal: { Federated: { Ref: expect.stringMatching(/^GitHub/) } },
          Condition: { StringEquals: { [`${issuer}:aud`]: 'sts.amazonaws.com', [`${issuer}:sub`]: subject } },
        },
      ])
    }
  })

  it('may assume the roles of the bootstrap and nothing else, for an hour', () => {
    for (const { Policies, ManagedPolicyArns, MaxSessionDuration } of roles.values()) {
      expect(ManagedPolicyArns).toBeUndefined()
      expect(MaxSessionDuration).toBe(3600)
      const statements = Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
      expect(statements.map(({ Action }) => Action)).toEqual(['sts:AssumeRole'])
    }
    const kinds = ['deploy', 'file-publishing', 'image-publishing', 'lookup']
    const wanted = ['eu-central-1', 'us-east-1'].flatMap((region) =>
      kinds.map((kind) => `arn:$Partition:iam::$AccountId:role/cdk-hnb659fds-${kind}-role-$AccountId-${region}`),
    )
    for (const stage of ['dev', 'prod']) {
      const resources = resourcesOf(roles.get(subjectOf(usual.repository, stage)))
      expect(Array.isArray(resources) && resources.map(written)).toEqual(wanted)
    }
  })

  it('that shows a difference before the approval can only read', () => {
    const looking = roles.get(subjectOf(usual.repository, diffEnvironment('prod')))
    const resources = resourcesOf(looking)
    expect(Array.isArray(resources) && resources.map(written)).toEqual(
      ['eu-central-1', 'us-east-1'].map(
        (region) => `arn:$Partition:iam::$AccountId:role/cdk-hnb659fds-lookup-role-$AccountId-${region}`,
      ),
    )
  })

  it('uses no patterns', () => {
    const whole = JSON.stringify(template.toJSON().Resources)
    expect(whole).not.toMatch(/[*?]|StringLike|ForAnyValue/)
  })

  it('is an output with the name of its environment', () => {
    const descriptions = Object.values(template.findOutputs('*')).map(({ Description }) => Description)
    expect(descriptions).toEqual(
      ['dev', 'small', 'prod', 'small-look', 'prod-look'].map(
        (environment) => `AWS_ROLE_ARN of the environment ${environment}`,
      ),
    )
  })
})

describe('the workflow', () => {
  const { deploy, stage } = deployment(tree)
  const runs = stage.steps.map(({ run }) => run)
  const inputs = z.looseObject({ stage: z.string(), environment: z.string(), deploy: z.boolean() })
  const jobs = Object.values(deploy.jobs).flatMap((one) => {
    const read = parse(inputs, one.with)
    return read.ok ? [read.value] : []
  })
  const trial = withChoices(small, { simulatesPayments: true })

  it.each([
    ['sell', [dev, small, prod]],
    ['try', [dev, trial, prod]],
  ])('has a role for each of its environments, and no other, where the stages %s', (_, stages) => {
    const roles = rolesOf(deployer({ stages }))
    const environments = jobs.map(({ environment }) => subjectOf(usual.repository, environment))
    expect([...roles.keys()].toSorted()).toEqual(environments.toSorted())
    // A run names its environment, and takes the role of the bootstrap that its step names.
    const [, diffRole] = /role-arn "arn:aws:iam::\$account:role\/(\S+)"/.exec(runs.join()) ?? []
    for (const { stage: name, environment, deploy: deploys } of jobs) {
      const taken = listOf(resourcesOf(roles.get(subjectOf(usual.repository, environment)))).map(written)
      const region = stages.find((one) => one.name === name)?.region ?? ''
      const looking = diffRole?.replace('$account', '$AccountId').replace('$AWS_REGION', region)
      expect(taken, environment).toContain(`arn:$Partition:iam::$AccountId:role/${looking}`)
      expect(taken.some((role) => role.includes('-deploy-role-'))).toBe(deploys)
    }
    expect(environments).toContain(subjectOf(usual.repository, diffEnvironment('small')))
  })
})

describe('the settings of the deployer', () => {
  it('use the numbers that GitHub puts into the tokens of new repositories', () => {
    const template = deployer({ repository: 'octo-org@123/sluice@456', stages: named('dev') })
    expect([...rolesOf(template).keys()]).toEqual(['repo:octo-org@123/sluice@456:environment:dev'])
  })

  it.each(['sluice', 'octo-org/*', 'octo-org/sluice:ref', 'octo-org/a/b', 'octo-org@123/sluice', '/', ' o/n'])(
    'refuse %j as a repository',
    (repository) => {
      expect(() => deployer({ repository })).toThrow('is not a repository')
    },
  )

  it('refuse an environment that would end the subject early or match others', () => {
    for (const stage of ['dev:ref', '*', 'Dev', '']) {
      expect(() => deployer({ stages: named(stage) })).toThrow('is not an environment')
    }
  })

  it('use an existing identity provider of the account', () => {
    expect(Object.keys(deployer().findResources('AWS::IAM::OIDCProvider'))).toHaveLength(1)
    const template = deployer({ existingProvider: true })
    expect(template.findResources('AWS::IAM::OIDCProvider')).toEqual({})
    for (const { AssumeRolePolicyDocument } of rolesOf(template).values()) {
      const [trust] = AssumeRolePolicyDocument.Statement
      expect(written(trust?.Principal)).toContain(`arn:$Partition:iam::$AccountId:oidc-provider/${issuer}`)
    }
  })
})

it('makes resources by the role that the table before a deployment asks about', () => {
  const { DEFAULT_CLOUDFORMATION_ROLE_ARN: arn, DEFAULT_QUALIFIER: qualifier } = DefaultStackSynthesizer
  const names: Record<string, string> = { Qualifier: qualifier, AccountId: '123', Region: 'eu-west-1' }
  const role = arn.replaceAll(/\$\{(?:AWS::)?(\w+)\}/g, (_, name: string) => names[name] ?? 'aws')
  expect(role).toBe(`arn:aws:iam::123:role/${requirements.deploymentRole('123', 'eu-west-1')}`)
})
