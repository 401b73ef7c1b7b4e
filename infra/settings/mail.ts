/** The setting `mail` of a stage: emails to shoppers (docs/how-to/mail.md). */
import { isTimeZone } from '../../core/lib/text.ts'
import { parseMailbox } from '../../functions/people/mailbox.ts'
import type { MailSettings } from '../../functions/people/mailer.ts'

/** `timeZone` is UTC unless given. */
export type MailSetting = Omit<MailSettings, 'timeZone'> & { timeZone?: string }

/** The sender of the shop at SES, with or without a name (`Shop <sign-in@shop.example>`). */
export type SenderSetting = Pick<MailSetting, 'from' | 'replyTo' | 'configurationSet'>

export const mailSettingsOf = (setting: MailSetting): MailSettings => ({ timeZone: 'UTC', ...setting })

/** Returns the address in `orders@shop.example` or `Shop <orders@shop.example>`; undefined for another text. */
export const addressIn = (text: string): string | undefined => parseMailbox(text)?.address

/** Returns one problem per line; `name` is the name of the setting. */
export function senderProblems(name: string, sender: SenderSetting): string[] {
  return (['from', 'replyTo'] as const).flatMap((field) => {
    const text = sender[field]
    return text === undefined || addressIn(text) !== undefined
      ? []
      : [`${name}.${field} is not an email address, with or without a name of one line`]
  })
}

export function mailProblems(mail: MailSetting | undefined): string[] {
  if (mail === undefined) return []
  const addresses = senderProblems('mail', mail)
  const isKnown = mail.timeZone === undefined || isTimeZone(mail.timeZone)
  return isKnown ? addresses : [...addresses, 'mail.timeZone is not an IANA time zone']
}
