/** Sending e-mails by SES from the address of the settings, and from no other. */
import { Stack } from 'aws-cdk-lib'
import type { MailSettings } from '../../functions/people/mail-settings.ts'
import { addressIn } from '../settings/mail.ts'
import type { Grantee } from './sale-function.ts'

/** The identity in SES is the domain of the address (docs/how-to/mail.md). */
export function grantSendMail(fn: Grantee, mail: MailSettings): void {
  const arnOf = (resource: string, resourceName: string) =>
    Stack.of(fn).formatArn({ service: 'ses', resource, resourceName })
  const [, domain = ''] = addressIn(mail.from)?.split('@') ?? []
  const set = mail.configurationSet
  fn.allow(
    ['ses:SendEmail'],
    [arnOf('identity', domain), ...(set === undefined ? [] : [arnOf('configuration-set', set)])],
  )
  fn.setVariable('MAIL', JSON.stringify(mail))
}
