/** A whole system of a measurement's own, from its start to its end. */
import { type Stack, startStack } from '../local/stack.ts'
import { openSystem, type System } from './system.ts'

/** What `measure` makes of a system that was started for it; the system ends with it, however it ends. */
export async function withOwnSystem<T>(measure: (system: System, stack: Stack) => Promise<T>): Promise<T> {
  const stack = await startStack({ port: 0, demo: false })
  try {
    const system = await openSystem(`http://127.0.0.1:${stack.port}`)
    try {
      return await measure(system, stack)
    } finally {
      system.close()
    }
  } finally {
    await stack.stop()
  }
}
