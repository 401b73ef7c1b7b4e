/** The distribution: its origins, its caching, and the functions on its way. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, it } from 'vitest'
import { dist, edgeBundle } from '../../build.ts'
import { corsExposedHeaders, corsMaxAgeSeconds, corsMethods, corsRequestHeaders } from '../../core/gate/cors.ts'
import { configHeader } from '../../edge/config.ts'
import { handler as gate } from '../../edge/handler.ts'
import { EdgeFunction } from '../../infra/constructs/edge-function.ts'
import { gateSettings, openSettingsLength } from '../../infra/gate-header.ts'
import { refuseBadSettings } from '../../infra/settings/problems.ts'
import { prod } from '../../infra/settings/prod.ts'
import { openSecurityHeaders, securityHeaders, widgetSecurityHeaders } from '../../local/cdn/headers.ts'
import { apiBehaviours, consolePattern, openPatterns, pointerPattern, widgetPattern } from '../../system/behaviours.ts'
import { edgeRegions } from '../../system/edge-regions.ts'
import { functionTimeoutSeconds, httpFunctions } from '../../system/functions.ts'
import { contentSecurityPolicy, turnstileOrigin, widgetSecurityPolicy } from '../../system/site-headers.ts'
import { newFolder } from '../folders.ts'
import {
  assetOf,
  type DescribedStage,
  describeStage,
  type JsonObject,
  only,
  type Resource,
  retained,
  stackNames,
  stringsIn,
} from './support.ts'

type Behaviour = JsonObject & { PathPattern: string; AllowedMethods: string[]; TargetOriginId: string }
type Origin = JsonObject & { Id: string; OriginCustomHeaders?: { HeaderName: string; HeaderValue: string }[] }
type Config = JsonObject & {
  CacheBehaviors: Behaviour[]
  DefaultCacheBehavior: Behaviour
  Origins: Origin[]
  CustomErrorResponses: { ErrorCode: number; ErrorCachingMinTTL: number; ResponsePagePath?: string }[]
}

/** CloudFront's own policies, by the ids that are the same in every account. */
const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad'
const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac'

const described = describeStage()
const propertiesIn = (type: string) =>
  Object.values(described.resources('edge', type)).map(({ Properties }) => Properties)

function configOf(one = described): Config {
  const { Properties } = only(one.resources('edge', 'AWS::CloudFront::Distribution'))
  return Properties.DistributionConfig as Config
}

/** The retentions of the gate's log groups outside us-east-1. */
const retentionsOf = (one: DescribedStage) =>
  Object.values(one.resources('watch', 'Custom::LogRetention')).map(({ Properties }) => Properties)

const config = configOf()
const roles = described.resources('edge', 'AWS::IAM::Role')

/** The gate, with its id in the template. */
function gateFunction(): [id: string, found: Resource] {
  const [first, ...others] = Object.entries(described.resources('edge', 'AWS::Lambda::Function'))
  if (first === undefined || others.length > 0) throw new Error('there is not exactly one function')
  return first
}
const api = config.CacheBehaviors.filter(({ PathPattern }) => PathPattern.startsWith('/api/'))
const pages = config.CacheBehaviors.filter(({ PathPattern }) => !PathPattern.startsWith('/api/'))
const ofPages = [config.DefaultCacheBehavior, ...pages]
const pointer = pages.find(({ PathPattern }) => PathPattern === pointerPattern)

