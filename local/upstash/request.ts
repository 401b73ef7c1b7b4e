/**
 * The body of a REST request as commands: arrays of words, which JSON may give as text, number or
 * boolean.
 */

/** One command, or undefined when `body` is invalid. */
export function readCommand(body: unknown): string[] | undefined {
  if (!Array.isArray(body) || body.length === 0) return undefined
  const words: string[] = []
  for (const word of body) {
    if (typeof word === 'string') words.push(word)
    else if (typeof word === 'number' || typeof word === 'boolean') words.push(String(word))
    else return undefined
  }
  return words
}

/** The commands of a pipeline or transaction, or undefined when one of them is invalid. */
export function readCommands(body: unknown): string[][] | undefined {
  if (!Array.isArray(body) || body.length === 0) return undefined
  const commands: string[][] = []
  for (const item of body) {
    const command = readCommand(item)
    if (command === undefined) return undefined
    commands.push(command)
  }
  return commands
}
