/** The options that send e-mails. */
import { offerMails } from '../../options/draw/functions/offer-mails.ts'
import type { MailOption } from '../table/people/mail-option.ts'
import { reminderMails } from './reminder-mails.ts'

export const mailOptions: readonly MailOption[] = [reminderMails, offerMails]
