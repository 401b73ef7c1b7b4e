/** The secrets of a stage in Secrets Manager. A value goes there by standard input, and is never printed. */
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { encodeConfig, problemsOfSecrets, readPart } from '../../edge/config.ts'
import { packKey, packSecrets } from '../../edge/packed-secrets.ts'
import { type SecretName, secretsOfStage } from '../../infra/constructs/secrets.ts'
import { secretSettingsLength } from '../../infra/gate-header.ts'
import type { StageSettings } from '../../infra/settings/stage.ts'
import { type AwsCli, askAws, readAws } from '../aws-cli.ts'

/** The fields of a secret. */
export type Value = Record<string, string>

export type StoredSecrets = {
  /** Those that are scheduled for deletion, each with its remedy. */
  deleted: string[]
  has(name: SecretName): boolean
  read(name: SecretName): Promise<Value>
  /** Creates the secret, or replaces its value. */
  write(name: SecretName, value: Value): Promise<void>
}

const described = z.object({ DeletedDate: z.optional(z.unknown()) })

/** `beforeReplacing` runs before a value that may be in use is replaced. */
export async function openSecrets(
  aws: AwsCli,
  settings: StageSettings,
  { print, beforeReplacing }: { print: (line: string) => void; beforeReplacing: () => void },
): Promise<StoredSecrets> {
  const places = new Map(secretsOfStage(settings).map((place) => [place.name, place]))
  const there = new Set<SecretName>()
  const deleted: string[] = []
  const found = [...places.values()].map(async ({ name, id, region }) => {
    const at = ['--region', region, '--secret-id', id]
    const words = ['secretsmanager', 'describe-secret', ...at]
    return { name, id, at, state: await askAws(aws, 'ResourceNotFoundException', described, ...words) }
  })
  for (const { name, id, at, state } of await Promise.all(found)) {
    if (state === undefined) continue
    there.add(name)
    if (state.DeletedDate === undefined) print(`✓ the secret ${id} exists`)
    else deleted.push(`the secret ${id} is scheduled for deletion: aws secretsmanager restore-secret ${at.join(' ')}`)
  }
  const placeOf = (name: SecretName) => {
    const place = places.get(name)
    if (place === undefined) throw new Error(`${name} is not a secret of ${settings.name}`)
    return place
  }
  return {
    deleted,
    has: (name) => there.has(name),
    async read(name) {
      const { id, region } = placeOf(name)
      const at = ['--region', region, '--secret-id', id, '--query', 'SecretString']
      const text = readAws(z.string(), await aws('secretsmanager', 'get-secret-value', ...at))
      const value = readJson(z.record(z.string(), z.string()), text)
      if (!value.ok) throw new RangeError(`the secret ${id} is not an object of texts`)
      return value.value
    },
    async write(name, value) {
      const { id, region } = placeOf(name)
      const isThere = there.has(name)
      if (isThere) beforeReplacing()
      const what = isThere ? ['put-secret-value', '--secret-id', id] : ['create-secret', '--name', id]
      const fromInput = ['--secret-string', 'file:///dev/stdin']
      await aws.withInput(JSON.stringify(value), 'secretsmanager', ...what, '--region', region, ...fromInput)
      there.add(name)
      print(`✓ the secret ${id} is ${isThere ? 'replaced' : 'stored'}`)
    },
  }
}

const jwk = z.object({ x: z.string(), y: z.string(), kid: z.optional(z.string()) })
/** The form in which a public key is compared. */
const packedKey = z.union([z.string(), z.pipe(jwk, z.transform(packKey))])

const edgeFields = z.looseObject({
  gateUrl: z.string(),
  readerToken: z.string(),
  writerToken: z.string(),
  publicKeys: z.array(packedKey),
  challengeKeys: z.array(z.string()),
})

/** The settings in the secret `edge`. */
export type EdgeFields = z.infer<typeof edgeFields>

/** @throws RangeError */
export function edgeFieldsIn({ config = '' }: Value): EdgeFields {
  const read = edgeFields.safeParse(readPart(config))
  if (!read.success)
    throw new RangeError('the secret of the edge cannot be read: delete it, and run this command again')
  return read.data
}

/** @throws RangeError for settings that the gate would refuse, or that are too long */
export function edgeValue(fields: EdgeFields): Value {
  const problems = problemsOfSecrets(fields)
  if (problems.length > 0) throw new RangeError(`the secret of the edge: ${problems.join('; ')}`)
  const config = encodeConfig(packSecrets(fields))
  if (config.length <= secretSettingsLength) return { config }
  const advice = 'drop keys that are no longer used, or rotate one kind of key at a time'
  throw new RangeError(
    `the secret of the edge would have ${config.length} characters, ${secretSettingsLength} at most: ${advice}`,
  )
}
