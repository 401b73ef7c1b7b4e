/** The first marketer, with recorded answers of the user pool. */
import { describe, expect, it } from 'vitest'
import { AwsCliError } from '../../../cli/aws-cli.ts'
import { makeMarketer } from '../../../cli/setup/marketer.ts'
import { passwordPolicy } from '../../../infra/constructs/shopper-pool.ts'

const email = 'mia@shop.example'
const good = 'Correct-horse-7'
const [token, appKey] = ['eyJ.access.token', 'JBSWY3DPEHPK3PXP']
const at = { region: 'eu-west-1', poolId: 'eu-west-1_Pool' }

type Account = {
  status: string
  password: string
  factors: string[]
  attributes: Record<string, string>
  groups: string[]
}
const account = (change: Partial<Account> = {}): Account => ({
  ...{ status: 'CONFIRMED', password: good, factors: [], attributes: {}, groups: [], ...change },
})
const marketer = { factors: ['SOFTWARE_TOKEN_MFA'], groups: ['marketer'] }

/** Runs the command with an account, or without one, and the texts that the person types. */
async function run(found: Account | undefined, typed: string[], fails?: string) {
  const pool = { account: found, clients: ['shop'], calls: [] as string[], inputs: [] as string[] }
  const printed: string[] = []
  const refuse = (reason: string): never => {
    throw new AwsCliError(`An error occurred (${reason}) when calling the operation: No.`)
  }
  const answer = async (input: string, ...[, command = '', ...args]: readonly string[]): Promise<unknown> => {
    const option = (name: string) => args[args.indexOf(name) + 1] ?? ''
    const value = (name: string) => (option(name) === 'file:///dev/stdin' ? input : option(name))
    pool.calls.push(command)
    pool.inputs.push([command, ...args].join(' '))
    if (command === fails) refuse('InternalErrorException')
    if (args.includes('--user-pool-id')) expect(option('--user-pool-id')).toBe(at.poolId)
    // An address may begin with a dash.
    expect(args).not.toContain('--username')
    if (/^admin-(?!initiate)/.test(command)) expect(args).toContain(`--username=${email}`)
    expect(option('--region')).toBe(at.region)
    const known = pool.account
    const set = () => {
      const named: { Name: string; Value: string }[] = JSON.parse(option('--user-attributes'))
      for (const { Name, Value } of named) Object.assign(pool.account?.attributes ?? {}, { [Name]: Value })
    }
    const commands: Record<string, () => unknown> = {
      'admin-get-user': () =>
        known === undefined
          ? refuse('UserNotFoundException')
          : { UserStatus: known.status, ...(known.factors.length > 0 && { UserMFASettingList: known.factors }) },
      'admin-create-user': () => {
        pool.account = account({ status: 'FORCE_CHANGE_PASSWORD', password: '' })
        expect(option('--message-action')).toBe('SUPPRESS')
        return set()
      },
      'admin-set-user-password': () => {
        expect(args).toContain('--permanent')
        Object.assign(known ?? {}, { password: value('--password'), status: 'CONFIRMED' })
      },
      'create-user-pool-client': () => ({
        UserPoolClient: { ClientId: pool.clients[pool.clients.push('sluice-enrol') - 1] },
      }),
      'admin-initiate-auth': () => {
        const { USERNAME, PASSWORD } = JSON.parse(value('--auth-parameters'))
        expect([option('--client-id'), USERNAME]).toEqual(['sluice-enrol', email])
        if (PASSWORD !== known?.password) return refuse('NotAuthorizedException')
        return { AuthenticationResult: { AccessToken: token } }
      },
      'associate-software-token': () =>
        value('--access-token') === token ? { SecretCode: appKey } : refuse('NotAuthorized'),
      'verify-software-token': () => {
        if (value('--access-token') !== token) refuse('NotAuthorizedException')
        return option('--user-code') === '123456' ? { Status: 'SUCCESS' } : refuse('EnableSoftwareTokenMFAException')
      },
      'admin-set-user-mfa-preference': () => {
        expect(option('--software-token-mfa-settings')).toBe('Enabled=true,PreferredMfa=true')
        known?.factors.push('SOFTWARE_TOKEN_MFA')
      },
      'list-user-pool-clients': () => ({
        UserPoolClients: pool.clients.map((name) => ({ ClientId: name, ClientName: name })),
      }),
      'delete-user-pool-client': () => {
        pool.clients = pool.clients.filter((id) => id !== option('--client-id'))
      },
      'admin-update-user-attributes': set,
      'admin-add-user-to-group': () => known?.groups.push(option('--group-name')),
    }
    return commands[command]?.()
  }
  const next = async (question: string) => {
    printed.push(question)
    return typed.shift() ?? expect.fail(`not expected: ${question}`)
  }
  const aws = Object.assign((...args: readonly string[]) => answer('', ...args), { withInput: answer })
  const dialog = { ask: next, askHidden: next, print: (line: string) => void printed.push(line) }
  const error = await makeMarketer(aws, at, dialog).catch((cause: unknown) => cause)
  expect(typed, 'texts that were not asked').toEqual([])
  const text = printed.join('\n')
  for (const secret of [good, token]) expect([text, ...pool.inputs].join('\n')).not.toContain(secret)
  return { ...pool, text, error }
}

