/** Questions to the person at the terminal. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** `askHidden` does not show what is typed. */
export type Dialog = {
  ask(question: string): Promise<string>
  askHidden(question: string): Promise<string>
  print(line: string): void
}

/** Answers may also come through a pipe, a line each. */
export function terminalDialog(): Dialog & { close(): void } {
  const { stdin: input, stdout } = process
  let isHidden = false
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (isHidden) done()
      else stdout.write(chunk, done)
    },
  })
  const typed = createInterface({ input, output, terminal: input.isTTY })
  typed.on('SIGINT', () => typed.close())
  const lines = typed[Symbol.asyncIterator]()
  const next = async (question: string): Promise<string> => {
    typed.setPrompt(question)
    typed.prompt()
    return read()
  }
  const read = async () => {
    const { done, value } = await lines.next()
    if (done === true) throw new Error('the answers have ended')
    return value
  }
  return {
    ask: next,
    async askHidden(question) {
      stdout.write(question)
      isHidden = true
      try {
        return await read()
      } finally {
        isHidden = false
        stdout.write('\n')
      }
    },
    print: (line) => void stdout.write(`${line}\n`),
    close: () => typed.close(),
  }
}
