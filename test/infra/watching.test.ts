/** Monitoring besides alarms: the bill, the firewall's log, and the receiver of alarms. */
import { describe, expect, it } from 'vitest'
import { refuseBadSettings } from '../../infra/settings/problems.ts'
import { prod } from '../../infra/settings/prod.ts'
import { describeStage, only } from './support.ts'

const described = describeStage()

describe('a stage that sells', () => {
  it('without alarmEmail fails synth', () => {
    const { alarmEmail: _, ...unheard } = prod
    expect(() => refuseBadSettings(unheard)).toThrow('infra/settings/prod.ts: alarmEmail is missing')
  })

  it('sends alarms of both regions to that address', () => {
    for (const stack of ['app', 'watch'] as const) {
      const { Properties } = only(described.resources(stack, 'AWS::SNS::Subscription'))
      expect(Properties).toMatchObject({ Protocol: 'email', Endpoint: prod.alarmEmail })
    }
  })

  it('has a budget that warns the same address at its forecast and before it is spent', () => {
    const { Properties } = only(described.resources('watch', 'AWS::Budgets::Budget'))
    expect(Properties).toMatchObject({
      Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 200, Unit: 'USD' } },
    })
    const notice = (NotificationType: string, Threshold: number) => ({
      Notification: { NotificationType, Threshold, ComparisonOperator: 'GREATER_THAN', ThresholdType: 'PERCENTAGE' },
      Subscribers: [{ SubscriptionType: 'EMAIL', Address: prod.alarmEmail }],
    })
    expect(Properties.NotificationsWithSubscribers).toEqual([notice('ACTUAL', 80), notice('FORECASTED', 100)])
    expect(describeStage('dev').resources('watch', 'AWS::Budgets::Budget')).toEqual({})
  })

  it('enables the additional metrics of CloudFront, which include the 503 rate', () => {
    const { Properties } = only(described.resources('watch', 'AWS::CloudFront::MonitoringSubscription'))
    expect(Properties).toMatchObject({
      MonitoringSubscription: { RealtimeMetricsSubscriptionConfig: { RealtimeMetricsSubscriptionStatus: 'Enabled' } },
    })
  })
})

describe("the firewall's log", () => {
  it('has blocked and counted requests, for as long as other logs', () => {
    const { Properties } = only(described.resources('watch', 'AWS::WAFv2::LoggingConfiguration'))
    expect(JSON.stringify(Properties.LogDestinationConfigs)).toContain(':log-group:aws-waf-logs-sluice-prod')
    expect(Properties.LoggingFilter).toEqual({
      DefaultBehavior: 'DROP',
      Filters: [
        {
          Behavior: 'KEEP',
          Requirement: 'MEETS_ANY',
          Conditions: [{ ActionCondition: { Action: 'BLOCK' } }, { ActionCondition: { Action: 'COUNT' } }],
        },
      ],
    })
    const groups = Object.values(described.resources('watch', 'AWS::Logs::LogGroup'))
    const group = groups.find(({ Properties: one }) => one.LogGroupName === 'aws-waf-logs-sluice-prod')
    expect(group?.Properties.RetentionInDays).toBe(prod.keep.logDays)
  })
  it('keeps no code of a sign-in, no token of an unsubscribe link and no session, also in sampled requests', () => {
    const { Properties } = only(described.resources('edge', 'AWS::WAFv2::WebACL'))
    const headers = ['authorization', 'cookie', 'referer', 'webhook-signature', 'stripe-signature']
    expect(Properties.DataProtectionConfig).toEqual({
      DataProtections: [
        { Field: { FieldType: 'QUERY_STRING' }, Action: 'SUBSTITUTION' },
        { Field: { FieldType: 'SINGLE_HEADER', FieldKeys: headers }, Action: 'SUBSTITUTION' },
      ],
    })
  })
})
