/** Asks questions at the terminal. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** `askHidden` does not show what is typed. */
export type Dialog = {
  ask(question: string): Promise<string>
  askHidden(question: string): Promise<string>
  print(line: string): void
}

/** Creates a dialog. Answers may also come through a pipe, a line each. */
export function terminalDialog(): Dialog & { close(): void } {
  const { stdin: input, stdout } = process
  let isHidden = false
  const output = new Writable({ write: (chunk, _encoding, done) => (isHidden ? done() : stdout.write(chunk, done)) })
  const typed = createInterface({ input, output, terminal: input.isTTY })
  // A closed interface shows no prompt, but may still have buffered answers.
  let hasEnded = false
  typed.on('close', () => {
    hasEnded = true
  })
  typed.on('SIGINT', () => typed.close())
  const lines = typed[Symbol.asyncIterator]()
  const read = async (question: string, hides: boolean): Promise<string> => {
    typed.setPrompt(hides ? '' : question)
    if (hides || hasEnded) stdout.write(question)
    else typed.prompt()
    isHidden = hides
    const { done, value } = await lines.next()
    isHidden = false
    if (hides) stdout.write('\n')
    if (done === true) throw new RangeError('the input has ended before this answer: run the command again')
    return value
  }
  return {
    ask: (question) => read(question, false),
    askHidden: (question) => read(question, true),
    print: (line) => void stdout.write(`${line}\n`),
    close: () => typed.close(),
  }
}
