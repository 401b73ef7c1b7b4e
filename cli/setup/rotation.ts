/** The keys of a stage, and how each is changed in three steps, so that what a former key made stays valid. */
import { randomBytes } from 'node:crypto'
import * as z from 'zod/mini'
import { readJson } from '../../core/lib/parse.ts'
import { packKey, thumbprintOf } from '../../edge/packed-secrets.ts'
import { maxSealerKeys } from '../../functions/lib/sealer.ts'
import { type SigningKey, signingKey } from '../../functions/lib/session-token.ts'
import { newKey } from '../identity.ts'
import { edgeFieldsIn, edgeValue, type StoredSecrets, type Value } from './stored-secrets.ts'

export const steps = ['add', 'use', 'drop'] as const
export type Step = (typeof steps)[number]

/** `until` is when nothing needs the former key any more. */
export const rotations = {
  session: { field: 'sessionKeys', until: 'when the last session of the former key has ended (8 hours unless set)' },
  cookie: { field: 'cookieKeys', until: '30 days later' },
  personal: {
    field: 'keys',
    until: 'keep.personalDays later, and after each address of events has a new secret (docs/how-to/delivery.md)',
  },
  challenge: { field: 'challengeKeys', until: 'ten minutes later' },
} as const
export type Rotation = keyof typeof rotations

export const newKeyText = (): string => randomBytes(32).toString('base64')
export const newSessionKey = (): Promise<SigningKey> => newKey(undefined)
/** As the edge has it. */
export const publicKeyOf = ({ x, y }: SigningKey): string => packKey({ x, y, kid: thumbprintOf({ x, y }) })

/** @throws RangeError */
export function listIn<T>(item: z.ZodMiniType<T>, value: Value, field: string): T[] {
  const read = readJson(z.array(item), value[field] ?? '')
  if (!read.ok) throw new RangeError(`${field} of the secret is not a list in JSON`)
  return read.value
}

/** @throws RangeError for a step that is not possible now */
export async function rotate(what: Rotation, step: Step, secrets: StoredSecrets): Promise<string> {
  const { field, until } = rotations[what]
  if (what === 'challenge') {
    const fields = edgeFieldsIn(await secrets.read('edge'))
    const challengeKeys = stepped(fields.challengeKeys, step, newKeyText())
    await secrets.write('edge', edgeValue({ ...fields, challengeKeys }))
  } else {
    const name = what === 'personal' ? 'personal' : 'identity'
    const value = await secrets.read(name)
    const rotated = what === 'session' ? await sessionKeys(value, step, secrets) : otherKeys(value, field, step)
    await secrets.write(name, { ...value, [field]: JSON.stringify(rotated) })
  }
  const next = { add: 'then use', use: `then drop, ${until}`, drop: undefined }[step]
  return ['Deploy', next].filter((part) => part !== undefined).join(', ')
}

const otherKeys = (value: Value, field: string, step: Step) =>
  stepped(listIn(z.string(), value, field), step, newKeyText())

/** The public half of a key is at the edge before the key can sign. */
async function sessionKeys(value: Value, step: Step, secrets: StoredSecrets): Promise<SigningKey[]> {
  const keys = listIn(signingKey, value, 'sessionKeys')
  const next = stepped(keys, step, await newSessionKey())
  const [before, after] = [keys.map(publicKeyOf), next.map(publicKeyOf)]
  const fields = edgeFieldsIn(await secrets.read('edge'))
  const kept = fields.publicKeys.filter((key) => after.includes(key) || !before.includes(key))
  const publicKeys = [...kept, ...after.filter((key) => !before.includes(key))]
  if (!after.every((key) => publicKeys.includes(key)))
    throw new RangeError(
      'the edge does not have the public half of each session key: drop the last one, and add another',
    )
  if (step !== 'use') await secrets.write('edge', edgeValue({ ...fields, publicKeys }))
  return next
}

function stepped<Key>(keys: readonly Key[], step: Step, made: Key): Key[] {
  if (step === 'add' ? keys.length >= maxSealerKeys : keys.length < 2)
    throw new RangeError(
      step === 'add'
        ? `there are ${keys.length} keys: drop the last one first`
        : 'there is one key: add the next one first',
    )
  const former = keys.slice(0, -1)
  return { add: [...keys, made], use: [...keys.slice(-1), ...former], drop: former }[step]
}
