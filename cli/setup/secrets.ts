/**
 * The secrets of a stage in Secrets Manager, and the steps of a key rotation, during which signatures and data of the
 * former key stay valid. Values are passed by standard input and never printed.
 */
import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { encodeConfig, problemsOfSecrets, readPart } from '../../edge/config.ts'
import { packKey, packSecrets, thumbprintOf } from '../../edge/packed-secrets.ts'
import { maxSealerKeys } from '../../functions/lib/sealer.ts'
import { type SigningKey, signingKey } from '../../functions/lib/session-token.ts'
import { type SecretName, secretsOfStage } from '../../infra/constructs/secrets.ts'
import { secretSettingsLength } from '../../infra/gate-header.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { type AwsCli, findInAws, readAws } from '../aws-cli.ts'
import { newKey } from '../identity.ts'

const value = z.record(z.string(), z.string())
/** The fields of a secret. */
export type SecretFields = z.infer<typeof value>

const described = z.object({ DeletedDate: z.optional(z.unknown()) })

/**
 * Finds the secrets of a stage. `beforeReplacing` runs before a value that may be in use is replaced.
 * @throws RangeError for a secret that is scheduled for deletion, with the remedy
 */
export async function openSecrets(
  aws: AwsCli,
  settings: StageSettings,
  { print, beforeReplacing }: { print: (line: string) => void; beforeReplacing: () => void },
) {
  const secrets = await Promise.all(
    secretsOfStage(settings).map(async ({ name, id, region }) => {
      const at = ['--region', region, '--secret-id', id]
      const words = ['secretsmanager', 'describe-secret', ...at]
      return { name, id, at, state: await findInAws(aws, 'ResourceNotFoundException', described, ...words) }
    }),
  )
  const existing = new Map(secrets.map(({ name, state }) => [name, state !== undefined]))
  for (const { id, at, state } of secrets) {
    if (state?.DeletedDate !== undefined)
      throw new RangeError(
        `the secret ${id} is scheduled for deletion: aws secretsmanager restore-secret ${at.join(' ')}`,
      )
    if (state !== undefined) print(`✓ the secret ${id} exists`)
  }
  const secretNamed = (name: SecretName) => {
    const secret = secrets.find((one) => one.name === name)
    if (secret === undefined) throw new Error(`${settings.name} has no secret ${name}`)
    return secret
  }
  return {
    has: (name: SecretName): boolean => existing.get(name) === true,
    missing: () => secrets.filter(({ name }) => existing.get(name) === false),
    /** Reads a secret; undefined when it does not exist. */
    async read(name: SecretName): Promise<SecretFields | undefined> {
      if (existing.get(name) !== true) return undefined
      const { id, at } = secretNamed(name)
      const words = ['secretsmanager', 'get-secret-value', ...at, '--query', 'SecretString']
      const found = readJson(value, readAws(z.string(), await aws(...words)))
      if (found.ok) return found.value
      throw new RangeError(`the secret ${id} is not an object of texts: ${found.detail}`)
    },
    /** Creates the secret, or replaces its value. */
    async write(name: SecretName, fields: SecretFields): Promise<void> {
      const { id, at } = secretNamed(name)
      const exists = existing.get(name) === true
      if (exists) beforeReplacing()
      const call = exists ? ['put-secret-value', ...at] : ['create-secret', ...at.slice(0, 2), '--name', id]
      const fromInput = ['--secret-string', 'file:///dev/stdin']
      await aws.withInput(JSON.stringify(fields), 'secretsmanager', ...call, ...fromInput)
      existing.set(name, true)
      print(`✓ the secret ${id} is ${exists ? 'replaced' : 'stored'}`)
    },
  }
}

export type Secrets = Awaited<ReturnType<typeof openSecrets>>

export const newKeyText = (): string => randomBytes(32).toString('base64')
export const newIdentity = async (): Promise<SecretFields> => ({
  sessionKeys: JSON.stringify([await newKey(undefined)]),
  cookieKeys: JSON.stringify([newKeyText()]),
  clientSecret: '',
})

/** Reads a list of keys in a field of a secret. @throws RangeError */
function readKeyList<T>(item: z.ZodMiniType<T>, fields: SecretFields | undefined, name: string): T[] {
  const read = readJson(z.array(item).check(z.minLength(1)), fields?.[name] ?? '')
  if (!read.ok)
    throw new RangeError(`${name} of the secret is missing, or not a list of keys in JSON: run setup without options`)
  return read.value
}

