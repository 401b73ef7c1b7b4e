/**
 * Sends emails with Amazon SES. Messages of its errors contain addresses, so only the names of the errors are passed on.
 * SES drops emails to addresses of the account's suppression list, after bounces and complaints.
 */
import { SESv2Client, SESv2ServiceException, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { mailboxHeader } from '../../people/mailbox.ts'
import { type Mailer, MailerBusy, MailerFault, type MailSettings, type OutgoingMail } from '../../people/mailer.ts'

/** Connects with the region, credentials and endpoint that the SDK reads from the environment. */
export function connectSes(): SESv2Client {
  return new SESv2Client({
    // A retry after a lost answer would send the email twice. The stream redelivers failed changes.
    maxAttempts: 1,
    // Without throwOnRequestTimeout the SDK would only warn and keep waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 4000, throwOnRequestTimeout: true },
  })
}

/**
 * Errors that no retry of the email avoids (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html).
 * In the sandbox an unverified recipient is one of them.
 */
const rejections: ReadonlySet<string> = new Set(['BadRequestException', 'MessageRejected'])

export function sesMailer(
  client: Pick<SESv2Client, 'send'>,
  { from, replyTo, configurationSet }: Omit<MailSettings, 'timeZone'>,
): Mailer {
  const sender = {
    FromEmailAddress: mailboxHeader(from),
    ...(replyTo !== undefined && { ReplyToAddresses: [mailboxHeader(replyTo)] }),
  }
  return {
    async send(mail) {
      const command = new SendEmailCommand({
        ...sender,
        ...(configurationSet !== undefined && { ConfigurationSetName: configurationSet }),
        Destination: { ToAddresses: [mail.to] },
        Content: { Simple: contentOf(mail) },
      })
      try {
        await client.send(command)
        return { kind: 'sent' }
      } catch (error) {
        return rejectionOf(error)
      }
    },
  }
}

function contentOf({ subject, text, html, unsubscribeUrl }: OutgoingMail) {
  const Charset = 'UTF-8'
  return {
    Subject: { Data: subject, Charset },
    Body: { Text: { Data: text, Charset }, Html: { Data: html, Charset } },
    ...(unsubscribeUrl !== undefined && {
      Headers: [
        { Name: 'List-Unsubscribe', Value: `<${unsubscribeUrl}>` },
        { Name: 'List-Unsubscribe-Post', Value: 'List-Unsubscribe=One-Click' },
      ],
    }),
  }
}

/** Codes of Node for a connection that never opened, so no email was sent. */
const unreached: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH'])

/**
 * Returns the reason when SES rejects the email for good.
 * @throws MailerBusy when a retry may succeed and nothing was sent; MailerFault after a fault of SES, which may have sent
 * it; MailerSilent when SES did not answer
 */
function rejectionOf(error: unknown): { kind: 'rejected'; reason: string } {
  if (!(error instanceof SESv2ServiceException)) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (unreached.has(code)) throw new MailerBusy(code)
    throw new MailerSilent(error instanceof Error ? error.name : 'not an Error')
  }
  if (rejections.has(error.name)) return { kind: 'rejected', reason: error.name }
  const status = error.$metadata.httpStatusCode ?? 0
  if (status >= 500) throw new MailerFault(error.name)
  throw new MailerBusy(error.name)
}

/** SES did not answer; the email may have been sent. */
class MailerSilent extends Error {
  override name = 'MailerSilent'
}
