/** The two stores in Redis as functions reach them: every command is a step of its own. */
import type { Command, Commander } from '../../../redis/command.ts'
import type { Simulation } from '../engine/simulation.ts'
import { aboutOf, throwUnanswered } from '../engine/step.ts'
import { nameOfCommand } from './redis.ts'

export function steppedStore(simulation: Simulation, part: 'stock' | 'gate', redis: Commander): Commander {
  return {
    exec: (command: Command) =>
      simulation.perform({
        part,
        name: nameOfCommand(command),
        about: aboutOf(command),
        run: () => redis.exec(command),
        unanswered: throwUnanswered,
        // Whoever has just got a lock.
        delicate: command[0] === 'SET' && part === 'gate',
      }),
  }
}
