/**
 * Keeps the keys of passes (core/pass.ts): made in the store of the CloudFront Functions, which must
 * have a key before the gate signs with it, and published to the gate from there.
 */
import { passKeysKey } from '../../core/edge-entry.ts'
import { passDays, passKeysIn, passKeysText } from '../../core/pass.ts'
import { readListVersions, setPassKeys } from '../../redis/shared-lists.ts'
import type { RepairPorts } from './ports.ts'

/**
 * Makes the keys of the days to come, and brings the gate in step with the store. Costs one read of the
 * gate while nothing is to be done.
 * @throws when the store or the gate is unavailable
 */
export async function keepPassKeys({ gate, edgeStore, newToken, clock }: RepairPorts): Promise<void> {
  const days = passDays(clock())
  const { passKeys } = await readListVersions(gate)
  const known = passKeysIn(passKeys)
  if (days.every((day) => known.has(day))) return
  const etag = await edgeStore.etag()
  const stored = (await edgeStore.read(passKeysKey)) ?? ''
  const made = passKeysIn(stored)
  const keys = passKeysText(new Map(days.map((day) => [day, made.get(day) ?? newToken()])))
  // Another run is making keys: the next one finds them.
  if (keys !== stored && (await edgeStore.update(etag, new Map([[passKeysKey, keys]]))) === 'conflict') return
  await setPassKeys(gate, keys)
}
