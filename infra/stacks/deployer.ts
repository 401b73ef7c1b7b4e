/**
 * Roles for jobs of one GitHub repository, each in the environment of its stage, with a token that lasts for the job. No key is
 * stored. An administrator deploys this stack once in each account, since a role cannot create itself.
 *
 * The roles can only assume the roles of `cdk bootstrap`. All stages of an account share one bootstrap, so only the environment
 * keeps jobs of `dev` from `prod`. Stages that must not trust each other need accounts of their own, each with this stack.
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
import { edgeHome } from '../../system/edge-regions.ts'
import { WrongSettings } from '../settings/choices.ts'
import { reviewedStages, type StageSettings } from '../settings/stage.ts'

export type DeployerProps = StackProps & {
  /**
   * `owner/name`, or `owner@123/name@456` with the ids in the tokens of repositories created since July 2026
   * (https://github.blog/changelog/2026-04-23-immutable-subject-claims-for-github-actions-oidc-tokens).
   */
  repository: string
  /** Each has an environment of the same name in the repository; a reviewed stage has another that shows the diff first. */
  stages: readonly Pick<StageSettings, 'name' | 'region'>[]
  /** True when the account already has GitHub as an identity provider; it can have only one. */
  existingProvider?: boolean
}

const issuer = 'token.actions.githubusercontent.com'
const audience = 'sts.amazonaws.com'

/** ARNs of the roles of `cdk bootstrap`, with CDK's placeholders. */
const diffRoles = [DefaultStackSynthesizer.DEFAULT_LOOKUP_ROLE_ARN]
const deployingRoles = [
  DefaultStackSynthesizer.DEFAULT_DEPLOY_ROLE_ARN,
  DefaultStackSynthesizer.DEFAULT_FILE_ASSET_PUBLISHING_ROLE_ARN,
  DefaultStackSynthesizer.DEFAULT_IMAGE_ASSET_PUBLISHING_ROLE_ARN,
  ...diffRoles,
]

/** Returns the environment that shows the diff of a stage before the approval. */
export const diffEnvironment = (stage: string): string => `${stage}-look`

const name = '[A-Za-z0-9_.-]+'
const repositoryPattern = new RegExp(`^${name}(?:/${name}|@[0-9]+/${name}@[0-9]+)$`)
const environmentPattern = /^[a-z0-9-]+$/

/**
 * Returns the `sub` of the token of a job in an environment
 * (https://docs.github.com/en/actions/reference/security/oidc#filtering-for-a-specific-environment).
 * @throws WrongSettings for an invalid repository or environment
 */
export function subjectOf(repository: string, environment: string): string {
  if (!repositoryPattern.test(repository)) {
    throw new WrongSettings(`"${repository}" is not a repository: write owner/name, or owner@id/name@id`)
  }
  if (!environmentPattern.test(environment)) {
    throw new WrongSettings(`"${environment}" is not an environment: use a-z, 0-9 and hyphens`)
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
    const names = props.stages.map((stage) => stage.name)
    for (const stage of names) this.#role(stage, deployingRoles)
    // By the workflow's list, because the workflow also shows the diff of such a stage when it is a trial.
    for (const stage of names.filter((one) => reviewedStages.includes(one))) {
      this.#role(diffEnvironment(stage), diffRoles)
    }
  }

  #identityProvider(exists: boolean): IOidcProvider {
    if (!exists) {
      return new OidcProviderNative(this, 'GitHub', { url: `https://${issuer}`, clientIds: [audience] })
    }
    const arn = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:oidc-provider/${issuer}`
    return OidcProviderNative.fromOidcProviderArn(this, 'GitHub', arn)
  }

  /** Creates the role for jobs of one environment. The subject must be equal: a pattern could match another repository. */
  #role(environment: string, roles: readonly string[]): void {
    const regions = new Set([...this.#props.stages.map(({ region }) => region), edgeHome])
    const become = new PolicyStatement({
      actions: ['sts:AssumeRole'],
      resources: [...regions].flatMap((region) => roles.map((role) => this.#bootstrapRole(role, region))),
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
      Qualifier: DefaultStackSynthesizer.DEFAULT_QUALIFIER,
      Partition: Aws.PARTITION,
      AccountId: Aws.ACCOUNT_ID,
      Region: region,
    }
    return arn.replaceAll(/\$\{(?:AWS::)?(\w+)\}/g, (blank, word: string) => words[word] ?? blank)
  }
}
