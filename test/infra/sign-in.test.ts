/** Sign-in: the user pool of a stage, or the issuer of its settings. */
import { describe, expect, it } from 'vitest'
import { roles } from '../../core/roles.ts'
import { refuseBadSettings } from '../../infra/settings/problems.ts'
import { prod } from '../../infra/settings/prod.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { type StageKind, stages } from './stages.ts'
import { describeStage, functionNamed, only, stringsIn, variablesOf } from './support.ts'

const environmentIn = (described: ReturnType<typeof describeStage>) => variablesOf(functionNamed(described, 'sign-in'))

describe('the user pool', () => {
  const described = describeStage('full')
  const pool = only(described.resources('data', 'AWS::Cognito::UserPool'))
  const { Properties: client } = only(described.resources('data', 'AWS::Cognito::UserPoolClient'))

  it('keeps the accounts of shoppers when the stage is deleted', () => {
    expect(pool.Properties).toMatchObject({ DeletionProtection: 'ACTIVE', UserPoolTier: 'LITE' })
    expect(pool).toMatchObject({ DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' })
  })

  it('lets the shop ask for a code, and for nothing else, at its own address', () => {
    expect(client).toMatchObject({
      AllowedOAuthFlows: ['code'],
      GenerateSecret: false,
      CallbackURLs: ['https://shop.example.com/api/sign-in/callback'],
      LogoutURLs: ['https://shop.example.com/'],
      SupportedIdentityProviders: ['COGNITO'],
      PreventUserExistenceErrors: 'ENABLED',
    })
    expect(client.ExplicitAuthFlows).toEqual(['ALLOW_REFRESH_TOKEN_AUTH'])
  })

  it('lets no shopper change the level, and knows our roles as groups', () => {
    expect(client.ReadAttributes).toContain('custom:level')
    expect(client.WriteAttributes).not.toContain('custom:level')
    const groups = Object.values(described.resources('data', 'AWS::Cognito::UserPoolGroup'))
    expect(groups.map(({ Properties }) => Properties.GroupName).toSorted()).toEqual([...roles].toSorted())
  })

  it('is what the function signs in at', () => {
    const settings = stringsIn(environmentIn(described).SIGN_IN).join('')
    expect(settings).toContain('"shopperId":"sub"')
    expect(settings).toContain('"roles":"cognito:groups"')
    expect(settings).toMatch(/"endSession":"https:\/\/.*\.auth\..*\.amazoncognito\.com\/logout"/)
    expect(settings).toContain('"session":{"issuer":"sluice-prod","audience":"sluice","seconds":28800}')
  })

  it('has an address that leads nowhere until a deployment sets the one that CloudFront chose', () => {
    const stage = describeStage('prod')
    const { Properties } = only(stage.resources('data', 'AWS::Cognito::UserPoolClient'))
    const at = (path: string) => [{ 'Fn::Join': ['', [{ Ref: 'ShopUrl' }, path]] }]
    expect(Properties).toMatchObject({ CallbackURLs: at('/api/sign-in/callback'), LogoutURLs: at('/') })
    for (const stack of ['data', 'app'] as const) {
      const ShopUrl = { Default: 'https://shop.invalid', AllowedPattern: '^https://[a-z0-9.-]+$' }
      expect(stage.template(stack).Parameters).toMatchObject({ ShopUrl })
      expect(described.template(stack).Parameters).not.toHaveProperty('ShopUrl')
    }
  })
})

describe('emails of the user pool', () => {
  const poolOf = (kind: StageKind) => only(describeStage(kind).resources('data', 'AWS::Cognito::UserPool')).Properties

  it('go by SES in the home region, from the address and the configuration set of the settings', () => {
    expect(poolOf('full').EmailConfiguration).toEqual({
      EmailSendingAccount: 'DEVELOPER',
      From: 'Shop <codes@shop.example.com>',
      ReplyToEmailAddress: 'help@shop.example.com',
      ConfigurationSet: 'codes',
      SourceArn: {
        'Fn::Join': ['', [`arn:aws:ses:${prod.region}:`, { Ref: 'AWS::AccountId' }, ':identity/shop.example.com']],
      },
    })
  })

  it('do not end with the 51st sign-up of a day: production without SES is refused at synth', () => {
    const withSender = (signIn: object) => () => refuseBadSettings({ ...prod, signIn: { kind: 'cognito', ...signIn } })
    expect(withSender({})).toThrow('signIn.email is missing: Cognito itself sends 50 emails a day')
    expect(withSender({ email: { from: 'codes at shop' } })).toThrow('signIn.email.from is not an email address')
    expect(withSender({ email: { from: 'codes@shop.example.com' } })).not.toThrow()
  })

  it('come from Cognito itself in a stage for trials', () => {
    expect(poolOf('dev').EmailConfiguration).toBeUndefined()
  })
})

describe('another issuer', () => {
  it('takes the place of the user pool, with the secret of its client', () => {
    const described = describeStage('issuer')
    expect(described.resources('data', 'AWS::Cognito::UserPool')).toEqual({})
    const environment = environmentIn(described)
    const { kind: _, ...issuer } = stages.issuer.signIn
    expect(JSON.parse(String(environment.SIGN_IN))).toEqual({
      ...issuer,
      session: { issuer: 'sluice-prod', audience: 'sluice', seconds: 28_800 },
    })
    expect(environment.SIGN_IN_CLIENT_SECRET).toBe(
      '{{resolve:secretsmanager:sluice/issuer/identity:SecretString:clientSecret::}}',
    )
  })

  it('must have an https address', () => {
    const signIn = { ...stages.issuer.signIn, issuer: 'http://login.example.com' }
    expect(() => refuseBadSettings({ ...stages.issuer, signIn })).toThrow('signIn.issuer is not an https address')
  })
})

describe('the second factor of the staff', () => {
  it('reaches the function, of the user pool as of another issuer', () => {
    expect(JSON.stringify(environmentIn(describeStage('full')).SIGN_IN)).toContain('urn:cognito:loa:2')
    expect(JSON.stringify(environmentIn(describeStage('issuer')).SIGN_IN)).toContain('the proxy in front')
  })

  it('is with a user pool an attribute that an operator alone can write: whether its tokens have the claim amr is not certain', () => {
    const described = describeStage('prod')
    expect(stringsIn(environmentIn(described).SIGN_IN).join('')).toContain(
      '"secondFactor":{"claim":"custom:mfa","values":["totp"]}',
    )
    const { Properties: client } = only(described.resources('data', 'AWS::Cognito::UserPoolClient'))
    expect(client.ReadAttributes).toContain('custom:mfa')
    expect(client.WriteAttributes).not.toContain('custom:mfa')
    expect(client.AllowedOAuthScopes, 'no token of the shop changes a second factor').not.toContain(
      'aws.cognito.signin.user.admin',
    )
  })

  it('is warned about at synth where production waives it, with the reason', () => {
    expect(describeStage('issuer').stack('data').warnings).toEqual([
      expect.stringContaining('a password alone opens the console (the proxy in front asks for it)'),
    ])
    expect(describeStage('full').stack('data').warnings).toEqual([])
  })

  it.each([{}, { notRequired: '' }, { claim: 'amr', values: [] }, { claim: 'amr', values: ['mfa'], notRequired: 'x' }])(
    'is refused as %j',
    (secondFactor) => {
      const settings = { ...prod, signIn: { ...prod.signIn, secondFactor } } as StageSettings
      expect(() => refuseBadSettings(settings)).toThrow('signIn.secondFactor must have')
    },
  )
})
