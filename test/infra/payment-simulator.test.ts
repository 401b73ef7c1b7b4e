/** The simulated payment provider: on stages for trials that ask for it, and on no other. */
import { describe, expect, it } from 'vitest'
import { dev } from '../../infra/settings/dev.ts'
import { refuseBadSettings } from '../../infra/settings/problems.ts'
import { prod } from '../../infra/settings/prod.ts'
import { describeStage, functionNamed, type JsonObject, listOf, stringsIn, variablesOf } from './support.ts'

const simulated = describeStage('dev')
const real = describeStage()

const functionOf = (described: typeof simulated) => functionNamed(described, 'payment-simulator')

const behavioursOf = (described: typeof simulated) =>
  Object.values(described.resources('edge', 'AWS::CloudFront::Distribution')).flatMap(({ Properties }) => {
    const { CacheBehaviors } = Properties.DistributionConfig as { CacheBehaviors: JsonObject[] }
    return CacheBehaviors.filter(({ PathPattern }) => PathPattern === '/pay/*')
  })

describe('the payment simulator', () => {
  it('is deployed with its page and its API where the settings say so', () => {
    expect(functionOf(simulated)).toBeDefined()
    const [behaviour, ...more] = behavioursOf(simulated)
    expect(more).toEqual([])
    expect(behaviour).toMatchObject({ ViewerProtocolPolicy: 'https-only' })
    expect(listOf(behaviour?.AllowedMethods)).toContain('POST')
    // Its own key is in the header that a signature of CloudFront would replace.
    expect(behaviour?.LambdaFunctionAssociations).toBeUndefined()
    const urls = Object.values(simulated.resources('app', 'AWS::Lambda::Url'))
    expect(urls.filter(({ Properties }) => Properties.AuthType === 'NONE').length).toBe(1)
  })

  it('takes the place of Stripe for the functions that call the provider', () => {
    const own = { PAYMENT_PROVIDER: 'simulated', PAYMENT_URL: { 'Fn::Join': ['', [{ Ref: 'ShopUrl' }, '/pay/api']] } }
    const stripe = { PAYMENT_PROVIDER: 'stripe', PAYMENT_URL: 'https://api.stripe.com' }
    for (const name of ['cancel-unpaid', 'order-changes', 'payments', 'control', 'reconcile'])
      expect([simulated, real].map((stage) => variablesOf(functionNamed(stage, name)))).toMatchObject([own, stripe])
  })

  it('is absent otherwise', () => {
    expect(functionOf(real)).toBeUndefined()
    expect(behavioursOf(real)).toEqual([])
    const urls = Object.values(real.resources('app', 'AWS::Lambda::Url'))
    expect(urls.filter(({ Properties }) => Properties.AuthType === 'NONE')).toEqual([])
  })

  it('reads and writes its own items alone, and knows the secret of the provider', () => {
    const needs = ['TABLE_NAME', 'PAYMENT_API_KEY', 'WEBHOOK_SECRET', 'SHOP_URL']
    const given = Object.fromEntries(needs.map((name) => [name, expect.anything()]))
    expect(variablesOf(functionOf(simulated))).toMatchObject(given)
    const policies = Object.entries(simulated.resources('app', 'AWS::IAM::Policy'))
    const [, policy] = policies.find(([id]) => id.startsWith('paymentsimulator')) ?? []
    const statements = Object.values(policy?.Properties.PolicyDocument ?? {}).flatMap(listOf)
    const onTable = statements.filter((one) => stringsIn(one).join().includes('dynamodb:'))
    expect(onTable).toEqual([
      expect.objectContaining({
        Action: ['dynamodb:GetItem', 'dynamodb:PutItem'],
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['SIMULATED#*'] } },
      }),
    ])
  })

  it.each([
    ['a production stage', { ...prod, simulatesPayments: true }],
    ['a stage that is called prod', { ...dev, name: 'prod' }],
  ])('is refused for %s: anyone could mark its orders as paid', (_case, settings) => {
    expect(() => refuseBadSettings(settings)).toThrow(
      'simulatesPayments is set: orders of a production stage would be paid without money',
    )
  })
})
