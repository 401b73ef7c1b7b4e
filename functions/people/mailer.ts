/** The port to the service that sends e-mails, and its settings in a stage. */
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
   * `rejected`: the service never sends this e-mail, so a retry is useless; `reason` is its code, without the address.
   * @throws MailerBusy when it was certainly not sent and a later try may succeed; MailerFault; any other error when it
   * is not known whether it was sent
   */
  send: (mail: OutgoingMail) => Promise<{ kind: 'sent' } | { kind: 'rejected'; reason: string }>
}

/** Not sent: throttled, over the quota, paused, not set up, or not reached. */
export class MailerBusy extends Error {
  override name = 'MailerBusy'
}

/** The service answered that it failed; it hardly sent the e-mail before. */
export class MailerFault extends Error {
  override name = 'MailerFault'
}

const mailbox = nonEmpty.check(z.refine((text) => parseMailbox(text) !== undefined, 'must be an e-mail address'))

const mailSettings = z.strictObject({
  from: mailbox,
  replyTo: z.optional(mailbox),
  timeZone: nonEmpty.check(z.refine(isTimeZone, 'must be an IANA time zone')),
  configurationSet: z.optional(nonEmpty),
})

/**
 * `from` and `replyTo` are addresses, with or without a name (`Shop <orders@shop.example>`). `timeZone` is
 * the IANA name of the zone in which times are written, `configurationSet` one of SES.
 */
export type MailSettings = z.infer<typeof mailSettings>

export const mailVariables = { MAIL: jsonText(mailSettings, 'must be the settings of e-mails in JSON') }
