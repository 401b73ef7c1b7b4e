/**
 * Keeps the keys of passes (core/gate/pass.ts): made in the store of the CloudFront Functions, which must
 * have a key before the gate signs with it, and published to the gate from there. Where both have a key of a day,
 * the gate's counts: an emergency rotation changes it first.
 */
import { passKeysKey } from '../../core/gate/edge-entry.ts'
import { passDays, passKeysIn, passKeysText } from '../../core/gate/pass.ts'
import { readListVersions, replacePassKeys, setPassKeys } from '../../redis/gate/shared-lists.ts'
import type { Shop } from '../lib/shop/shop.ts'

/** How long the edge locations may take to have a change of the store, ms; docs/guide/gate.md counts with half of it. */
const storeDelayMs = 10_000

type PassKeyPorts = Pick<Shop, 'gate' | 'edgeStore' | 'newToken' | 'clock' | 'sleep'>

/** A store in which so many others write first is given up. */
const maxRounds = 5

/**
 * Makes the keys of the days to come, and publishes them to store and gate. Costs one read of the
 * gate while nothing is to be done.
 * @throws when the store or the gate is unavailable
 */
export async function renewPassKeys({ gate, edgeStore, newToken, clock }: PassKeyPorts): Promise<void> {
  const days = passDays(clock())
  const { passKeys } = await readListVersions(gate)
  const known = passKeysIn(passKeys)
  if (days.every((day) => known.has(day))) return
  const etag = await edgeStore.etag()
  const stored = (await edgeStore.read(passKeysKey)) ?? ''
  const made = passKeysIn(stored)
  const keyOf = (day: number) => known.get(day) ?? made.get(day) ?? newToken()
  const keys = passKeysText(new Map(days.map((day) => [day, keyOf(day)])))
  // Another run is making keys: the next one finds them.
  if (keys !== stored && (await edgeStore.update(etag, new Map([[passKeysKey, keys]]))) === 'conflict') return
  await replacePassKeys(gate, passKeys, keys)
}

/**
 * Replaces every key at once, for the case that one has leaked: the gate refuses passes of the former keys within two
 * seconds of the return. Safe to repeat, and to be repeated when it fails.
 *
 * The store loses its keys first, and its locations get the time to notice: one with the former key would refuse every
 * new pass. Without a key the CloudFront Function leaves passes to the gate. The key of the day after tomorrow stays
 * away, which makes the next run of `renewPassKeys` write the new keys to the store.
 * @throws when the store or the gate is unavailable, or others keep changing the store
 */
export async function rotatePassKeys({ gate, edgeStore, newToken, clock, sleep }: PassKeyPorts): Promise<void> {
  await removeKeys(edgeStore)
  await sleep(storeDelayMs)
  const days = passDays(clock()).slice(0, -1)
  await setPassKeys(gate, passKeysText(new Map(days.map((day) => [day, newToken()]))))
}

async function removeKeys(edgeStore: PassKeyPorts['edgeStore']): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    const etag = await edgeStore.etag()
    if ((await edgeStore.read(passKeysKey)) === undefined) return
    if ((await edgeStore.update(etag, new Map([[passKeysKey, undefined]]))) === 'updated') return
  }
  throw new Error('others keep changing the store')
}
