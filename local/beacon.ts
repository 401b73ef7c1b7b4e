/**
 * A beacon on this machine, for systems without money: it signs its own rounds with its own key, and answers as a relay
 * of drand does. Its owner knows every later round, so its chain says that it is local, and so do the rules of a draw.
 */
import { createServer } from 'node:http'
import { bls12_381 } from '@noble/curves/bls12-381.js'
import {
  type Beacon,
  type BeaconChain,
  localChain,
  messageOfRound,
  roundAt,
  timeOfRound,
  verifyRound,
} from '../core/draw/beacon.ts'
import { type Listening, listen } from './listen.ts'

const { shortSignatures: bls } = bls12_381

/** Of 48 bytes follows the key; `period` is in seconds, `genesis` in Unix seconds, and `clock` gives epoch ms. */
export type LocalBeaconOptions = { seed: Uint8Array; period: number; genesis: number; clock: () => number }

export type LocalBeacon = Beacon & { chain: BeaconChain }

export function localBeacon({ seed, period, genesis, clock }: LocalBeaconOptions): LocalBeacon {
  const { secretKey, publicKey } = bls.keygen(seed)
  const chain = localChain({ publicKey: publicKey.toHex(true), period, genesis })
  return {
    chain,
    async round(round) {
      const due = timeOfRound(chain, round)
      if (clock() < due) return { kind: 'late', reasons: [`due at ${new Date(due).toISOString()}`] }
      const signature = bls.Signature.toHex(bls.sign(messageOfRound(round), secretKey))
      const verified = verifyRound(chain, round, signature)
      if (verified === undefined) throw new Error(`round ${round} is not a round of this chain`)
      return { kind: 'published', ...verified }
    },
  }
}

/** Serves the rounds on a free port, at `/<hash>/public/<round>` or `latest`; a round that is not due is 404. */
export async function startBeacon(options: LocalBeaconOptions): Promise<Listening & { chain: BeaconChain }> {
  const { chain, round: roundOf } = localBeacon(options)
  const path = new RegExp(`^/${chain.hash}/public/(latest|[1-9][0-9]{0,11})$`)
  const server = createServer(async ({ url = '' }, response) => {
    const [, wanted] = path.exec(url) ?? []
    const round = wanted === 'latest' ? roundAt(chain, options.clock()) : Number(wanted)
    const answer = round >= 1 ? await roundOf(round) : undefined
    const { kind, ...found } = answer ?? { kind: 'late' }
    response.writeHead(kind === 'published' ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(found))
  })
  return { chain, ...(await listen(server, 0)) }
}
