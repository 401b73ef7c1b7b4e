/**
 * Creates a marketer: an account of the user pool with a password, a second factor and the group. Safe to repeat: it
 * resumes where it failed.
 *
 * Cognito enrols a second factor with an access token, which the shop's own client does not issue. So a temporary client
 * is created. It is always deleted by its name, which also removes the client of a run that was killed.
 */
import * as z from 'zod/mini'
import { readEmail } from '../../core/people/contact.ts'
import { passwordPolicy } from '../../infra/constructs/shopper-pool.ts'
import { type AwsCli, AwsCliError, readAws } from '../aws-cli.ts'
import type { Dialog } from './dialog.ts'

const clientName = 'sluice-enrol'

/** The AWS CLI reads this parameter from its input. `--cli-input-json` would read it twice, the second time nothing. */
const fromInput = 'file:///dev/stdin'

/** The policy of the pool in words, each with its check. */
const passwordRules: readonly (readonly [string, RegExp])[] = [
  [`at least ${passwordPolicy.minLength} characters`, new RegExp(`^.{${passwordPolicy.minLength},}$`, 's')],
  ['a digit', /\d/],
  ['a lower-case letter', /[a-z]/],
  ['an upper-case letter', /[A-Z]/],
  ['a symbol', /[!-/:-@[-`{-~]/],
]

const account = z.object({ UserStatus: z.string(), UserMFASettingList: z._default(z.array(z.string()), []) })
const clientsOfPool = z.object({ UserPoolClients: z.array(z.object({ ClientId: z.string(), ClientName: z.string() })) })
const madeClient = z.object({ UserPoolClient: z.object({ ClientId: z.string() }) })
const signedIn = z.object({ AuthenticationResult: z.object({ AccessToken: z.string() }) })
const appKey = z.object({ SecretCode: z.string() })
const verified = z.object({ Status: z.string() })

type Pool = { region: string; poolId: string }

/** Creates the marketer. @throws AwsCliError for an error that no other input would avoid */
export async function makeMarketer(aws: AwsCli, { region, poolId }: Pool, dialog: Dialog): Promise<void> {
  const email = await askEmail(dialog)
  const at = (command: string, ...args: string[]) => ['cognito-idp', command, '--region', region, ...args]
  const ofPool = (command: string, ...args: string[]) => at(command, '--user-pool-id', poolId, ...args)
  const ofUser = (command: string, ...args: string[]) => ofPool(command, `--username=${email}`, ...args)
  const attributes = (...named: (readonly [Name: string, Value: string])[]) => [
    '--user-attributes',
    JSON.stringify(named.map(([Name, Value]) => ({ Name, Value }))),
  ]

  /** Returns the person's access token, by the `chosen` password, or by asking for that of an existing account. */
  async function signIn(clientId: string, chosen?: string): Promise<string> {
    const PASSWORD = chosen ?? (await dialog.askHidden(`Password of ${email}: `))
    const flow = ['--client-id', clientId, '--auth-flow', 'ADMIN_USER_PASSWORD_AUTH', '--auth-parameters', fromInput]
    const input = JSON.stringify({ USERNAME: email, PASSWORD })
    const answer = await unlessRefused(/NotAuthorizedException/, dialog, () =>
      aws.withInput(input, ...ofPool('admin-initiate-auth', ...flow)),
    )
    return answer === undefined ? signIn(clientId) : readAws(signedIn, answer).AuthenticationResult.AccessToken
  }

  async function enrol(chosen?: string): Promise<void> {
    const flows = ['--client-name', clientName, '--explicit-auth-flows', 'ALLOW_ADMIN_USER_PASSWORD_AUTH']
    const { UserPoolClient } = readAws(madeClient, await aws(...ofPool('create-user-pool-client', ...flows)))
    const token = await signIn(UserPoolClient.ClientId, chosen)
    const withToken = (command: string, ...args: string[]) =>
      aws.withInput(token, ...at(command, '--access-token', fromInput, ...args))
    const { SecretCode } = readAws(appKey, await withToken('associate-software-token'))
    dialog.print(`Add ${email} to an authenticator app, with the key ${SecretCode} or the address`)
    dialog.print(`otpauth://totp/Sluice:${encodeURIComponent(email)}?secret=${SecretCode}&issuer=Sluice`)
    const isVerified = async () => {
      const code = (await dialog.ask('Code of the app: ')).replaceAll(' ', '')
      const verify = () => withToken('verify-software-token', '--user-code', code)
      const answer = /^\d{6}$/.test(code) ? await unlessRefused(/MFAException|CodeMismatch/, dialog, verify) : undefined
      return answer !== undefined && readAws(verified, answer).Status === 'SUCCESS'
    }
    while (!(await isVerified())) dialog.print('✗ not a code of this key: type the next six digits')
    await aws(
      ...ofUser('admin-set-user-mfa-preference', '--software-token-mfa-settings', 'Enabled=true,PreferredMfa=true'),
    )
  }

  async function deleteClients(): Promise<void> {
    const { UserPoolClients } = readAws(clientsOfPool, await aws(...ofPool('list-user-pool-clients')))
    for (const { ClientId } of UserPoolClients.filter(({ ClientName }) => ClientName === clientName))
      await aws(...ofPool('delete-user-pool-client', '--client-id', ClientId))
  }

  const answer = await unlessRefused(/UserNotFoundException/, undefined, () => aws(...ofUser('admin-get-user')))
  const found = answer === undefined ? undefined : readAws(account, answer)
  const isConfirmed = found?.UserStatus === 'CONFIRMED'
  if (isConfirmed) dialog.print(`✓ the account ${email} exists`)
  const chosen = isConfirmed ? undefined : await newPassword(dialog)
  const isVerified = ['email_verified', 'true'] as const
  if (found === undefined)
    await aws(
      ...ofUser('admin-create-user', '--message-action', 'SUPPRESS', ...attributes(['email', email], isVerified)),
    )
  if (chosen !== undefined)
    await aws.withInput(chosen, ...ofUser('admin-set-user-password', '--permanent', '--password', fromInput))
  try {
    if (found?.UserMFASettingList.includes('SOFTWARE_TOKEN_MFA')) dialog.print('✓ its second factor exists')
    else await enrol(chosen)
  } finally {
    await deleteClients().catch((error: unknown) =>
      dialog.print(`✗ Delete the client ${clientName} of the pool ${poolId} by hand: ${error}`),
    )
  }
  await aws(...ofUser('admin-update-user-attributes', ...attributes(['custom:mfa', 'totp'], isVerified)))
  await aws(...ofUser('admin-add-user-to-group', '--group-name', 'marketer'))
  dialog.print(`✓ ${email} is a marketer, at the next sign-in with the password and a code of the app`)
}

async function askEmail(dialog: Dialog): Promise<string> {
  const email = readEmail(await dialog.ask('Email address of the marketer: '))
  if (email !== undefined) return email
  dialog.print('✗ not an email address')
  return askEmail(dialog)
}

async function newPassword(dialog: Dialog): Promise<string> {
  dialog.print(`The password needs ${passwordRules.map(([rule]) => rule).join(', ')}.`)
  for (;;) {
    const password = await dialog.askHidden('New password: ')
    const missing = passwordRules.filter(([, rule]) => !rule.test(password)).map(([rule]) => rule)
    if (missing.length > 0) dialog.print(`✗ it does not have ${missing.join(', ')}`)
    else if ((await dialog.askHidden('Once more: ')) === password) return password
    else dialog.print('✗ the two differ')
  }
}

/** Runs the call. Returns undefined after an error that matches `sign`, and prints it to `dialog`. */
async function unlessRefused(sign: RegExp, dialog: Dialog | undefined, ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof AwsCliError && sign.test(error.message))) throw error
    dialog?.print(`✗ ${error.message}`)
    return undefined
  }
}
