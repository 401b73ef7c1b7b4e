/** Every stage can be synthesized without a network, and holds no secret. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stacksIn } from '../../cli/deploy.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { stages as kinds, type StageKind } from './stages.ts'
import { describeStage, stackNames, stringsIn, synthesized } from './support.ts'

const stages: StageSettings[] = Object.values(kinds)
const directory = synthesized()

/** Every template by the file's name. */
const templates = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.template.json'))
  .map((file): [file: string, text: string] => [file, readFileSync(join(directory, file), 'utf8')])

describe('the described cloud', () => {
  it('has no secret in any template: each is a reference that is resolved on deployment', () => {
    expect(templates.length).toBe(stackNames.length * stages.length + 1)
    const secretVariable = /TOKEN|DATABASES|SECRET(?!S_REVISION|_ID)|API_KEY|_KEYS|x-sluice-config/
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
        'CHECKOUT_KEYS',
        'GATE_REDIS_REST_TOKEN',
        'PAYMENT_API_KEY',
        'WEBHOOK_SECRET',
        'SHOP_KEYS',
        ...['SIGN_IN_CLIENT_SECRET', 'SIGN_IN_SESSION_KEYS', 'SIGN_IN_COOKIE_KEYS'],
        'PERSONAL_KEYS',
        'x-sluice-config',
      ]),
    )
  })

  it('names the stacks of a stage to the command that deploys them, each after those that it needs', () => {
    const [{ name: stage } = { name: '' }] = stages
    const found = stacksIn(directory, stage)
    expect(found.map(({ name }) => name).toSorted()).toEqual(
      stackNames.map((name) => `sluice-${stage}-${name}`).toSorted(),
    )
    expect(found.find(({ id }) => id === `sluice-${stage}/edge`)).toMatchObject({ region: 'us-east-1' })
    const order = ['data', 'app', 'edge', 'access', 'site'].map((name) =>
      found.findIndex(({ id }) => id === `sluice-${stage}/${name}`),
    )
    expect(order).toEqual(order.toSorted((one, other) => one - other))
    expect(found[0]?.region).not.toBe('us-east-1')
  })

  it('has nothing of the machine that synthesises it, and no address or number of a person', () => {
    const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    expect(files.length).toBeGreaterThan(100)
    for (const { parentPath, name } of files) {
      expect(readFileSync(join(parentPath, name), 'latin1').includes('planted-'), name).toBe(false)
    }
    // The recipients of alarms and the shop's own senders are settings.
    const senders = stages
      .flatMap(({ mail, signIn }) => [mail, signIn.kind === 'cognito' ? signIn.email : undefined])
      .flatMap((sender) => [/<(.+)>/.exec(sender?.from ?? '')?.[1], sender?.replyTo])
    const allowed = new Set([kinds.prod.alarmEmail, ...senders])
    for (const [file, text] of templates) {
      const people = text.match(/[\w.+-]+@[\w.-]+\.[a-z]{2,}|\+\d{10,15}\b/gi) ?? []
      expect(
        people.filter((one) => !allowed.has(one)),
        file,
      ).toEqual([])
    }
  })

  it('has no secret in any output', () => {
    const outputs = Object.keys(kinds).flatMap((kind) =>
      stackNames.map((stack) => describeStage(kind as StageKind).template(stack).Outputs ?? {}),
    )
    expect(outputs.flatMap(Object.keys).length).toBeGreaterThan(0)
    expect(stringsIn(outputs).join()).not.toContain('resolve:')
  })
})

/** Names with their values: of objects, and of the headers that CloudFormation lists as such pairs. */
function pairsIn(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return []
  if ('HeaderName' in value && 'HeaderValue' in value) return [[String(value.HeaderName), value.HeaderValue]]
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] =>
    typeof inner === 'string' ? [[key, inner]] : pairsIn(inner),
  )
}
