/**
 * E-mails by Amazon SES. Its errors name addresses in their messages, so only their names go on. SES itself
 * drops e-mails to addresses of the account's suppression list, after bounces and complaints.
 */
import { SESv2Client, SESv2ServiceException, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { mailboxHeader } from '../../people/mailbox.ts'
import { type Mailer, MailerBusy, MailerFault, type MailSettings, type OutgoingMail } from '../../people/mailer.ts'

/** Region, credentials and endpoint come from the environment, read by the SDK itself. */
export function connectSes(): SESv2Client {
  return new SESv2Client({
    // A second try after a lost answer would send the e-mail twice; the stream repeats what failed.
    maxAttempts: 1,
    // Without throwOnRequestTimeout the SDK would only warn and keep waiting.
    requestHandler: { connectionTimeout: 1000, requestTimeout: 4000, throwOnRequestTimeout: true },
  })
}

/**
 * Errors of one e-mail, which no retry can send
 * (https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html). In the sandbox a recipient
 * that is not verified is one of them.
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

/** Codes of Node for a connection that was never open, so that no e-mail can have left. */
const unreached: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH'])

/**
 * @throws MailerBusy for an answer of SES that another try may not get, and without a connection; MailerFault for a
 * fault of SES, which leaves open what it did before it failed; an error without an answer as `MailerSilent`
 */
function rejectionOf(error: unknown): { kind: 'rejected'; reason: string } {
  if (!(error instanceof SESv2ServiceException)) {
    const code = codeOf(error)
    if (unreached.has(code)) throw new MailerBusy(code)
    throw new MailerSilent(nameOf(error))
  }
  if (rejections.has(error.name)) return { kind: 'rejected', reason: error.name }
  const status = error.$metadata.httpStatusCode ?? 0
  if (status >= 500) throw new MailerFault(error.name)
  throw new MailerBusy(error.name)
}

/** SES did not answer: the e-mail may have been sent. */
class MailerSilent extends Error {
  override name = 'MailerSilent'
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'not an Error')
