/** Rounds of beacons that an instance has verified: every run reads its draws anew, and a pairing takes longer than all the rest. */
import { verifyRound } from '../../../core/draw/beacon.ts'
import type { VerifyRound } from '../../../core/draw/chain.ts'
import { setBounded } from '../../../core/lib/bounded-map.ts'

const verified = new Map<string, ReturnType<VerifyRound>>()
const mostVerified = 100

/** `verifyRound`, which remembers the last answers. */
export const verifyOnce: VerifyRound = (chain, round, signature) => {
  const question = `${chain.hash} ${chain.publicKey} ${round} ${signature}`
  if (!verified.has(question)) setBounded(verified, question, verifyRound(chain, round, signature), mostVerified)
  return verified.get(question)
}
