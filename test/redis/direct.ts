/** The rig's Redis over one connection without the REST proxy: for models that send thousands of commands. */
import { loopback } from '../../local/ports.ts'
import { toAnswer } from '../../local/upstash/encoding.ts'
import { openLink } from '../../local/upstash/link.ts'
import { RedisError } from '../../local/upstash/resp.ts'
import { openScripts } from '../../local/upstash/scripts.ts'
import type { Commander } from '../../redis/command.ts'
import { RedisReplyError } from '../../redis/errors.ts'

export function connectDirectly(port: number): Commander & { stop(): void } {
  const link = openLink({ host: loopback, port })
  const scripts = openScripts('flagged', false)
  return {
    async exec(args) {
      const sent = scripts.translate(args)
      const [reply = null] = sent instanceof RedisError ? [sent] : await link.send([sent])
      const answer = toAnswer(reply, false)
      if ('error' in answer) throw new RedisReplyError(answer.error)
      return answer.result
    },
    stop: () => link.close(),
  }
}