describe('the behaviours of the API', () => {
  it('are those of the local system, in their order', () => {
    const origins = new Map(config.Origins.map(({ Id, DomainName }) => [Id, stringsIn(DomainName).join()]))
    const served = api.map(({ PathPattern, TargetOriginId }) => [PathPattern, origins.get(TargetOriginId) ?? ''])
    expect(served.map(([pattern]) => pattern)).toEqual(apiBehaviours.map(({ pattern }) => pattern))
    for (const [index, { origin }] of apiBehaviours.entries())
      expect(served[index]?.[1]).toContain(`${origin.replace('-', '')}Host`)
  })

  it('never cache, forward everything except the host, and run pre-gate and gate with the body', () => {
    for (const behaviour of api) {
      expect(behaviour, behaviour.PathPattern).toMatchObject({
        CachePolicyId: cachingDisabled,
        OriginRequestPolicyId: allViewerExceptHostHeader,
        ViewerProtocolPolicy: 'https-only',
        FunctionAssociations: [{ EventType: 'viewer-request' }],
        LambdaFunctionAssociations: [{ EventType: 'origin-request', IncludeBody: true }],
      })
      expect(stringsIn(behaviour.FunctionAssociations).join()).toContain('pregate')
    }
  })

  it('are the only ones that accept a POST, and each of them is uncached', () => {
    const taking = [config.DefaultCacheBehavior, ...config.CacheBehaviors].filter(({ AllowedMethods }) =>
      AllowedMethods.includes('POST'),
    )
    expect(taking).toEqual(api)
  })

  it('have origins over TLS, signed, with the gate’s settings and the timeout of the function', () => {
    const behind = config.Origins.filter(({ OriginCustomHeaders }) => OriginCustomHeaders !== undefined)
    expect(behind.length).toBe(httpFunctions.length)
    for (const origin of behind) {
      expect(origin).toMatchObject({
        CustomOriginConfig: { OriginProtocolPolicy: 'https-only', OriginSSLProtocols: ['TLSv1.2'] },
        OriginAccessControlId: expect.anything(),
      })
      expect(JSON.stringify(origin)).not.toContain('OriginShield')
    }
    const control = behind.find(({ DomainName }) => stringsIn(DomainName).join().includes('controlHost'))
    expect(control?.CustomOriginConfig).toMatchObject({ OriginReadTimeout: functionTimeoutSeconds('control') + 2 })
    const signed = { OriginAccessControlOriginType: 'lambda', SigningBehavior: 'always', SigningProtocol: 'sigv4' }
    expect(propertiesIn('AWS::CloudFront::OriginAccessControl')).toContainEqual({
      OriginAccessControlConfig: expect.objectContaining(signed),
    })
  })
})

describe('the function at the edge', () => {
  const [id, found] = gateFunction()
  const { Properties, DeletionPolicy, UpdateReplacePolicy } = found

  it('is the bundle that the local system runs, and its package contains nothing else', () => {
    const asset = assetOf(found)
    expect(readdirSync(asset).toSorted()).toEqual(['handler.mjs', 'handler.mjs.map'])
    for (const file of readdirSync(asset)) {
      expect(readFileSync(join(asset, file)).equals(readFileSync(join(dist, 'edge', file))), file).toBe(true)
    }
  })

  it('meets the rules of Lambda@Edge: x86, no environment, no layer, no network of ours, a handler without callback', () => {
    expect(Properties).toMatchObject({ Architectures: ['x86_64'], Runtime: 'nodejs22.x' })
    expect(edgeBundle.target).toBe('node22')
    for (const none of ['Environment', 'Layers', 'VpcConfig', 'DeadLetterConfig', 'KmsKeyArn', 'TracingConfig']) {
      expect(Properties[none], none).toBeUndefined()
    }
    expect(Properties.Timeout).toBeLessThanOrEqual(30)
    expect(gate.length).toBeLessThan(3)
    const [role] = stringsIn(Properties.Role).filter((text) => text in roles)
    const trusted = stringsIn(roles[role ?? '']?.Properties.AssumeRolePolicyDocument)
    expect(trusted).toEqual(expect.arrayContaining(['lambda.amazonaws.com', 'edgelambda.amazonaws.com']))
  })

  it('of a former version answers where its number is given, and the present one stays', () => {
    const gateWith = (version: unknown) => {
      const app = new App({ context: { 'gate-version': version }, outdir: newFolder('synth') })
      const stack = new Stack(app, 'Edge', { env: { region: 'us-east-1' } })
      const gate = new EdgeFunction(stack, 'Gate', { settings: prod, folder: join(dist, 'edge') })
      const { functionVersion } = gate.onOriginRequest()
      return [stringsIn(stack.resolve(functionVersion.edgeArn)), Template.fromStack(stack)] as const
    }
    const [arn, template] = gateWith('41')
    expect(arn).toContain(':function:sluice-prod-gate:41')
    template.resourceCountIs('AWS::Lambda::Version', 1)
    for (const wrong of ['latest', '$LATEST', '0', '4 1'])
      expect(() => gateWith(wrong)).toThrow('--context gate-version')
  })

  it('keeps its versions, whose replicas outlive their use by hours', () => {
    const versions = Object.values(described.resources('edge', 'AWS::Lambda::Version'))
    const [version, ...more] = versions.filter(({ Properties: of }) => stringsIn(of.FunctionName).includes(id))
    expect(more).toEqual([])
    expect([version?.DeletionPolicy, version?.UpdateReplacePolicy]).toEqual(retained)
    expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(retained)
  })
})

