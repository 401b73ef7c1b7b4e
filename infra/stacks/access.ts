/**
 * The permissions of the distribution, the only caller of functions and bucket. A stack of its own, because it is in the
 * functions' region and refers to the distribution, which is in another region and refers to the functions. Until it is
 * deployed every request is denied.
 */
import { Aws, Stack, type StackProps } from 'aws-cdk-lib'
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { CfnPermission } from 'aws-cdk-lib/aws-lambda'
import { CfnBucketPolicy, type IBucket } from 'aws-cdk-lib/aws-s3'
import type { Construct } from 'constructs'
import { type HttpFunction, httpFunctions } from '../../system/functions.ts'

export type AccessStackProps = StackProps & {
  site: IBucket
  distributionId: string
  /** Name and alias of each function that has a URL. */
  functions: Record<HttpFunction, string>
}

export class AccessStack extends Stack {
  constructor(scope: Construct, id: string, { site, distributionId, functions, ...props }: AccessStackProps) {
    super(scope, id, props)
    const distribution = `arn:${Aws.PARTITION}:cloudfront::${Aws.ACCOUNT_ID}:distribution/${distributionId}`
    for (const name of httpFunctions) this.#allowInvoke(name, functions[name], distribution)
    this.#allowRead(site, distribution)
  }

  /**
   * A function URL requires both permissions, since October 2025
   * (https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/private-content-restricting-access-to-lambda.html).
   */
  #allowInvoke(name: HttpFunction, functionName: string, sourceArn: string): void {
    const ours = { functionName, principal: 'cloudfront.amazonaws.com', sourceArn }
    new CfnPermission(this, `${name}-url`, {
      ...ours,
      action: 'lambda:InvokeFunctionUrl',
      functionUrlAuthType: 'AWS_IAM',
    })
    new CfnPermission(this, `${name}-invoke`, { ...ours, action: 'lambda:InvokeFunction', invokedViaFunctionUrl: true })
  }

  /** The permission to list makes a missing object a 404 instead of a 403; no viewer's request can become a listing. */
  #allowRead(site: IBucket, distribution: string): void {
    const objects = site.arnForObjects('*')
    const ours = {
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      conditions: { StringEquals: { 'AWS:SourceArn': distribution } },
    }
    const overTlsOnly = new PolicyStatement({
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['s3:*'],
      resources: [site.bucketArn, objects],
      conditions: { Bool: { 'aws:SecureTransport': 'false' } },
    })
    new CfnBucketPolicy(this, 'SitePolicy', {
      bucket: site.bucketName,
      policyDocument: new PolicyDocument({
        statements: [
          overTlsOnly,
          new PolicyStatement({ ...ours, actions: ['s3:GetObject'], resources: [objects] }),
          new PolicyStatement({ ...ours, actions: ['s3:ListBucket'], resources: [site.bucketArn] }),
        ],
      }),
    })
  }
}
