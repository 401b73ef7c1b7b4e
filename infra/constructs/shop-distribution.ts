/**
 * The shop's distribution: pages and public objects from the bucket, `/api/*` through pre-gate and gate to the functions. Every
 * request is HTTPS. Objects set their own caching, except the pointer, which is at most one second old (C6).
 */
import { join } from 'node:path'
import { Duration, Validations } from 'aws-cdk-lib'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type DistributionProps,
  type ErrorResponse,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  FunctionUrlOriginAccessControl,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  type IKeyValueStore,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  type ResponseHeadersPolicyProps,
  SecurityPolicyProtocol,
  Function as ViewerFunction,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin, type HttpOriginProps, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import type { IBucket } from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { corsExposedHeaders, corsMaxAgeSeconds, corsMethods, corsRequestHeaders } from '../../core/gate/cors.ts'
import {
  apiBehaviours,
  consolePattern,
  openPatterns,
  pointerPattern,
  simulatorPattern,
  widgetPattern,
} from '../../system/behaviours.ts'
import { functionTimeoutSeconds, type HttpFunction, perHttpFunction } from '../../system/functions.ts'
import {
  consolePolicy,
  contentSecurityPolicy,
  openHeaders,
  strictTransportSeconds,
  widgetSecurityPolicy,
} from '../../system/site-headers.ts'
import { gateSettings } from '../gate-header.ts'
import type { StageSettings } from '../settings/stage.ts'
import type { EdgeFunction } from './edge-function.ts'
import { uploadOrigin } from './upload-bucket.ts'

export type ShopDistributionProps = {
  settings: StageSettings
  dist: string
  site: IBucket
  /** Host names of the function URLs. */
  origins: Record<HttpFunction, string>
  /** Host name of the simulated payment provider, on a stage that has it. */
  simulator?: string | undefined
  /** Read by both CloudFront Functions. */
  edgeStore: IKeyValueStore
  gate: EdgeFunction
  firewallArn?: string | undefined
}

/** CloudFront would cache some of these for ten seconds, for all viewers. */
const errors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]
const uncached: ErrorResponse[] = errors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) }))

type Behaviours = Pick<DistributionProps, 'defaultBehavior' | 'additionalBehaviors'>

/** Requests that no cache may answer. */
const dynamic = {
  // A browser repeats a redirected POST as a GET.
  viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
  allowedMethods: AllowedMethods.ALLOW_ALL,
  cachePolicy: CachePolicy.CACHING_DISABLED,
  originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
  compress: true,
}

const viewerFunctionName = ({ name: stage }: StageSettings, name: string) => `sluice-${stage}-${name}`

export class ShopDistribution extends Construct {
  readonly distribution: Distribution
  /** Names of the CloudFront Functions. */
  readonly viewerFunctions: readonly string[]

  constructor(scope: Construct, id: string, props: ShopDistributionProps) {
    super(scope, id)
    const { settings, firewallArn } = props
    const { domain } = settings
    this.viewerFunctions = ['pre-gate', 'site-paths', 'clock'].map((name) => viewerFunctionName(settings, name))
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `sluice-${settings.name}`,
      // The path function maps to it too; without either, CloudFront would request and list the bucket itself.
      defaultRootObject: 'index.html',
      ...this.#behaviours(props),
      errorResponses: uncached,
      httpVersion: HttpVersion.HTTP2_AND_3,
      // The nearest location to every reader (C4).
      priceClass: PriceClass.PRICE_CLASS_ALL,
      webAclId: firewallArn,
      ...(domain !== undefined && {
        domainNames: [domain.name],
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
    })
    this.#acknowledge(settings)
  }

