/**
 * `npm run session -- <command>`: creates session tokens for tools, and the keys of shops. `npm run setup` creates the
 * keys of a deployed stage.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Command, CommanderError, Option } from 'commander'
import * as z from 'zod/mini'
import { textOfFile } from '../core/lib/file-text.ts'
import { parse, readJson, whole } from '../core/lib/parse.ts'
import { shopKeyBytes, shopKeyIn } from '../core/orders/shop-key.ts'
import { roles } from '../core/roles.ts'
import { type SigningKey, tokenSigner, toPublicJwk } from '../functions/lib/session-token.ts'
import { maxCheckoutKeys } from '../functions/orders/reservation-token.ts'
import { digestOfShopKey, maxShopKeys, shopKeyDigests } from '../functions/orders/shop-keys.ts'
import { signInVariables } from '../functions/people/sign-in-settings.ts'
import type { StageSettings } from '../infra/settings/stage.ts'
import { stages } from '../infra/settings/stages.ts'
import { writeFileAtomic } from './atomic-file.ts'
import { type AwsCli, awsCli, readAws, withRemedy } from './aws-cli.ts'
import { newKey, readKey, signInClaims } from './identity.ts'
import { isMain } from './is-main.ts'

export type SessionPorts = { print(line: string): void; printError(line: string): void; aws: AwsCli }

/** Runs one command and returns the exit code: 0, or 1 after the error was printed with `printError`. */
export async function runSessionCli(args: string[], ports: SessionPorts): Promise<number> {
  try {
    await sessionProgram(ports).parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    ports.printError(error instanceof Error ? withRemedy(error) : String(error))
    return 1
  }
}

function sessionProgram(ports: SessionPorts): Command {
  const program = new Command('session')
    .description('Make key pairs, sign session tokens, and print the secrets of shops and of their checkout.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => ports.print(text.trimEnd()),
      writeErr: (text) => ports.printError(text.trimEnd()),
    })
  program
    .command('keys')
    .description('make a key pair; prints its public half')
    .requiredOption('--out <file>', 'file for the private half, which is never printed')
    .action(async ({ out }: { out: string }) => ports.print(await makeKeys(out)))
  program
    .command('token')
    .description('sign a session token; prints it')
    .addOption(new Option('--stage <stage>', 'the stage whose first key signs').choices(Object.keys(stages)))
    .addOption(new Option('--key <file>', 'or the private half, as "keys" wrote it').conflicts('stage'))
    .requiredOption('--shopper <name>', 'id of the shopper')
    .addOption(new Option('--role <role>', 'a role in the console').choices(roles))
    .option('--level <level>', 'the level of the shopper', digits)
    .option('--hours <hours>', 'duration of the session, at most 720', digits, 8)
    .addOption(new Option('--issuer <text>', 'with --key: issuer, as in the settings of the edge').conflicts('stage'))
    .addOption(new Option('--audience <text>', 'with --key: audience').default('sluice').conflicts('stage'))
    .action(async (flags: TokenFlags) => ports.print(await makeToken(flags, ports.aws)))
  program
    .command('shop-key')
    .description(
      'make a key with which a shop redeems coupons or confirms orders; prints the value of the secret sluice/<stage>/shops',
    )
    .requiredOption('--name <name>', 'name of the key, by which it can be withdrawn')
    .requiredOption('--out <file>', 'file for the key itself, which is never printed or stored')
    .option('--keep <file>', 'file with the present value: its other keys stay')
    .action(async (flags: ShopKeyFlags) => ports.print(await shopKeySecret(flags)))
  program
    .command('checkout')
    .description('print the value of the secret sluice/<stage>/checkout')
    .requiredOption(
      '--key <file...>',
      'private halves, as "keys" wrote them, at most 2; the first one signs reservations',
    )
    .action(async ({ key: files }: { key: string[] }) => ports.print(await checkoutSecret(files)))
  return program
}

/** Returns the secret with the private numbers of the keys; their public halves follow from them. */
async function checkoutSecret(files: readonly string[]): Promise<string> {
  if (files.length > maxCheckoutKeys) throw new RangeError(`--key: at most ${maxCheckoutKeys} files`)
  const keys: string[] = []
  for (const file of files) keys.push((await existingKey(file)).d)
  return JSON.stringify({ keys: JSON.stringify(keys) })
}

type ShopKeyFlags = { name: string; out: string; keep?: string }

