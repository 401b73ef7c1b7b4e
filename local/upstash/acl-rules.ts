/**
 * Rules of `ACL SETUSER` as Upstash supports them, a subset of Redis: no pattern for reading or
 * writing alone, no selector, no subcommand, and no password but a token of `ACL GENTOKEN`
 * (https://upstash.com/docs/redis/commands/server/acl-setuser).
 */

/** `keys` match the whole key. `commands` are lower case; undefined stands for all. */
export type Rights = { keys: readonly RegExp[]; commands: ReadonlySet<string> | undefined }

const command = /^\+([a-z]+)$/
const pattern = /^~([^?[\]\\]+)$/

/**
 * The rights of a user after `rules`, applied from left to right.
 * @throws TypeError for a rule that Upstash rejects, or that is unknown here
 */
export function aclRights(rules: readonly string[]): Rights {
  const keys: RegExp[] = []
  let commands: Set<string> | undefined = new Set()
  for (const rule of rules) {
    const name = command.exec(rule)?.[1]
    const glob = pattern.exec(rule)?.[1]
    if (glob !== undefined) keys.push(matcher(glob))
    else if (name !== undefined) commands?.add(name)
    else if (rule === '-@all') commands = new Set()
    else if (rule === '+@all') commands = undefined
    else throw new TypeError(`${rule} is not a rule that this proxy and Upstash both know`)
  }
  return { keys, commands }
}

/** `*` stands for any text, every other character for itself. */
function matcher(glob: string): RegExp {
  return new RegExp(`^${glob.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`, 's')
}
