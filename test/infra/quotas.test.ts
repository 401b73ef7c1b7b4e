/**
 * Quotas that no synth knows, and that a deployment would meet: each is added up over the templates of stages
 * with everything that settings can switch on.
 */
import { describe, expect, it } from 'vitest'
import { viewerFunctionLimitBytes } from '../../build.ts'
import { requirements } from '../../cli/deploy-account.ts'
import { maxHeadersLength, secretSettingsLength } from '../../infra/gate-header.ts'
import { allFunctions } from '../../system/functions.ts'
import { environmentBytes } from './environment-bytes.ts'
import { stages } from './stages.ts'
import { describeStage, type Resource, stackNames, stringsIn } from './support.ts'

type Header = { HeaderName: string; HeaderValue: string }
type DistributionConfig = {
  CacheBehaviors: readonly object[]
  Origins: readonly { OriginCustomHeaders?: readonly Header[] }[]
}

describe.each(['prod', 'dev', 'small', 'full', 'issuer'] as const)('the templates of %s', (kind) => {
  const described = describeStage(kind)
  const templates = stackNames.map((stack) => ({ stack, json: described.template(stack) }))
  const resources = (type: string): [string, Resource][] =>
    stackNames.flatMap((stack) => Object.entries(described.resources(stack, type)))

  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
  describe('keep to CloudFront’s limits:', () => {
    const [first] = resources('AWS::CloudFront::Distribution')
    const config = first?.[1].Properties.DistributionConfig as DistributionConfig

    it('10,240 characters in the custom headers of all origins, with the longest secret that can be stored', () => {
      const headers = config.Origins.flatMap(({ OriginCustomHeaders = [] }) => OriginCustomHeaders)
      expect(headers.length).toBeGreaterThan(0)
      const secret = 'x'.repeat(secretSettingsLength)
      const lengths = headers.map(({ HeaderName, HeaderValue }) => {
        const value = HeaderValue.replace(/\{\{resolve:[^}]+\}\}/, secret)
        expect(value).not.toContain('resolve:')
        expect(value.length).toBeLessThanOrEqual(1783)
        return HeaderName.length + value.length
      })
      expect(lengths.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(maxHeadersLength)
      expect(maxHeadersLength).toBe(10_240)
    })

    it('75 cache behaviours and 100 origins', () => {
      expect(config.CacheBehaviors.length).toBeGreaterThan(10)
      expect(config.CacheBehaviors.length + 1).toBeLessThanOrEqual(75)
      expect(config.Origins.length).toBeLessThanOrEqual(100)
    })

    // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/flat-rate-pricing-plan.html
    it('those of the flat-rate plan Business: 50 behaviours, 50 rules of the firewall, no log in real time', () => {
      expect(config.CacheBehaviors.length + 1).toBeLessThanOrEqual(50)
      for (const behaviour of config.CacheBehaviors) {
        expect(behaviour).not.toHaveProperty('ForwardedValues')
        expect(behaviour).not.toHaveProperty('RealtimeLogConfigArn')
      }
      for (const [, { Properties }] of resources('AWS::WAFv2::WebACL'))
        expect((Properties.Rules as readonly object[]).length).toBeLessThanOrEqual(50)
      expect(resources('AWS::WAFv2::RuleGroup')).toEqual([])
    })

    it('10 kB in the code of a function', () => {
      const codes = resources('AWS::CloudFront::Function').map(([, { Properties }]) => Properties.FunctionCode)
      expect(codes).toHaveLength(3)
      for (const code of codes) expect(Buffer.byteLength(String(code))).toBeLessThanOrEqual(viewerFunctionLimitBytes)
    })
  })

  it('need what the table before a deployment counts', () => {
    const behaviours = resources('AWS::CloudFront::Distribution').map(
      ([, { Properties }]) => (Properties.DistributionConfig as DistributionConfig).CacheBehaviors.length + 1,
    )
    expect(behaviours).toEqual([requirements.behaviours(stages[kind])])
    const policies = resources('AWS::CloudFront::ResponseHeadersPolicy').map(
      ([, { Properties }]) => (Properties.ResponseHeadersPolicyConfig as { Name: string }).Name,
    )
    expect(policies.toSorted()).toEqual(requirements.headerPolicies.map((name) => `sluice-${kind}-${name}`).toSorted())
    const reserved = resources('AWS::Lambda::Function').map(([, { Properties }]) =>
      Number(Properties.ReservedConcurrentExecutions ?? 0),
    )
    expect(requirements.concurrency(stages[kind])).toBe(reserved.reduce((sum, one) => sum + one, 0))
    for (const { json } of templates) {
      const { Rules, Parameters } = json as { Rules?: unknown; Parameters?: Record<string, unknown> }
      expect(Parameters?.BootstrapVersion).toMatchObject({ Default: requirements.bootstrap.name })
      expect(JSON.stringify(Rules)).toContain(`bootstrap stack version ${requirements.bootstrap.version} required`)
    }
  })

  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
  describe('keep to CloudFormation’s limits:', () => {
    it('60 dynamic references in a stack', () => {
      const counts = templates.map(({ json }) => JSON.stringify(json).split('{{resolve:').length - 1)
      expect(Math.max(...counts)).toBeGreaterThan(20)
      expect(Math.max(...counts)).toBeLessThanOrEqual(60)
    })

    it('500 resources, 200 outputs, 200 parameters and 1 MB in a template', () => {
      for (const { stack, json } of templates) {
        expect(Object.keys(json.Resources ?? {}).length, stack).toBeLessThanOrEqual(500)
        expect(Object.keys(json.Outputs ?? {}).length, stack).toBeLessThanOrEqual(200)
        expect(Object.keys(json.Parameters ?? {}).length, stack).toBeLessThanOrEqual(200)
        expect(Buffer.byteLength(JSON.stringify(json)), stack).toBeLessThanOrEqual(1_000_000)
      }
    })

    it('no output of another stack that is taken apart, which CloudFormation cannot do (E1017)', () => {
      const references = templates.flatMap(({ json }) => intrinsicsIn(json))
      expect(references.filter(({ name }) => name === 'Fn::GetStackOutput').length).toBeGreaterThan(10)
      for (const { name, inside } of references)
        if (name === 'Fn::GetStackOutput') expect(inside).not.toContain('Fn::Split')
    })

    it('only outputs that their stack has', () => {
      const outputs = templates.flatMap(({ stack, json }) =>
        Object.keys(json.Outputs ?? {}).map((name) => `${described.stack(stack).stackName} ${name}`),
      )
      for (const { name, value } of templates.flatMap(({ json }) => intrinsicsIn(json))) {
        const { StackName, OutputName } = value as { StackName: string; OutputName: string }
        if (name === 'Fn::GetStackOutput') expect(outputs).toContain(`${StackName} ${OutputName}`)
      }
    })
  })

  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
  it('keep to 10,240 characters in the inline policies of a role, with the longest names of its resources', () => {
    const sizes = new Map<string, number>()
    for (const [id, { Properties }] of resources('AWS::IAM::Policy')) {
      const { Roles, PolicyDocument } = Properties as { Roles: unknown; PolicyDocument: unknown }
      const role = stringsIn(Roles).join() || id
      // A reference in the template is longer than the ARN that it becomes.
      sizes.set(role, (sizes.get(role) ?? 0) + JSON.stringify(PolicyDocument).length)
    }
    expect(sizes.size).toBeGreaterThan(10)
    expect(Math.max(...sizes.values())).toBeLessThanOrEqual(10_240)
  })

  // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  it('keep to 4 kB in the environment of a function, with the longest list of databases', () => {
    const functions = resources('AWS::Lambda::Function').filter(([, { Properties }]) =>
      String(Properties.FunctionName ?? '').startsWith('sluice-'),
    )
    expect(functions.length).toBeGreaterThanOrEqual(allFunctions.length)
    for (const [id, { Properties }] of functions) {
      const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: Record<string, unknown> }
      expect(environmentBytes(Variables), id).toBeLessThanOrEqual(4096)
    }
  })
})

type Intrinsic = { name: string; value: unknown; inside: readonly string[] }

/** Every intrinsic function in a template, with those around it. */
function intrinsicsIn(value: unknown, inside: readonly string[] = []): Intrinsic[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const isIntrinsic = name.startsWith('Fn::')
    const found = isIntrinsic ? [{ name, value: inner, inside }] : []
    return [...found, ...intrinsicsIn(inner, isIntrinsic ? [...inside, name] : inside)]
  })
}
