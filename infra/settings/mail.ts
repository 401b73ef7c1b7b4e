/** The setting `mail` of a stage: e-mails to shoppers (docs/mail.md). */
import * as z from 'zod/mini'
import { isTimeZone, type MailSettings } from '../../functions/mail/settings.ts'

/** `timeZone` is UTC unless given. */
export type MailSetting = Omit<MailSettings, 'timeZone'> & { timeZone?: string }

export const mailSettingsOf = (setting: MailSetting): MailSettings => ({ timeZone: 'UTC', ...setting })

/** The address in `orders@shop.example` or `Shop <orders@shop.example>`; undefined for another text. */
export function addressIn(text: string): string | undefined {
  const address = /^[^<>\r\n]*<([^<>]+)>$/.exec(text)?.[1] ?? text
  return z.email().safeParse(address).success ? address : undefined
}

/** A problem in each line. */
export function mailProblems(mail: MailSetting | undefined): string[] {
  if (mail === undefined) return []
  const addresses = (['from', 'replyTo'] as const).flatMap((name) => {
    const text = mail[name]
    return text === undefined || addressIn(text) !== undefined
      ? []
      : [`mail.${name} is not an e-mail address`]
  })
  const isKnown = mail.timeZone === undefined || isTimeZone(mail.timeZone)
  return isKnown ? addresses : [...addresses, 'mail.timeZone is not an IANA time zone']
}