describe('the first marketer', () => {
  it('is a new account with password, second factor and group, and the client for it is gone', async () => {
    const made = await run(undefined, [email, good, good, '123 456'])
    expect(made.error).toBeUndefined()
    expect(made.account).toEqual(
      account({ ...marketer, attributes: { email, email_verified: 'true', 'custom:mfa': 'totp' } }),
    )
    expect(made.clients).toEqual(['shop'])
    expect(made.text).toContain(
      'needs at least 12 characters, a digit, a lower-case letter, an upper-case letter, a symbol',
    )
    expect(made.text).toContain(`otpauth://totp/Sluice:mia%40shop.example?secret=${appKey}&issuer=Sluice`)
  })

  it('is an account that exists, by its own password, which is asked again after a wrong one', async () => {
    const made = await run(account(), ['mia', email, 'Not-this-one-8', good, '123456'])
    expect(made.error).toBeUndefined()
    expect(made.account).toMatchObject({ ...marketer, password: good, attributes: { 'custom:mfa': 'totp' } })
    expect(made.calls).not.toContain('admin-set-user-password')
    expect(made.text).toContain('✗ not an email address')
    expect(made.text).toContain('✗ An error occurred (NotAuthorizedException)')
    expect(made.clients).toEqual(['shop'])
  })

  it('needs no password where the account has its second factor already', async () => {
    const made = await run(account({ factors: ['SOFTWARE_TOKEN_MFA'] }), [email])
    expect(made.account).toMatchObject(marketer)
    expect(made.calls).not.toContain('create-user-pool-client')
  })

  it('has a password by the rules of the pool, typed twice, before AWS is asked', async () => {
    const wrong = ['Ab-4567890x', 'correct-horse-7', 'CORRECT-HORSE-7', 'Correct-horse', 'CorrectHorse7']
    const made = await run(undefined, [email, ...wrong, good, `${good}!`, good, good, '123456'])
    expect(made.text.match(/✗ it does not have .*/g)).toEqual(
      ['at least 12 characters', 'an upper-case letter', 'a lower-case letter', 'a digit', 'a symbol'].map(
        (rule) => `✗ it does not have ${rule}`,
      ),
    )
    expect(made.text).toContain('✗ the two differ')
    expect(made.calls.filter((call) => call === 'admin-set-user-password')).toHaveLength(1)
    expect(Object.values(passwordPolicy).filter((rule) => rule === true)).toHaveLength(4)
  })

  it('may mistype the code of the app', async () => {
    const made = await run(undefined, [email, good, good, '654321', 'soon', '123456'])
    expect(made.account).toMatchObject(marketer)
    expect(made.text.match(/not a code of this key/g)).toHaveLength(2)
    expect(made.calls.filter((call) => call === 'verify-software-token')).toHaveLength(2)
  })

  it.each([
    ['admin-set-user-password', [email, good, good], [email, good, good, '123456']],
    ['admin-initiate-auth', [email, good, good], [email, good, '123456']],
    ['associate-software-token', [email, good, good], [email, good, '123456']],
    ['admin-set-user-mfa-preference', [email, good, good, '123456'], [email, good, '123456']],
    ['admin-add-user-to-group', [email, good, good, '123456'], [email]],
  ])('is made by the next run after %s failed, and no client is left behind', async (fails, first, second) => {
    const failed = await run(undefined, first, fails)
    expect(failed.error).toMatchObject({ message: expect.stringContaining('InternalErrorException') })
    expect(failed.clients).toEqual(['shop'])
    const made = await run(failed.account, second)
    expect(made.error).toBeUndefined()
    expect(made.account).toMatchObject({ ...marketer, status: 'CONFIRMED', attributes: { 'custom:mfa': 'totp' } })
  })

  it('names the client that could not be deleted', async () => {
    const made = await run(undefined, [email, good, good, '123456'], 'delete-user-pool-client')
    expect(made.account).toMatchObject(marketer)
    expect(made.text).toContain('✗ Delete the client sluice-enrol of the pool eu-west-1_Pool by hand: ')
  })
})
