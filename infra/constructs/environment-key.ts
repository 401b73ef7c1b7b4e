/**
 * The key that encrypts the environments of the functions, which hold secrets. With AWS's managed key, the permission to read a
 * function's configuration shows them, in every retained version. With this key, it also takes the permission to decrypt
 * (https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars-encryption.html).
 *
 * The policy lists the roles that may decrypt, and delegates that permission to no IAM policy. An administrator of the account
 * can manage the key and change this policy, but cannot decrypt with it.
 *
 * The list is a condition, because KMS rejects a principal that IAM does not know yet, and does not look those up in
 * conditions. The principal is `*`, so this grants by itself, and to these roles only. With the account as the principal, a
 * policy of each role would also decide, and it can reach KMS after the first start.
 */
import { Aws, DefaultStackSynthesizer, Duration, Fn, Lazy, RemovalPolicy, Stack } from 'aws-cdk-lib'
import { AccountRootPrincipal, AnyPrincipal, type IRole, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import { Construct } from 'constructs'

/** The actions that manage a key, without its use. */
const managing = [
  ...['Describe', 'Get', 'List', 'Put', 'Update', 'Enable', 'Disable', 'Revoke'].map((verb) => `kms:${verb}*`),
  ...['TagResource', 'UntagResource', 'RotateKeyOnDemand'].map((action) => `kms:${action}`),
  ...['ScheduleKeyDeletion', 'CancelKeyDeletion'].map((action) => `kms:${action}`),
]

/** The actions of Lambda in the name of the role that deploys a function. */
const deploying = ['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey']

/** The maximum time in which a deletion can be cancelled. */
const pendingWindow = Duration.days(30)

export class EnvironmentKey extends Construct {
  readonly key: IKey
  readonly #roles: string[] = []

  constructor(scope: Construct, id: string, { stage }: { stage: string }) {
    super(scope, id)
    const account = new AccountRootPrincipal()
    const statements = [
      new PolicyStatement({ sid: 'Manage', principals: [account], actions: managing, resources: ['*'] }),
      new PolicyStatement({
        sid: 'Deploy',
        principals: [account],
        actions: deploying,
        resources: ['*'],
        conditions: {
          ArnEquals: { 'aws:PrincipalArn': deployerOf(Stack.of(this)) },
          StringEquals: { 'kms:ViaService': `lambda.${Aws.REGION}.${Aws.URL_SUFFIX}` },
        },
      }),
      // Lambda decrypts the environment in the name of the function's role, at each cold start.
      new PolicyStatement({
        sid: 'Start',
        principals: [new AnyPrincipal()],
        actions: ['kms:Decrypt'],
        resources: ['*'],
        conditions: {
          ArnEquals: { 'aws:PrincipalArn': Lazy.list({ produce: () => this.#roles }) },
          StringEquals: { 'kms:CallerAccount': Aws.ACCOUNT_ID },
        },
      }),
    ]
    this.key = new Key(this, 'Key', {
      description: `Environments of the functions of sluice-${stage}`,
      enableKeyRotation: true,
      policy: new PolicyDocument({ statements }),
      // The key is deleted with its functions; nothing else is encrypted with it.
      removalPolicy: RemovalPolicy.DESTROY,
      pendingWindow,
    })
  }

  grantStart(role: IRole): void {
    this.#roles.push(role.roleArn)
  }
}

/** Returns the role of `cdk bootstrap` with which CloudFormation creates the resources of a stack. */
function deployerOf(stack: Stack): string {
  const { synthesizer } = stack
  if (!(synthesizer instanceof DefaultStackSynthesizer)) {
    throw new Error('the role that deploys is known for the roles of cdk bootstrap only')
  }
  return Fn.sub(synthesizer.cloudFormationExecutionRoleArn)
}
