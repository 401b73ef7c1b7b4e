/** The two stores in Redis as the functions reach them: every command is a step. */
import type { Command, Commander } from '../../redis/command.ts'
import type { Simulation } from '../engine/simulation.ts'
import { aboutOf, throwUnanswered } from '../engine/step.ts'
import { nameOfCommand } from './redis.ts'

/** Scripts of a recovery and of a sale's end, which a sale runs once or twice. */
const rareScripts =
  /^(?:freeze|restore|recount|unfreeze|clear-packets|restore-claims|load-packets|retire-packets)\b/

export function steppedStore(simulation: Simulation, part: 'stock' | 'gate', redis: Commander): Commander {
  return {
    exec: (command: Command) =>
      simulation.perform({
        part,
        name: nameOfCommand(command),
        about: aboutOf(command),
        run: () => redis.exec(command),
        unanswered: throwUnanswered,
        rare: rareScripts.test(nameOfCommand(command)),
        // Right after it has taken a lock.
        delicate: command[0] === 'SET' && part === 'gate',
      }),
  }
}