  #behaviours(props: ShopDistributionProps): Behaviours {
    const { settings, gate } = props
    const preGate = this.#viewerFunction('pre-gate', props, props.edgeStore)
    const site = this.#siteBehaviours(props)
    const own = this.#apiHeaders('ApiHeaders', `sluice-${settings.name}-api`, {})
    const shared = this.#apiHeaders('OpenApiHeaders', `sluice-${settings.name}-open-api`, { corsBehavior })
    const api = {
      ...dynamic,
      functionAssociations: [{ function: preGate, eventType: FunctionEventType.VIEWER_REQUEST }],
      edgeLambdas: [gate.onOriginRequest()],
    }
    const origins = this.#functionOrigins(props)
    return {
      defaultBehavior: site.pages,
      additionalBehaviors: {
        ...Object.fromEntries(
          apiBehaviours.map(({ pattern, origin, open }) => [
            pattern,
            { ...api, origin: origins[origin], responseHeadersPolicy: open ? shared : own },
          ]),
        ),
        ...(props.simulator !== undefined && { [simulatorPattern]: { ...dynamic, origin: overTls(props.simulator) } }),
        [pointerPattern]: site.pointer,
        ...Object.fromEntries(openPatterns.map((pattern) => [pattern, site.open])),
        [consolePattern]: site.console,
        [widgetPattern]: site.widget,
      },
    }
  }

  /**
   * Returns the behaviours of the site: pages, the files that they load, the page with a widget, the pointer, which stays in
   * the cache for one second and carries the time, and what pages of other sites read.
   */
  #siteBehaviours(
    props: ShopDistributionProps,
  ): Record<'pages' | 'pointer' | 'open' | 'console' | 'widget', BehaviorOptions> {
    const { name } = props.settings
    const sitePaths = this.#viewerFunction('site-paths', props, props.edgeStore)
    const pages: BehaviorOptions = {
      origin: S3BucketOrigin.withOriginAccessControl(props.site),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: this.#cachePolicy('pages', { atLeast: 0, atMost: 365 * 86_400 }),
      responseHeadersPolicy: this.#pageHeaders('PageHeaders', `sluice-${name}-pages`, contentSecurityPolicy),
      functionAssociations: [{ function: sitePaths, eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: true,
    }
    const policy = consolePolicy(uploadOrigin(props.settings))
    const header = 'cross-origin-resource-policy'
    const open: BehaviorOptions = {
      ...pages,
      responseHeadersPolicy: this.#pageHeaders('OpenHeaders', `sluice-${name}-open`, contentSecurityPolicy, {
        corsBehavior,
        customHeadersBehavior: {
          customHeaders: [{ header, value: openHeaders[header], override: true }],
        },
      }),
    }
    return {
      pages,
      open,
      console: {
        ...pages,
        responseHeadersPolicy: this.#pageHeaders('ConsoleHeaders', `sluice-${name}-console`, policy),
      },
      widget: {
        ...pages,
        // Only the page with a widget may be framed, and only by this site.
        responseHeadersPolicy: this.#pageHeaders('WidgetHeaders', `sluice-${name}-widget`, widgetSecurityPolicy, {
          frameOption: HeadersFrameOption.SAMEORIGIN,
        }),
      },
      pointer: {
        ...open,
        cachePolicy: this.#cachePolicy('pointer', { atLeast: 1, atMost: 1 }),
        // The path names its object as it is, so a poll pays for one function and not for two.
        functionAssociations: [
          { function: this.#viewerFunction('clock', props), eventType: FunctionEventType.VIEWER_RESPONSE },
        ],
      },
    }
  }

  /** Returns one origin for each function. CloudFront signs every request and adds the gate's settings. */
  #functionOrigins({ settings, origins }: ShopDistributionProps): Record<HttpFunction, IOrigin> {
    const { originAccessControlId } = new FunctionUrlOriginAccessControl(this, 'FunctionAccess')
    const customHeaders = gateSettings(settings)
    return perHttpFunction((name) =>
      overTls(origins[name], {
        originAccessControlId,
        customHeaders,
        // The function times out first: its answer says more than CloudFront's.
        readTimeout: Duration.seconds(functionTimeoutSeconds(name) + 2),
        // Opening a connection takes longer than most answers.
        keepaliveTimeout: Duration.seconds(60),
      }),
    )
  }

  /** Creates a CloudFront Function, unbundled, so that the deployed code is the reviewed code. */
  #viewerFunction(
    name: string,
    { settings, dist }: ShopDistributionProps,
    keyValueStore?: IKeyValueStore,
  ): ViewerFunction {
    return new ViewerFunction(this, name, {
      functionName: viewerFunctionName(settings, name),
      runtime: FunctionRuntime.JS_2_0,
      ...(keyValueStore !== undefined && { keyValueStore }),
      code: FunctionCode.fromFile({ filePath: join(dist, 'edge', `${name}.js`) }),
    })
  }

  /** Returns a cache policy without cookie, header or query in its key: all viewers share one object and one request. */
  #cachePolicy(name: string, seconds: { atLeast: number; atMost: number }): CachePolicy {
    return new CachePolicy(this, `${name}-cache`, {
      minTtl: Duration.seconds(seconds.atLeast),
      defaultTtl: Duration.seconds(seconds.atLeast),
      maxTtl: Duration.seconds(seconds.atMost),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    })
  }

  #pageHeaders(
    id: string,
    responseHeadersPolicyName: string,
    contentSecurityPolicy: string,
    { frameOption = HeadersFrameOption.DENY, ...open }: PageHeaderOptions = {},
  ): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName,
      ...open,
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        frameOptions: { frameOption, override: true },
        referrerPolicy: { referrerPolicy: HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN, override: true },
        ...alwaysSecure,
      },
    })
  }

  #apiHeaders(id: string, responseHeadersPolicyName: string, cors: CorsPart): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, id, {
      responseHeadersPolicyName,
      ...cors,
      securityHeadersBehavior: alwaysSecure,
    })
  }

  /** Accepts the findings of this stage, each with its reason. */
  #acknowledge({ domain, firewall }: StageSettings): void {
    const validations = Validations.of(this.distribution)
    validations.acknowledge({
      id: '@aws-cdk/aws-cloudfront-origins:updateImportedBucketPolicyOac',
      reason: "The bucket's policy is in the stack `access`, which is deployed after this one.",
    })
    validations.acknowledge({
      id: 'AwsSolutions-CFR1',
      reason: 'Whether to restrict countries is the decision of the shop.',
    })
    validations.acknowledge({
      id: 'AwsSolutions-CFR3',
      reason: 'The rule knows only the former kind of log, which always has query strings; see access-log.ts.',
    })
    if (firewall === undefined) {
      validations.acknowledge({
        id: 'AwsSolutions-CFR2',
        reason: 'A stage without a firewall, which is a setting; docs/how-to/deploy.md states the risk.',
      })
    }
    if (domain === undefined) {
      validations.acknowledge({
        id: 'AwsSolutions-CFR4',
        reason: "CloudFront's own certificate allows no other setting; with a domain it is TLS 1.2 of 2021.",
      })
    }
  }
}

