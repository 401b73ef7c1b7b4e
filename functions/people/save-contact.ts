/** Saves the verified address of the ID token as the shopper's first contact. It never replaces a contact. */
import type { ShopperId } from '../../core/ids.ts'
import { chooseLanguage, type Language } from '../../core/language.ts'
import { parse } from '../../core/lib/parse.ts'
import { type Contact, contact } from '../../core/people/contact.ts'
import { languages } from '../../templates/messages/catalogues.ts'
import { within } from '../lib/retry.ts'
import { errorFacts, type Log } from '../lib/telemetry.ts'
import type { FirstContacts } from '../table/people/contact-item.ts'
import type { Claims } from './identity-claims.ts'

/** Saves the contact, or logs why not: a sign-in succeeds without a contact. */
export type SaveContact = (shopperId: ShopperId, claims: Claims, language: Language) => Promise<void>

export type SaveContactPorts = {
  contacts: FirstContacts
  keptDays: number
  clock: () => number
  log: Log
}

/** The table answers within tens of milliseconds. A sign-in waits for it as long as for the pass. */
const timeoutMs = 1000

export function contactSaver({ contacts, keptDays, clock, log }: SaveContactPorts): SaveContact {
  return async (shopperId, claims, language) => {
    const given = readContact(claims, language)
    if (given === undefined) return
    try {
      const expiresAt = clock() + keptDays * 86_400_000
      await within(timeoutMs, contacts.putIfAbsent(shopperId, given, expiresAt))
    } catch (error) {
      log.warn('contact of a sign-in not saved', errorFacts(error))
    }
  }
}

/** Reads a verified address. An unverified one could be another person's. */
function readContact({ email, email_verified }: Claims, language: Language): Contact | undefined {
  const read = parse(contact, { email, language, verified: true })
  return email_verified === true && read.ok ? read.value : undefined
}

/** Returns the first language of an Accept-Language header that emails support; otherwise English. */
export function acceptedLanguage(acceptLanguage = ''): Language {
  const tags = acceptLanguage.split(',').map((entry) => entry.split(';')[0]?.trim().toLowerCase() ?? '')
  return chooseLanguage(null, tags, languages)
}