describe('the gate', () => {
  it('has the address of the gate’s store, and not of the stock (S17)', () => {
    const headers = config.Origins.flatMap(({ OriginCustomHeaders }) => OriginCustomHeaders ?? [])
    const names = new Set(headers.map(({ HeaderName }) => HeaderName))
    expect([...names]).toEqual([configHeader])
    const [value, ...others] = new Set(headers.map(({ HeaderValue }) => HeaderValue))
    expect(others, 'the same for every origin').toEqual([])
    const [open = '', secret] = (value ?? '').split('~')
    expect(JSON.parse(Buffer.from(open, 'base64url').toString())).toEqual({
      issuer: prod.session.issuer,
      audience: prod.session.audience,
      origins: ['self', ...(prod.domain === undefined ? [] : [`https://${prod.domain.name}`])],
      challengeCost: prod.edge.challengeCost,
      secretsRevision: prod.secretsRevision,
    })
    expect(secret).toBe('{{resolve:secretsmanager:sluice/prod/edge:SecretString:config::}}')
  })

  it('gets its settings in a form that CloudFront accepts: one short header for each origin, without quotes', () => {
    for (const { OriginCustomHeaders = [] } of config.Origins) {
      for (const { HeaderValue } of OriginCustomHeaders) {
        expect(HeaderValue).toMatch(/^[A-Za-z0-9_~{}:/-]+$/)
        const [open = ''] = HeaderValue.split('~')
        expect(open.length).toBeLessThanOrEqual(openSettingsLength)
      }
    }
    const long = { ...prod, session: { ...prod.session, audience: 'x'.repeat(300) } }
    expect(() => gateSettings(long)).toThrow('longer than the 192')
  })

  it('has a log group with a retention in every region of its replicas, so that no log is kept for ever', () => {
    const groups = retentionsOf(described)
    const here = propertiesIn('AWS::Logs::LogGroup').find(({ LogGroupName }) => LogGroupName === '/sluice/prod/gate')
    expect(here?.RetentionInDays).toBe(prod.keep.logDays)
    expect(['us-east-1', ...groups.map(({ LogGroupRegion }) => LogGroupRegion)].toSorted()).toEqual(
      [...edgeRegions].toSorted(),
    )
    for (const group of groups)
      expect(group).toMatchObject({ LogGroupName: '/sluice/prod/gate', RetentionInDays: prod.keep.logDays })
  })

  it('has its logs’ retention in the chosen regions alone, where an organisation allows no others', () => {
    const regions = retentionsOf(describeStage('full')).map(({ LogGroupRegion }) => LogGroupRegion)
    expect(regions).toEqual(['eu-west-1', 'us-east-2'])
  })

  it('has another name in a further attempt, while CloudFront holds the former one, and so has all that names it', () => {
    const named = (one: DescribedStage) =>
      (['edge', 'watch'] as const).flatMap((stack) =>
        stringsIn(one.template(stack)).flatMap(
          (text) => text.match(/sluice[-/](?:prod|full)[-/]gate(?!-unavailable)[\w-]*/g) ?? [],
        ),
      )
    expect(new Set(named(described))).toEqual(new Set(['sluice-prod-gate', 'sluice/prod/gate']))
    const second = named(describeStage('full'))
    expect(new Set(second)).toEqual(new Set(['sluice-full-gate-2', 'sluice/full/gate-2']))
    // The function and its dashboard; its log group in each region and the right to write there.
    expect(second.length).toBeGreaterThan(20)
    for (const attempt of [0, 1.5]) {
      expect(() => refuseBadSettings({ ...prod, gate: { attempt } })).toThrow('gate.attempt must be a whole number')
    }
  })
})

