/** The port to the email service, and its settings in a stage. */
import * as z from 'zod/mini'
import { isTimeZone } from '../../core/lib/text.ts'
import { nonEmpty } from '../../core/stock/database.ts'
import { jsonText } from '../lib/env.ts'
import { parseMailbox } from './mailbox.ts'

/** `to` is one address. With `unsubscribeUrl` mail programs can unsubscribe with one click (RFC 8058). */
export type OutgoingMail = {
  to: string
  subject: string
  text: string
  html: string
  unsubscribeUrl: string | undefined
}

export type Mailer = {
  /**
   * Sends an email. `rejected`: the service never sends it, so a retry is useless; `reason` is a code without the address.
   * @throws MailerBusy when it was not sent and a retry may succeed; MailerFault when it was probably not sent; any other
   * error when it may have been sent
   */
  send: (mail: OutgoingMail) => Promise<{ kind: 'sent' } | { kind: 'rejected'; reason: string }>
}

/** The email was not sent: the service throttles, is over its quota, paused, not set up or unreachable. */
export class MailerBusy extends Error {
  override name = 'MailerBusy'
}

/** The service answered with a fault; it probably did not send the email. */
export class MailerFault extends Error {
  override name = 'MailerFault'
}

const mailbox = nonEmpty.check(z.refine((text) => parseMailbox(text) !== undefined, 'must be an email address'))

const mailSettings = z.strictObject({
  from: mailbox,
  replyTo: z.optional(mailbox),
  timeZone: nonEmpty.check(z.refine(isTimeZone, 'must be an IANA time zone')),
  configurationSet: z.optional(nonEmpty),
})

/**
 * `from` and `replyTo` are addresses with an optional name (`Shop <orders@shop.example>`). `timeZone` is the IANA name of
 * the zone for times in emails, `configurationSet` a configuration set of SES.
 */
export type MailSettings = z.infer<typeof mailSettings>

export const mailVariables = { MAIL: jsonText(mailSettings, 'must be the settings of emails in JSON') }
