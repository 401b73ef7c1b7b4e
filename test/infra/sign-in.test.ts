/** Sign-in: the user pool of a stage, or the issuer of its settings. */
import { describe, expect, it } from 'vitest'
import { roles } from '../../core/roles.ts'
import { dev } from '../../infra/settings/dev.ts'
import { prod } from '../../infra/settings/prod.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { describeStage, type JsonObject, only, stringsIn, withDomain } from './support.ts'

const own: StageSettings = {
  ...prod,
  signIn: {
    kind: 'issuer',
    issuer: 'https://login.example.com',
    clientId: 'shop-7',
    scope: 'openid email',
    claims: { shopperId: 'email', roles: 'groups', roleNames: { Sales: 'marketer' } },
  },
}

/** The environment of the function in a stage. */
function environmentIn(described: ReturnType<typeof describeStage>): JsonObject {
  const functions = Object.entries(described.resources('app', 'AWS::Lambda::Function'))
  const { Properties } = only(
    Object.fromEntries(
      functions.filter(([, found]) => found.Properties.FunctionName === 'sluice-prod-sign-in'),
    ),
  )
  const { Variables } = Properties.Environment as { Variables: JsonObject }
  return Variables
}

describe('the user pool', () => {
  const described = describeStage(withDomain)
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

  it('has an address that leads nowhere until the shop has one', () => {
    const callbackOf = (settings: StageSettings) =>
      only(describeStage(settings).resources('data', 'AWS::Cognito::UserPoolClient')).Properties.CallbackURLs
    expect(callbackOf(prod)).toEqual(['https://shop.invalid/api/sign-in/callback'])
    const shopUrl = 'https://d111111abcdef8.cloudfront.net'
    expect(callbackOf({ ...dev, signIn: { kind: 'cognito', shopUrl } })).toEqual([
      `${shopUrl}/api/sign-in/callback`,
    ])
  })
})

describe('e-mails of the user pool', () => {
  const poolOf = (settings: StageSettings) =>
    only(describeStage(settings).resources('data', 'AWS::Cognito::UserPool')).Properties
  const cognito = (email: object | undefined): StageSettings => ({
    ...prod,
    signIn: { kind: 'cognito', ...(email && { email }) } as StageSettings['signIn'],
  })

  it('go by SES in the home region, from the address and the configuration set of the settings', () => {
    const email = {
      from: 'Shop <codes@shop.example.com>',
      replyTo: 'help@shop.example.com',
      configurationSet: 'codes',
    }
    expect(poolOf(cognito(email)).EmailConfiguration).toEqual({
      EmailSendingAccount: 'DEVELOPER',
      From: 'Shop <codes@shop.example.com>',
      ReplyToEmailAddress: 'help@shop.example.com',
      ConfigurationSet: 'codes',
      SourceArn: {
        'Fn::Join': [
          '',
          [`arn:aws:ses:${prod.region}:`, { Ref: 'AWS::AccountId' }, ':identity/shop.example.com'],
        ],
      },
    })
    expect(poolOf(cognito({ from: 'codes@shop.example.com' })).EmailConfiguration).toMatchObject({
      From: 'codes@shop.example.com',
    })
  })

  it('do not end with the 51st sign-up of a day: production without SES is refused at synth', () => {
    expect(() => describeStage(cognito(undefined))).toThrow(
      'signIn.email is missing: Cognito itself sends 50 e-mails a day',
    )
    expect(() => describeStage(cognito({ from: 'codes at shop' }))).toThrow(
      'signIn.email.from is not an e-mail address',
    )
  })

  it('come from Cognito itself in a stage for trials', () => {
    expect(poolOf(dev).EmailConfiguration).toBeUndefined()
  })
})

describe('another issuer', () => {
  it('takes the place of the user pool, with the secret of its client', () => {
    const described = describeStage(own)
    expect(described.resources('data', 'AWS::Cognito::UserPool')).toEqual({})
    const environment = environmentIn(described)
    const { kind: _, ...issuer } = own.signIn
    expect(JSON.parse(String(environment.SIGN_IN))).toEqual({
      ...issuer,
      session: { issuer: 'sluice-prod', audience: 'sluice', seconds: 28_800 },
    })
    expect(environment.SIGN_IN_CLIENT_SECRET).toBe(
      '{{resolve:secretsmanager:sluice/prod/identity:SecretString:clientSecret::}}',
    )
  })

  it('must have an https address', () => {
    const broken = { ...own, signIn: { ...own.signIn, issuer: 'http://login.example.com' } }
    expect(() => describeStage(broken as StageSettings)).toThrow('signIn.issuer is not an https address')
  })
})

describe('the second factor of the staff', () => {
  const withFactor = (secondFactor: object) =>
    ({ ...own, signIn: { ...own.signIn, secondFactor } }) as StageSettings

  it('reaches the function, of the user pool as of another issuer', () => {
    const secondFactor = { claim: 'acr', values: ['urn:cognito:loa:2'] }
    const email = { from: 'sign-in@shop.example' }
    const pool = { ...withDomain, signIn: { kind: 'cognito', email, secondFactor } } as StageSettings
    for (const stage of [withFactor(secondFactor), pool]) {
      const { SIGN_IN } = environmentIn(describeStage(stage))
      expect(JSON.stringify(SIGN_IN)).toContain('acr')
    }
  })

  it('is warned about at synth where production waives it, with the reason', () => {
    const warnings = (stage: StageSettings) => {
      const { messages } = describeStage(stage).stack('data')
      return messages.filter(({ level }) => level === 'warning').map(({ entry }) => String(entry.data))
    }
    expect(warnings(withFactor({ notRequired: 'the proxy in front asks for it' }))).toEqual([
      expect.stringContaining('a password alone opens the console (the proxy in front asks for it)'),
    ])
    expect(warnings(own)).toEqual([])
  })

  it.each([
    {},
    { notRequired: '' },
    { claim: 'amr', values: [] },
    { claim: 'amr', values: ['mfa'], notRequired: 'x' },
  ])('is refused as %j', (secondFactor) => {
    expect(() => describeStage(withFactor(secondFactor))).toThrow('signIn.secondFactor must have')
  })
})
