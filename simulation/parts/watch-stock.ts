/** Checks the stock after every script. */
import type { SaleId } from '../../core/ids.ts'
import type { Command, Commander } from '../../redis/command.ts'
import { stockKeys } from '../../redis/keys.ts'
import type { StatusRecord } from '../status-record.ts'
import { nameOfCommand } from './redis.ts'

/** A script that ran: its name, the command and the reply. */
export type ScriptRun = { name: string; command: Command; reply: readonly unknown[] }

/** Scripts that only read. */
const readers = new Set(['packet-counts'])

/** Calls `check` after every script that may have changed something. */
export function watchScripts(redis: Commander, check: (ran: ScriptRun) => Promise<void>): Commander {
  return {
    async exec(command) {
      const reply = await redis.exec(command)
      if (command[0].startsWith('EVAL') && Array.isArray(reply)) {
        const name = nameOfCommand(command).replace(/:text$/, '')
        if (!readers.has(name)) await check({ name, command, reply })
      }
      return reply
    },
  }
}

/**
 * Reports units taken while the sale is closed, by the marketer's last answer or by its state in
 * Redis (I6), and booked units that differ from held ones (I4).
 */
export function watchStock(
  redis: Commander,
  saleId: SaleId,
  statusRecord: Pick<StatusRecord, 'confirmed'>,
  violated: (what: string) => void,
): Commander {
  const { stock, holds } = stockKeys(saleId)
  return watchScripts(redis, async ({ name, reply }) => {
    const [counters, held] = await Promise.all([
      redis.exec(['HMGET', stock, 'booked', 'flag', 'packedWindow', 'heldBack']),
      redis.exec(['HVALS', holds]),
    ])
    const [booked, flag, packedWindow, heldBack = '0'] = textsOf(counters)
    const units = textsOf(held).reduce((sum, hold) => sum + Number.parseInt(hold, 10), 0)
    if (booked !== undefined && Number(booked) !== units + Number(heldBack)) {
      violated(`${name} leaves ${booked} units booked, ${units} held and ${heldBack} held back (I4)`)
    }
    const isWon = (name === 'reserve' || name === 'claim') && reply[0] === 1
    if (isWon && statusRecord.confirmed() !== undefined) {
      violated(
        `units were taken after the marketer was answered that the sale is ${statusRecord.confirmed()} (I6)`,
      )
    }
    if (isWon && (flag !== 'on' || packedWindow?.includes('!') === true)) {
      violated(`units were taken of a closed sale: ${flag}, ${packedWindow} (I6)`)
    }
  })
}

export function textsOf(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.flatMap((text) => (typeof text === 'string' ? [text] : [])) : []
}
