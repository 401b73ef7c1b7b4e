/** The command line that signs sessions, checked by the edge itself. */
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { AwsCliError } from '../../cli/aws-cli.ts'
import { runSessionCli } from '../../cli/session.ts'
import { shopKeyIn } from '../../core/orders/shop-key.ts'
import { encodeConfig, parseConfig } from '../../edge/config.ts'
import { createSessionTokens } from '../../edge/memory/tokens.ts'
import { readEnvironment } from '../../functions/lib/env.ts'
import { checkoutVariables } from '../../functions/orders/reservation-token.ts'
import { findShopByKey, shopKeyDigests } from '../../functions/orders/shop-keys.ts'
import { small } from '../../infra/settings/small.ts'
import { newFolder } from '../folders.ts'

const issuer = 'https://sign-in.example'
const hourMs = 3_600_000

let dir: string
let file: string
let lines: string[]
let complaints: string[]
beforeEach(() => {
  dir = newFolder('session')
  file = join(dir, 'key.json')
  lines = []
  complaints = []
})

/** The AWS CLI, which knows the values of these secrets. */
const secretValues: Record<string, string> = {}
const readSecret = async (...args: readonly string[]) => {
  const SecretString = secretValues[args.join(' ')]
  if (SecretString === undefined) throw new AwsCliError('(ResourceNotFoundException)')
  return { SecretString }
}
const aws = Object.assign(readSecret, { withInput: async () => undefined })

const run = (...args: string[]) =>
  runSessionCli(args, { print: (line) => lines.push(line), printError: (line) => complaints.push(line), aws })

/** Runs a command that must succeed, and returns its only line. */
async function printed(...args: string[]): Promise<string> {
  lines = []
  expect(await run(...args), complaints.join()).toBe(0)
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

const keys = () => printed('keys', '--out', file)
const token = (...more: string[]) => printed('token', '--key', file, '--issuer', issuer, ...more)

const secretsOf = (...publicKeys: string[]) => ({
  gateUrl: 'https://gate.example',
  readerToken: 'secret of the reader',
  writerToken: 'secret of the writer',
  publicKeys: publicKeys.map((key) => JSON.parse(key)),
  challengeKeys: ['secret of challenges'],
})

/** The edge with these settings, at a time. */
function edgeOf(publicKey: string, audience = 'sluice', now = Date.now(), iss = issuer) {
  const open = { issuer: iss, audience, origins: ['self'], challengeCost: 1 }
  const secrets = { ...secretsOf(publicKey) }
  const parsed = parseConfig(['d111111abcdef8.cloudfront.net', encodeConfig(open, secrets)])
  if (!parsed.ok) throw new Error(parsed.problems.join())
  return createSessionTokens(parsed.config, () => now)
}

describe('the keys of reservations', () => {
  it('are the numbers of at most two keys, from which the functions make them again', async () => {
    const files = ['a', 'b', 'c'].map((name) => join(dir, `${name}.json`))
    const made: Record<string, string>[] = []
    for (const file of files) made.push(JSON.parse(await printed('keys', '--out', file)))
    const [a = '', b = '', c = ''] = files
    const { keys } = JSON.parse(await printed('checkout', '--key', a, b))
    const { CHECKOUT_KEYS: read } = readEnvironment(checkoutVariables, { CHECKOUT_KEYS: keys })
    expect(read?.map(({ d: _, ...known }) => known)).toEqual(
      made.slice(0, 2).map(({ kty, crv, x, y }) => ({ kty, crv, x, y })),
    )
    expect(await run('checkout', '--key', a, b, c)).toBe(1)
    expect(complaints).toEqual(['--key: at most 2 files'])
  })

  it.each([['[]'], ['["short"]'], [JSON.stringify(['A'.repeat(43)])], ['no list']])('are refused as %s', (text) => {
    expect(() => readEnvironment(checkoutVariables, { CHECKOUT_KEYS: text })).toThrow('CHECKOUT_KEYS must be')
  })
})

describe('the key of a shop', () => {
  const keysIn = (line: string) =>
    readEnvironment({ SHOP_KEYS: shopKeyDigests }, { SHOP_KEYS: JSON.parse(line).keys }).SHOP_KEYS
  const shopKey = (name: string, ...more: string[]) =>
    ['shop-key', '--name', name, '--out', join(dir, `${name}.key`), ...more] as const

  it('is in its file alone, and the functions know it by its digest (S7)', async () => {
    const line = await printed(...shopKey('till-1'))
    const key = (await readFile(join(dir, 'till-1.key'), 'utf8')).trim()
    expect((await stat(join(dir, 'till-1.key'))).mode & 0o777).toBe(0o600)
    expect(line).not.toContain(key.split('.')[1])
    expect(findShopByKey(keysIn(line), key)).toBe('till-1')
    expect(findShopByKey(keysIn(line), `${key.slice(0, -1)}_`)).toBeUndefined()
    expect(shopKeyIn(`Bearer ${key}`)).toBe(key)
  })

  it('joins the others, and takes the place of a former key of its name', async () => {
    const kept = join(dir, 'shops.json')
    await writeFile(kept, await printed(...shopKey('till-1')))
    // The encoding in which PowerShell saves the output of a command.
    await writeFile(kept, Buffer.from(`\ufeff${await printed(...shopKey('web', '--keep', kept))}`, 'utf16le'))
    const former = (await readFile(join(dir, 'till-1.key'), 'utf8')).trim()
    await rm(join(dir, 'till-1.key'))
    const keys = keysIn(await printed(...shopKey('till-1', '--keep', kept)))
    expect(Object.keys(keys).toSorted()).toEqual(['till-1', 'web'])
    expect(findShopByKey(keys, former)).toBeUndefined()
  })

  it('is refused with another name, in a file that exists, and beyond the limit', async () => {
    const kept = join(dir, 'shops.json')
    expect(await run(...shopKey('Till'))).toBe(1)
    await printed(...shopKey('till-1'))
    expect(await run(...shopKey('till-1'))).toBe(1)
    const full = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`t${i}`, 'd'.repeat(43)]))
    await writeFile(kept, JSON.stringify({ keys: JSON.stringify(full) }))
    expect(await run(...shopKey('more', '--keep', kept))).toBe(1)
    expect(complaints).toEqual([
      expect.stringContaining('--name'),
      expect.stringContaining('exists already'),
      expect.stringContaining('has 6 keys'),
    ])
  })
})

