/** Tells whether a module is the program that runs, or only imported. */
import { existsSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** True for the module address of the running program. The typed path may contain links, which Node's address does not. */
export function isMain(address: string, called = process.argv[1]): boolean {
  return called !== undefined && existsSync(called) && realpathSync(called) === fileURLToPath(address)
}
