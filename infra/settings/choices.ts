/**
 * The choices of a person for a stage: `infra/settings/<stage>.json`, which `npm run setup` writes and the operator commits. A
 * stage without the file has the settings of the repository.
 */
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { textInBytes } from '../../core/lib/file-text.ts'
import { parsedBy, readJson, whole } from '../../core/lib/parse.ts'
import { readEmail } from '../../core/people/contact.ts'
import { addressIn } from './mail.ts'
import type { StageSettings } from './stage.ts'

const mail = (example: string) => `must be an email address, such as ${example}`
const text = (pattern: RegExp, what: string) => z.string('is missing').check(z.regex(pattern, `must be ${what}`))
const label = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`

/** The schema of each answer. */
export const answers = {
  alarmEmail: parsedBy(readEmail, mail('alarms@shop.example')),
  sender: text(/^[^\r\n]+$/, 'one line').check(
    z.refine((from) => addressIn(from) !== undefined, mail('Shop <sign-in@shop.example>')),
  ),
  host: text(
    new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!\\d+$)${label}$`),
    'a name in small letters, such as shop.example',
  ),
  certificateArn: text(
    /^arn:aws[\w-]*:acm:us-east-1:\d{12}:certificate\/[\w-]{1,64}$/,
    'the ARN of a certificate in us-east-1',
  ),
  zoneId: text(/^Z[A-Z\d]{1,31}$/, 'the id of a hosted zone, such as Z0123456789ABC'),
}

/** `npm run setup` raises `secretsRevision` when it replaces a secret. */
export const stageChoices = z.strictObject({
  alarmEmail: z.optional(answers.alarmEmail),
  sender: z.optional(answers.sender),
  domain: z.optional(
    z.strictObject({
      ...{ name: answers.host, certificateArn: answers.certificateArn },
      hostedZone: z.optional(z.strictObject({ id: answers.zoneId, name: answers.host })),
    }),
  ),
  simulatesPayments: z.optional(z.boolean('must be true or false')),
  secretsRevision: z.optional(whole(1, 1_000_000)),
})

export type StageChoices = z.infer<typeof stageChoices>

export const choicesFile = (stage: string): URL => new URL(`./${stage}.json`, import.meta.url)

/** Thrown for invalid settings; the message names file, field and reason. */
export class WrongSettings extends RangeError {
  override name = 'WrongSettings'
}

/** Returns the result of `read`, or ends the command with one line for invalid settings. */
export function exitOnWrongSettings<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error
    console.error(`✗ ${error.message}`)
    return process.exit(1)
  }
}

/** Reads the choices; undefined without the file. @throws WrongSettings for an invalid file, with the name of the field */
export function readChoices(file: URL): StageChoices | undefined {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw new WrongSettings(`${file.pathname} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
  const text = textInBytes(bytes)
  if (text === undefined)
    throw new WrongSettings(`${file.pathname} is neither UTF-8 nor UTF-16 with a byte order mark: save it as UTF-8`)
  const read = readJson(stageChoices, text)
  if (!read.ok) throw new WrongSettings(`${file.pathname}: ${read.detail}`)
  return read.value
}

/** Returns the settings with the choices. A stage that simulates payments sells nothing, so it is no production stage. */
export function withChoices(settings: StageSettings, chosen: StageChoices | undefined): StageSettings {
  if (chosen === undefined) return settings
  const { sender, simulatesPayments: simulates, ...others } = chosen
  const isTrial = simulates === true ? { isProduction: false } : {}
  const payments = simulates === undefined ? {} : { simulatesPayments: simulates }
  const signIn = signInWith(settings.signIn, sender, simulates === true)
  return { ...settings, ...others, ...payments, ...isTrial, signIn }
}

/** Returns the sign-in with the chosen sender. A trial without a sender uses the emails of Cognito itself, 50 a day. */
function signInWith(signIn: StageSettings['signIn'], from: string | undefined, isTrial: boolean) {
  if (signIn.kind !== 'cognito') return signIn
  const { email, ...others } = signIn
  if (from !== undefined) return { ...others, email: { ...email, from } }
  return isTrial ? others : signIn
}
