/**
 * Who may deploy: jobs of one GitHub repository, each in the environment of its stage, by a token that lasts for the job. No
 * key is stored anywhere. It is deployed by hand, once in each account, since whoever deploys cannot let itself in.
 *
 * A role here can do nothing itself. It may become the roles that `cdk bootstrap` made, which can. One bootstrap of an account
 * serves all stages in it, so what keeps the jobs of `dev` from `prod` is the environment alone; stages that must not trust
 * each other at all belong into accounts of their own, each with this stack for its stage.
 */
import { Aws, CfnOutput, DefaultStackSynthesizer, Duration, Stack, type StackProps } from 'aws-cdk-lib'
import {
  type IOidcProvider,
  OidcProviderNative,
  PolicyDocument,
  PolicyStatement,
  Role,
  WebIdentityPrincipal,
} from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'

export type DeployerProps = StackProps & {
  /**
   * `owner/name`, or `owner@123/name@456` with the numbers that GitHub puts into the tokens of repositories made since July 2026
   * (https://github.blog/changelog/2026-04-23-immutable-subject-claims-for-github-actions-oidc-tokens).
   */
  repository: string
  /** Each is an environment of the repository with the same name. */
  stages: readonly string[]
  /** Those of the stages that somebody approves: the difference is shown first, from an environment of its own. */
  reviewed: readonly string[]
  /** All that a stage has stacks in. */
  regions: readonly string[]
  /** Of `cdk bootstrap`; by default its own default. */
  qualifier?: string
  /** The account has GitHub as an identity provider already; it can have it only once. */
  existingProvider?: boolean
}

const issuer = 'token.actions.githubusercontent.com'
const audience = 'sts.amazonaws.com'

/** ARNs of the roles that `cdk bootstrap` makes, as CDK knows them. */
const lookingRoles = [DefaultStackSynthesizer.DEFAULT_LOOKUP_ROLE_ARN]
const deployingRoles = [
  DefaultStackSynthesizer.DEFAULT_DEPLOY_ROLE_ARN,
  DefaultStackSynthesizer.DEFAULT_FILE_ASSET_PUBLISHING_ROLE_ARN,
  DefaultStackSynthesizer.DEFAULT_IMAGE_ASSET_PUBLISHING_ROLE_ARN,
  ...lookingRoles,
]

/** Where the difference of a stage is looked at before it is approved. */
export const lookEnvironment = (stage: string): string => `${stage}-look`

const name = '[A-Za-z0-9_.-]+'
const repositoryPattern = new RegExp(`^${name}(?:/${name}|@[0-9]+/${name}@[0-9]+)$`)
const environmentPattern = /^[a-z0-9-]+$/

/**
 * The `sub` of the token of a job in an environment
 * (https://docs.github.com/en/actions/reference/security/oidc#filtering-for-a-specific-environment).
 * @throws RangeError for what is no repository or no plain name of an environment
 */
export function subjectOf(repository: string, environment: string): string {
  if (!repositoryPattern.test(repository)) {
    throw new RangeError(`"${repository}" is not a repository: write owner/name, or owner@id/name@id`)
  }
  if (!environmentPattern.test(environment)) {
    throw new RangeError(`"${environment}" is not an environment: use a-z, 0-9 and hyphens`)
  }
  return `repo:${repository}:environment:${environment}`
}

export class DeployerStack extends Stack {
  readonly #props: DeployerProps
  readonly #provider: IOidcProvider

  constructor(scope: Construct, id: string, props: DeployerProps) {
    super(scope, id, { description: 'Sluice: which jobs of GitHub may deploy', ...props })
    this.#props = props
    this.#provider = this.#identityProvider(props.existingProvider === true)
    for (const stage of props.stages) this.#role(stage, deployingRoles)
    for (const stage of props.reviewed) this.#role(lookEnvironment(stage), lookingRoles)
  }

  #identityProvider(exists: boolean): IOidcProvider {
    if (!exists) {
      return new OidcProviderNative(this, 'GitHub', { url: `https://${issuer}`, clientIds: [audience] })
    }
    const arn = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:oidc-provider/${issuer}`
    return OidcProviderNative.fromOidcProviderArn(this, 'GitHub', arn)
  }

  /** For jobs of one environment; equality, because a pattern in a subject lets in whoever can make up a matching one. */
  #role(environment: string, roles: readonly string[]): void {
    const become = new PolicyStatement({
      actions: ['sts:AssumeRole'],
      resources: this.#props.regions.flatMap((region) =>
        roles.map((role) => this.#bootstrapRole(role, region)),
      ),
    })
    const role = new Role(this, environment, {
      description: `Jobs of GitHub in the environment ${environment}`,
      assumedBy: new WebIdentityPrincipal(this.#provider.oidcProviderArn, {
        StringEquals: {
          [`${issuer}:aud`]: audience,
          [`${issuer}:sub`]: subjectOf(this.#props.repository, environment),
        },
      }),
      inlinePolicies: { Become: new PolicyDocument({ statements: [become] }) },
      maxSessionDuration: Duration.hours(1),
    })
    new CfnOutput(this, `${environment}-role`, {
      value: role.roleArn,
      description: `AWS_ROLE_ARN of the environment ${environment}`,
    })
  }

  #bootstrapRole(arn: string, region: string): string {
    const words: Record<string, string> = {
      Qualifier: this.#props.qualifier ?? DefaultStackSynthesizer.DEFAULT_QUALIFIER,
      Partition: Aws.PARTITION,
      AccountId: Aws.ACCOUNT_ID,
      Region: region,
    }
    return arn.replaceAll(/\$\{(?:AWS::)?(\w+)\}/g, (blank, word: string) => words[word] ?? blank)
  }
}
