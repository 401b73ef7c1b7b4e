/** The setting `mail` of a stage, as the function reads it. */
import * as z from 'zod/mini'
import { isTimeZone } from '../../core/lib/text.ts'
import { nonEmpty } from '../../core/stock/database.ts'
import { jsonText } from '../lib/env.ts'

const mailSettings = z.strictObject({
  from: nonEmpty,
  replyTo: z.optional(nonEmpty),
  timeZone: nonEmpty.check(z.refine(isTimeZone, 'must be an IANA time zone')),
  configurationSet: z.optional(nonEmpty),
})

/**
 * `from` and `replyTo` are addresses, with or without a name (`Shop <orders@shop.example>`). `timeZone` is
 * the IANA name of the zone in which times are written, `configurationSet` one of SES.
 */
export type MailSettings = z.infer<typeof mailSettings>

export const mailVariables = { MAIL: jsonText(mailSettings, 'must be the settings of e-mails in JSON') }
