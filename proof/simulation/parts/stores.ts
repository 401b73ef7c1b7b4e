/** The two stores in Redis as the functions reach them: every command is a step. */
import type { Command, Commander, CommandSender } from '../../../redis/command.ts'
import { placeOf } from '../../../redis/databases.ts'
import type { ShardTarget } from '../engine/faults.ts'
import type { Simulation } from '../engine/simulation.ts'
import { aboutOf, throwUnanswered } from '../engine/step.ts'
import { nameOfCommand } from './redis.ts'

/** Scripts of a recovery and of a sale's end, which a sale runs once or twice. */
const rareScripts = /^(?:freeze|restore|recount|unfreeze|clear-packets|restore-claims|load-packets|retire-packets)\b/

/** With `isSplit` a change of the stock is rare as well: it is a transfer between shards. */
export function steppedStore(
  simulation: Simulation,
  part: 'stock' | 'gate',
  redis: CommandSender,
  { isSplit }: { isSplit: boolean },
): Commander {
  const isRare = (name: string) => rareScripts.test(name) || (isSplit && name.startsWith('add-stock'))

  return {
    exec: (command: Command) =>
      simulation.perform({
        part,
        shard: part === 'stock' ? targetOf(command) : undefined,
        name: nameOfCommand(command),
        about: aboutOf(command),
        run: () => redis.exec(command),
        unanswered: throwUnanswered,
        rare: isRare(nameOfCommand(command)),
        // Right after it has taken a lock.
        delicate: command[0] === 'SET' && part === 'gate',
      }),
  }
}

function targetOf(command: Command): ShardTarget | undefined {
  const place = placeOf(command)
  return place && `shard ${place.shard}`
}
