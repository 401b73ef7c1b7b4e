/**
 * The rush described by the command line: which options apply to which kind of sale, and their
 * defaults.
 */

import type { StartStep } from '../../cli/progress.ts'
import { maxPacketAmount, maxPackets } from '../../core/packets.ts'
import type { RushFlags } from './command.ts'
import type { CrowdOptions, PacketRushOptions, RushOptions } from './options.ts'

export type Wanted =
  | { kind: 'orders'; options: RushOptions }
  | { kind: 'packets'; options: PacketRushOptions }
  | { kind: 'refused'; detail: string }

type Given = Omit<RushFlags, 'faults' | 'sales' | 'only' | 'swarm'> & { seed: number; startStep: StartStep }

const usualStock = 100
const usualShoppers = 5000
const usualAmount = 100

export function wantedRush(given: Given): Wanted {
  return given.kind === 'red-packet' ? wantedPackets(given) : wantedOrders({ ...given, kind: given.kind })
}

function wantedOrders(given: Given & Pick<RushOptions, 'kind'>): Wanted {
  const { kind, stock = usualStock, quantity = 1, limit = quantity, total } = given
  const { shards, oneShard = false } = given
  if (total !== undefined) {
    return refused(
      `--total is the total amount of red packets; a sale of kind ${kind} has none. Leave it out.`,
    )
  }
  return {
    kind: 'orders',
    options: { ...crowdOf(given), kind, stock, quantity, limitPerShopper: limit, shards, oneShard },
  }
}

function wantedPackets(given: Given): Wanted {
  const { stock: packets = usualStock, quantity, limit } = given
  const { total: totalAmount = usualAmount * packets } = given
  if (quantity !== undefined || limit !== undefined) {
    const option = quantity === undefined ? '--limit' : '--quantity'
    return refused(`${option} does not apply to red packets: a shopper claims one per sale. Leave it out.`)
  }
  if (packets < 1 || packets > maxPackets) {
    return refused(`--stock is the number of red packets: from 1 to ${maxPackets}, and not ${packets}.`)
  }
  if (totalAmount < packets || totalAmount > maxPacketAmount) {
    return refused(
      `--total must be at least one minor unit for each of the ${packets} packets, and at most ${maxPacketAmount}.`,
    )
  }
  return { kind: 'packets', options: { ...crowdOf(given), packets, totalAmount } }
}

function crowdOf(given: Given): CrowdOptions {
  const { shoppers = usualShoppers, concurrency, seed, patience, settle, fault, startStep } = given
  return {
    shoppers,
    concurrency,
    seed,
    patienceMs: patience * 1000,
    settleMs: settle * 1000,
    fault,
    startStep,
  }
}

const refused = (detail: string): Wanted => ({ kind: 'refused', detail })