describe('npm run session', () => {
  it('signs what the edge accepts, once it has the printed key, whose kid names it on the block list', async () => {
    const publicKey = await keys()
    const edge = edgeOf(publicKey)
    const keyId: unknown = JSON.parse(publicKey).kid
    expect(await edge.verify(await token('--shopper', 'a|b:c+d@e'))).toEqual({
      shopperId: 'a|b:c+d@e',
      level: 0,
      roles: [],
      keyId,
    })
    expect(await edge.verify(await token('--shopper', 'mia', '--role', 'marketer', '--level', '3'))).toEqual({
      shopperId: 'mia',
      level: 3,
      roles: ['marketer'],
      keyId,
    })
  })

  it('signs for eight hours, or for --hours', async () => {
    const publicKey = await keys()
    const at = (hours: number) => edgeOf(publicKey, 'sluice', Date.now() + hours * hourMs)
    const usual = await token('--shopper', 'ann')
    expect(await at(7.9).verify(usual)).toMatchObject({ shopperId: 'ann' })
    expect(await at(8.1).verify(usual)).toBe('expired')
    expect(await at(8.1).verify(await token('--shopper', 'ann', '--hours', '9'))).toMatchObject({ shopperId: 'ann' })
  })

  it('signs with the given issuer, which need not be an address', async () => {
    const edge = edgeOf(await keys())
    const signed = await printed('token', '--key', file, '--issuer', 'sluice-dev', '--shopper', 'ann')
    expect(await edge.verify(signed)).toBeUndefined()
    expect(JSON.parse(Buffer.from(signed.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      iss: 'sluice-dev',
    })
  })

  it('signs for the given audience only', async () => {
    const publicKey = await keys()
    const signed = await token('--shopper', 'ann', '--audience', 'shop')
    expect(await edgeOf(publicKey, 'shop').verify(signed)).toMatchObject({ shopperId: 'ann' })
    expect(await edgeOf(publicKey).verify(signed)).toBeUndefined()
  })

  it('keeps the private key in a file for its owner alone, and never prints it', async () => {
    await keys()
    await token('--shopper', 'ann')
    await run('token', '--key', file, '--shopper', 'no spaces', '--issuer', issuer)
    await run('keys', '--out', file)
    const { d } = JSON.parse(await readFile(file, 'utf8'))
    expect(d).toMatch(/^[\w-]{43}$/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect([...lines, ...complaints].join()).not.toContain(d)
    expect(JSON.parse(await printed('keys', '--out', join(dir, 'other.json')))).not.toHaveProperty('d')
  })

  it('signs with the first key of a stage, and its issuer and audience', async () => {
    const publicKey = await keys()
    await printed('keys', '--out', join(dir, 'next.json'))
    const texts = await Promise.all([file, join(dir, 'next.json')].map((each) => readFile(each, 'utf8')))
    const call = 'secretsmanager get-secret-value --region eu-west-1 --secret-id sluice/small/identity'
    secretValues[call] = JSON.stringify({ sessionKeys: `[${texts}]`, cookieKeys: '[]', clientSecret: '' })
    const signed = await printed('token', '--stage', 'small', '--shopper', 'mia', '--role', 'marketer')
    const { issuer, audience } = small.session
    expect(await edgeOf(publicKey, audience, Date.now(), issuer).verify(signed)).toMatchObject({
      shopperId: 'mia',
      roles: ['marketer'],
    })
    const refused = [
      ['--stage', 'dev'],
      ['--stage', 'test'],
      ['--stage', 'small', '--key', file],
      ['--stage', 'small', '--issuer', 'x'],
      ['--key', file],
      [],
    ]
    for (const given of refused) expect(await run('token', '--shopper', 'mia', ...given), given.join()).toBe(1)
    secretValues[call] = JSON.stringify({ sessionKeys: '[]' })
    expect(await run('token', '--stage', 'small', '--shopper', 'mia')).toBe(1)
    expect(complaints).toEqual([
      '(ResourceNotFoundException)',
      expect.stringContaining('Allowed choices are dev, small, prod'),
      expect.stringContaining("'--key <file>' cannot be used with option '--stage <stage>'"),
      expect.stringContaining("'--issuer <text>' cannot be used with option '--stage <stage>'"),
      '--issuer is missing',
      '--stage or --key is missing',
      expect.stringMatching(/^the secret sluice\/small\/identity: sessionKeys must be a list in JSON of 1 to 3/),
    ])
  })

  it('overwrites no file', async () => {
    await writeFile(file, 'something that matters')
    expect(await run('keys', '--out', file)).toBe(1)
    expect(lines).toEqual([])
    expect(complaints).toEqual([expect.stringMatching(/^--out: .*key\.json exists already/)])
    expect(await readFile(file, 'utf8')).toBe('something that matters')
  })

  it('names the file it cannot write', async () => {
    expect(await run('keys', '--out', join(dir, 'nowhere/key.json'))).toBe(1)
    expect(complaints).toEqual([expect.stringMatching(/^--out: .*nowhere.key\.json cannot be written \(ENOENT\)/)])
  })

  it.each([
    ['--shopper', ['--shopper', 'no spaces']],
    ['--shopper', ['--shopper', '']],
    ['--level', ['--level', '101']],
    ['--level', ['--level', '1.5']],
    ['--role', ['--role', 'owner']],
    ['--hours', ['--hours', '0']],
    ['--hours', ['--hours', '721']],
    ['--hours', ['--hours', 'soon']],
    ['--issuer', ['--issuer', '']],
    ['--audience', ['--audience', '']],
  ])('names %s when it is given as %j', async (option, given) => {
    await keys()
    lines = []
    expect(await run('token', '--key', file, '--shopper', 'ann', '--issuer', issuer, ...given)).toBe(1)
    expect(complaints).toEqual([expect.stringContaining(option)])
    expect(lines).toEqual([])
  })

  it.each([
    ['no file', undefined, 'does not exist'],
    ['no JSON', 'key', 'holds no private ES256 key'],
    ['a public key', '{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}', 'holds no private ES256 key'],
    ['an invalid point', '{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AA"}', 'holds no private ES256 key'],
  ])('names --key when there is %s', async (_, content, reason) => {
    if (content !== undefined) await writeFile(file, content)
    expect(await run('token', '--key', file, '--shopper', 'ann', '--issuer', issuer)).toBe(1)
    expect(complaints).toEqual([expect.stringMatching(new RegExp(`^--key: .*${reason}`))])
  })

  it.each([
    ['keys', '--out'],
    ['token', '--shopper'],
  ])('says that %s needs %s', async (command, option) => {
    expect(await run(command)).toBe(1)
    expect(complaints.join()).toContain(option)
  })
})
