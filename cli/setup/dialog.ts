/** Questions to the person at the terminal. */

/** `askHidden` does not show what is typed. */
export type Dialog = {
  ask(question: string): Promise<string>
  askHidden(question: string): Promise<string>
  print(line: string): void
}
