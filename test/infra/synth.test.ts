/**
 * Every stage can be synthesized without a network, and every finding of the checks is an error.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CfnOutput, Stack, Stage, Validations } from 'aws-cdk-lib'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { CfnQueue } from 'aws-cdk-lib/aws-sqs'
import { describe, expect, it, vi } from 'vitest'
import { dist } from '../../build.ts'
import { createApp } from '../../infra/create-app.ts'
import { dev } from '../../infra/settings/dev.ts'
import { prod } from '../../infra/settings/prod.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { newOutdir, stringsIn } from './support.ts'

const withEverything: StageSettings = {
  ...prod,
  name: 'own',
  signIn: {
    kind: 'issuer',
    issuer: 'https://login.example.com',
    clientId: 'shop',
    scope: 'openid',
    claims: { shopperId: 'sub' },
  },
  domain: {
    name: 'shop.example.com',
    certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/11111111-2222-3333-4444-555555555555',
    hostedZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' },
  },
  alarmEmail: 'on-call@example.com',
  mail: { from: 'Shop <orders@shop.example.com>', configurationSet: 'shop' },
}

/** In one region everything refers to everything without crossing a border. */
const inOneRegion: StageSettings = { ...dev, name: 'one', region: 'us-east-1' }

/** Secrets and settings of the machine that synthesises. */
const planted = {
  ...{ AWS_SECRET_ACCESS_KEY: 'planted-1f0c', AWS_SESSION_TOKEN: 'planted-2b7e' },
  ...{ PAYMENT_API_KEY: 'planted-3d91', WEBHOOK_SECRET: 'planted-4a55' },
  ...{ PERSONAL_KEYS: 'planted-5c3d', SLUICE_TOKEN: 'planted-6e80' },
}

const stages = [dev, prod, withEverything, inOneRegion]
for (const [name, value] of Object.entries(planted)) vi.stubEnv(name, value)
const app = createApp({ dist, stages, outdir: newOutdir() })
const { directory } = app.synth()
vi.unstubAllEnvs()

/** A stage as small as one can be, to put something wrong into. */
function stageToSpoil() {
  const spoiled = createApp({ dist, stages: [], outdir: newOutdir() })
  return { app: spoiled, stack: new Stack(new Stage(spoiled, 'spoiled'), 'data') }
}

/** Every template by the file's name. */
const templates = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.template.json'))
  .map((file): [file: string, text: string] => [file, readFileSync(join(directory, file), 'utf8')])

describe('the described cloud', () => {
  it('has no finding of the validator or the rules of cdk-nag, in any kind of stage', () => {
    const report = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'))
    expect(report.pluginReports).toEqual([])
  })

  it('is refused where CloudFormation would refuse it', () => {
    const { app, stack } = stageToSpoil()
    new CfnQueue(stack, 'Wrong', { delaySeconds: 5000 })
    expect(() => app.synth()).toThrow(
      'DelaySeconds: 5000 is greater than the maximum of 900 (CloudFormation Validate)',
    )
  })

  it('fails when a rule of cdk-nag is broken without a reason', () => {
    const { app, stack } = stageToSpoil()
    new Bucket(stack, 'Open')
    expect(() => app.synth()).toThrow('AwsSolutions-S1')
  })

  it('gives a reason in a sentence for each exception to a rule', () => {
    const reasons = app.node
      .findAll()
      .flatMap(({ node }) =>
        node.metadata
          .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
          .map(({ data }) => data),
      )
    expect(reasons.length).toBeGreaterThan(10)
    for (const reason of reasons.flatMap(sentencesIn)) expect(reason.length).toBeGreaterThan(40)
  })

  it('has no secret in any template: each is a reference that is resolved on deployment', () => {
    expect(templates.length).toBe(5 * stages.length)
    const secretVariable = /TOKEN|DATABASES|SECRET(?!S_REVISION)|API_KEY|_KEYS|x-sluice-config/
    const found: string[] = []
    for (const [file, text] of templates) {
      expect(text, file).not.toMatch(/whsec_|AKIA[0-9A-Z]{16}|-----BEGIN|"d":|eyJ[A-Za-z0-9_-]{20,}\./)
      for (const [name, value] of pairsIn(JSON.parse(text))) {
        if (!secretVariable.test(name)) continue
        found.push(name)
        expect(value, `${file} ${name}`).toMatch(
          /^(?:[\w-]+~)?\{\{resolve:secretsmanager:sluice\/\w+\/\w+:SecretString:\w+::\}\}$/,
        )
      }
    }
    expect(new Set(found)).toEqual(
      new Set([
        'STOCK_DATABASES',
        'GATE_REDIS_REST_TOKEN',
        'PAYMENT_API_KEY',
        'WEBHOOK_SECRET',
        'PERSONAL_KEYS',
        ...['SIGN_IN_CLIENT_SECRET', 'SIGN_IN_SESSION_KEYS', 'SIGN_IN_COOKIE_KEYS'],
        'PERSONAL_KEYS',
        'x-sluice-config',
      ]),
    )
  })

  it('has nothing of the machine that synthesises it, and no address or number of a person', () => {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    )
    expect(files.length).toBeGreaterThan(100)
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name), 'latin1').includes('planted-'), name).toBe(false)
    }
    // The recipients of alarms and the shop's own senders are settings.
    const senders = stages
      .flatMap(({ mail, signIn }) => [mail, signIn.kind === 'cognito' ? signIn.email : undefined])
      .map((sender) => /<(.+)>/.exec(sender?.from ?? '')?.[1])
    const allowed = new Set([prod.alarmEmail, withEverything.alarmEmail, ...senders])
    for (const [file, text] of templates) {
      const people = text.match(/[\w.+-]+@[\w.-]+\.[a-z]{2,}|\+\d{10,15}\b/gi) ?? []
      expect(
        people.filter((one) => !allowed.has(one)),
        file,
      ).toEqual([])
    }
  })

  it('has no secret in any output', () => {
    const outputs = app.node.findAll().filter((construct) => construct instanceof CfnOutput)
    expect(outputs.length).toBeGreaterThan(0)
    for (const output of outputs) expect(stringsIn(output.value).join()).not.toContain('resolve:')
  })
})

/** The reasons in acknowledgements. */
function sentencesIn(data: unknown): string[] {
  return stringsIn(data).filter((text) => text.includes(' '))
}

/**
 * Names with their values: of objects, and of the headers that CloudFormation lists as such pairs.
 */
function pairsIn(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  if ('HeaderName' in value && 'HeaderValue' in value) return [[String(value.HeaderName), value.HeaderValue]]
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] =>
    typeof inner === 'string' ? [[key, inner]] : pairsIn(inner),
  )
}
