/** Watches what scripts make of the stock, after every single one. */
import type { SaleId } from '../../../core/ids.ts'
import type { Commander } from '../../../redis/command.ts'
import { stockKeys } from '../../../redis/keys.ts'
import { nameOfCommand } from './redis.ts'

/**
 * Tells when somebody wins where the sale is shut (I6), and when the units that are booked are not those that are held
 * (I4).
 */
export function watchStock(redis: Commander, saleId: SaleId, violated: (what: string) => void): Commander {
  const { stock, holds } = stockKeys(saleId)
  return {
    async exec(command) {
      const reply = await redis.exec(command)
      if (!command[0].startsWith('EVAL') || !Array.isArray(reply)) return reply
      const name = nameOfCommand(command)
      const [booked, flag, terms] = textsOf(await redis.exec(['HMGET', stock, 'booked', 'flag', 'terms']))
      const held = textsOf(await redis.exec(['HVALS', holds]))
      const units = held.reduce((sum, hold) => sum + Number.parseInt(hold, 10), 0)
      if (booked !== undefined && Number(booked) !== units) {
        violated(`${name} leaves ${booked} units booked and ${units} held (I4)`)
      }
      const isShut = flag !== 'on' || terms?.includes('!') === true
      if (name.startsWith('reserve') && reply[0] === 1 && isShut) {
        violated(`units were taken of a sale that is shut: ${flag}, ${terms} (I6)`)
      }
      return reply
    },
  }
}

function textsOf(reply: unknown): string[] {
  return Array.isArray(reply) ? reply.flatMap((text) => (typeof text === 'string' ? [text] : [])) : []
}
