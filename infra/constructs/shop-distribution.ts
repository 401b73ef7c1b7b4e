/**
 * The one address of the shop: pages and public objects from the bucket, `/api/*` through pre-gate and gate to the functions.
 * Every request is HTTPS. What is cached, and for how long, is decided by the objects themselves, but for the pointer, which
 * is one second old at most whatever it says of itself (C6).
 */
import { join } from 'node:path'
import { Duration, Validations } from 'aws-cdk-lib'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  type ErrorResponse,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  FunctionUrlOriginAccessControl,
  HeadersFrameOption,
  HeadersReferrerPolicy,
  HttpVersion,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  PriceClass,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  Function as ViewerFunction,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront'
import { HttpOrigin, type HttpOriginProps, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins'
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3'
import { Construct } from 'constructs'
import { kept } from '../kept.ts'
import type { StageSettings } from '../settings/stage.ts'
import { apiBehaviours, partPatterns, pointerPattern, signInPattern } from '../system/behaviours.ts'
import { functionTimeoutSeconds, type HttpFunction, perHttpFunction } from '../system/functions.ts'
import { contentSecurityPolicy, strictTransportSeconds } from '../system/site-headers.ts'
import type { EdgeFunction } from './edge-function.ts'
import { gateSettings } from './gate-settings.ts'

export type ShopDistributionProps = {
  settings: StageSettings
  dist: string
  site: IBucket
  /** Host names of the function URLs. */
  origins: Record<HttpFunction, string>
  gate: EdgeFunction
  /** It has a page for what the bucket does not have. */
  missing: EdgeFunction
  firewallArn?: string | undefined
}

/** All for which CloudFront has an error of its own kind; it would keep some of them for ten seconds, for everybody. */
const errors = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]
const forgotten: ErrorResponse[] = errors.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) }))

const viewerFunctionName = ({ name: stage }: StageSettings, name: string) => `sluice-${stage}-${name}`

export class ShopDistribution extends Construct {
  readonly distribution: Distribution
  /** Names of the CloudFront Functions. */
  readonly viewerFunctions: readonly string[]