/** Creates a shop key and returns the secret. A key with an existing name replaces and so withdraws the former one. */
async function shopKeySecret({ name, out, keep }: ShopKeyFlags): Promise<string> {
  const key = `${name}.${randomBytes(shopKeyBytes).toString('base64url')}`
  if (shopKeyIn(`Bearer ${key}`) === undefined)
    throw new RangeError('--name: 1 to 20 lower-case letters, digits and inner hyphens')
  const former = keep === undefined ? {} : (await readSecretValue(keep, z.object({ keys: shopKeyDigests }))).keys
  const keys = { ...former, [name]: digestOfShopKey(key) }
  if (Object.keys(keys).length > maxShopKeys)
    throw new RangeError(`--keep: ${keep} has ${maxShopKeys} keys: remove one that no shop uses any more`)
  writeNewFile(out, `${key}\n`)
  return JSON.stringify({ keys: JSON.stringify(keys) })
}

/** Reads the present value of a secret from a file. */
async function readSecretValue<T>(file: string, schema: z.ZodMiniType<T>): Promise<T> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Error(`--keep: ${file} cannot be read (${codeOf(error)})`, { cause: error })
  })
  const read = readJson(schema, textOfFile(`--keep: ${file}`, bytes))
  if (!read.ok) throw new Error(`--keep: ${file} is not a value of the secret: ${read.detail}`)
  return read.value
}

function writeNewFile(file: string, text: string): void {
  try {
    writeFileAtomic(file, text, { isNew: true })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new Error(`--out: ${file} exists already and is not overwritten`)
    throw new Error(`--out: ${file} cannot be written (${codeOf(error)})`, { cause: error })
  }
}

async function makeKeys(file: string): Promise<string> {
  const key = await newKey(undefined)
  writeNewFile(file, JSON.stringify(key))
  return JSON.stringify(await toPublicJwk(key))
}

/** Text that is not trimmed, because the edge compares it exactly. */
const nonEmptyText = z.string('is missing').check(z.minLength(1, 'must not be empty'))

/** The fields have the names of their options, so that an error names the option. */
const tokenFlags = z.object({
  shopper: signInClaims.shape.shopperId,
  role: z.optional(z.enum(roles)),
  level: signInClaims.shape.level,
  hours: whole(1, 720),
  issuer: nonEmptyText,
  audience: nonEmptyText,
})

type TokenFlags = { stage?: keyof typeof stages; key?: string }

async function makeToken({ stage, key: file, ...given }: TokenFlags, aws: AwsCli): Promise<string> {
  if (stage === undefined && file === undefined) throw new RangeError('--stage or --key is missing')
  const flags = parse(tokenFlags, { ...given, ...(stage && stages[stage].session) })
  if (!flags.ok) throw new RangeError(`--${flags.detail}`)
  const { shopper, role, level, hours, issuer, audience } = flags.value
  const who = { shopperId: shopper, level, ...(role !== undefined && { roles: [role] }) }
  const key = stage === undefined ? await existingKey(file ?? '') : await readStageKey(stages[stage], aws)
  const sign = await tokenSigner(key).catch((cause: unknown) => {
    throw new Error(`--key: ${file ?? 'the first key of the stage'} holds no private ES256 key`, { cause })
  })
  return sign(who, { issuer, audience, expiresInSeconds: hours * 3600 })
}

const secretValue = z.object({ SecretString: z.string() })
const identitySecretKeys = z.object({ sessionKeys: signInVariables.SIGN_IN_SESSION_KEYS })

/** Reads the key that signs the sessions of the stage. */
async function readStageKey(
  { name, region }: Pick<StageSettings, 'name' | 'region'>,
  aws: AwsCli,
): Promise<SigningKey> {
  const id = `sluice/${name}/identity`
  const answer = await aws('secretsmanager', 'get-secret-value', '--region', region, '--secret-id', id)
  const read = readJson(identitySecretKeys, readAws(secretValue, answer).SecretString)
  if (!read.ok) throw new Error(`the secret ${id}: ${read.detail}`)
  return read.value.sessionKeys[0]
}

async function existingKey(file: string): Promise<SigningKey> {
  const key = await readKey(file).catch((error: unknown) => {
    throw new Error(`--key: ${error instanceof Error ? error.message : error}`, { cause: error })
  })
  if (key === undefined) throw new Error(`--key: ${file} does not exist`)
  return key
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/** Reads digits as a number. Returns other text unchanged, which the schema rejects. */
function digits(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text
}

if (isMain(import.meta.url)) {
  process.exitCode = await runSessionCli(process.argv.slice(2), {
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
    aws: awsCli,
  })
}
