/**
 * The shop's own identity provider: a Cognito user pool with its hosted pages. It is in the stack `data`, because no deployment
 * may delete the accounts of shoppers.
 *
 * The client has no secret: PKCE protects the code, and a generated secret would have to be in a template. Shoppers may change
 * their name, but not their level; groups give the roles.
 */
import { Aws, CfnOutput, Duration, Validations } from 'aws-cdk-lib'
import {
  AccountRecovery,
  CfnUserPoolClient,
  ClientAttributes,
  FeaturePlan,
  Mfa,
  NumberAttribute,
  OAuthScope,
  StringAttribute,
  UserPool,
  type UserPoolClient,
  UserPoolEmail,
} from 'aws-cdk-lib/aws-cognito'
import { Construct } from 'constructs'
import { signInRoute } from '../../core/people/sign-in-paths.ts'
import { roles } from '../../core/roles.ts'
import { headerPhrase, parseMailbox } from '../../functions/people/mailbox.ts'
import type { SignInSettings } from '../../functions/people/sign-in-settings.ts'
import { retain } from '../retention.ts'
import { addressIn, type SenderSetting } from '../settings/mail.ts'
import type { CognitoSignIn, StageSettings } from '../settings/stage.ts'
import { shopAddress } from './shop-address.ts'

const nameAttributes = { email: true, fullname: true, givenName: true, familyName: true }

/** Equal to the lifetime of the cookie with the refresh token. */
const refreshDays = 30

/**
 * An operator sets it when a person has enrolled a second factor, which Cognito then requires. The claim `amr` "might not yet
 * be available" to a pool
 * (https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-using-the-id-token.html).
 */
const enrolled = { claim: 'custom:mfa', values: ['totp'] }

/** `npm run setup` shows these rules and checks them (cli/setup/marketer.ts). */
export const passwordPolicy = {
  minLength: 12,
  requireDigits: true,
  requireLowercase: true,
  requireSymbols: true,
  requireUppercase: true,
  tempPasswordValidity: Duration.days(3),
}

export class ShopperPool extends Construct {
  /** The settings of the sign-in function. */
  readonly signIn: Omit<SignInSettings, 'session'>
  readonly #pool: UserPool

  constructor(scope: Construct, id: string, { settings, signIn }: { settings: StageSettings; signIn: CognitoSignIn }) {
    super(scope, id)
    const { name: stage, region } = settings
    this.#pool = new UserPool(this, 'Pool', {
      userPoolName: `sluice-${stage}`,
      selfSignUpEnabled: true,
      signInAliases: { email: true },
      autoVerify: { email: true },
      keepOriginal: { email: true },
      accountRecovery: AccountRecovery.EMAIL_ONLY,
      customAttributes: {
        level: new NumberAttribute({ min: 0, max: 100, mutable: true }),
        mfa: new StringAttribute({ maxLen: 16, mutable: true }),
      },
      mfa: Mfa.OPTIONAL,
      mfaSecondFactor: { otp: true, sms: false },
      passwordPolicy,
      // Each active shopper is billed by this plan; the cheapest includes hosted pages and a second factor.
      featurePlan: FeaturePlan.LITE,
      ...(signIn.email && { email: emailBySes(region, signIn.email) }),
      deletionProtection: true,
      removalPolicy: retain,
    })
    const pages = this.#pool.addDomain('Pages', {
      // One prefix belongs to one account in each region.
      cognitoDomain: { domainPrefix: signIn.domainPrefix ?? `sluice-${stage}-${Aws.ACCOUNT_ID}` },
    })
    for (const role of roles) this.#pool.addGroup(role, { groupName: role })
    const client = this.#client(stage, shopAddress(this, settings))
    this.signIn = {
      issuer: this.#pool.userPoolProviderUrl,
      clientId: client.userPoolClientId,
      scope: 'openid email profile',
      claims: { shopperId: 'sub', name: 'email', roles: 'cognito:groups', level: 'custom:level' },
      // The page /logout belongs to every pool; its discovery document need not name it.
      endSession: `${pages.baseUrl()}/logout`,
      secondFactor: signIn.secondFactor ?? enrolled,
    }
    new CfnOutput(this, 'UserPoolId', { value: this.#pool.userPoolId, description: 'The accounts of shoppers' })
    Validations.of(this.#pool).acknowledge(
      {
        id: 'AwsSolutions-COG2',
        reason: 'Shoppers choose a second factor themselves; the sign-in gives no role to a session without one.',
      },
      {
        id: 'AwsSolutions-COG8',
        reason: 'The plus plan is billed for each shopper who signs in; the gate limits addresses and shoppers itself.',
      },
    )
  }

  #client(stage: string, shop: string): UserPoolClient {
    const writable = new ClientAttributes().withStandardAttributes(nameAttributes)
    const client = this.#pool.addClient('Shop', {
      userPoolClientName: `sluice-${stage}`,
      generateSecret: false,
      oAuth: {
        flows: { authorizationCodeGrant: true },
        scopes: [OAuthScope.OPENID, OAuthScope.EMAIL, OAuthScope.PROFILE],
        callbackUrls: [`${shop}${signInRoute}/callback`],
        logoutUrls: [`${shop}/`],
      },
      readAttributes: writable
        .withStandardAttributes({ ...nameAttributes, emailVerified: true })
        .withCustomAttributes('level', 'mfa'),
      writeAttributes: writable,
      preventUserExistenceErrors: true,
      enableTokenRevocation: true,
      idTokenValidity: Duration.hours(1),
      accessTokenValidity: Duration.hours(1),
      refreshTokenValidity: Duration.days(refreshDays),
    })
    // Without this list Cognito also accepts passwords at its API, beside the hosted pages.
    const { defaultChild } = client.node
    if (defaultChild instanceof CfnUserPoolClient) defaultChild.explicitAuthFlows = ['ALLOW_REFRESH_TOKEN_AUTH']
    return client
  }
}

/**
 * Sends codes by SES, whose identity is the domain of the address (docs/how-to/deploy.md). Cognito sends with a role of its
 * own, which AWS creates with the pool (https://docs.aws.amazon.com/cognito/latest/developerguide/user-pool-email.html).
 */
function emailBySes(sesRegion: string, { from, replyTo, configurationSet }: SenderSetting): UserPoolEmail {
  const { address: fromEmail, name } = parseMailbox(from) ?? { address: from, name: '' }
  return UserPoolEmail.withSES({
    sesRegion,
    fromEmail,
    sesVerifiedDomain: fromEmail.split('@')[1],
    // The CDK does not quote a comma, and encodes letters outside ASCII as one long word.
    ...(name !== '' && { fromName: headerPhrase(name) }),
    // Cognito accepts no name here.
    ...(replyTo !== undefined && { replyTo: addressIn(replyTo) ?? replyTo }),
    ...(configurationSet !== undefined && { configurationSetName: configurationSet }),
  })
}
