/** Looks after the shards of a split stock, each kind in its way. */
import type { Sale } from '../../../core/sale/sale.ts'
import type { Banker } from '../../sales/banker.ts'
import { tendPackets } from '../packets/tend-packets.ts'
import type { RepairPorts } from '../ports.ts'
import { tendBank } from './tend-bank.ts'

/**
 * Until `until` (epoch ms), or once if the sale does not sell; not at all if its stock is whole.
 * @throws when the table or the gate is unavailable
 */
export async function tendShards(ports: RepairPorts, banker: Banker, sale: Sale, until: number): Promise<void> {
  if (sale.databases.length <= 1) return
  if (sale.kind === 'red-packet') await tendPackets(ports, sale, until)
  else await tendBank(ports, banker, sale, until)
}