  constructor(scope: Construct, id: string, props: ShopDistributionProps) {
    super(scope, id)
    const { settings, site, firewallArn } = props
    const { domain } = settings
    const preGate = this.#viewerFunction('pre-gate', props)
    const sitePaths = this.#viewerFunction('site-paths', props)
    this.viewerFunctions = ['pre-gate', 'site-paths'].map((name) => viewerFunctionName(settings, name))
    const parts: BehaviorOptions = {
      origin: S3BucketOrigin.withOriginAccessControl(site),
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      allowedMethods: AllowedMethods.ALLOW_GET_HEAD,
      cachePolicy: this.#cachePolicy('pages', { atLeast: 0, atMost: 365 * 86_400 }),
      responseHeadersPolicy: this.#pageHeaders(settings.name),
      functionAssociations: [{ function: sitePaths, eventType: FunctionEventType.VIEWER_REQUEST }],
      compress: true,
    }
    const pages: BehaviorOptions = { ...parts, edgeLambdas: [props.missing.onOriginResponse()] }
    const pointer: BehaviorOptions = {
      ...parts,
      cachePolicy: this.#cachePolicy('pointer', { atLeast: 1, atMost: 1 }),
    }
    const dynamic = {
      // A browser that is sent elsewhere with a POST would come back with a GET.
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      compress: true,
    }
    const api = {
      ...dynamic,
      responseHeadersPolicy: this.#apiHeaders(settings.name),
      functionAssociations: [{ function: preGate, eventType: FunctionEventType.VIEWER_REQUEST }],
      edgeLambdas: [props.gate.onOriginRequest()],
    }
    const functionOrigins = this.#functionOrigins(props)
    const { host } = settings.signIn
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `sluice-${settings.name}`,
      // The path function leads there too; without either, the bucket would be asked for itself, and list what it holds.
      defaultRootObject: 'index.html',
      defaultBehavior: pages,
      additionalBehaviors: {
        ...Object.fromEntries(
          apiBehaviours.map(({ pattern, origin }) => [pattern, { ...api, origin: functionOrigins[origin] }]),
        ),
        ...Object.fromEntries(
          partPatterns.map((pattern) => [pattern, pattern === pointerPattern ? pointer : parts]),
        ),
        ...(host !== undefined && {
          [signInPattern]: {
            ...dynamic,
            viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
            origin: overTls(host),
          },
        }),
      },
      errorResponses: forgotten,
      httpVersion: HttpVersion.HTTP2_AND_3,
      // The nearest place to every reader (C4).
      priceClass: PriceClass.PRICE_CLASS_ALL,
      enableLogging: true,
      logBucket: this.#logBucket(settings),
      logFilePrefix: 'shop/',
      logIncludesCookies: false,
      publishAdditionalMetrics: true,
      webAclId: firewallArn,
      ...(domain !== undefined && {
        domainNames: [domain.name],
        minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
        certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
      }),
    })
    this.#explain(settings)
  }

  /** One origin for each function, which CloudFront signs every request to, and with the gate's settings. */
  #functionOrigins({ settings, origins }: ShopDistributionProps): Record<HttpFunction, IOrigin> {
    const { originAccessControlId } = new FunctionUrlOriginAccessControl(this, 'FunctionAccess')
    const customHeaders = gateSettings(settings)
    return perHttpFunction((name) =>
      overTls(origins[name], {
        originAccessControlId,
        customHeaders,
        // It says more of what went wrong than CloudFront, so it has the first word.
        readTimeout: Duration.seconds(functionTimeoutSeconds(name) + 2),
        // Opening a connection takes longer than most answers.
        keepaliveTimeout: Duration.seconds(60),
      }),
    )
  }

  /** Shipped as it is written, so what runs is what was read. */
  #viewerFunction(name: string, { settings, dist }: ShopDistributionProps): ViewerFunction {
    return new ViewerFunction(this, name, {
      functionName: viewerFunctionName(settings, name),
      runtime: FunctionRuntime.JS_2_0,
      code: FunctionCode.fromFile({ filePath: join(dist, 'edge', `${name}.js`) }),
    })
  }

  /** No cookie, no header and no query is in the key: all viewers share one object, and one question to the bucket. */
  #cachePolicy(name: string, seconds: { atLeast: number; atMost: number }): CachePolicy {
    return new CachePolicy(this, `${name}-cache`, {
      minTtl: Duration.seconds(seconds.atLeast),
      defaultTtl: Duration.seconds(seconds.atLeast),
      maxTtl: Duration.seconds(seconds.atMost),
      enableAcceptEncodingBrotli: true,
      enableAcceptEncodingGzip: true,
    })
  }

  #pageHeaders(stage: string): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'PageHeaders', {
      responseHeadersPolicyName: `sluice-${stage}-pages`,
      securityHeadersBehavior: {
        contentSecurityPolicy: { contentSecurityPolicy, override: true },
        frameOptions: { frameOption: HeadersFrameOption.DENY, override: true },
        referrerPolicy: {
          referrerPolicy: HeadersReferrerPolicy.STRICT_ORIGIN_WHEN_CROSS_ORIGIN,
          override: true,
        },
        ...alwaysSecure,
      },
    })
  }

  #apiHeaders(stage: string): ResponseHeadersPolicy {
    return new ResponseHeadersPolicy(this, 'ApiHeaders', {
      responseHeadersPolicyName: `sluice-${stage}-api`,
      securityHeadersBehavior: alwaysSecure,
    })
  }

  #logBucket({ keep }: StageSettings): Bucket {
    const log = new Bucket(this, 'AccessLog', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      // CloudFront delivers its logs as another owner, who says so in a list of rights.
      objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
      removalPolicy: kept,
      lifecycleRules: [{ expiration: Duration.days(keep.accessLogDays) }],
    })
    Validations.of(log).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'It holds access logs itself; a log of who wrote the log would need a log of its own.',
    })
    return log
  }

  /** What this stage's settings leave out, and why that is right for it. */
  #explain({ domain, firewall }: StageSettings): void {
    const says = Validations.of(this.distribution)
    says.acknowledge({
      id: '@aws-cdk/aws-cloudfront-origins:updateImportedBucketPolicyOac',
      reason: "The bucket's policy is in the stack `access`, which comes after this one.",
    })
    says.acknowledge({
      id: 'AwsSolutions-CFR1',
      reason: 'Where a shop may sell is its own decision; the gate and the sale know no country.',
    })
    if (firewall === undefined) {
      says.acknowledge({
        id: 'AwsSolutions-CFR2',
        reason: 'A stage to try things on. The firewall is a setting and on where things are sold.',
      })
    }
    if (domain === undefined) {
      says.acknowledge({
        id: 'AwsSolutions-CFR4',
        reason: "CloudFront's own certificate takes no other setting; with a domain it is TLS 1.2 of 2021.",
      })
    }
  }
}

const alwaysSecure = {
  contentTypeOptions: { override: true },
  strictTransportSecurity: {
    accessControlMaxAge: Duration.seconds(strictTransportSeconds),
    // Other hosts of that domain are not ours to speak for.
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