describe('the stack of the edge', () => {
  it('has what serves and nothing else, since its replicas delay every deletion by hours', () => {
    for (const kind of ['prod', 'dev', 'small', 'full'] as const) {
      const types = Object.values(describeStage(kind).template('edge').Resources ?? {}).map(({ Type }) => Type)
      const serving = [
        ...['Distribution', 'Function', 'CachePolicy', 'ResponseHeadersPolicy', 'OriginAccessControl'].map(
          (type) => `AWS::CloudFront::${type}`,
        ),
        // The gate with its role and the log group that its configuration names.
        ...[
          'AWS::Lambda::Function',
          'AWS::Lambda::Version',
          'AWS::IAM::Role',
          'AWS::IAM::Policy',
          'AWS::Logs::LogGroup',
        ],
        ...(kind === 'dev' ? [] : ['AWS::WAFv2::WebACL']),
        ...(kind === 'full' ? ['AWS::Route53::RecordSet'] : []),
      ]
      expect([...new Set(types)].toSorted(), kind).toEqual(serving.toSorted())
      expect(types.filter((type) => type.startsWith('AWS::L')).length, kind).toBe(3)
    }
  })

  it('is deployed before the stack that watches it, in the same region, and no stack waits for that one', () => {
    for (const kind of ['prod', 'dev', 'full'] as const) {
      const { stack } = describeStage(kind)
      const watch = stack('watch')
      expect(watch.region).toBe(stack('edge').region)
      expect(watch.dependencies).toEqual(expect.arrayContaining([stack('edge').id, stack('site').id]))
      for (const name of stackNames) expect(stack(name).dependencies, name).not.toContain(watch.id)
    }
  })

  it('exports nothing, so that no stack that reads its values can block its update', () => {
    for (const kind of ['prod', 'one'] as const) {
      const texts = stackNames.map((name) => JSON.stringify(describeStage(kind).template(name)))
      expect(texts.join()).not.toMatch(/"Export"|Fn::ImportValue/)
    }
  })
})

