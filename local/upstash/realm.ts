/**
 * Runs the commands of one token: checks them, translates their scripts, and returns Redis's
 * replies.
 */
import type { Guard } from './access.ts'
import { RedisError, type RespReply } from './resp.ts'
import type { Scripts } from './scripts.ts'
import type { Sender } from './throttle.ts'

export type Realm = {
  /** One reply per command, in order; a rejected command gets its error without reaching Redis. */
  run(commands: string[][], redis: Sender): Promise<RespReply[]>
  /** All or nothing; an error before EXEC is the answer to the whole transaction. */
  transact(commands: string[][], redis: Sender): Promise<RespReply[] | RedisError>
}

export function openRealm(scripts: Scripts, guard: Guard): Realm {
  /** The commands as sent to Redis, and for each the error that answers it instead, if any. */
  const prepare = (commands: string[][]) => {
    const wire: (readonly string[])[] = []
    const errors = commands.map((command) => {
      const refused = guard(command)
      if (refused !== undefined) return refused
      const translated = scripts.translate(command)
      if (translated instanceof RedisError) return translated
      wire.push(translated)
      return undefined
    })
    return { wire, errors }
  }

  return {
    async run(commands, redis) {
      const { wire, errors } = prepare(commands)
      const replies = wire.length === 0 ? [] : await redis.send(wire)
      let at = 0
      return commands.map((command, index) => {
        const error = errors[index]
        if (error !== undefined) return error
        const reply = replies[at] ?? null
        at += 1
        return scripts.restore(command, reply)
      })
    },
    async transact(commands, redis) {
      const { wire, errors } = prepare(commands)
      const refused = errors.find((error) => error !== undefined)
      if (refused !== undefined) return refused
      const replies = await redis.send([['MULTI'], ...wire, ['EXEC']])
      const results = replies.at(-1)
      if (Array.isArray(results)) {
        return commands.map((command, index) => scripts.restore(command, results[index] ?? null))
      }
      const cause = replies.find((reply) => reply instanceof RedisError)
      return cause ?? new RedisError('ERR Redis did not run the transaction')
    },
  }
}
