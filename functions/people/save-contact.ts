/** The first contact of a shopper who signs in: the ID token's verified address. It never replaces another one. */

import type { ShopperId } from '../../core/ids.ts'
import { chooseLanguage, type Language } from '../../core/language.ts'
import { parse } from '../../core/lib/parse.ts'
import { type Contact, contact } from '../../core/people/contact.ts'
import { languages } from '../../templates/messages/catalogues.ts'
import { within } from '../lib/retry.ts'
import { errorFacts, type Log } from '../lib/telemetry.ts'
import type { FirstContacts } from '../table/people/contact-item.ts'
import type { Claims } from './identity-claims.ts'

/** Saves it, or logs why not: a sign-in is good without a contact. */
export type SaveContact = (shopperId: ShopperId, claims: Claims, language: Language) => Promise<void>

export type SaveContactPorts = {
  contacts: FirstContacts
  /** How long a contact is kept. */
  keptDays: number
  clock: () => number
  log: Log
}

/** The table answers within some tens of milliseconds; a sign-in waits for it as long as for the pass. */
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

/** An address that its owner has not verified could be that of another person. */
function readContact({ email, email_verified }: Claims, language: Language): Contact | undefined {
  const read = parse(contact, { email, language, verified: true })
  return email_verified === true && read.ok ? read.value : undefined
}

/** The first language of an Accept-Language header that e-mails are written in; otherwise English. */
export function acceptedLanguage(acceptLanguage = ''): Language {
  const tags = acceptLanguage.split(',').map((entry) => entry.split(';')[0]?.trim().toLowerCase() ?? '')
  return chooseLanguage(null, tags, languages)
}