describe('the pages', () => {
  it('come from the bucket through the path function, from the nearest location (C4)', () => {
    for (const behaviour of ofPages) {
      expect(behaviour.AllowedMethods).toEqual(['GET', 'HEAD'])
      expect(behaviour).toMatchObject({ ViewerProtocolPolicy: 'redirect-to-https', Compress: true })
    }
    for (const behaviour of ofPages.filter((one) => one !== pointer))
      expect(stringsIn(behaviour.FunctionAssociations).join()).toContain('sitepaths')
    expect(config.PriceClass).toBe('PriceClass_All')
    const bucket = config.Origins.find(({ S3OriginConfig }) => S3OriginConfig !== undefined)
    expect(bucket?.OriginAccessControlId).toBeDefined()
    expect(bucket?.Id).toBe(config.DefaultCacheBehavior.TargetOriginId)
  })

  it('run one function for a poll: the one that adds the time to the answer (C5)', () => {
    expect(pointer?.FunctionAssociations).toMatchObject([{ EventType: 'viewer-response' }])
    expect(stringsIn(pointer?.FunctionAssociations).join()).toContain('clock')
  })

  it('need no function of Lambda: a crowd at unknown paths leaves the gate its concurrency', () => {
    expect(pages.map(({ PathPattern }) => PathPattern)).toEqual([
      pointerPattern,
      ...openPatterns,
      consolePattern,
      widgetPattern,
    ])
    for (const { LambdaFunctionAssociations } of ofPages) expect(LambdaFunctionAssociations).toBeUndefined()
  })

  it('share one object for all viewers: no cookie, header or query is in the key, and the pointer is at most one second old (C6)', () => {
    const lifetimes = propertiesIn('AWS::CloudFront::CachePolicy').map(({ CachePolicyConfig }) => {
      const policy = CachePolicyConfig as JsonObject & {
        ParametersInCacheKeyAndForwardedToOrigin: JsonObject
      }
      expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toMatchObject({
        CookiesConfig: { CookieBehavior: 'none' },
        HeadersConfig: { HeaderBehavior: 'none' },
        QueryStringsConfig: { QueryStringBehavior: 'none' },
      })
      return [policy.MinTTL, policy.DefaultTTL, policy.MaxTTL]
    })
    expect(lifetimes).toEqual([
      [0, 0, 365 * 86_400],
      [1, 1, 1],
    ])
    expect(stringsIn(pointer?.CachePolicyId).join()).toContain('pointer')
    for (const behaviour of ofPages) expect(behaviour.OriginRequestPolicyId).toBeUndefined()
  })

  it('and the API may be read by pages of other sites where the table says so, without credentials', () => {
    const policies = Object.entries(described.resources('edge', 'AWS::CloudFront::ResponseHeadersPolicy'))
    const open = policies.flatMap(([id, { Properties }]) => {
      const { CorsConfig } = Properties.ResponseHeadersPolicyConfig as JsonObject
      if (CorsConfig === undefined) return []
      expect(CorsConfig).toEqual({
        AccessControlAllowCredentials: false,
        AccessControlAllowHeaders: { Items: [...corsRequestHeaders] },
        AccessControlAllowMethods: { Items: [...corsMethods] },
        AccessControlAllowOrigins: { Items: ['*'] },
        AccessControlExposeHeaders: { Items: [...corsExposedHeaders] },
        AccessControlMaxAgeSec: corsMaxAgeSeconds,
        OriginOverride: true,
      })
      return [id]
    })
    const readable = config.CacheBehaviors.filter(({ ResponseHeadersPolicyId }) =>
      stringsIn(ResponseHeadersPolicyId).some((id) => open.includes(id)),
    )
    expect(readable.map(({ PathPattern }) => PathPattern)).toEqual([
      ...apiBehaviours.flatMap((one) => (one.open ? [one.pattern] : [])),
      pointerPattern,
      ...openPatterns,
    ])
  })

  it('may be loaded by pages with an embedder policy where other sites read it, and nothing else is', () => {
    const policies = propertiesIn('AWS::CloudFront::ResponseHeadersPolicy').map(
      ({ ResponseHeadersPolicyConfig }) => ResponseHeadersPolicyConfig as JsonObject,
    )
    const custom = policies.filter(({ CustomHeadersConfig }) => CustomHeadersConfig !== undefined)
    const resource = { Header: 'cross-origin-resource-policy', Override: true, Value: 'cross-origin' }
    expect(custom).toMatchObject([{ Name: 'sluice-prod-open', CustomHeadersConfig: { Items: [resource] } }])
    expect(openSecurityHeaders.slice(securityHeaders.length)).toEqual([resource.Header, resource.Value])
  })

  const securedBy = (policy: string, FrameOption: string) => ({
    ResponseHeadersPolicyConfig: {
      SecurityHeadersConfig: {
        ContentSecurityPolicy: { ContentSecurityPolicy: policy, Override: true },
        ContentTypeOptions: { Override: true },
        FrameOptions: { FrameOption },
        ReferrerPolicy: { ReferrerPolicy: 'strict-origin-when-cross-origin' },
        StrictTransportSecurity: { AccessControlMaxAgeSec: 63_072_000, IncludeSubdomains: false },
      },
    },
  })

  it('have the security headers that the local pages are tested with', () => {
    const policies = propertiesIn('AWS::CloudFront::ResponseHeadersPolicy')
    const page = policies.find((properties) => JSON.stringify(properties).includes('-pages'))
    expect(page).toMatchObject(securedBy(contentSecurityPolicy, 'DENY'))
    expect(securityHeaders).toContain(contentSecurityPolicy)
    expect(contentSecurityPolicy).not.toMatch(/unsafe|\*/)
    expect(contentSecurityPolicy).not.toContain('cloudflare')
  })

  it('allow scripts of Turnstile on the page of its widget alone, which only this site may frame (N4)', () => {
    const policies = Object.entries(described.resources('edge', 'AWS::CloudFront::ResponseHeadersPolicy'))
    const [id, policy] = policies.find(([, one]) => JSON.stringify(one).includes('-widget')) ?? []
    expect(policy?.Properties).toMatchObject(securedBy(widgetSecurityPolicy, 'SAMEORIGIN'))
    const users = ofPages.filter(({ ResponseHeadersPolicyId }) => stringsIn(ResponseHeadersPolicyId).includes(id ?? ''))
    expect(users.map(({ PathPattern }) => PathPattern)).toEqual([widgetPattern])
    expect(widgetSecurityPolicy.match(/https:[^ ;]+/g)).toEqual([turnstileOrigin, turnstileOrigin])
    expect(widgetSecurityPolicy).not.toMatch(/unsafe|\*/)
    expect(widgetSecurityHeaders('http://127.0.0.1:9')).toContain(
      widgetSecurityPolicy.replaceAll(turnstileOrigin, 'http://127.0.0.1:9'),
    )
  })

  it('let the console, and no other page, send requests to the bucket of uploads', () => {
    const policies = propertiesIn('AWS::CloudFront::ResponseHeadersPolicy').map((policy) => stringsIn(policy).join(''))
    const allowed = policies.filter((text) => text.includes('uploads'))
    expect(allowed).toHaveLength(1)
    expect(allowed[0]).toMatch(
      /sluice-prod-console.*connect-src 'self' https:\/\/sluice-prod-uploads-[^ ]+\.s3\.eu-west-1\.amazonaws\.com;/,
    )
    const console = pages.find(({ PathPattern }) => PathPattern === consolePattern)
    expect(stringsIn(console?.ResponseHeadersPolicyId).join()).toContain('Console')
  })
})