/** A key pair whose public half verifies its signature: any other would stop every function, and this command. */
const keyPair = signingKey.check(
  z.refine(({ kty, crv, x, y, d }) => {
    const text = Buffer.from('a text')
    try {
      const signed = sign('sha256', text, createPrivateKey({ key: { kty, crv, x, y, d }, format: 'jwk' }))
      return verify('sha256', text, createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' }), signed)
    } catch {
      // Only an invalid key throws here.
      return false
    }
  }),
)

/** Returns the public halves of the keys in the secret `identity`, as the edge stores them. */
export const publicKeysIn = (identity: SecretFields): string[] =>
  readKeyList(keyPair, identity, 'sessionKeys').map(publicKeyOf)
const publicKeyOf = ({ x, y }: SigningKey): string => packKey({ x, y, kid: thumbprintOf({ x, y }) })

const jwk = z.object({ x: z.string(), y: z.string(), kid: z.optional(z.string()) })

const edgeFields = z.looseObject({
  ...{ gateUrl: z.string(), readerToken: z.string(), writerToken: z.string() },
  publicKeys: z.array(z.union([z.string(), z.pipe(jwk, z.transform(packKey))])),
  challengeKeys: z.array(z.string()),
})
export type EdgeFields = z.infer<typeof edgeFields>

/** Reads the fields of the edge's secret; undefined for settings that the gate would refuse. */
export function readEdgeFields({ config = '' }: SecretFields): EdgeFields | undefined {
  const read = edgeFields.safeParse(readPart(config))
  return read.success && problemsOfSecrets(read.data).length === 0 ? read.data : undefined
}

/** Returns the edge's secret. @throws RangeError for settings that the gate would refuse, or that are too long */
export function encodeEdgeSecret(fields: EdgeFields): SecretFields {
  const problems = problemsOfSecrets(fields)
  const config = problems.length > 0 ? '' : encodeConfig(packSecrets(fields))
  if (config.length > secretSettingsLength)
    problems.push(`${config.length} characters, ${secretSettingsLength} at most: drop keys that are no longer used`)
  if (problems.length > 0) throw new RangeError(`the secret of the edge: ${problems.join('; ')}`)
  return { config }
}

export const rotationSteps = ['add', 'use', 'drop'] as const
type Step = (typeof rotationSteps)[number]

/** When a former key is no longer needed. */
const until = {
  session: 'when its last session has ended (8 hours unless set)',
  cookie: '30 days later',
  personal: 'keep.personalDays later, and after each address of events has a new secret',
  challenge: 'ten minutes later',
} as const
type Rotation = keyof typeof until
export const rotations = Object.keys(until) as Rotation[]

/**
 * Makes a step of a rotation, and returns what comes next.
 * @throws RangeError for a step that is not possible now
 */
export async function rotate(what: Rotation, step: Step, { read, write }: Secrets): Promise<string> {
  const name = what === 'personal' ? 'personal' : 'identity'
  const field = what === 'personal' ? 'keys' : `${what}Keys`
  const [edge, fields] = [readEdgeFields((await read('edge')) ?? {}), await read(name)]
  if (edge === undefined)
    throw new RangeError('the secret of the edge is missing or damaged: run setup without options')
  if (what === 'challenge') {
    const challengeKeys = applyStep(edge.challengeKeys, step, newKeyText())
    await write('edge', encodeEdgeSecret({ ...edge, challengeKeys }))
  } else if (what === 'session') {
    const keys = readKeyList(keyPair, fields, field)
    const next = applyStep(keys, step, await newKey(undefined))
    const [before, after] = [keys.map(publicKeyOf), next.map(publicKeyOf)]
    const kept = edge.publicKeys.filter((key) => after.includes(key) || !before.includes(key))
    const publicKeys = [...kept, ...after.filter((key) => !before.includes(key))]
    if (!after.every((key) => publicKeys.includes(key)))
      throw new RangeError('the edge lacks the public half of a session key: run setup without options')
    if (step !== 'use') await write('edge', encodeEdgeSecret({ ...edge, publicKeys }))
    await write(name, { ...fields, [field]: JSON.stringify(next) })
  } else {
    const next = applyStep(readKeyList(z.string(), fields, field), step, newKeyText())
    await write(name, { ...fields, [field]: JSON.stringify(next) })
  }
  return { add: 'Deploy, then use.', use: `Deploy, then drop, ${until[what]}.`, drop: 'Deploy.' }[step]
}

function applyStep<Key>(keys: readonly Key[], step: Step, made: Key): Key[] {
  const isFull = keys.length >= maxSealerKeys
  if (step === 'add' && isFull) throw new RangeError(`there are ${keys.length} keys: drop the last one first`)
  if (step !== 'add' && keys.length < 2) throw new RangeError('there is one key: add the next one first')
  const former = keys.slice(0, -1)
  return { add: [...keys, made], use: [...keys.slice(-1), ...former], drop: former }[step]
}