type CorsPart = Pick<ResponseHeadersPolicyProps, 'corsBehavior'>
type OpenPart = CorsPart & Pick<ResponseHeadersPolicyProps, 'customHeadersBehavior'>
type PageHeaderOptions = OpenPart & { frameOption?: HeadersFrameOption }

/**
 * CloudFront adds these headers after its cache, and only to answers of requests with an `Origin`, so cached objects are the
 * same for all. Any page may read, without credentials, so no cookie is ever sent for it.
 */
const corsBehavior: CorsPart['corsBehavior'] = {
  accessControlAllowOrigins: ['*'],
  accessControlAllowCredentials: false,
  accessControlAllowMethods: [...corsMethods],
  accessControlAllowHeaders: [...corsRequestHeaders],
  accessControlExposeHeaders: [...corsExposedHeaders],
  accessControlMaxAge: Duration.seconds(corsMaxAgeSeconds),
  originOverride: true,
}

const alwaysSecure = {
  contentTypeOptions: { override: true },
  strictTransportSecurity: {
    accessControlMaxAge: Duration.seconds(strictTransportSeconds),
    // Other hosts of that domain are not ours.
    includeSubdomains: false,
    override: true,
  },
}

function overTls(host: string, options: Omit<HttpOriginProps, 'protocolPolicy'> = {}): HttpOrigin {
  return new HttpOrigin(host, {
    ...options,
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
  })
}
