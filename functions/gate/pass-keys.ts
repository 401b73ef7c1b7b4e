/**
 * Renews the keys of passes (core/gate/pass.ts). They are made in the store of the CloudFront Functions, which must have a key
 * before the gate signs with it, and published to the gate from there. When both have a key of a day, the gate's key wins: an
 * emergency rotation changes it first.
 */
import { passKeysKey } from '../../core/gate/edge-entry.ts'
import { passDays, passKeysIn, passKeysText } from '../../core/gate/pass.ts'
import { readListVersions, replacePassKeys, setPassKeys } from '../../redis/gate/shared-lists.ts'
import type { ShopContext } from '../lib/shop/shop.ts'

/** How long a change of the store takes to reach every edge location, ms; docs/guide/gate.md counts with half of it. */
const storeDelayMs = 10_000

type PassKeyPorts = Pick<ShopContext, 'gate' | 'edgeStore' | 'newToken' | 'clock' | 'sleep'>

/** Tries before giving up when other writers keep changing the store. */
const maxRounds = 5

/**
 * Makes the keys of the coming days and publishes them to the store and the gate. Costs one read of the gate when nothing is
 * due.
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
  // Another run is making keys; the next run finds them.
  if (keys !== stored && (await edgeStore.update(etag, new Map([[passKeysKey, keys]]))) === 'conflict') return
  await replacePassKeys(gate, passKeys, keys)
}

/**
 * Replaces every key at once after a key has leaked: the gate rejects passes of the former keys within two seconds of the
 * return. Safe to repeat; repeat it when it fails.
 *
 * First removes the keys from the store and waits until its locations have noticed, because a location with the former key
 * would reject every new pass. Without a key the CloudFront Function leaves passes to the gate. The key of the day after
 * tomorrow stays absent, so that the next run of `renewPassKeys` writes the new keys to the store. @throws when the store or
 * the gate is unavailable, or others keep changing the store
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