describe('the distribution', () => {
  it('caches no error, and replaces no answer by a page of its own', () => {
    const retained = Object.fromEntries(
      config.CustomErrorResponses.map(({ ErrorCode, ErrorCachingMinTTL }) => [ErrorCode, ErrorCachingMinTTL]),
    )
    for (const code of [400, 403, 404, 405, 414, 500, 501, 502, 503, 504]) expect(retained[code], String(code)).toBe(0)
    for (const { ResponsePagePath } of config.CustomErrorResponses) expect(ResponsePagePath).toBeUndefined()
  })

  it('speaks HTTP/2 and 3, and reads a page of the bucket for the root path', () => {
    expect(config).toMatchObject({ HttpVersion: 'http2and3', DefaultRootObject: 'index.html' })
  })

  it('writes an access log that keeps no code of a sign-in, no token of an unsubscribe link and no cookie', () => {
    // The former kind of log has all fields.
    expect(config).not.toHaveProperty('Logging')
    const { Properties } = only(described.resources('watch', 'AWS::Logs::Delivery'))
    const fields = Properties.RecordFields as string[]
    expect(fields).toEqual(expect.arrayContaining(['c-ip', 'cs-uri-stem', 'sc-status']))
    // A query has both, and so has the referrer of what a page with such an address loads.
    const withCredentials = /query|referer|cookie|headers/i
    expect(fields.filter((field) => withCredentials.test(field))).toEqual([])
    const source = only(described.resources('watch', 'AWS::Logs::DeliverySource'))
    expect(source.Properties.LogType).toBe('ACCESS_LOGS')
    expect(source.Properties.Name).toBe(Properties.DeliverySourceName)
    const [distribution] = Object.keys(described.resources('edge', 'AWS::CloudFront::Distribution'))
    expect(stringsIn(source.Properties.ResourceArn).join()).toContain(`OutputRef${distribution}`)
  })

  it('deploys the viewer’s functions as they are written and tested', () => {
    for (const name of ['pre-gate', 'site-paths', 'clock']) {
      expect(propertiesIn('AWS::CloudFront::Function'), name).toContainEqual(
        expect.objectContaining({
          Name: `sluice-prod-${name}`,
          FunctionCode: readFileSync(join(dist, 'edge', `${name}.js`), 'utf8'),
          FunctionConfig: expect.objectContaining({ Runtime: 'cloudfront-js-2.0' }),
        }),
      )
    }
  })

  it('gives both of them the key-value store of the stage, which its writers know', () => {
    const [id = '', ...others] = Object.keys(described.resources('data', 'AWS::CloudFront::KeyValueStore'))
    expect(others).toEqual([])
    const found = Object.entries(described.resources('edge', 'AWS::CloudFront::Function'))
    const withStore = found.filter(([, { Properties }]) => {
      const { KeyValueStoreAssociations } = Properties.FunctionConfig as JsonObject
      return stringsIn(KeyValueStoreAssociations).join().includes(id)
    })
    // The clock of the pointer needs none.
    expect([found.length, withStore.length]).toEqual([3, 2])
  })

  it('accepts TLS 1.2 and better under a domain of its own, and redirects there', () => {
    const own = describeStage('full')
    const ownConfig = configOf(own)
    expect(ownConfig).toMatchObject({
      Aliases: ['shop.example.com'],
      ViewerCertificate: { MinimumProtocolVersion: 'TLSv1.2_2021', SslSupportMethod: 'sni-only' },
    })
    const records = Object.values(own.resources('edge', 'AWS::Route53::RecordSet'))
    expect(records.map(({ Properties }) => Properties.Type).toSorted()).toEqual(['A', 'AAAA'])
    const headers = ownConfig.Origins.flatMap(({ OriginCustomHeaders }) => OriginCustomHeaders ?? [])
    const [open = ''] = (headers[0]?.HeaderValue ?? '').split('~')
    expect(JSON.parse(Buffer.from(open, 'base64url').toString())).toMatchObject({
      origins: ['https://shop.example.com', 'self'],
    })
  })

  it('is behind the firewall where the stage has one', () => {
    expect(config.WebACLId).toBeDefined()
    expect(configOf(describeStage('dev')).WebACLId).toBeUndefined()
  })
})
