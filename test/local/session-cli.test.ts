/** The command line that signs sessions, and the edge's own view of what it made. */
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseConfig } from '../../edge/config.ts'
import { createTokens } from '../../edge/tokens.ts'
import { runSessionCli } from '../../local/session-cli.ts'

const issuer = 'https://sign-in.example'
const hourMs = 3_600_000

let dir: string
let file: string
let lines: string[]
let complaints: string[]
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'session-'))
  file = join(dir, 'key.json')
  lines = []
  complaints = []
})
afterEach(() => rm(dir, { recursive: true }))

const run = (...args: string[]) =>
  runSessionCli(args, { print: (line) => lines.push(line), complain: (line) => complaints.push(line) })

/** Runs a command that must succeed, and gives its only line. */
async function printed(...args: string[]): Promise<string> {
  lines = []
  expect(await run(...args), complaints.join()).toBe(0)
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

const keys = () => printed('keys', '--out', file)
const token = (...more: string[]) => printed('token', '--key', file, '--issuer', issuer, ...more)

/** The edge with these settings, at a time. */
function edgeOf(publicKey: string, audience = 'sluice', now = Date.now()) {
  const settings = ['https://gate.example', 'secret', publicKey, issuer, audience, 'self', 'secret', '1']
  const parsed = parseConfig(['d111111abcdef8.cloudfront.net', ...settings])
  if (!parsed.ok) throw new Error(parsed.problems.join())
  return createTokens(parsed.config, () => now)
}

describe('npm run session', () => {
  it('signs what the edge believes, once it has the printed key', async () => {
    const edge = edgeOf(await keys())
    expect(await edge.verify(await token('--shopper', 'a|b:c+d@e'))).toEqual({
      shopperId: 'a|b:c+d@e',
      level: 0,
      roles: [],
    })
    expect(await edge.verify(await token('--shopper', 'mia', '--role', 'marketer', '--level', '3'))).toEqual({
      shopperId: 'mia',
      level: 3,
      roles: ['marketer'],
    })
  })

  it('signs for eight hours, or for as many as it is told', async () => {
    const publicKey = await keys()
    const at = (hours: number) => edgeOf(publicKey, 'sluice', Date.now() + hours * hourMs)
    const usual = await token('--shopper', 'ann')
    expect(await at(7.9).verify(usual)).toMatchObject({ shopperId: 'ann' })
    expect(await at(8.1).verify(usual)).toBe('over')
    expect(await at(8.1).verify(await token('--shopper', 'ann', '--hours', '9'))).toMatchObject({
      shopperId: 'ann',
    })
  })

  it('signs as the issuer it is told, which need not be an address', async () => {
    const edge = edgeOf(await keys())
    const signed = await printed('token', '--key', file, '--issuer', 'sluice-dev', '--shopper', 'ann')
    expect(await edge.verify(signed)).toBeUndefined()
    expect(JSON.parse(Buffer.from(signed.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      iss: 'sluice-dev',
    })
  })

  it('signs for the audience it is told, and for no other', async () => {
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

  it('writes over no file', async () => {
    await writeFile(file, 'something that matters')
    expect(await run('keys', '--out', file)).toBe(1)
    expect(lines).toEqual([])
    expect(complaints).toEqual([expect.stringMatching(/^--out: .*key\.json is there already/)])
    expect(await readFile(file, 'utf8')).toBe('something that matters')
  })

  it('names the file it cannot write', async () => {
    expect(await run('keys', '--out', join(dir, 'nowhere/key.json'))).toBe(1)
    expect(complaints).toEqual([
      expect.stringMatching(/^--out: .*nowhere.key\.json cannot be written \(ENOENT\)/),
    ])
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
    ['no file', undefined, 'there is no file'],
    ['no JSON', 'key', 'holds no private ES256 key'],
    ['a public key', '{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}', 'holds no private ES256 key'],
    ['no point', '{"kty":"EC","crv":"P-256","x":"AA","y":"AA","d":"AA"}', 'holds no private ES256 key'],
  ])('names --key when there is %s', async (_, content, reason) => {
    if (content !== undefined) await writeFile(file, content)
    expect(await run('token', '--key', file, '--shopper', 'ann', '--issuer', issuer)).toBe(1)
    expect(complaints).toEqual([expect.stringMatching(new RegExp(`^--key: .*${reason}`))])
  })

  it.each([
    ['keys', '--out'],
    ['token', '--key'],
  ])('says that %s needs %s', async (command, option) => {
    expect(await run(command)).toBe(1)
    expect(complaints.join()).toContain(option)
  })
})
