/** Wiring of `/api/sign-in`. */
import { readEnvironment, tableVariables } from '../lib/env.ts'
import { functionUrl } from '../lib/http/function-url.ts'
import { createSealer } from '../lib/sealer.ts'
import { tokenSigner } from '../lib/session-token.ts'
import { createTelemetry } from '../lib/telemetry.powertools.ts'
import { openIdProvider } from '../people/identity-provider.ts'
import { contactSaver } from '../people/save-contact.ts'
import { passFetcher, signInApp } from '../people/sign-in-http.ts'
import { signInVariables } from '../people/sign-in-settings.ts'
import { dynamoFirstContacts } from '../table/people/contact-item.ts'

const env = readEnvironment({ ...signInVariables, ...tableVariables }, process.env)
const telemetry = createTelemetry('sign-in')
const clock = Date.now
const settings = env.SIGN_IN
const [sessionKey] = env.SIGN_IN_SESSION_KEYS
const personalKeys = env.PERSONAL_KEYS
const contacts = dynamoFirstContacts(env, { sealer: createSealer(personalKeys, clock), personalKeys, clock })

const ports = {
  provider: openIdProvider({ settings, clientSecret: env.SIGN_IN_CLIENT_SECRET || undefined, fetch, clock }),
  cookies: createSealer(env.SIGN_IN_COOKIE_KEYS, clock),
  settings,
  signToken: await tokenSigner(sessionKey),
  getPass: passFetcher(fetch, telemetry.log),
  saveContact: contactSaver({ contacts, keptDays: env.PERSONAL_DAYS, clock, log: telemetry.log }),
  telemetry,
}

export const handler = functionUrl(telemetry, signInApp(ports))
